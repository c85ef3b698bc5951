import { failure, json } from './fake-faults'
import { type FakeImmudb, fakeImmudb } from './fake-immudb'

/** What happens to one transaction. */
export type ImportFault =
  | 'ok'
  /** The connection breaks before the server sees it. */
  | 'reset'
  /** The server commits it, then the connection breaks. */
  | 'lost'
  /** The connection breaks, and the server commits it with the next call. */
  | 'late'
  /** The server commits it; a gateway gives up. */
  | 'gateway'
  /** Refused, because someone else wrote at the same time. */
  | 'conflict'
  /** Refused, because the user may not. */
  | 'denied'
  /** The session is over before the server sees it. */
  | 'logout'

type Cell = Readonly<Record<string, unknown>> | null
type StoredRow = { readonly tx: number; readonly cells: ReadonlyMap<string, Cell> }

/** A fake server that keeps the rows of one table, which an import may make. */
export class ImportServer {
  readonly fake = fakeImmudb()
  readonly rows: StoredRow[] = []
  /** What happens to the next transactions with rows; `ok` after the last. */
  faults: ImportFault[] = []
  /** What happens to the statement that makes the table. */
  tableFault: ImportFault = 'ok'
  /** Whether a statement is refused for what is in it. */
  refuses: (sql: string) => boolean = () => false
  /** Of the table: its key, and whether the server counts it up. */
  key = 'id'
  isAuto = false
  /** Statements that were committed. */
  readonly committed: string[] = []
  readonly #late: (() => void)[] = []
  #columns: { name: string; type: string }[] = []

  get server(): FakeImmudb {
    return { ...this.fake, fetch: this.fetch }
  }

  get #database() {
    const found = this.fake.databases.get('defaultdb')
    if (!found) throw new Error('no database')
    return found
  }

  readonly fetch = (async (input: unknown, init: RequestInit = {}) => {
    const path = String(input).replace(/^.*\/api/, '')
    const isOwn = path === '/db/sqlexec' || path === '/db/sqlquery' || path === '/db/tables'
    if (!isOwn) return this.fake.fetch(String(input), init)
    const body = JSON.parse(String(init.body))
    if (path === '/db/sqlquery' && /INDEXES|information_schema/.test(body.sql)) {
      return this.fake.fetch(String(input), init)
    }
    // Anyone who may not read the state may not do the rest either.
    const allowed = await this.fake.fetch('/api/db/state', { ...init, method: 'GET', body: null })
    if (!allowed.ok) return allowed
    const answer = path === '/db/sqlexec' ? this.#exec(body) : this.#query(path, body)
    answer.headers.set('grpc-metadata-immudb-uuid', 'dc0mfe1ksduac04rho90')
    return answer
  }) as typeof fetch

  #exec(body: Body): Response {
    const isInsert = body.sql.startsWith('INSERT')
    const fault = isInsert ? (this.faults.shift() ?? 'ok') : this.tableFault
    if (!isInsert) this.tableFault = 'ok'
    if (fault === 'logout') {
      this.fake.restart()
      return failure(500, 2, 'not logged in')
    }
    if (fault === 'conflict') return failure(500, 2, 'tx read conflict')
    if (fault === 'denied') return failure(500, 13, 'permission denied')
    if (this.refuses(body.sql)) return failure(500, 2, 'max length exceeded')
    if (fault === 'reset') throw new TypeError('fetch failed')
    if (fault === 'late') {
      this.#late.push(() => this.#commit(body))
      throw new TypeError('fetch failed')
    }
    const answer = this.#commit(body)
    if (fault === 'lost') throw new TypeError('fetch failed')
    return fault === 'gateway' ? new Response('<p>proxy</p>', { status: 504 }) : answer
  }

  /** What is late arrives now. */
  arrive() {
    for (const commit of this.#late.splice(0)) commit()
  }

  #commit({ sql, params = [] }: Body): Response {
    const database = this.#database
    const created = /^CREATE TABLE "?(\w+)"?/.exec(sql)?.[1]
    if (created !== undefined) {
      if (database.tables.has(created)) return failure(500, 2, 'table already exists')
      database.tables.set(created, [])
      this.#columns = [...sql.matchAll(/^ {2}"?(\w+)"? ([A-Z]+(?:\[\d+\])?)/gm)]
        .map(([, name = '', type = '']) => ({ name, type }))
        .filter(({ name }) => name !== 'PRIMARY')
    } else {
      const rows = rowsIn(sql, params)
      const taken = new Set(this.rows.map((row) => keyOf(row.cells, this.key)))
      const keys = rows.map((cells) => keyOf(cells, this.key))
      const isTwice = keys.some((key, at) => taken.has(key) || keys.indexOf(key) !== at)
      if (!this.isAuto && isTwice) return failure(500, 2, 'key already exists')
      for (const cells of rows) {
        const own = this.isAuto
          ? new Map(cells).set(this.key, { n: String(this.rows.length + 1) })
          : cells
        this.rows.push({ tx: database.txId + 1, cells: own })
      }
    }
    database.txId += 1
    this.committed.push(sql)
    const header = { id: String(database.txId), prevAlh: '', ts: '1', nentries: 1 }
    return json(JSON.stringify({ txs: [{ header }] }))
  }

  #query(path: string, { sql = '', params = [] }: Body): Response {
    if (path === '/db/tables') return describe(this.#columns, this.key)
    const max = /^SELECT MAX\("?(\w+)"?\) FROM \w+ UNTIL TX (\d+);$/.exec(sql)
    if (max) {
      const seen = this.rows.filter(({ tx }) => tx <= Number(max[2]))
      return table(['INTEGER'], [[{ n: String(seen.length) }]])
    }
    const after = /^SELECT (.*) FROM \w+ WHERE \w+ > @after ORDER BY \w+ ASC LIMIT (\d+);$/.exec(
      sql,
    )
    if (after) {
      const names = (after[1] ?? '').split(', ')
      const from = Number(params[0]?.value.n)
      const found = this.rows.slice(from, from + Number(after[2]))
      const cells = found.map((row) => names.map((name) => row.cells.get(name) ?? null))
      return table(
        names.map((_, at) => typeOf(cells[0]?.[at] ?? null)),
        cells,
      )
    }
    const wanted = new Map(params.map(({ name, value }) => [name, value]))
    const numbers = [
      ...sql.matchAll(/SELECT (\d+) FROM \w+(?: UNTIL TX (\d+))? WHERE \w+ = @(\w+)/g),
    ].filter(([, , until, param = '']) =>
      this.rows.some(
        ({ tx, cells }) =>
          (until === undefined || tx <= Number(until)) &&
          JSON.stringify(cells.get(this.key)) === JSON.stringify(wanted.get(param)),
      ),
    )
    return table(
      ['INTEGER'],
      numbers.map(([, number = '']) => [{ n: number }]),
    )
  }
}

