import type { Getter } from 'jotai'
import type { Client } from '~/api/client'
import { listDatabases } from '~/api/databases'
import { readState } from '~/api/server'
import { querySql } from '~/api/sql'
import { listTxKeys, type TxKeys } from '~/api/transactions'
import { listUsers } from '~/api/users'
import type { Io } from '~/core/act'
import { isAlike, lookedAt, rowsOf } from '~/core/history/duplicate-commit'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import { sentence } from '~/core/session/failure-words'
import { failedCheck } from '~/core/write'
import { readGoTime } from '~/immudb/go-time'
import { counted, formatTx, listOf } from '~/lib/text'
import { type CatalogueChange, catalogueChangeIn } from '~/sql/catalogue-change'
import { quoteName } from '~/sql/names'
import { type ResultTable, readResult } from '~/sql/result'
import { listedTxs, notSoFar, sendersUnknown, stillNewest } from '~/words/outcome'
import { changeOutput } from './output'
import type { CheckResult, Failure, NewEntry, OutputEntry } from './output-entry'

/**
 * Checks the outcome of a write without an answer: how many transactions followed the last one
 * known before it, and which of them wrote rows of its table. For users and databases, which make
 * no transaction, it reads the lists. Only reads.
 */
export async function checkOutcome(io: Io, entry: OutputEntry) {
  const client = io.get(clientAtom)
  const what = catalogueChangeIn(entry.source)
  const { database, sentAt } = entry
  const finding = await ensureDatabaseToken(io, client, database)
    .then(async (): Promise<CheckResult> => {
      if (what === null) return look(client, entry)
      const { text } = await findCatalogueWrite(client, what, { database, sentAt })
      return { text, rows: null }
    })
    .catch((error: unknown) => ({ text: failedCheck(error), rows: null }))
  changeOutput(io, entry.number, { finding })
}

/** What of a write is looked up. */
type Written = Pick<OutputEntry, 'database' | 'txBefore' | 'tables'>

/** What happened to the statement's table since it was sent. Rejects like the calls. */
async function look(client: Client, entry: Written): Promise<CheckResult> {
  const { txId } = await readState(client, entry.database)
  const count = BigInt(txId) - BigInt(entry.txBefore)
  if (count <= 0n) {
    return {
      text: stillNewest(txId),
      rows: null,
    }
  }
  const since = `${counted(count, 'transaction was', 'transactions were')} committed between the newest known before this was sent, tx ${formatTx(entry.txBefore)}, and the newest now, tx ${formatTx(txId)}.`
  const whole = { since: BigInt(entry.txBefore) + 1n, until: BigInt(txId) }
  const changed = await changedTable(client, entry, whole).catch(() => null)
  if (changed === null) {
    return { text: `${since} ${sendersUnknown} Compare them with this statement.`, rows: null }
  }
  const { table, rows } = changed
  if (rows.rowCount === 0)
    return { text: `${since} No row of ${table} is different now.`, rows: null }
  const copies = await copiesOf(client, { ...entry, tables: [table] }, whole).catch(() => null)
  const listed = copies?.length
    ? `Possible copies of this statement, because they wrote rows of ${table}: ${listedTxs(copies)}.`
    : `Which of them wrote rows of ${table} is not known.`
  const isPart = count > BigInt(lookedAt) ? ` Only the first ${lookedAt} were checked.` : ''
  return { text: `${since} ${listed}${isPart} ${sendersUnknown} Compare what changed:`, rows }
}

type Span = { since: bigint; until: bigint }

/** Tables that are looked at; a transaction may write to many. */
const mostTables = 5

/** The first table of the statement with changed rows, or the last table with none. */
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
    if (table === tables.at(-1)) return { table: listOf(tables, 'or'), rows }
  }
  return null
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

/** Seconds by which two clocks that agree may differ, since both name whole ones. */
const tolerance = 3

/** When a statement was sent, by the server's clock in milliseconds since 1970, and where. */
type Sent = { database: string; sentAt: number }

/** `isOlder`: the object existed before the statement was sent. */
type Found = { text: string; isOlder: boolean }

/**
 * Checks the outcome of a statement without a transaction in the lists of users and databases. Only
 * reads; rejects like the calls.
 */
