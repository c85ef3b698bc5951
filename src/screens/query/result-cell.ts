import { base64ToBytes } from '~/lib/base64'
import { formatCell, type TimeZone } from '~/sql/cells'
import type { Cell } from '~/ui/grid/cell'

/** A value of a result as the grid takes it: exact, however long it is. */
export function resultCell(type: string, value: string | null, zone: TimeZone): Cell {
  const { kind, text } = formatCell(type, value, zone)
  if (value === null) return { kind: 'null', text }
  if (kind === 'blob') return { kind, text, exact: () => hexOf(value) }
  if (kind === 'time') return { kind, text }
  if (value === '') return { kind: 'empty', text: '' }
  return { kind, text: value }
}

/** As SQL writes it: `x'00FF'`. */
function hexOf(base64: string): string {
  const digits = Array.from(base64ToBytes(base64), (byte) => byte.toString(16).padStart(2, '0'))
  return `x'${digits.join('').toUpperCase()}'`
}
