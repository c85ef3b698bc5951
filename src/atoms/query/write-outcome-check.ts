import { atom } from 'jotai'
import type { Client } from '~/api/client'
import { readState } from '~/api/server'
import { querySql } from '~/api/sql'
import { listTxKeys, type TxKeys } from '~/api/transactions'
import { counted, formatTx } from '~/lib/text'
import { catalogueChangeIn } from '~/sql/elsewhere'
import { quoteName } from '~/sql/names'
import { type ResultTable, readResult } from '~/sql/result'
import { clientAtom, ensureDatabaseToken } from '../session/client'
import { clockOffsetAtom } from '../session/session'
import { failedCheck } from '../write/write'
import { findCatalogueWrite } from './catalogue-write-check'
import { isAlike, lookedAt, namedTxs, rowsOf } from './duplicate-commit'
import { changeOutputAtom, type Finding, type OutputEntry } from './output'

/**
 * Finds out what became of a write whose answer never came: how many transactions followed the last
 * one known before it, and which of them wrote rows of its table. Of what makes no
 * transaction, users and databases, the lists are read. Only reads.
 */
export const checkOutcomeAtom = atom(null, async (get, set, entry: OutputEntry) => {
  const client = get(clientAtom)
  const what = catalogueChangeIn(entry.source)
  const { database, timestamp } = entry
  const finding = await ensureDatabaseToken({ get, set }, client, database)
    .then(async (): Promise<Finding> => {
      if (what === null) return look(client, entry)
      const sentAt = timestamp + get(clockOffsetAtom)
      const { text } = await findCatalogueWrite(client, what, { database, sentAt })
      return { text, rows: null }
    })
    .catch((error: unknown) => ({ text: failedCheck(error), rows: null }))
  set(changeOutputAtom, entry.number, { finding })
})

/** What of a write is looked up. */
type Written = Pick<OutputEntry, 'database' | 'txBefore' | 'tables'>

/** What happened to the statement's table since the transaction before it; rejects as the calls. */
export async function look(client: Client, entry: Written): Promise<Finding> {
  const { txId } = await readState(client, entry.database)
  const count = BigInt(txId) - BigInt(entry.txBefore)
  if (count <= 0n) {
    return {
      text: `Not stored so far: tx ${formatTx(txId)} is still the newest. A server that was busy may yet commit it; check again.`,
      rows: null,
    }
  }
  const since = `${counted(count, 'transaction was', 'transactions were')} committed between the newest known before this was sent, tx ${formatTx(entry.txBefore)}, and the newest now, tx ${formatTx(txId)}.`
  const whole = { since: BigInt(entry.txBefore) + 1n, until: BigInt(txId) }
  const changed = await changedTable(client, entry, whole).catch(() => null)
  if (changed === null) {
    return { text: `${since} ${nameless} Compare them with this statement.`, rows: null }
  }
  const { table, rows } = changed
  if (rows.rowCount === 0)
    return { text: `${since} No row of ${table} is different now.`, rows: null }
  const copies = await copiesOf(client, { ...entry, tables: [table] }, whole).catch(() => null)
  const listed = copies?.length
    ? `Possible copies of this statement, because they wrote rows of ${table}: ${namedTxs(copies)}.`
    : `Which of them wrote rows of ${table} could not be found out.`
  const isPart = count > BigInt(lookedAt) ? ` Only the first ${lookedAt} were looked at.` : ''
  return { text: `${since} ${listed}${isPart} ${nameless} Compare what changed:`, rows }
}

const nameless = 'Transactions do not say who sent them.'

type Span = { since: bigint; until: bigint }

/** Tables that are looked at; a transaction may write to many. */
const mostTables = 5

/** The first table of the statement of which rows changed, or the last one with none. */
async function changedTable(
  client: Client,
  entry: Written,
  span: Span,
): Promise<{ table: string; rows: ResultTable } | null> {
  const tables = entry.tables.slice(0, mostTables)
  for (const table of tables) {
    const rows = await changedRows(client, { ...entry, tables: [table] }, span)
    if (rows === null) return null
    if (rows.rowCount > 0) return { table, rows }
    if (table === tables.at(-1)) return { table: listed(tables), rows }
  }
  return null
}

function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} or ${last}`
}

/**
 * The transactions that changed rows of the statement's table, and those that wrote the same rows
 * without a difference.
 */
async function copiesOf(client: Client, entry: Written, { since, until }: Span): Promise<string[]> {
  const count = Math.min(Number(until - since) + 1, lookedAt)
  const { database } = entry
  const all = await listTxKeys(client, { database, from: String(since), count })
  const found = all.filter((one) => rowsOf(one).length > 0)
  const changes = await Promise.all(
    found.map(({ id }) => changedRows(client, entry, { since: BigInt(id), until: BigInt(id) })),
  )
  const sure = found.filter((_one, at) => changes[at]?.rowCount)
  const isCopy = (one: TxKeys) => sure.some((other) => other === one || isAlike(other, one, false))
  return found.filter(isCopy).map(({ id }) => id)
}

/** The net changes of the statement's table in some transactions. */
async function changedRows(
  client: Client,
  { tables, database }: Written,
  { since, until }: Span,
): Promise<ResultTable | null> {
  const [table] = tables
  if (table === undefined) return null
  const sql = `SELECT * FROM (DIFF OF ${quoteName(table)}) SINCE TX ${since} UNTIL TX ${until} LIMIT 100;`
  return readResult(await querySql(client, { database, sql }))
}
