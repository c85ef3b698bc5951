import type { Column, Index } from '~/api/tables'
import { perNames } from '~/core/session/per-names'
import { takesLength } from '~/immudb/column-types'
import { catalogueAtom, mostMoments } from '../tables/catalogue-history'
import { replay, type TableState } from '../tables/table-states'

/** A column as it was; `now` is the name that queries need, null when it was dropped since. */
export type PastColumn = Column & { readonly now: string | null }

/** A table as it was, like `describeTable` and `listIndexes` tell of one of today. */
export type PastTable = {
  readonly name: string
  /** The name that queries need; null when it was dropped since. */
  readonly now: string | null
  readonly columns: PastColumn[]
  readonly indexes: Index[]
  /** Whether the server no longer has some of its description, as after a truncation. */
  readonly isPartial: boolean
}

export type PastTables = {
  /** In the order in which they were created, as the server lists those of today. */
  readonly tables: readonly PastTable[]
  /** How many were there whose names the server no longer has. */
  readonly nameless: number
}

/** Returns the atom of the tables as of a transaction; null when the history was not read. */
export const pastTablesAtom = perNames((get, database = '', tx = ''): PastTables | null => {
  const read = get(get(catalogueAtom)(database, tx))
  if (!read) return null
  const states = replay(read.changes.filter((change) => BigInt(change.tx) <= BigInt(tx)))
  const there = [...states].filter(([, { droppedTx }]) => droppedTx === null)
  there.sort(([one], [other]) => one - other)
  const present = replay(read.changes)
  const tables = there.flatMap(([id, state]) => described(state, present.get(id)) ?? [])
  return { tables, nameless: there.length - tables.length }
}, mostMoments)

function described(state: TableState, present: TableState | undefined): PastTable | null {
  const { name, isPartial } = state
  if (name === null) return null
  const key = state.indexes.get(0)?.columnIds ?? []
  const nameOf = (id: number) => state.columns.get(id)?.name ?? `column ${id}`
  const indexes = [...state.indexes].map(([id, { columnIds, isUnique }]): Index => {
    return { columns: columnIds.map(nameOf), isUnique, isPrimary: id === 0 }
  })
  const columns = [...state.columns].sort(([one], [other]) => one - other)
  return {
    name,
    now: present?.name ?? null,
    isPartial,
    indexes,
    columns: columns.map(([id, { name, type, maxLen, isNotNull, isAutoIncrement }]): PastColumn => {
      const own = [...state.indexes.values()].filter(({ columnIds }) => columnIds.includes(id))
      const isPrimaryKey = key.includes(id)
      return {
        name,
        now: present?.columns.get(id)?.name ?? null,
        type: takesLength(type) && maxLen > 0 ? `${type}(${maxLen})` : type,
        isNullable: !isNotNull && !isPrimaryKey,
        isPrimaryKey,
        isForeignKey: false,
        isIndexed: !isPrimaryKey && own.length > 0,
        isAutoIncrement,
        isUnique: own.some(({ isUnique, columnIds }) => isUnique && columnIds.length === 1),
      }
    }),
  }
}
