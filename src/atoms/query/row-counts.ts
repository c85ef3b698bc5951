import { atom } from 'jotai'
import { ApiError } from '~/api/errors'
import { querySql } from '~/api/sql'
import type { Io } from '~/core/act'
import { findMoment, momentAtom } from '~/core/history/as-of'
import { presentTxAtom } from '~/core/history/newest-state'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import { databaseAtom } from '~/core/session/session'
import { quoteName } from '~/sql/names'
import { readResult } from '~/sql/result'
import { periodOf } from '~/sql/time-travel'

/** Row counts and the state they belong to; a new transaction makes them obsolete. */
type Counts = { readonly at: string; readonly rows: ReadonlyMap<string, string> }

const countedAtom = atom<Counts>({ at: '', rows: new Map() })

/** Identifies the database, moment and newest transaction. */
const placeAtom = atom((get) => {
  const moment = get(momentAtom)
  const point = moment ? periodOf(moment) : moment === null && get(presentTxAtom)
  return JSON.stringify([get(databaseAtom), point])
})

/** Rows of the tables that were counted, by name, as long as nothing was written since. */
export const rowCountsAtom = atom<ReadonlyMap<string, string>>((get) => {
  const { at, rows } = get(countedAtom)
  return at === get(placeAtom) ? rows : new Map()
})

/**
 * Counts the rows of a table at the moment that is looked at. Rejects with `ApiError`, and with the
 * reason when there is no such moment.
 */
export async function countRows(io: Io, table: string) {
  const { get, set } = io
  const database = get(databaseAtom) ?? ''
  const client = get(clientAtom)
  const at = get(placeAtom)
  const found = await findMoment(io)
  if ('refusal' in found) throw new ApiError({ kind: 'refused', text: found.refusal })
  const { moment } = found
  const period = moment === null ? '' : ` ${periodOf(moment)}`
  const sql = `SELECT COUNT(*) FROM ${quoteName(table)}${period};`
  await ensureDatabaseToken(io, client, database)
  const result = readResult(await querySql(client, { database, sql }))
  const known = get(countedAtom)
  const rows = new Map(known.at === at ? known.rows : [])
  set(countedAtom, { at, rows: rows.set(table, result.columns[0]?.values[0] ?? '0') })
}
