import { base64ToHex } from '~/lib/bytes'
import { formatMicroseconds } from './cells'
import { keyValue } from './literals'

/** A value of a statement as immudb's `SQLValue` has it. */
export type Param = { readonly name: string; readonly value: Readonly<Record<string, unknown>> }

/** The values of one statement, each with the text that stands for it. */
export type Params = {
  readonly list: readonly Param[]
  /** Takes a value (see `ResultColumn.values`) and returns what the statement says for it. */
  readonly add: (type: string, value: string | null) => string
}

/** Collects the values of a statement, so that none of them is ever part of its text. */
export function newParams(): Params {
  const list: Param[] = []
  return {
    list,
    add: (type, value) => {
      const name = `p${list.length + 1}`
      list.push({ name, value: paramValue(type, value) })
      // The server compares no text with a UUID.
      return type === 'UUID' && value !== null ? `CAST(@${name} AS UUID)` : `@${name}`
    },
  }
}

/** A value (see `ResultColumn.values`) of a type as immudb's `SQLValue` has it. */
export function paramValue(type: string, value: string | null): Param['value'] {
  if (value === null) return { null: null }
  // NaN, Infinity and -0 are no JSON numbers; the server reads them from text.
  return keyValue(type, value) ?? (type === 'FLOAT' ? { f: value } : { s: value })
}

/** A value of a statement for people: a text in quotes, a time in UTC, bytes in hex. */
export function paramText(value: Param['value']): string {
  if ('null' in value) return 'NULL'
  if (typeof value.s === 'string') return `'${value.s.replaceAll("'", "''")}'`
  if (typeof value.ts === 'string') return formatMicroseconds(value.ts, 'utc')
  if (typeof value.bs === 'string') return `x'${base64ToHex(value.bs)}'`
  return String(Object.values(value)[0])
}
