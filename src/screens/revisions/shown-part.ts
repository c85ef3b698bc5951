import type { Part } from '~/atoms/revisions/history'
import { base64ToBytes, base64ToHex, decodeUtf8 } from '~/lib/bytes'
import { jsonLines } from '~/lib/line-diff'
import { parsedJson } from '~/lib/parsed-json'
import { formatMoment } from '~/lib/time'
import { formatCell } from '~/sql/cells'

/** A value as text to be read and compared; null is NULL. */
export function textOf({ type, value }: Part, zone: string): string | null {
  if (value === null) return null
  switch (type) {
    case 'KEY': {
      const text = decodeUtf8(base64ToBytes(value))
      return text === null ? `0x${base64ToHex(value)}` : linesOf(text)
    }
    case 'SECONDS':
      return formatMoment(Number(value) * 1_000, zone)
    case 'BLOB':
      return `0x${base64ToHex(value)}`
    case 'TIMESTAMP':
      return formatCell('TIMESTAMP', value, zone).text
    case 'JSON':
      return linesOf(value)
    default:
      return value
  }
}

/** Longest text that is read as JSON. */
const mostParsed = 262_144

function linesOf(text: string): string {
  const isJson =
    /^\s*[{[]/.test(text) && text.length <= mostParsed && parsedJson(text) !== undefined
  return isJson ? jsonLines(text) : text
}

/** What became of one part between two revisions. */
export type PartChange = {
  /** Unique among the parts. */
  readonly id: string
  readonly name: string
  /** Both types where they differ. */
  readonly type: string
  /** The number of a column that was dropped since. */
  readonly dropped?: number
  readonly older: Part | undefined
  readonly newer: Part | undefined
  readonly change: 'same' | 'changed' | 'added' | 'removed'
}

/** A table may have a column of today with the name of a dropped one. */
const idOf = ({ name, dropped }: Part) => (dropped === undefined ? name : `${dropped} ${name}`)

/** Two revisions beside each other, by the names of their parts. */
export function changesOf(older: readonly Part[], newer: readonly Part[]): PartChange[] {
  const before = new Map(older.map((part) => [idOf(part), part]))
  const after = new Map(newer.map((part) => [idOf(part), part]))
  const ids = [...new Set([...after.keys(), ...before.keys()])]
  return ids.flatMap((id) => {
    const [one, two] = [before.get(id), after.get(id)]
    const any = two ?? one
    if (!any) return []
    const { name, dropped } = any
    const types = new Set([one?.type, two?.type].filter((type) => type !== undefined))
    const type = [...types].join(' → ')
    const change = { id, name, type, older: one, newer: two, change: changeOf(one, two) }
    return dropped === undefined ? change : { ...change, dropped }
  })
}

function changeOf(older: Part | undefined, newer: Part | undefined): PartChange['change'] {
  if (!older) return 'added'
  if (!newer) return 'removed'
  // A field of a document may become of another type with the same text.
  return older.value === newer.value && older.type === newer.type ? 'same' : 'changed'
}
