import { readState } from '~/api/server'
import { type ExecAnswer, execSql, querySql } from '~/api/sql'
import { describeTable, listTables } from '~/api/tables'
import type { Io } from '~/core/act'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import { databaseAtom } from '~/core/session/session'
import {
  busyStop,
  type ItemsFound,
  type Making,
  type UploadStop,
  unknownStop,
  uploader,
} from '~/core/upload'
import { bisect } from '~/lib/bisection'
import { counted, formatCount, formatTx } from '~/lib/text'
import {
  createTableSql,
  hasValues,
  type ImportRow,
  insertSql,
  lastKeySql,
  presentKeysSql,
  rowsAfterSql,
} from '~/sql/import-statements'
import type { ThereTable } from '~/sql/import-target'
import { readType, typeText } from '~/sql/import-types'
import type { ParamSql } from '~/sql/restore'
import { type ResultTable, readResult } from '~/sql/result'
import { verifyUpload, writeUpload } from '~/trust/upload-writes'
import { notSoFar } from '~/words/outcome'
import { importRefusalAtom, newTableRefusalAtom } from '../users/privileges'
import { tableDefaultsAtom } from './defaults'
import { keepImportDraft } from './import-drafts'
import { batchesOf, type ImportPlan } from './import-file'
import { readDetails, refreshTables } from './table-list'

/** A file, and the names of its fields, which are shown while they are known. */
export type ImportInput = { readonly file: File; readonly heads: readonly (string | null)[] }

/** The import of CSV into a table. */
export const tableImport = uploader({
  kind: 'tables',
  words: { one: 'row', many: 'rows' },
  batches: ({ file }: ImportInput, plan: ImportPlan, progress) => batchesOf(file, plan, progress),
  bodyOf: ({ target }, items) =>
    insertSql(
      target,
      items.map(({ row }) => row),
    ),
  send: ({ get }, { database }, statement) =>
    execSql(get(clientAtom), { database, ...statement }).then(sentTx),
  // With keys in the file they are looked up, whatever the refusal was about.
  secondReasons: ({ target }) => (target.autoKey === null ? [] : ['exists']),
  refusal: (get, { isMade }) =>
    get(importRefusalAtom) ?? (isMade ? undefined : get(newTableRefusalAtom)),
  find: (io, plan, items, txBefore) =>
    findRows(
      io,
      plan,
      items.map(({ row }) => row),
      txBefore,
    ),
  repeats: ({ target }) =>
    target.autoKey === null
      ? null
      : 'The server makes the keys, so rows that are sent again would be stored again. Look at what was added and decide.',
  make: makeTable,
  write: writeUpload,
  onRest: (io, { database, file }, { isDone, lastTx }) => {
    if (isDone) keepImportDraft(io, database, file, null)
    verifyUpload(io, database, lastTx)
    void refreshTables(io)
  },
})

/** The transaction of an answer; empty where there is none. */
export function sentTx(answer: ExecAnswer) {
  return { tx: answer.find(({ header }) => header)?.header?.id ?? '' }
}

/** Makes the table. Resolves with why the import stops, or null once the table is there. */
async function makeTable(
  io: Io,
  plan: ImportPlan,
  { progress, note, write }: Making,
): Promise<UploadStop | null> {
  const made = async () => {
    await note({ isMade: true, isMakePending: false })
    return null
  }
  if (progress().isMakePending) {
    const found = await findTable(io, plan)
    if (found === 'made') return made()
    if (found === 'other') {
      const why = `There is a table ${plan.into} with other columns than the file needs. Import into another table.`
      return { kind: 'held', why }
    }
  }
  await note({ isMakePending: true })
  const request = { database: plan.database, sql: createTableSql(plan.target), params: [] }
  const ended = await write(() => execSql(io.get(clientAtom), request).then(sentTx))
  if (ended?.kind === 'committed') return made()
  if (ended?.kind === 'unknown') {
    const found = await findTable(io, plan).catch(() => 'absent')
    if (found === 'made') return made()
    const text = `It is not known whether the table was made. ${ended.text}`
    return unknownStop(text, ended.details, '“Continue” looks for the table first.')
  }
  await note({ isMakePending: false })
  if (ended?.kind !== 'refused') return busyStop
  const text = `The table was not made. ${ended.text}`
  const notDone = 'Nothing was stored. “Continue” sends the statement again.'
  return { kind: 'refused', text, details: ended.details, notDone, leavable: null }
}

/** Where rows go. */
type RowPlace = Pick<ImportPlan, 'database' | 'target'>

/**
 * Looks up what became of rows: by their keys, or by the rows that were added since, when the
 * server makes the keys. Only reads. Rejects with `ApiError`.
 */
export async function findRows(
  io: Io,
  plan: RowPlace,
  rows: readonly ImportRow[],
  txBefore: string,
): Promise<ItemsFound> {
  const { database, target } = plan
  const client = io.get(clientAtom)
  await ensureDatabaseToken(io, client, database)
  const { txId } = await readState(client, database)
  if (target.autoKey !== null) return lookAtAdded(io, plan, rows, { txBefore, txId })
  const seen = await presentRows(io, plan, rows)
  if (seen.size === 0) return { kind: 'absent', text: absent }
  // The transaction may have been committed between two of the requests.
  const now = seen.size < rows.length ? await presentRows(io, plan, rows) : seen
  const taken = (found: ReadonlySet<number>) =>
    takenRows(rows.filter(({ number }) => found.has(number)))
  const [first] = rows
  if (!first || now.size < rows.length) return taken(now)
  const tx = await firstWith(txBefore, txId, async (until) => {
    const there = await presentRows(io, plan, [first], until)
    return there.size > 0
  })
  if (tx === null) return taken(now)
  const before = await presentRows(io, plan, rows, String(BigInt(tx) - 1n))
  const then = await presentRows(io, plan, rows, tx)
  const isWhole = before.size === 0 && then.size === rows.length
  return isWhole ? { kind: 'committed', tx } : taken(now)
}

