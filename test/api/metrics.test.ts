// @vitest-environment node
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createClient } from '~/api/client'
import { fetchMetrics, parseMetrics } from '~/api/metrics'
import { readPageHeaders, readServerInfo } from '~/api/server'
import { listTransactions } from '~/api/transactions'
import { metricFamilies, metricsOf } from '~/immudb/metrics'
import { readExposition } from '~/lib/exposition'
import { metricsText, recordedMetrics } from '../support/fake-metrics'
import { recorded, recordedResponse } from '../support/recorded'

type Sent = { url: string; init: RequestInit }

function clientOf(answer: (sent: Sent) => Response | Promise<Response>) {
  const sent: Sent[] = []
  const onCall = vi.fn()
  const client = createClient({
    baseURL: '/ops/immudb/api',
    token: () => 'v2.public.secret',
    onCall,
    fetch: (async (url: unknown, init: RequestInit = {}) => {
      const one = { url: String(url), init }
      sent.push(one)
      return answer(one)
    }) as typeof fetch,
  })
  return { client, sent, onCall }
}

afterEach(() => vi.restoreAllMocks())

describe('a request for metrics', () => {
  test('is simple: no token, no header of ours, no cookie, and no call of the API', async () => {
    const { client, sent, onCall } = clientOf(() => metricsText('immudb_uptime_hours 1'))
    await fetchMetrics(client, 'http://db.example:9497/metrics')
    const { url, init } = sent[0] ?? { url: '', init: {} }
    expect(url).toBe('http://db.example:9497/metrics')
    expect([...new Headers(init.headers)]).toEqual([])
    expect(init.method ?? 'GET').toBe('GET')
    expect(init).toMatchObject({ credentials: 'same-origin', cache: 'no-store', redirect: 'error' })
    expect(onCall).not.toHaveBeenCalled()
  })

  test('without a host goes beside the API, below whatever prefix', async () => {
    const counted = '# x\ngrpc_server_handling_seconds_count{grpc_method="Get"} 1'
    const { client, sent } = clientOf(() => metricsText(counted))
    await fetchMetrics(client, 'metrics')
    const { pathname, searchParams } = new URL(sent[0]?.url ?? '', 'http://localhost')
    expect(pathname).toBe('/ops/immudb/metrics')
    const rest = new Set(metricFamilies)
    rest.delete('grpc_server_handled_total')
    expect(new Set(searchParams.getAll('name[]'))).toEqual(rest)
    expect(sent).toHaveLength(1)
  })

  test('asks for the calls by result where there are no histograms', async () => {
    const { client, sent } = clientOf(() => metricsText('immudb_uptime_hours 1'))
    await fetchMetrics(client, 'metrics')
    expect(sent).toHaveLength(2)
    const { searchParams } = new URL(sent[1]?.url ?? '', 'http://localhost')
    expect(new Set(searchParams.getAll('name[]'))).toEqual(metricFamilies)
  })

  test('F70 is given up after five seconds, body included, and not repeated', async () => {
    const timer = new AbortController()
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timer.signal)
    const body = new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array([35])) })
    const { client, sent } = clientOf(({ init }) => {
      init.signal?.addEventListener('abort', () => body.cancel().catch(() => {}))
      return new Response(
        body.pipeThrough(new TransformStream(), init.signal ? { signal: init.signal } : {}),
        { headers: { 'content-type': 'text/plain' } },
      )
    })
    const asked = fetchMetrics(client, 'metrics')
    const failed = expect(asked).rejects.toMatchObject({ kind: 'timeout' })
    await vi.waitFor(() => expect(sent).toHaveLength(1))
    timer.abort(new DOMException('', 'TimeoutError'))
    await failed
    expect(timeout).toHaveBeenCalledWith(5_000)
    expect(sent).toHaveLength(1)
  })

  test.each([
    ['a 404', () => new Response('404 page not found', { status: 404 }), 'refused'],
    ['a gateway’s JSON', () => Response.json({ code: 14 }, { status: 502 }), 'refused'],
    [
      'a page',
      () => new Response('<h1>hello</h1>', { headers: { 'content-type': 'text/html' } }),
      'not-immudb',
    ],
    ['a closed port', () => Promise.reject(new TypeError('fetch failed')), 'network'],
  ])('F70 fails with %s', async (_what, answer, kind) => {
    const { client, sent } = clientOf(answer)
    await expect(fetchMetrics(client, 'metrics')).rejects.toMatchObject({ kind })
    expect(sent).toHaveLength(1)
  })

  test('F70 what a worker found is checked before it is believed', () => {
    const found = metricsOf(readExposition(recordedMetrics, metricFamilies))
    expect(parseMetrics(structuredClone(found)).databases.get('defaultdb')?.size).toBe(5478)
    for (const wrong of [null, undefined, {}, { ...found, databases: {} }, 'text', [found]]) {
      expect(() => parseMetrics(wrong)).toThrow('no metrics of an immudb')
    }
  })
})

test('server figures are read as recorded, without a token', async () => {
  const { client, sent } = clientOf(() => recordedResponse(recorded('system', 'serverinfo')))
  const figures = await readServerInfo(client)
  expect(figures.startedAt).toMatch(/^\d+$/)
  expect(figures.numDatabases).toBeGreaterThan(0)
  expect(new Headers(sent[0]?.init.headers).get('authorization')).toBeNull()
})

test('the page’s own headers come from the mount point', async () => {
  const { client, sent } = clientOf(
    () => new Response('', { headers: { 'X-Frame-Options': 'DENY' } }),
  )
  expect((await readPageHeaders(client)).get('x-frame-options')).toBe('DENY')
  expect(sent[0]?.url).toBe('/ops/immudb/')
})

test('transactions are asked newest first and without their entries', async () => {
  const { client, sent } = clientOf(() =>
    Response.json({ txs: [{ header: { id: '9007199254740993', ts: '1', prevAlh: 'eA==' } }] }),
  )
  const found = await listTransactions(client, {
    database: 'defaultdb',
    upTo: '9007199254740993',
    limit: 10,
  })
  expect(found).toMatchObject([{ id: '9007199254740993', ts: '1', prevAlh: 'eA==', nentries: 0 }])
  expect(JSON.parse(String(sent[0]?.init.body))).toEqual({
    initialTx: '9007199254740993',
    limit: 10,
    desc: true,
    entriesSpec: {},
  })
})

test('no transaction is an empty list', async () => {
  const { client } = clientOf(() => Response.json({}))
  expect(await listTransactions(client, { database: 'a', upTo: '1', limit: 10 })).toEqual([])
})
