import type { Param } from '~/sql/params'
import { failure, json } from './fake-faults'
import type { FakeCall } from './fake-immudb'
import { writtenKeys } from './fake-kv'
import { recorded, recordedResponse } from './recorded'
import { answerRows, type RowModel } from './row-model'
import { carryOut } from './sql-model'

/** Tables have one column, `id`; each row remembers the transaction that stored it. */
export type FakeDatabase = {
  isLoaded: boolean
  txId: number
  tables: Map<string, { id: string; tx: number }[]>
  /** Tables with columns of their own, which the table screen reads. */
  models?: Map<string, RowModel>
  /** As the server nests and wraps them; nothing is told unless it is here. */
  settings?: Readonly<Record<string, unknown>>
  /** Most entries of a transaction, 1,024 unless it is here. */
  entryLimit?: number
}

/** Answers the calls about tables and statements, as far as the tests need them. */
export function answerSql(call: FakeCall, database: FakeDatabase, level: number): Response {
  const sql = String(call.body.sql ?? '')
    .replace(/\s*\/\*.*?\*\/\s*/gs, ' ')
    .trim()
  if (isTxCall(call)) return transactions(call, database)
  switch (`${call.method} ${call.path}`) {
    case 'POST /db/settings':
      return json(JSON.stringify({ maxTxEntries: database.entryLimit ?? 1_024 }))
    case 'GET /db/table/list':
      return rows(
        [...(database.models ?? database.tables).keys()].map((name) => [{ s: name }]),
        ['TABLE'],
      )
    case 'POST /db/tables':
      if (database.models) return describe(database.models, String(call.body.tableName))
      return recordedResponse(recorded('sql', 'describe'))
    case 'POST /db/sqlquery':
      return ofModel(call, sql, database) ?? query(withValues(call, sql), database)
    case 'POST /db/sqlexec':
      if (level < 2) return recordedResponse(recorded('sql', 'read-only user exec'))
      if (database.models) return execModels(call, sql, database, database.models)
      return exec(withValues(call, sql), database)
    default:
      return recordedResponse(recorded('system', 'unknown api path'))
  }
}

/** A statement with its values in the place of their names, which is enough for whole numbers. */
function withValues({ body }: FakeCall, sql: string): string {
  const params = (body.params ?? []) as Param[]
  return sql.replace(/@(\w+)/g, (name, word: string) => {
    const found = params.find((one) => one.name === word.toLowerCase())
    return found ? String(Object.values(found.value)[0]) : name
  })
}

function describe(models: ReadonlyMap<string, RowModel>, table: string): Response {
  const model = models.get(table)
  if (!model || model.isView) return failure(500, 2, `table does not exist (${table})`)
  const cells = model.columns.map(({ name, type }) => [
    { s: name },
    { s: type },
    { b: !model.key.includes(name) },
    { s: model.key.includes(name) ? 'PRIMARY KEY' : 'NO' },
    { b: model.counts === true && name === model.key[0] },
    { b: false },
  ])
  return rows(cells, ['COLUMN', 'TYPE', 'NULLABLE', 'INDEX', 'AUTO_INCREMENT', 'UNIQUE'])
}

/** The answer about a table with columns of its own; null for any other statement. */
function ofModel({ body }: FakeCall, sql: string, { models }: FakeDatabase): Response | null {
  if (!models) return null
  const described = models.get(/FROM INDEXES\('(\w+)'\)/.exec(sql)?.[1] ?? '')
  if (described) {
    const unique = described.unique === undefined ? [] : [[described.unique]]
    const all = [described.key, ...unique, ...(described.indexes ?? [])]
    const cells = all.map((columns, at) => [
      { s: described.table },
      { s: `${described.table}(${columns.join(',')})` },
      { b: at <= unique.length },
      { b: at === 0 },
    ])
    return rows(cells, ['table', 'name', 'unique', 'primary'])
  }
  for (const model of models.values()) {
    const parts = sql.replace(/;$/, '').split(' UNION ALL ')
    const answers = parts.map((part) =>
      answerRows(model, `${part};`, (body.params ?? []) as Param[]),
    )
    const [first] = answers
    if (!first) continue
    const rows = answers.flatMap((answer) => answer?.rows ?? [])
    return json(JSON.stringify({ ...first, rows }))
  }
  return null
}