const absent = `${notSoFar('None of these rows is in the table so far.', 'commit them', '“Continue” looks again and then sends them')} Their keys keep a row from being stored twice.`

const mostLines = 10

function takenRows(rows: readonly ImportRow[]): ItemsFound {
  const lines = rows.map(({ line }) => line)
  const shown = lines.slice(0, mostLines).map((line) => formatCount(line))
  const those = `${shown.join(', ')}${lines.length > mostLines ? ' …' : ''}`
  const has =
    lines.length === 1
      ? `has a row with the key of line ${those}`
      : `has rows with the keys of lines ${those}`
  const text = `The table already ${has}. Nothing of this transaction is stored.`
  return { kind: 'taken', text, lines, numbers: rows.map(({ number }) => number) }
}

/** The first transaction after one for which it holds; null when it held before. */
async function firstWith(
  before: string,
  last: string,
  holds: (tx: string) => Promise<boolean>,
): Promise<string | null> {
  const [low, high] = [BigInt(before), BigInt(last)]
  if (low > 0n && (await holds(before))) return null
  const [, first] = await bisect(low, high, async (tx) => !(await holds(String(tx))))
  return first > low ? String(first) : null
}

/** Keys that one request looks up. */
const keysEach = 64

async function presentRows(
  io: Io,
  { database, target }: RowPlace,
  rows: readonly ImportRow[],
  until?: string,
): Promise<ReadonlySet<number>> {
  const found = new Set<number>()
  for (let at = 0; at < rows.length; at += keysEach) {
    const part = rows.slice(at, at + keysEach)
    const result = await ask(io, database, presentKeysSql(target, part, until))
    for (const number of result.columns[0]?.values ?? []) found.add(Number(number))
  }
  return found
}

async function ask({ get }: Io, database: string, of: ParamSql): Promise<ResultTable> {
  return readResult(await querySql(get(clientAtom), { database, ...of }))
}

async function lookAtAdded(
  io: Io,
  { database, target }: RowPlace,
  rows: readonly ImportRow[],
  { txBefore, txId }: { txBefore: string; txId: string },
): Promise<ItemsFound> {
  const last = await ask(io, database, { sql: lastKeySql(target, txBefore), params: [] })
  const after = last.columns[0]?.values[0] ?? '0'
  const added = await ask(io, database, rowsAfterSql(target, after, rows.length))
  const [keys, ...columns] = added.columns.map(({ values }) => values)
  if (added.rowCount === 0) {
    const none = `No row was added to ${target.table} after tx ${formatTx(txBefore)}; the newest is tx ${formatTx(txId)}.`
    return { kind: 'open', text: notSoFar(none, 'commit them', 'check again before you decide') }
  }
  const same = rows.filter((row, at) =>
    at < added.rowCount
      ? hasValues(
          target.columns,
          row,
          columns.map((values) => values[at] ?? null),
        )
      : false,
  ).length
  const [from, to] = [keys?.[0] ?? '', keys?.at(-1) ?? '']
  const of = `${counted(added.rowCount, 'row was', 'rows were')} added to ${target.table} after tx ${formatTx(txBefore)}, with ${target.autoKey} ${formatTx(from)}–${formatTx(to)}.`
  const text =
    same === rows.length
      ? `${of} They have the values of these rows, in the same order, so they are probably this transaction.`
      : `${of} ${same === 0 ? 'None' : `Only ${formatCount(same)}`} of them has the values of the row in its place, so others may have written them.`
  return { kind: 'open', text }
}

/** Whether the table is there with the columns that the import would have made. */
async function findTable(
  io: Io,
  { database, target }: ImportPlan,
): Promise<'made' | 'absent' | 'other'> {
  const client = io.get(clientAtom)
  await ensureDatabaseToken(io, client, database)
  const names = await listTables(client, { database })
  if (!names.includes(target.table)) return 'absent'
  const columns = await describeTable(client, { database, table: target.table })
  const there = columns.map(({ name, type }) => [name, typeOf(type)])
  const auto = target.autoKey === null ? [] : [[target.autoKey, 'INTEGER']]
  const wanted = [...auto, ...target.columns.map(({ name, type }) => [name, typeText(type)])]
  return JSON.stringify(there) === JSON.stringify(wanted) ? 'made' : 'other'
}

function typeOf(text: string): string {
  const type = readType(text)
  return type === null ? text : typeText(type)
}

/** The columns and indexes of a table of the open database; rejects with `ApiError`. */
export async function readImportTarget({ get }: Io, table: string): Promise<ThereTable> {
  const database = get(databaseAtom) ?? ''
  const { columns, indexes } = await readDetails(get, database, table)
  const defaults = get(get(tableDefaultsAtom)(database, table))
  return { table, columns, indexes, defaults }
}
