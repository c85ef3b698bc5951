import { isSought } from '~/immudb/column-types'
import { neighbour } from './next-value'

/** A column by which rows are sought. */
export type KeyColumn = {
  readonly name: string
  /** Without its length. */
  readonly type: string
  /** Most bytes of a value, where that is known. */
  readonly length?: number
}

/** One column of a seek, compared with its value (see `ResultColumn.values`). */
export type SeekPart = KeyColumn & {
  readonly sign: '=' | '<' | '<=' | '>' | '>='
  readonly value: string | null
}

/** Conditions that hold together. */
export type Seek = readonly SeekPart[]

/**
 * The rows behind a key, as seeks in the order of their rows: for the key (1, 2) first
 * `a = 1 AND b > 2`, then `a >= 2`. The server seeks to each of them, but would read all rows with
 * `a = 1` again for `a > 1 OR (a = 1 AND b > 2)`, and even for `a > 1` alone.
 * @param isSorted no index is sought in, so that nothing has to be skipped
 */
export function seeksBehind(
  key: readonly KeyColumn[],
  last: readonly (string | null)[],
  isDescending = false,
  isSorted = false,
): Seek[] {
  const seeks: Seek[] = []
  for (let depth = key.length - 1; depth >= 0; depth -= 1) {
    const column = key[depth]
    const end =
      column && endOf(column, last[depth] ?? null, isDescending, depth < key.length - 1, isSorted)
    if (!end) continue
    const equal = key
      .slice(0, depth)
      .map((one, at): SeekPart => ({ ...one, sign: '=', value: last[at] ?? null }))
    seeks.push([...equal, end])
  }
  return seeks
}

/** Null where no value lies behind. */
function endOf(
  column: KeyColumn,
  value: string | null,
  isDescending: boolean,
  isGroup: boolean,
  isSorted: boolean,
): SeekPart | null {
  const plain: SeekPart = { ...column, sign: isDescending ? '<' : '>', value }
  if (isSorted) return value === null && isDescending ? null : plain
  // One row is skipped quickly, the rows of a group are not. Times have an order of their own.
  const isNeeded = isGroup || column.type === 'TIMESTAMP'
  const next = isNeeded ? neighbour(column, value, isDescending) : 'unknown'
  if (next === 'none') return null
  return next === 'unknown'
    ? plain
    : { ...column, sign: isDescending ? '<=' : '>=', value: next.value }
}

/** The type without its length. */
export function plainType(type: string): string {
  return /^\w*/.exec(type)?.[0] ?? ''
}

/** Longest value that is filled up to find its neighbour; keys of immudb are far shorter. */
const mostLength = 65_536

/** The columns by which rows can be sought; null where they have to be counted off instead. */
export function soughtKey(key: readonly KeyColumn[]): readonly KeyColumn[] | null {
  const plain = key.map(({ name, type }) => {
    const length = Number(/[([](\d+)[)\]]$/.exec(type)?.[1] ?? 0)
    const isKnown = length > 0 && length <= mostLength
    return { name, type: plainType(type), ...(isKnown ? { length } : {}) }
  })
  return plain.length > 0 && plain.every(({ type }) => isSought(type)) ? plain : null
}

/** What is needed to know of a table's columns and indexes; null for indexes that may not be read. */
export type Keyed<C extends KeyColumn = KeyColumn> = {
  readonly columns: readonly (C & { readonly isPrimaryKey: boolean })[]
  readonly indexes:
    | readonly { readonly columns: readonly string[]; readonly isPrimary: boolean }[]
    | null
}

/** The columns of the primary key, in its own order as far as it is known. */
export function primaryKey<C extends KeyColumn>({ columns, indexes }: Keyed<C>): readonly C[] {
  const keys = columns.filter(({ isPrimaryKey }) => isPrimaryKey)
  const names = indexes?.find(({ isPrimary }) => isPrimary)?.columns ?? []
  const ordered = names.flatMap((name) => keys.find((column) => column.name === name) ?? [])
  return ordered.length === keys.length ? ordered : keys
}
