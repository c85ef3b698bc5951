import { createStore } from 'jotai'
import type { Store } from '~/core/session/client'
import { connect } from '~/core/session/client'
import { openQueryCache } from '~/core/session/query-client'
import { databaseAtom, permissionsAtom, serverAtom, sessionAtom } from '~/core/session/session'
import { memoryDriver, openStorage } from '~/core/storage/storage'
import { storageAtom } from '~/core/storage/stored'
import { bytesToBase64, encodeUtf8 } from '~/lib/bytes'
import { concat, u32, u64 } from '~/proof/kernel/bytes'
import { TrustedStates, trustedStatesAtom } from '~/trust/trusted-states'
import { keptDoor } from './proving-server'

type Version = { readonly tx: number; readonly v: string | null; readonly isDeletion?: boolean }

type Row = Record<string, unknown>

const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'Grpc-Metadata-Immudb-Uuid': 'one' },
  })

/** Row 1 of table 1, as it is stored and as an entry of the primary index. */
const rowId = '\x80\x80\0\0\0\0\0\0\x01'
const stored = `\x02R.\0\0\0\x01\0\0\0\x01\0\0\0\0${rowId}`
const indexed = `\x02M.\0\0\0\x01\0\0\0\0${rowId}${rowId}`

/** A server with one row, `id = 1` of `t (id INTEGER, v VARCHAR)`, of which it has every revision. */
export class RevisionServer {
  versions: Version[]
  last: number
  /** Stands for the history: another one has other hashes. */
  past = 'past'
  readonly asked: { path: string; sql: string; body: Row }[] = []
  /** Refuses questions about periods, as an overloaded server does. */
  isBusy = false
  /** Names the stored key of the row, and lists it in the transactions that wrote it. */
  isListed = false
  /** Names the columns of stored rows, whose cells come with transactions. */
  hasCells = false
  /** The transaction from before which a truncation removed the cells. */
  goneBefore = 0
  /** Answers statements that write. */
  write: (sql: string) => Response = () => json({ error: 'access denied', code: 7 }, 500)

  constructor(versions: Version[], last: number) {
    this.versions = versions
    this.last = last
  }

  count(part: string): number {
    return this.asked.filter(({ sql }) => sql.includes(part)).length
  }

  readonly fetch = (async (input: unknown, init: RequestInit = {}) => {
    const path = String(input).replace(/^.*\/api/, '')
    const body: Row = typeof init.body === 'string' ? JSON.parse(init.body) : {}
    const sql = String(body.sql ?? '')
    this.asked.push({ path, sql, body })
    await Promise.resolve()
    init.signal?.throwIfAborted()
    return this.#answer(path, body, sql)
  }) as typeof fetch

  #answer(path: string, body: Row, sql: string): Response {
    if (path === '/db/state')
      return json({ db: 'db', txId: String(this.last), txHash: this.#hash(this.last) })
    if (path === '/db/tx') return this.#headers(body)
    if (path === '/db/tables') return this.#columns(String(body.tableName))
    if (path === '/db/sqlexec') return this.write(sql)
    if (path === '/db/sqlquery') return this.#query(sql)
    if (path === '/db/verifiable/sqlget' && this.isListed) {
      const { atTx } = Object(body.sqlGetRequest)
      const found = this.versions.find(({ tx }) => String(tx) === atTx)
      const names = this.hasCells ? { ColNamesById: { 1: 'id', 2: 'v' } } : {}
      return json({ sqlEntry: { key: btoa(indexed), value: this.#cells(found) }, ...names })
    }
    return json({ error: 'tbtree: key not found', code: 2 }, 500)
  }

  #hash(tx: number): string {
    return btoa(`${this.past} ${tx}`.padEnd(32))
  }

  /** A row as it is stored, in base64. */
  #cells(version: Version | undefined): string {
    if (!version || !this.hasCells) return ''
    const cell = (id: number, bytes: Uint8Array) => concat(u32(id), u32(bytes.length), bytes)
    const cells = [
      cell(1, u64(1n)),
      ...(version.v === null ? [] : [cell(2, encodeUtf8(version.v))]),
    ]
    return bytesToBase64(concat(u32(cells.length), ...cells))
  }

  /** What a transaction that wrote the row wrote: digests, and values where they are wanted. */
  #entries(written: Version | undefined, action: unknown): Row {
    const metadata = written?.isDeletion ? { deleted: true } : {}
    const value = action === 'RAW_VALUE' ? { value: this.#cells(written) } : {}
    const entry = { key: btoa(stored), hValue: btoa('digest'), vLen: 1, metadata, ...value }
    return written && this.isListed ? { entries: [entry] } : {}
  }

  #headers({ initialTx, desc = false, limit, entriesSpec }: Row): Response {
    const [first, count] = [Number(initialTx), Number(limit)]
    const byTx = new Map(this.versions.map((one) => [one.tx, one]))
    const ids = Array.from({ length: count }, (_, at) => (desc ? first - at : first + at))
    const txs = ids.flatMap((id) =>
      id < 1 || id > this.last
        ? []
        : [
            {
              header: {
                id: String(id),
                prevAlh: this.#hash(id - 1),
                ts: String(1_700_000_000 + id),
              },
              ...(Object(entriesSpec).sqlEntriesSpec
                ? this.#entries(byTx.get(id), Object(entriesSpec).sqlEntriesSpec.action)
                : {}),
            },
          ],
    )
    return json({ txs })
  }

  #columns(table: string): Response {
    if (table !== 't') return json({ error: `table does not exist (${table})`, code: 2 }, 500)
    const column = (name: string, type: string, mark: string) => ({
      values: [{ s: name }, { s: type }, {}, { s: mark }, {}, {}],
    })
    const rows = [column('id', 'INTEGER', 'PRIMARY KEY'), column('v', 'VARCHAR', 'NO')]
    return json({ columns: [{ name: 'COLUMN', type: 'VARCHAR' }], rows })
  }

