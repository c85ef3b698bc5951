import { createClient } from '../../src/api/client'
import { readTransactions, type TxEntries } from '../../src/api/transactions'
import { recorded, recordedPairs, recordedResponse } from './recorded'

type Header = { id: string; prevAlh: string; ts: string; nentries?: number; metadata?: object }
export type PastTx = { header: Header; entries?: object[] }

/** The transactions of the recorded history, with all entries by their digests. */
export const pastTxs = (recorded('past', 'page of digests').response.body as { txs: PastTx[] }).txs

type Audited = { revisions: object[] }
type Page = { initialTx: string; limit: number; desc?: boolean; entriesSpec?: object }

/**
 * A server with the recorded history, whose tests may change it. It answers what is asked about
 * transactions; `queries` answers SQL.
 */
export class PastServer {
  txs: readonly PastTx[] = pastTxs
  /** Transactions with more entries than one answer takes. */
  wide: ReadonlySet<string> = new Set()
  /** Paths that were asked; pages of transactions as `first limit`. */
  readonly asked: string[] = []
  queries: (sql: string) => object = () => ({ columns: [{ name: '(t.a)', type: 'VARCHAR' }] })

  readonly answer = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const path = String(input).replace(/^.*\/api/, '')
    const body = typeof init?.body === 'string' ? JSON.parse(init.body) : {}
    if (path === '/db/tx') return this.#page(body)
    this.asked.push(path)
    if (path.startsWith('/db/tx/')) return this.#one(path)
    if (path === '/db/sqlquery') return Response.json(this.queries(body.sql))
    if (path === '/db/table/list') return Response.json({ columns: [{}], rows: [] })
    if (path === '/v2/collections') return Response.json({ collections: [{ name: 'orders' }] })
    if (path.endsWith('/audit')) return this.#audit(body)
    if (path === '/db/state') return Response.json(this.#state())
    if (path.startsWith('/db/get/')) return keyNotFound()
    return Response.json({ error: 'not found', code: 2, message: 'not found' }, { status: 500 })
  }

  #state() {
    const txId = this.txs.at(-1)?.header.id
    return { db: 'odd', ...(txId ? { txId } : {}), txHash: 'AAAA' }
  }

  #page({ initialTx, limit, desc = false, entriesSpec }: Page): Response {
    this.asked.push(`${initialTx} ${limit}`)
    const at = this.txs.findIndex(({ header }) => header.id === initialTx)
    const found = desc
      ? this.txs.slice(Math.max(0, at - limit + 1), at + 1).toReversed()
      : this.txs.slice(at, at + limit)
    const page = at < 0 ? [] : found
    if (entriesSpec) return Response.json({ txs: page.map(({ header }) => ({ header })) })
    if (page.some(({ header }) => this.wide.has(header.id))) return tooLarge()
    return Response.json(page.length === 0 ? {} : { txs: page })
  }

  #one(path: string): Response {
    const [start = '', spec] = path.split('?')
    const id = start.replace('/db/tx/', '')
    if (spec !== undefined) {
      const same = (one: string) => one.split('?')[0] === `/api${start}`
      const found = recordedPairs.find(
        ({ group, name, request }) =>
          group === 'past' && name.startsWith('values of') && same(request.path),
      )
      const tx = this.txs.find(({ header }) => header.id === id)
      return found ? recordedResponse(found) : Response.json({ header: tx?.header })
    }
    const tx = this.txs.find(({ header }) => header.id === id)
    if (!tx) return recordedResponse(recorded('past', 'unknown'))
    return this.wide.has(id) ? tooLarge() : Response.json(tx)
  }

  #audit({ page, desc = false }: { page: number; desc?: boolean }): Response {
    const { revisions } = recorded('past', 'audit of a document').response.body as Audited
    if (page === 1) return Response.json({ revisions: desc ? revisions.toReversed() : revisions })
    const error = 'tbtree: offset out of range: error fetching document history'
    return Response.json({ error, code: 2, message: error }, { status: 500 })
  }
}

const keyNotFound = () =>
  Response.json({ error: 'tbtree: key not found', code: 2 }, { status: 500 })

const tooLarge = () => recordedResponse(recorded('past', 'too wide'))

/** A history with a table and a collection that have the same number, and entries of every kind. */
export const mixedTxs = (
  recorded('entries', 'every kind of entry').response.body as { txs: PastTx[] }
).txs

/** The recorded transactions as the console reads them, by their number less one. */
export function readPast(txs = pastTxs): Promise<TxEntries[]> {
  const server = new PastServer()
  server.txs = txs
  const fetch = server.answer
  const client = createClient({ baseURL: '/api', token: () => 'v2.public.x', fetch })
  return readTransactions(client, { database: 'odd', from: '1', limit: 31 })
}
