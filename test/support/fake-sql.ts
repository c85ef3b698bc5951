import { failure, json } from './fake-faults'
import type { FakeCall } from './fake-immudb'
import { recorded, recordedResponse } from './recorded'

/** Tables have one column, `id`; each row remembers the transaction that stored it. */
export type FakeDatabase = {
  isLoaded: boolean
  txId: number
  tables: Map<string, { id: string; tx: number }[]>
  /** As the server nests and wraps them; nothing is told unless it is here. */
  settings?: Readonly<Record<string, unknown>>
}

/** Answers the calls about tables and statements, as far as the tests need them. */
export function answerSql(call: FakeCall, database: FakeDatabase, level: number): Response {
  const sql = String(call.body.sql ?? '')
    .replace(/\s*\/\*.*?\*\/\s*/gs, ' ')
    .trim()
  switch (`${call.method} ${call.path}`) {
    case 'GET /db/table/list':
      return rows(
        [...database.tables.keys()].map((name) => [{ s: name }]),
        ['TABLE'],
      )
    case 'POST /db/tables':
      return recordedResponse(recorded('sql', 'describe'))
    case 'POST /db/sqlquery':
      return query(sql, database)
    case 'POST /db/sqlexec':
      if (level < 2) return recordedResponse(recorded('sql', 'read-only user exec'))
      return exec(sql, database)
    default:
      return recordedResponse(recorded('system', 'unknown api path'))
  }
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
  const table = /^SELECT id FROM "?(\w+)"?;$/.exec(sql)?.[1]
  const found = table === undefined ? undefined : tables.get(table)
  if (found)
    return rows(
      found.map(({ id }) => [{ n: id }]),
      ['id'],
    )
  return failure(500, 2, `table does not exist (${table ?? 'nosuch'})`)
}

function exec(sql: string, database: FakeDatabase): Response {
  if (/RETURNING/.test(sql)) return recordedResponse(recorded('sql', 'insert returning'))
  if (/^GRANT/.test(sql)) return recordedResponse(recorded('sql', 'grant by sql'))
  if (/ON CONFLICT DO NOTHING/.test(sql)) {
    return recordedResponse(recorded('sql', 'on conflict do nothing'))
  }
  const created = /^CREATE TABLE "?(\w+)"?/.exec(sql)?.[1]
  if (created) {
    database.tables.set(created, [])
    return committed(database, 0)
  }
  const [, table = '', id = ''] =
    /^INSERT INTO "?(\w+)"? ?\(id\) VALUES \((-?\d+)\);$/.exec(sql) ?? []
  const found = database.tables.get(table)
  if (!found) return recordedResponse(recorded('sql-errors', 'bad keyword'))
  if (found.some((row) => row.id === id)) {
    return recordedResponse(recorded('sql-errors', 'duplicate key'))
  }
  found.push({ id, tx: database.txId + 1 })
  return committed(database, 1)
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
