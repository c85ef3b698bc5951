import { atom } from 'jotai'
import type { Client } from '~/api/client'
import { readState } from '~/api/server'
import { querySql } from '~/api/sql'
import { formatTx } from '~/lib/text'
import { quoteName } from '~/sql/names'
import { type ResultTable, readResult } from '~/sql/result'
import { clientAtom, ensureDatabaseToken } from './client'
import { sentence } from './failure'
import { changeOutputAtom, type Finding, type OutputEntry } from './output'

/**
 * Finds out what became of a write whose answer never came: has the database moved on since the
 * last transaction known before it, and which rows of its table changed since. Only reads.
 */
export const checkOutcomeAtom = atom(null, async (get, set, entry: OutputEntry) => {
  const client = get(clientAtom)
  const finding = await ensureDatabaseToken({ get, set }, client, entry.database)
    .then(() => look(client, entry))
    .catch((error: unknown) => ({
      text: `The check itself failed. ${sentence(error)} Nothing more is known.`,
      rows: null,
    }))
  set(changeOutputAtom, entry.number, { finding })
})

/** What of a write is looked up. */
type Written = Pick<OutputEntry, 'database' | 'txBefore' | 'tables'>

/** What happened to the statement's table since the transaction before it; rejects as the calls. */
export async function look(client: Client, entry: Written): Promise<Finding> {
  const { txId } = await readState(client, entry.database)
  if (BigInt(txId) <= BigInt(entry.txBefore)) {
    return {
      text: `Not stored so far: tx ${formatTx(txId)} is still the newest. A server that was busy may yet commit it; check again.`,
      rows: null,
    }
  }
  const since = `The database moved from tx ${formatTx(entry.txBefore)}, the newest known before this was sent, to tx ${formatTx(txId)}`
  const rows = await changedRows(client, entry, txId).catch(() => null)
  if (rows === null) return { text: `${since}. Look whether it was this statement.`, rows }
  if (rows.rowCount === 0) {
    return { text: `${since}, but no row of ${entry.tables[0]} changed.`, rows: null }
  }
  return { text: `${since}. These rows of ${entry.tables[0]} changed:`, rows }
}

/** The net changes of the statement's table since the transaction before it. */
async function changedRows(
  client: Client,
  { tables, txBefore, database }: Written,
  until: string,
): Promise<ResultTable | null> {
  const [table] = tables
  if (table === undefined) return null
  const bounds = `SINCE TX ${BigInt(txBefore) + 1n} UNTIL TX ${until}`
  const sql = `SELECT * FROM (DIFF OF ${quoteName(table)}) ${bounds} LIMIT 100;`
  return readResult(await querySql(client, { database, sql }))
}