async function findCatalogueWrite(
  client: Client,
  what: CatalogueChange,
  sent: Sent,
): Promise<Found> {
  const { verb, of, name } = what
  const mayBeListed = verb === 'CREATE' || (verb === 'DROP' && of === 'user')
  if (name === undefined || !mayBeListed) return { text: whereToLook(what), isOlder: false }
  if (of === 'database') {
    const listed = (await listDatabases(client)).find((one) => one.name === name)
    if (!listed) return missing(`No database ${name} is listed so far.`)
    const { createdAt } = listed
    return there(`The database ${name}`, createdAt === null ? null : createdAt * 1000, sent)
  }
  const listed = (await listUsers(client, { database: sent.database })).find(
    ({ user }) => user === name,
  )
  if (verb === 'DROP') return { text: dropped(name, listed?.active), isOlder: false }
  if (!listed) return missing(`No user ${name} is listed so far.`)
  return there(`The user ${name}`, readGoTime(listed.createdat), sent)
}

/** Neither transactions nor lists show the outcome. */
function whereToLook({ verb, of, name }: CatalogueChange): string {
  const cannot = 'Whether it was done is not known, because it makes no transaction.'
  if (of === 'database') return `${cannot} Look on the Databases screen.`
  const where = name === undefined ? '' : ` at ${name}`
  const look = `${cannot} Look${where} on the Users screen.`
  return verb === 'ALTER' ? `${look} A password cannot be read, so set it again.` : look
}

function missing(text: string): Found {
  const hidden = `${text} Others may be hidden from you.`
  return { text: notSoFar(hidden, 'do it'), isOlder: false }
}

/**
 * Describes an existing object by the time of its creation or change, in milliseconds, or null when
 * unknown.
 */
function there(what: string, time: number | null, { sentAt }: Sent): Found {
  if (time === null) {
    return { text: `${what} exists; since when cannot be told.`, isOlder: false }
  }
  const isOlder = time < sentAt - tolerance * 1000
  if (isOlder) return { text: `${what} exists, but since before this was sent.`, isOlder }
  return { text: `${what} exists, and it was made or changed after this was sent.`, isOlder }
}

/** DROP USER does not remove a user but deactivates it. */
function dropped(name: string, isActive: boolean | undefined): string {
  if (isActive === undefined) {
    return `Whether it was done is not known: no user ${name} is listed. Look on the Users screen.`
  }
  if (!isActive) return `The user ${name} is deactivated, which is what DROP USER does.`
  return notSoFar(`Not done so far: the user ${name} is active.`, 'do it')
}

/**
 * The answer unchanged, or as an unknown outcome. The answer is a refusal, or says that nothing was
 * left to do. Never rejects.
 */
export async function reclassifyRefusal(
  get: Getter,
  change: Partial<NewEntry>,
  entry: NewEntry,
  isOfRows: boolean,
): Promise<Partial<NewEntry>> {
  const finding = await firstDelivery(get, entry, isOfRows)
  if (finding === null) return change
  const told: Failure = change.failure ?? nothingLeft(change.message ?? '')
  const isConflict = told.mayRunAgain === true
  const text = isConflict
    ? `The same data was changed at the same time, possibly by this statement: ${twice}`
    : `${told.text} It may be this statement: ${twice}`
  const failure = { ...told, text, hint: 'Check before you run it again.', mayRunAgain: false }
  return { ...change, stream: 'error', status: 'unknown', message: text, finding, failure }
}

const twice = 'the browser may have sent it more than once, and the first may be stored.'

function nothingLeft(details: string): Failure {
  return { text: 'The answer says that nothing was left to do.', hint: null, details, place: null }
}

/**
 * A browser may silently send a request twice when a reused connection breaks (Chromium does), and
 * then sees only the second answer. That is “already exists” about what the first has just created,
 * or no transaction, because the first left nothing to do. Returns the evidence for that, or null
 * when nothing was written in the meantime. Never rejects.
 */
async function firstDelivery(
  get: Getter,
  entry: NewEntry,
  isOfRows: boolean,
): Promise<CheckResult | null> {
  const client = get(clientAtom)
  const { database, txBefore, sentAt, tables } = entry
  try {
    const what = catalogueChangeIn(entry.source)
    if (what !== null) {
      const { text, isOlder } = await findCatalogueWrite(client, what, { database, sentAt })
      return isOlder ? null : { text, rows: null }
    }
    const { txId } = await readState(client, database)
    if (BigInt(txId) <= BigInt(txBefore)) return null
    if (isOfRows && tables.length > 0) {
      const finding = await look(client, entry)
      return finding.rows && finding
    }
    const [newest] = await listTxKeys(client, { database, from: txId, count: 1 })
    if (newest && Number(newest.ts) < sentAt / 1000 - tolerance) return null
    return { text: `tx ${formatTx(txId)} was written while this ran.`, rows: null }
  } catch (error) {
    return {
      text: `Whether a transaction was written is not known. ${sentence(error)}`,
      rows: null,
    }
  }
}
