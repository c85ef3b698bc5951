import { execSql } from '~/api/sql'
import { describeTable, listIndexes, listTables } from '~/api/tables'
import type { Io } from '~/core/act'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import { type ItemsFound, uploader } from '~/core/upload'
import { hasWholeKey, type ImportRow } from '~/sql/import-statements'
import { readType } from '~/sql/import-types'
import { rowsSql } from '~/sql/script-judge'
import type { ScriptTable, SentSql } from '~/sql/script-tables'
import { verifyUpload, writeUpload } from '~/trust/upload-writes'
import { notSoFar } from '~/words/outcome'
import { findRows, sentTx } from '../tables/import'
import { refreshTables } from '../tables/table-list'
import { importRefusalAtom, newTableRefusalAtom } from '../users/privileges'
import { batchesOf, type ScriptPlan, type ScriptSource, type SentPart } from './script-file'

/** The import of a script into the open database. */
export const scriptImport = uploader({
  kind: 'scripts',
  words: { one: 'row or statement', many: 'rows and statements' },
  tellsFates: true,
  batches: (source: ScriptSource, plan: ScriptPlan, progress) => batchesOf(source, plan, progress),
  bodyOf: (_plan, items: readonly SentPart[]) => {
    const [first] = items
    if (first?.sql) return { sql: first.sql.sql, params: [] }
    return first?.row ? rowsSql(first.row, rowsOf(items)) : { sql: '', params: [] }
  },
  send: ({ get }, { database }, statement) =>
    execSql(get(clientAtom), { database, ...statement }).then(sentTx),
  // Keys, tables and indexes are looked up, whatever the refusal was about.
  secondReasons: () => ['exists'],
  refusal: (get) => get(importRefusalAtom) ?? get(newTableRefusalAtom),
  find: findParts,
  repeats: (_plan, items) => {
    const [first] = items
    if (first?.sql) return first.sql.makes.kind === 'other' ? twice : null
    if (first?.row?.mode === 'ignore') return isFound(items) ? null : twice
    return first?.row?.mode === 'insert' && isFound(items) ? null : twice
  },
  mayStoreNothing: ([first]) => first?.sql?.makes.kind === 'other' || first?.row?.mode === 'ignore',
  write: writeUpload,
  onRest: (io, { database }, { lastTx }) => {
    verifyUpload(io, database, lastTx)
    void refreshTables(io)
  },
})

const twice =
  'Nothing in the script keeps it from being carried out twice. Look at what is there and decide.'

function rowsOf(items: readonly SentPart[]): ImportRow[] {
  return items.flatMap(({ row, number, line }) =>
    row ? [{ number, line, values: row.values }] : [],
  )
}

/** Whether the key of each row stands in the script, so that none is stored twice. */
const isFound = (items: readonly SentPart[]) =>
  items.every(({ row }) => row?.target.autoKey === null && hasWholeKey(row.target, row))

/** Looks up what became of rows or of a statement. Only reads. Rejects with `ApiError`. */
async function findParts(
  io: Io,
  { database }: ScriptPlan,
  items: readonly SentPart[],
  txBefore: string,
): Promise<ItemsFound> {
  const [first] = items
  if (first?.sql) return findMade(io, database, first.sql)
  if (first?.row?.mode === 'ignore' && isFound(items)) {
    const text = 'Rows whose keys are there stay as they are, so none is stored twice.'
    return { kind: 'absent', text }
  }
  const isCounted = first?.row?.target.autoKey != null
  if (first?.row?.mode !== 'insert' || !(isCounted || isFound(items))) {
    return { kind: 'open', text: notTold }
  }
  return findRows(io, { database, target: first.row.target }, rowsOf(items), txBefore)
}

const notTold = notSoFar(
  'What is there does not tell whether it was carried out.',
  'commit it',
  'look at the table before you decide',
)

async function findMade(io: Io, database: string, { makes }: SentSql): Promise<ItemsFound> {
  if (makes.kind === 'other') return { kind: 'open', text: notTold }
  const client = io.get(clientAtom)
  await ensureDatabaseToken(io, client, database)
  const isTable = (await listTables(client, { database })).includes(makes.table)
  const place = { database, table: makes.table }
  let isDone = isTable
  if (makes.kind === 'no table') isDone = !isTable
  else if (isTable && makes.kind === 'index') {
    const indexes = await listIndexes(client, place)
    isDone = indexes.some(({ columns }) => columns.join() === makes.columns.join())
  } else if (isTable) {
    const names = (await describeTable(client, place)).map(({ name }) => name)
    const wanted = makes.kind === 'column' ? [makes.column] : makes.columns
    isDone = wanted.every((name) => names.includes(name))
  }
  if (isDone) return { kind: 'committed', tx: 'not known' }
  const what = `The ${makes.kind === 'no table' ? 'table' : makes.kind} is not as the statement makes it so far.`
  const text = notSoFar(what, 'commit it', '“Continue” looks again and then sends it')
  return { kind: 'absent', text }
}

/** The tables of the database among these names; rejects with `ApiError`. */
export async function readThere(
  io: Io,
  database: string,
  names: ReadonlySet<string>,
): Promise<readonly ScriptTable[]> {
  const client = io.get(clientAtom)
  await ensureDatabaseToken(io, client, database)
  const there = (await listTables(client, { database })).filter((name) => names.has(name))
  const found: ScriptTable[] = []
  // One after the other: a script may name hundreds.
  for (const table of there) found.push(await readTable(io, database, table))
  return found
}

async function readTable({ get }: Io, database: string, name: string): Promise<ScriptTable> {
  const client = get(clientAtom)
  const place = { database, table: name }
  const described = await describeTable(client, place)
  const indexes = await listIndexes(client, place).catch(() => [])
  const keyInOrder = indexes.find(({ isPrimary }) => isPrimary)?.columns
  const auto = described.find(({ isAutoIncrement }) => isAutoIncrement)
  return {
    name,
    columns: described.map((column) => ({
      name: column.name,
      written: column.name,
      type: readType(column.type) ?? { name: 'VARCHAR', length: null },
      isNullable: column.isNullable,
      isDecimal: false,
      // What the server fills is not known without its history; it says so where it does not.
      hasDefault: true,
      fill: null,
    })),
    key: keyInOrder ?? described.flatMap((one) => (one.isPrimaryKey ? [one.name] : [])),
    autoKey: auto?.name ?? null,
    indexes: indexes.flatMap(({ isPrimary, columns }) => (isPrimary ? [] : [columns])),
    problem: null,
    isMade: false,
  }
}
