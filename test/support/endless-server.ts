import { createStore } from 'jotai'
import { connect, type Store } from '~/core/session/client'
import { openQueryCache } from '~/core/session/query-client'
import { sessionAtom } from '~/core/session/session'

/** What such a server says wherever an answer has a number, and how long its lists are. */
export type Lies = {
  /** Of the request, counted from 1. */
  readonly number: (asked: number) => bigint
  /** Entries of a list of which so many were asked for. */
  readonly length: (limit: number) => number
  /** Whether the names and keys of a list are those of the list before. */
  readonly isSame?: boolean
  /** Why an answer that could hold values does not come. */
  readonly refusal?: (asked: number) => 'too-large' | 'gone' | null
}

const b64 = (text: string) => btoa(text)
const padded = (at: bigint | number) => String(at).padStart(20, '0')

/** A server whose answers lead nowhere. It rejects everything after `most` requests. */
export class EndlessServer {
  asked = 0
  #named = 0
  readonly #lies: Lies
  readonly #most: number

  constructor(lies: Lies, most: number) {
    this.#lies = lies
    this.#most = most
  }

  /** A store of a browser that is logged in there. */
  open(): Store {
    const store = createStore()
    connect(store, '/api', this.answer)
    openQueryCache(store)
    const databaseTokens = new Map([
      ['db', 't'],
      ['systemdb', 't'],
    ])
    store.set(sessionAtom, {
      user: 'immudb',
      token: 't',
      databaseTokens,
      isStored: false,
      since: 0,
    })
    return store
  }

  readonly answer = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    this.asked += 1
    // Lets timers run, so that a test can end a loop that does not.
    if (this.asked % 64 === 0) await new Promise((resolve) => setTimeout(resolve))
    if (this.asked > this.#most) return failure('too many requests of one loop')
    const path = String(input).replace(/^.*\/api/, '')
    const body = typeof init?.body === 'string' ? JSON.parse(init.body) : {}
    const why = isOfValues(path) ? this.#lies.refusal?.(this.asked) : null
    if (why === 'gone') return failure('EOF')
    if (why === 'too-large') {
      return failure('grpc: received message larger than max (9000000 vs. 4194304)', 429, 8)
    }
    const found = this.#found(path, body)
    return found === null ? failure('key not found') : Response.json(found)
  }

  #found(path: string, body: Record<string, unknown>): object | null {
    const limit = Number(body.limit ?? body.pageSize ?? 1)
    if (path === '/db/state') return { db: 'db', txId: this.#id(), txHash: 'AAAA' }
    if (path === '/db/table/list') return { columns: [{}], rows: [{ values: [{ s: 't' }] }] }
    if (path === '/db/tables') return this.#described()
    if (path === '/v2/authorization/session/open') return { sessionID: 's' }
    if (path.startsWith('/v2/authorization')) return {}
    if (path.startsWith('/db/use/')) return { token: 't' }
    if (path === '/db/sqlquery') return this.#rows(String(body.sql))
    if (path.startsWith('/db/get/') || path.includes('verifiable')) return null
    const list = <T>(make: (name: string) => T) =>
      Array.from({ length: this.#lies.length(limit) }, () => make(this.#name()))
    if (path === '/db/tx') return { txs: list(() => this.#tx()) }
    if (path.startsWith('/db/tx/')) return this.#tx()
    if (path === '/db/history') return { entries: list(() => this.#entry(String(body.key))) }
    if (path === '/db/getall') return { entries: [] }
    if (path === '/db/scan') {
      const prefix = atob(String(body.prefix ?? ''))
      return { entries: list((name) => this.#entry(b64(prefix + name))) }
    }
    if (path === '/db/zscan') {
      return { entries: list((name) => this.#setEntry(b64(name))) }
    }
    if (path.endsWith('/audit')) return { revisions: list(() => this.#revision()) }
    if (path.includes('/documents/search')) {
      const revisions = list((name) => ({ documentId: name, document: { a: 1 } }))
      return { searchId: 'same', revisions }
    }
    return null
  }

  #name() {
    if (!this.#lies.isSame) this.#named += 1
    return padded(this.#named)
  }

  #id() {
    return String(this.#lies.number(this.asked))
  }

  #entry(key: string) {
    return { tx: this.#id(), key, value: '', revision: this.#id() }
  }

  #setEntry(key: string) {
    return { set: b64('s'), key, entry: this.#entry(key), score: 1, atTx: '0' }
  }

  #tx() {
    return { header: { id: this.#id(), ts: '1', nentries: 1 }, entries: [] }
  }

  #revision() {
    return { transactionId: this.#id(), revision: this.#id(), document: { a: 1 } }
  }

  #described() {
    const column = (name: string, mark: string) => ({
      values: [{ s: name }, { s: 'INTEGER' }, { b: true }, { s: mark }, { b: false }, { b: false }],
    })
    return { columns: [{}], rows: [column('id', 'PRIMARY KEY'), column('v', 'NO')] }
  }

  #rows(sql: string) {
    if (sql.includes('INDEXES(')) {
      const own = { values: [{ s: 't' }, { s: 't(id)' }, { b: true }, { b: true }] }
      return { columns: [{ name: 'i', type: 'VARCHAR' }], rows: [own] }
    }
    const probes = [...sql.matchAll(/SELECT (\d+) FROM/g)].map(([, number]) => number)
    if (probes.length > 0) {
      const rows = probes.slice(0, this.#lies.length(probes.length))
      return integers('(t.col0)', rows.map(String))
    }
    if (/_rev|COUNT/.test(sql)) return integers('(t._rev)', [this.#id()])
    const limit = Number(/LIMIT (\d+)/.exec(sql)?.[1] ?? 1)
    const rows = Array.from({ length: this.#lies.length(limit) }, () => BigInt(this.#name()))
    const isDiff = sql.includes('DIFF OF')
    const cells = (id: bigint) => [{ n: String(id) }, { n: this.#id() }]
    return {
      columns: [
        ...(isDiff ? [{ name: '(t._diff_action)', type: 'VARCHAR' }] : []),
        { name: '(t.id)', type: 'INTEGER' },
        { name: '(t.v)', type: 'INTEGER' },
      ],
      rows: rows.map((id) => ({ values: [...(isDiff ? [{ s: 'INSERT' }] : []), ...cells(id)] })),
    }
  }
}

const integers = (name: string, values: readonly string[]) => ({
  columns: [{ name, type: 'INTEGER' }],
  rows: values.map((n) => ({ values: [{ n }] })),
})

const isOfValues = (path: string) =>
  /^\/db\/(tx|history|scan|zscan|sqlquery|get)|\/audit$|\/documents\/search/.test(path)

const failure = (error: string, status = 500, code = 2) =>
  Response.json({ error, code, message: error }, { status })
