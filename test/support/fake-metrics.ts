import { readFileSync } from 'node:fs'
import { failure } from './fake-faults'
import type { FakeImmudb } from './fake-immudb'

const { excerpt }: { excerpt: readonly string[] } = JSON.parse(
  readFileSync('test/fixtures/immudb/metrics.json', 'utf8'),
)

/** Metrics of immudb 1.11.1, without the lines that the console ignores. */
export const recordedMetrics = excerpt.join('\n')

/** A server with what the overview asks for besides the API. */
export type FakeServer = FakeImmudb & {
  /** Addresses of metrics that were asked, with their headers, in the order they came. */
  readonly asked: { readonly address: string; readonly headers: Headers; readonly at: number }[]
  /** Answers for metrics by address; other addresses are closed. */
  readonly metrics: Map<string, (signal: AbortSignal | null) => Response | Promise<Response>>
  /** What answers for the list of transactions instead; null for the server itself. */
  transactions: (() => Response) | null
  /** Headers of the console's own page. */
  pageHeaders: HeadersInit
  startedAt: number
  isHealthy: boolean
}

/** Metrics as the real port sends them. */
export function metricsText(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'text/plain; version=0.0.4' } })
}

/** Never answers; gives up when the caller does. */
export function hanging(signal: AbortSignal | null): Promise<Response> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason))
  })
}

/** Adds `/metrics`, `/db/tx`, `/serverinfo` and the page itself to a fake server. */
export function withMetrics(server: FakeImmudb): FakeServer {
  const asked: { address: string; headers: Headers; at: number }[] = []
  const metrics: FakeServer['metrics'] = new Map([['/metrics', () => metricsText(recordedMetrics)]])
  const whole: FakeServer = {
    ...server,
    asked,
    metrics,
    transactions: null,
    pageHeaders: {},
    startedAt: 1_795_254_200,
    isHealthy: true,
    fetch: async (input, init = {}) => {
      // It answers with all families, as plain immudb would.
      const address = String(input).replace(/(\/metrics)\?name.*$/, '$1')
      if (address.endsWith('/metrics')) {
        asked.push({ address, headers: new Headers(init.headers), at: performance.now() })
        const answer = metrics.get(address)
        if (!answer) throw new TypeError('fetch failed')
        return answer(init.signal ?? null)
      }
      if (address === '/api/health' && !whole.isHealthy) {
        const { headers } = await server.fetch(input, init)
        return Response.json({ status: false, version: '1.11.1' }, { headers })
      }
      if (address === '/') return new Response('', { headers: whole.pageHeaders })
      if (address === '/api/serverinfo') {
        await server.fetch('/api/health', init)
        const isWhole = [...server.databases.values()].every(({ isLoaded }) => isLoaded)
        if (!isWhole) return failure(500, 2, 'already closed')
        return Response.json({ version: '1.11.1', startedAt: String(whole.startedAt) })
      }
      if (address === '/api/db/tx') return whole.transactions?.() ?? transactions(server, init)
      return server.fetch(input, init)
    },
  }
  return whole
}

/** Headers of the newest transactions of the database of the token. */
async function transactions(server: FakeImmudb, init: RequestInit): Promise<Response> {
  const { body: _body, method: _method, ...rest } = init
  const answer = await server.fetch('/api/db/state', rest)
  if (!answer.ok) return answer
  const body: unknown = JSON.parse(String(init.body))
  const limit = Number(Reflect.get(Object(body), 'limit'))
  const newest = Number(Reflect.get(Object(body), 'initialTx'))
  // No transaction has this number.
  if (newest === 0) return failure(400, 3, 'illegal arguments')
  const ids = Array.from({ length: Math.min(limit, newest) }, (_, index) => newest - index)
  const txs = ids.map((id) => ({
    header: {
      id: String(id),
      ts: String(1_795_254_212 + id),
      nentries: id,
      prevAlh: btoa(`alh${id - 1}`),
    },
  }))
  return Response.json({ txs })
}
