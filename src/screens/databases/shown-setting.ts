import type { Setting } from '~/immudb/database-settings'
import { exactSize } from '~/lib/size'
import { formatTx } from '~/lib/text'

const spans = [
  ['d', 86_400_000n],
  ['h', 3_600_000n],
  ['min', 60_000n],
  ['s', 1_000n],
  ['ms', 1n],
] as const

/** Milliseconds as days, hours and smaller: `1 d`, `1 h 30 min`, `20 ms`. */
export function formatPeriod(ms: string): string {
  if (!/^\d{1,19}$/.test(ms)) return `${ms} ms`
  let rest = BigInt(ms)
  const parts: string[] = []
  for (const [unit, size] of spans) {
    if (rest >= size) parts.push(`${formatTx(String(rest / size))} ${unit}`)
    rest %= size
  }
  return parts.length === 0 ? '0 ms' : parts.join(' ')
}

/** A setting's value for people; undefined is one that the server does not report. */
export function shownSetting({ kind }: Setting, value: string | undefined): string {
  if (value === undefined) return 'not reported'
  switch (kind) {
    case 'flag':
      return value === 'true' ? 'on' : 'off'
    case 'bytes':
      return formatBytes(value)
    case 'period':
      return formatPeriod(value)
    case 'percent':
      return `${value} %`
    case 'secret':
      return value === '' ? 'none' : 'set, hidden'
    case 'count':
      return formatTx(value)
    case 'text':
      return value === '' ? 'none' : value
  }
}

function formatBytes(value: string): string {
  return /^\d{1,15}$/.test(value) ? exactSize(Number(value)) : value
}

/** What stands behind the number in a field. */
export function unitOf({ kind }: Setting): string | undefined {
  if (kind === 'bytes') return 'bytes'
  if (kind === 'period') return 'ms'
  return kind === 'percent' ? '%' : undefined
}