/** Carries out the statements of staged edits, all of them or none; the schema stays as it is. */
function execModels(
  { body }: FakeCall,
  sql: string,
  database: FakeDatabase,
  models: Map<string, RowModel>,
): Response {
  const changed = new Map(models)
  const params = (body.params ?? []) as Param[]
  let count = 0
  try {
    for (const one of sql.split(/(?<=;)\n/)) {
      const name = /^(?:INSERT INTO|UPDATE|DELETE FROM) "?(\w+)"?/.exec(one)?.[1] ?? ''
      const model = changed.get(name)
      if (!model) return committed(database, 0)
      const { rows, changes, last } = changedRows(model, one, params)
      changed.set(name, { ...model, rows, last })
      count += changes
    }
  } catch (error) {
    const isChanged = error instanceof Error && error.message === 'changed'
    const name = isChanged ? 'a row that is not as it was' : 'duplicate key'
    return recordedResponse(recorded('sql-errors', name))
  }
  if (count === 0) return json('{"txs":[{}]}')
  for (const [name, model] of changed) models.set(name, model)
  return committed(database, count)
}

function changedRows(
  { columns, key, unique, counts = false, rows, last = 0 }: RowModel,
  sql: string,
  params: Param[],
) {
  const names = columns.map(({ name }) => name)
  const table = {
    rows: rows.map((row) => new Map(row.map((value, at) => [names[at] ?? '', value]))),
    key,
    unique,
    counts,
    last,
  }
  const changes = carryOut(table, sql, params)
  const left = table.rows.map((row) => names.map((name) => row.get(name) ?? null))
  return { rows: left, changes, last: table.last }
}

