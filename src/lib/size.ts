import { locale } from './locale'
import { counted } from './text'

const units = ['KiB', 'MiB', 'GiB', 'TiB'] as const
const oneDecimal = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })

/** `0 bytes`, `1 byte`, `1,000 bytes`, `1.5 KiB`, `4 MiB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1_024) return counted(bytes, 'byte')
  let size = bytes / 1_024
  let unit = 0
  while (size >= 1_024 && unit < units.length - 1) {
    size /= 1_024
    unit += 1
  }
  return `${oneDecimal.format(size)} ${units[unit]}`
}

/** The same with the exact number behind a rounded one: `1.5 KiB (1,536 bytes)`. */
export function exactSize(bytes: number): string {
  const rounded = formatSize(bytes)
  return bytes < 1_024 ? rounded : `${rounded} (${counted(bytes, 'byte')})`
}

/** How many bytes standard base64 with padding stands for. */
export function base64Size(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  return (base64.length / 4) * 3 - padding
}
