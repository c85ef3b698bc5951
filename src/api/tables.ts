import * as v from 'valibot'
import type { Client } from './client'
import { filledList, flag, list, object, text } from './schemas'

const cell = object({ s: text, b: flag })
/** The columns are present even without rows. */
const columns = filledList(v.unknown())
const rows = object({ columns, rows: list(object({ values: v.array(cell) })) })

type Request = { database: string; signal?: AbortSignal }

/** `GET /db/table/list`: the names of the tables; views and collections are not in it. */
export async function listTables(client: Client, request: Request): Promise<string[]> {
  const answer = await client.call(rows, {
    method: 'GET',
    path: '/db/table/list',
    database: request.database,
    ...(request.signal ? { signal: request.signal } : {}),
  })
  return answer.rows.map((row) => row.values[0]?.s ?? '')
}

export type Column = {
  name: string
  /** As immudb writes it, e.g. `VARCHAR(64)`; up to 1.5 that is `VARCHAR[64]`. */
  type: string
  isNullable: boolean
  isPrimaryKey: boolean
  /** Read from FOREIGN KEY marks, although 1.11.1 never sends one. */
  isForeignKey: boolean
  isIndexed: boolean
  isAutoIncrement: boolean
  isUnique: boolean
}

/** `POST /db/tables`: the columns of a table, whose name must be in lower case. */
export async function describeTable(
  client: Client,
  request: Request & { table: string },
): Promise<Column[]> {
  const answer = await client.call(rows, {
    method: 'POST',
    path: '/db/tables',
    body: { tableName: request.table },
    database: request.database,
    isRead: true,
    ...(request.signal ? { signal: request.signal } : {}),
  })
  return answer.rows.map((row) => readColumn(row.values))
}

/** The server reports that primary key columns may be null; they may not. */
function readColumn(cells: readonly v.InferOutput<typeof cell>[]): Column {
  const mark = cells[3]?.s ?? ''
  const isPrimaryKey = mark.includes('PRIMARY KEY')
  return {
    name: cells[0]?.s ?? '',
    type: (cells[1]?.s ?? '').replace(/^(\w+)\[(\d+)\]$/, '$1($2)'),
    isNullable: !isPrimaryKey && (cells[2]?.b ?? false),
    isPrimaryKey,
    isForeignKey: mark.includes('FOREIGN KEY'),
    isIndexed: mark === 'YES',
    isAutoIncrement: cells[4]?.b ?? false,
    isUnique: cells[5]?.b ?? false,
  }
}

export type Index = {
  columns: string[]
  isUnique: boolean
  isPrimary: boolean
}

/**
 * The indexes of a table by the SQL function `INDEXES()`; needs the SELECT privilege. An index is
 * called `orders(id,line)`, up to 1.5 `orders[id,line]`.
 */
export async function listIndexes(
  client: Client,
  request: Request & { table: string },
): Promise<Index[]> {
  const answer = await client.call(rows, {
    method: 'POST',
    path: '/db/sqlquery',
    body: {
      sql: `SELECT * FROM INDEXES('${request.table.replaceAll("'", "''")}');`,
    },
    database: request.database,
    isRead: true,
    ...(request.signal ? { signal: request.signal } : {}),
  })
  return answer.rows.map(({ values }) => ({
    columns: (/[([](.*)[)\]]$/.exec(values[1]?.s ?? '')?.[1] ?? '').split(',').filter(Boolean),
    isUnique: values[2]?.b ?? false,
    isPrimary: values[3]?.b ?? false,
  }))
}

const threeCells = v.pipe(
  v.array(cell),
  v.check((cells) => cells.length === 3),
)
const names = object({ columns, rows: list(object({ values: threeCells })) })

export type TableColumns = { table: string; columns: { name: string; type: string }[] }

/**
 * Every column of every table in one call, by the view `information_schema_columns`; at most the
 * 2,500 that one answer holds. Needs the SELECT privilege. Types are PostgreSQL's names.
 */
export async function listColumns(client: Client, request: Request): Promise<TableColumns[]> {
  const sql =
    'SELECT table_name, column_name, data_type FROM information_schema_columns LIMIT 2500;'
  const answer = await client.call(names, {
    method: 'POST',
    path: '/db/sqlquery',
    body: { sql },
    database: request.database,
    isRead: true,
    ...(request.signal ? { signal: request.signal } : {}),
  })
  const tables = new Map<string, TableColumns['columns']>()
  for (const { values } of answer.rows) {
    const [table = '', name = '', type = ''] = values.map((value) => value.s)
    tables.set(table, [...(tables.get(table) ?? []), { name, type }])
  }
  return [...tables].map(([table, columns]) => ({ table, columns }))
}