  #query(sql: string): Response {
    const table = (heads: [string, string][], rows: unknown[][]) =>
      json({
        columns: heads.map(([name, type]) => ({ name: `(t.${name})`, type })),
        rows: rows.map((values) => ({ values })),
      })
    if (sql.includes('INDEXES(')) return json({ columns: [{ name: 'x', type: 'VARCHAR' }] })
    const isOurs = sql.includes('id = 1')
    const revisions = isOurs ? this.versions.map((one, at) => ({ ...one, rev: at + 1 })) : []
    const [, limit = '1'] = /LIMIT (\d+)/.exec(sql) ?? []
    const [, offset = '0'] = /OFFSET (\d+)/.exec(sql) ?? []
    const paged = [...revisions].reverse().slice(Number(offset), Number(offset) + Number(limit))
    if (sql.startsWith('SELECT COUNT(*) FROM (HISTORY'))
      return table([['col0', 'INTEGER']], [[{ n: String(revisions.length) }]])
    if (sql.includes('HISTORY OF') && paged.some(({ tx }) => tx < this.goneBefore)) return gone()
    if (sql.startsWith('SELECT _rev'))
      return table(
        [['_rev', 'INTEGER']],
        paged.map(({ rev }) => [{ n: String(rev) }]),
      )
    const row = ({ v }: Version) => [{ n: '1' }, v === null ? { null: null } : { s: v }]
    const heads: [string, string][] = [
      ['id', 'INTEGER'],
      ['v', 'VARCHAR'],
    ]
    if (sql.includes('HISTORY OF'))
      return table(
        [['_rev', 'INTEGER'], ...heads],
        paged.map((one) => [{ n: String(one.rev) }, ...row(one)]),
      )
    const moments = sql.startsWith('SELECT * FROM t WHERE')
      ? [this.last]
      : [...sql.matchAll(/SELECT \* FROM t UNTIL TX (\d+)/g)].map(([, tx]) => Number(tx))
    if (moments.length > 0) {
      const found = moments.flatMap((asOf) => revisions.findLast(({ tx }) => tx <= asOf) ?? [])
      const there = found.filter(({ isDeletion }) => !isDeletion)
      if (there.some(({ tx }) => tx < this.goneBefore)) return gone()
      return table(heads, there.map(row))
    }
    if (this.isBusy) return json({ error: 'watchers: max waiting limit exceeded', code: 2 }, 500)
    return this.#found(sql, isOurs, (rows) => table([['col0', 'INTEGER']], rows))
  }

  #found(sql: string, isOurs: boolean, table: (rows: unknown[][]) => Response): Response {
    let isGone = false
    const probes = sql.matchAll(/SELECT (\d+) FROM t (?:SINCE TX (\d+) )?(?:UNTIL TX (\d+))?/g)
    const rows = [...probes].flatMap(([, number, since = '1', until = String(this.last)]) => {
      const inside = this.versions.filter(({ tx }) => tx >= Number(since) && tx <= Number(until))
      const newest = isOurs ? inside.at(-1) : undefined
      if (newest && !newest.isDeletion && newest.tx < this.goneBefore) isGone = true
      return newest && !newest.isDeletion ? [[{ n: String(number) }]] : []
    })
    return isGone ? gone() : table(rows)
  }
}

/** What the server says when the file with a cell is gone. */
const gone = () => json({ error: 'EOF', code: 2, message: 'EOF' }, 500)

/** A tab that is logged in to such a server, with storage that outlives it. */
export function tabWith(
  server: Pick<RevisionServer, 'fetch'>,
  storage = openStorage(
    async () => memoryDriver(),
    () => {},
  ),
): Store {
  const store = createStore()
  connect(store, '/api', server.fetch)
  const databaseTokens = new Map([['db', 'token']])
  store.set(sessionAtom, { user: 'u', token: 'token', databaseTokens, isStored: false, since: 0 })
  store.set(databaseAtom, 'db')
  store.set(serverAtom, 'one')
  store.set(storageAtom, storage)
  // Files share what modules hold, and one made-up history would break another's.
  store.set(trustedStatesAtom, new TrustedStates(() => Promise.resolve(keptDoor())))
  openQueryCache(store)
  return store
}

/** The same for a user who may write. */
export function writerWith(...[server, storage]: Parameters<typeof tabWith>): Store {
  const store = tabWith(server, storage)
  store.set(permissionsAtom, [{ database: 'db', permission: 2 }])
  return store
}