type Param = { name: string; value: Record<string, unknown> }
type Body = { sql: string; params?: Param[] }

function keyOf(cells: ReadonlyMap<string, Cell>, key: string): string {
  return JSON.stringify(cells.get(key))
}

function rowsIn(sql: string, params: readonly Param[]): ReadonlyMap<string, Cell>[] {
  const values = new Map(params.map(({ name, value }) => [`@${name}`, value]))
  const put = (value: Param['value']) => {
    const name = `@part${values.size}`
    values.set(name, value)
    return name
  }
  const [, names = '', tuples = ''] = /^INSERT INTO \w+ \(([^)]*)\) VALUES (.*);$/.exec(sql) ?? []
  const columns = names.split(', ')
  const plain = tuples
    .replace(/CAST\((@\w+) AS \w+\)/g, '$1')
    .replace(/CAST\((\d+) AS TIMESTAMP\)/g, (_, seconds) => put({ ts: `${seconds}000000` }))
    .replace(/CAST\('([-\d]+) ([:\d]+)\.?(\d*) UTC' AS TIMESTAMP\)/g, (_, date, time, fraction) => {
      const seconds = Date.parse(`${date}T${time}Z`) / 1_000
      return put({ ts: `${seconds * 1_000_000 + Number(fraction.padEnd(6, '0'))}` })
    })
    .replace(/'([^']*)'/g, (_, s) => put({ s }))
  return [...plain.matchAll(/\(([^)]*)\)/g)].map(([, tuple = '']) => {
    const cells = tuple.split(',').map((text): Cell => {
      if (text === 'NULL') return null
      if (/^-?\d+$/.test(text)) return { n: text }
      return text === 'TRUE' || text === 'FALSE'
        ? { b: text === 'TRUE' }
        : (values.get(text) ?? null)
    })
    return new Map(columns.map((column, at) => [column, cells[at] ?? null]))
  })
}

const types = new Map([
  ['n', 'INTEGER'],
  ['b', 'BOOLEAN'],
  ['f', 'FLOAT'],
  ['ts', 'TIMESTAMP'],
  ['bs', 'BLOB'],
])

function typeOf(cell: Cell): string {
  return types.get(Object.keys(cell ?? {})[0] ?? '') ?? 'VARCHAR'
}

function table(kinds: readonly string[], rows: readonly (readonly Cell[])[]): Response {
  const columns = kinds.map((type, at) => ({ name: `(t.col${at})`, type }))
  const values = rows.map((cells) => ({ values: cells.map((cell) => cell ?? { null: null }) }))
  return json(JSON.stringify({ columns, ...(rows.length > 0 ? { rows: values } : {}) }))
}

function describe(columns: readonly { name: string; type: string }[], key: string): Response {
  const bool = { b: false }
  return table(
    ['VARCHAR', 'VARCHAR', 'BOOLEAN', 'VARCHAR', 'BOOLEAN', 'BOOLEAN'],
    columns.map(({ name, type }) => {
      const mark = name === key ? 'PRIMARY KEY' : 'NO'
      return [
        { s: name },
        { s: type.replace('[', '(').replace(']', ')') },
        bool,
        { s: mark },
        bool,
        bool,
      ]
    }),
  )
}