function query(sql: string, { tables }: FakeDatabase): Response {
  if (/FROM INDEXES\(/.test(sql)) return recordedResponse(recorded('sql', 'indexes()'))
  if (/information_schema_columns/.test(sql)) {
    const all = [...tables.keys()].map((name) => [{ s: name }, { s: 'id' }, { s: 'integer' }])
    return rows(all, ['table_name', 'column_name', 'data_type'])
  }
  const diff = /\(DIFF OF "?(\w+)"?\) SINCE TX (\d+) UNTIL TX (\d+)/.exec(sql)
  if (diff) {
    const [, name = '', since, until] = diff
    const changed = (tables.get(name) ?? []).filter(
      ({ tx }) => tx >= Number(since) && tx <= Number(until),
    )
    return rows(
      changed.map(({ id }) => [{ s: 'INSERT' }, { n: id }]),
      ['_diff_action', 'id'],
    )
  }
  const constant = /^SELECT (\d+);$/.exec(sql)
  if (constant) return rows([[{ n: constant[1] }]], ['(values.col0)'])
  const count = /^SELECT COUNT\(\*\) FROM "?(\w+)"?(?: UNTIL TX (\d+))?;$/.exec(sql)
  if (count) {
    const found = seen(tables.get(count[1] ?? ''), count[2])
    if (found) return rows([[{ n: String(found.length) }]], ['(t.col0)'])
  }
  return select(sql, tables) ?? failure(500, 2, `table does not exist (${tableIn(sql)})`)
}

function tableIn(sql: string): string {
  return /FROM "?(\w+)"?/.exec(sql)?.[1] ?? 'nosuch'
}

type Row = { id: string; tx: number }

/** Rows as of a transaction; an earlier version of a row is not kept. */
function seen(all: readonly Row[] | undefined, until?: string): readonly Row[] | undefined {
  return until === undefined ? all : all?.filter(({ tx }) => tx <= Number(until))
}

const selecting =
  /^SELECT (?:id|"id"|\*) FROM "?(\w+)"?(?: UNTIL TX (\d+))?(?:\s+WHERE id > (-?\d+))?(?: ORDER BY id ASC)?(?: LIMIT (\d+))?(?: OFFSET (\d+))?;$/

function select(sql: string, tables: FakeDatabase['tables']): Response | null {
  // A page has the condition of the statement before its own, which lies behind it.
  const page = sql.replace(/\(id > -?\d+\s*\) AND /, '')
  const [, table = '', until, after, limit, offset = '0'] = selecting.exec(page) ?? []
  const all = seen(tables.get(table), until)
  if (!all) return null
  const asked = all.filter(({ id }) => after === undefined || Number(id) > Number(after))
  const end = limit === undefined ? undefined : Number(offset) + Number(limit)
  const found = asked.slice(Number(offset), end)
  if (found.length > 2_500) return recordedResponse(recorded('sql-limits', '3000 rows'))
  return rows(
    found.map(({ id }) => [{ n: id }]),
    [`(${table}.id)`],
  )
}

/** Keys of the rows that statements changed, by transaction. */
const changedKeys = new WeakMap<FakeDatabase, Map<number, string[]>>()

/** Transactions with the digests of their entries, as they come without a specification of them. */
export function isTxCall({ path, body }: FakeCall): boolean {
  return path === '/db/tx' && body.entriesSpec === undefined
}

function transactions({ body }: FakeCall, database: FakeDatabase): Response {
  const first = Number(body.initialTx)
  const count = Math.max(0, Math.min(Number(body.limit), database.txId - first + 1))
  const txs = Array.from({ length: count }, (_, at) => written(first + at, database))
  return json(JSON.stringify(txs.length === 0 ? {} : { txs }))
}

/** What a transaction wrote: of each row its table's number and its own. */
function written(id: number, database: FakeDatabase): object {
  const stored = [...database.tables.values()].flatMap((all, table) =>
    all.filter(({ tx }) => tx === id).map((row) => rowKey(table, row.id)),
  )
  const keys = changedKeys.get(database)?.get(id) ?? stored
  const rows = keys.map((key) => ({ key, hValue: '' }))
  const entries = [...rows, ...writtenKeys(id, database)]
  return { header: { id: String(id), ts: '1795291699', nentries: entries.length }, entries }
}

function rowKey(table: number, id: string): string {
  return btoa(`\x02R.\0\0\0\x01\0\0\0${String.fromCharCode(table)}\0\0\0\0${id}`)
}

function exec(sql: string, database: FakeDatabase): Response {
  if (/RETURNING/.test(sql)) return recordedResponse(recorded('sql', 'insert returning'))
  if (/^GRANT/.test(sql)) return recordedResponse(recorded('sql', 'grant by sql'))
  const isQuiet = / ON CONFLICT DO NOTHING/.test(sql)
  const created = /^CREATE TABLE "?(\w+)"?/.exec(sql)?.[1]
  if (created) {
    database.tables.set(created, [])
    return committed(database, 0)
  }
  const changed = /^UPDATE "?(\w+)"? SET /.exec(sql)?.[1]
  if (changed !== undefined && database.tables.has(changed)) return update(changed, database)
  const [, table = '', id = ''] =
    /^INSERT INTO "?(\w+)"? ?\(id\) VALUES \((-?\d+)\)(?: ON CONFLICT DO NOTHING)?;$/.exec(sql) ??
    []
  const found = database.tables.get(table)
  if (!found) return recordedResponse(recorded('sql-errors', 'bad keyword'))
  if (found.some((row) => row.id === id)) {
    if (isQuiet) return recordedResponse(recorded('sql', 'on conflict do nothing'))
    return recordedResponse(recorded('sql-errors', 'duplicate key'))
  }
  found.push({ id, tx: database.txId + 1 })
  return committed(database, 1)
}

function update(table: string, database: FakeDatabase): Response {
  const tx = database.txId + 1
  const at = [...database.tables.keys()].indexOf(table)
  const all = database.tables.get(table) ?? []
  const keys = changedKeys.get(database) ?? new Map<number, string[]>()
  changedKeys.set(
    database,
    keys.set(
      tx,
      all.map(({ id }) => rowKey(at, id)),
    ),
  )
  for (const row of all) row.tx = tx
  return committed(database, all.length)
}

function committed(database: FakeDatabase, updatedRows: number): Response {
  database.txId += 1
  const { body } = recorded('sql', 'update').response
  const [tx] = (body as { txs: { header: object }[] }).txs
  const header = { ...tx?.header, id: String(database.txId) }
  return json(JSON.stringify({ txs: [{ header, ...(updatedRows ? { updatedRows } : {}) }] }))
}

type Cell = Readonly<Record<string, unknown>>

/** An empty result has no `rows` at all. */
function rows(values: readonly (readonly Cell[])[], names: readonly string[]): Response {
  const kinds = values[0]?.map((cell) => ('n' in cell ? 'INTEGER' : 'VARCHAR'))
  const columns = names.map((name, at) => ({ name, type: kinds?.[at] ?? 'VARCHAR' }))
  const found = values.length === 0 ? {} : { rows: values.map((of) => ({ values: of })) }
  return json(JSON.stringify({ columns, ...found }))
}
