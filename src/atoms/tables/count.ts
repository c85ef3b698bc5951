import { atom } from 'jotai'
import { querySql } from '~/api/sql'
import type { Io } from '~/core/act'
import { presentTxAtom } from '~/core/history/newest-state'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import { sentence } from '~/core/session/failure-words'
import { readResult } from '~/sql/result'
import { countSql, typesOf } from '~/sql/table-rows'
import type { RowsView } from './table-rows'

type Counted = Pick<RowsView, 'database' | 'table' | 'period' | 'columns' | 'filter'>

/** How many rows a filter lets through, or why they were not counted. */
export type RowCount = {
  readonly state: 'running' | 'done' | 'failed'
  /** The number as digits, or a sentence. */
  readonly text: string
}

const countsAtom = atom<ReadonlyMap<string, RowCount>>(new Map())

/** A new transaction makes a count of the present obsolete. */
const placeOf = ({ database, table, period, filter }: Counted, newest: string) =>
  JSON.stringify([database, table, filter, period === '' ? newest : period])

/** Gives the count of rows that was asked for, as long as nothing was written since. */
export const filteredCountAtom = atom((get) => {
  const [counts, newest] = [get(countsAtom), get(presentTxAtom)]
  return (of: Counted): RowCount | undefined => counts.get(placeOf(of, newest))
})

/** Counts the rows that a filter lets through, which reads them all on the server. Never rejects. */
export async function countFiltered(io: Io, of: Counted) {
  const { get, set } = io
  const place = placeOf(of, get(presentTxAtom))
  const tell = (count: RowCount) => set(countsAtom, new Map(get(countsAtom)).set(place, count))
  if (get(countsAtom).get(place)?.state === 'running') return
  tell({ state: 'running', text: '' })
  try {
    const client = get(clientAtom)
    await ensureDatabaseToken(io, client, of.database)
    const asked = countSql(of, typesOf(of.columns))
    const result = readResult(await querySql(client, { database: of.database, ...asked }))
    tell({ state: 'done', text: result.columns[0]?.values[0] ?? '0' })
  } catch (error) {
    tell({ state: 'failed', text: sentence(error) })
  }
}
