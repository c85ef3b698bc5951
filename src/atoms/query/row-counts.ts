import { atom } from 'jotai'
import { querySql } from '~/api/sql'
import { quoteName } from '~/sql/names'
import { readResult } from '~/sql/result'
import { periodOf } from '~/sql/time-travel'
import { pastMomentAtom, presentTxAtom } from '../history/state'
import { clientAtom, ensureDatabaseToken } from '../session/client'
import { databaseAtom } from '../session/session'

/** Row counts and the state they belong to; a new transaction makes them obsolete. */
type Counts = { readonly at: string; readonly rows: ReadonlyMap<string, string> }

const countedAtom = atom<Counts>({ at: '', rows: new Map() })

/** Identifies the database, moment and newest transaction. */
const placeAtom = atom((get) => {
  const moment = get(pastMomentAtom)
  const point = moment === null ? get(presentTxAtom) : periodOf(moment)
  return JSON.stringify([get(databaseAtom), point])
})

/** Rows of the tables that were counted, by name, as long as nothing was written since. */
export const rowCountsAtom = atom<ReadonlyMap<string, string>>((get) => {
  const { at, rows } = get(countedAtom)
  return at === get(placeAtom) ? rows : new Map()
})

/** Counts the rows of a table at the moment that is looked at; rejects with `ApiError`. */
export const countRowsAtom = atom(null, async (get, set, table: string) => {
  const database = get(databaseAtom) ?? ''
  const client = get(clientAtom)
  const at = get(placeAtom)
  const moment = get(pastMomentAtom)
  const period = moment === null ? '' : ` ${periodOf(moment)}`
  const sql = `SELECT COUNT(*) FROM ${quoteName(table)}${period};`
  await ensureDatabaseToken({ get, set }, client, database)
  const result = readResult(await querySql(client, { database, sql }))
  const known = get(countedAtom)
  const rows = new Map(known.at === at ? known.rows : [])
  set(countedAtom, { at, rows: rows.set(table, result.columns[0]?.values[0] ?? '0') })
})
