// @vitest-environment node
import { createContext, Script } from 'node:vm'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { root } from '../../build'
import { target } from '../../embed/pipeline/browsers'
import { bundleWorkers, type Workers } from '../../embed/pipeline/workers'
import type { AuditNews, AuditOrder } from '../../src/proof/audit-messages'
import { recordedMetrics } from '../support/fake-metrics'
import { historyOf } from '../support/proving-server'

let built: Workers

beforeAll(async () => {
  built = await bundleWorkers(root, { isProduction: true, target })
})

describe('the workers', () => {
  test('lie beside the other scripts, under names that change with their content', async () => {
    expect(Object.keys(built.names)).toEqual(['audit', 'exposition', 'proof'])
    expect(built.names.exposition).toMatch(/^exposition-worker-[A-Z0-9]{8}\.js$/)
    expect(built.files.map(({ path, immutable }) => [path, immutable])).toEqual([
      [`assets/${built.names.audit}`, true],
      [`assets/${built.names.exposition}`, true],
      [`assets/${built.names.proof}`, true],
    ])
    const again = await bundleWorkers(root, { isProduction: true, target })
    expect(again.names).toEqual(built.names)
  })

  test('keep their names while developing', async () => {
    const { names } = await bundleWorkers(root, { isProduction: false, target })
    expect(names).toEqual({
      audit: 'audit-worker.js',
      exposition: 'exposition-worker.js',
      proof: 'proof-worker.js',
    })
  })

  test('need nothing else: the one for metrics reads a recorded answer by itself', () => {
    const answers: unknown[] = []
    let listen: (event: { data: unknown }) => void = () => {}
    const scope = createContext({
      addEventListener: (_name: string, listener: typeof listen) => {
        listen = listener
      },
      postMessage: (answer: unknown) => answers.push(answer),
      ArrayBuffer,
      TextDecoder,
    })
    const worker = built.files.find(({ path }) => path === `assets/${built.names.exposition}`)
    new Script(new TextDecoder().decode(worker?.bytes)).runInContext(scope)
    listen({ data: new TextEncoder().encode(recordedMetrics).buffer })
    listen({ data: 'no bytes' })
    expect(answers[0]).toMatchObject({ reserved: 249_944_392 })
    expect(answers[1]).toBeNull()
  })

  test('need nothing else: the one for proofs checks a state, and tells why it refuses one', async () => {
    const answers: unknown[] = []
    let listen: (event: { data: unknown }) => void = () => {}
    const scope = createContext({
      addEventListener: (_name: string, listener: typeof listen) => {
        listen = listener
      },
      postMessage: (answer: unknown) => answers.push(answer),
      TextEncoder,
      TextDecoder,
      atob,
      btoa,
    })
    const worker = built.files.find(({ path }) => path === `assets/${built.names.proof}`)
    new Script(new TextDecoder().decode(worker?.bytes)).runInContext(scope)
    const txHash = '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
    const ask = (number: number, db: string) =>
      listen({
        data: {
          number,
          kind: 'state',
          context: { db, trusted: null, publicKey: null },
          request: {},
          response: { state: { db: 'a', txHash } },
        },
      })
    ask(1, 'a')
    ask(2, 'b')
    const evidence = (number: number, file: object) =>
      listen({ data: { number, kind: 'evidence', file } })
    evidence(3, { arrayBuffer: async () => new TextEncoder().encode('{}').buffer })
    evidence(4, { arrayBuffer: () => Promise.reject(new Error('gone')) })
    await vi.waitFor(() => expect(answers).toHaveLength(4))
    answers.sort(
      (one, other) => Reflect.get(Object(one), 'number') - Reflect.get(Object(other), 'number'),
    )
    expect(answers).toMatchObject([
      { number: 1, verified: { verdict: 'ok', facts: { txId: '0' } } },
      { number: 2, refused: { reason: 'wrong-database', steps: [{ result: 'failed' }] } },
      { number: 3, verified: { error: 'This is not an evidence file of this console.' } },
      { number: 4, failure: 'Error: gone' },
    ])
  })

  test('need nothing else: the one for audits walks a history to its end', async () => {
    const history = historyOf(230)
    const told: AuditNews[] = []
    let listen: (event: { data: unknown }) => void = () => {}
    const scope = createContext({
      ...{ AbortController, AbortSignal, DOMException, Headers, MessageChannel, Request, Response },
      ...{ TextEncoder, TextDecoder, URL, URLSearchParams, atob, btoa, performance },
      ...{ clearInterval, clearTimeout, setInterval, setTimeout },
      addEventListener: (_name: string, listener: typeof listen) => {
        listen = listener
      },
      postMessage: (news: AuditNews) => told.push(news),
      fetch: async (url: string, { body, headers }: { body: string; headers: HeadersInit }) => {
        const taken = { 'Grpc-Metadata-Immudb-Uuid': 'one', 'Webconsole-Token': 'taken' }
        if (url.endsWith('/db/table/list'))
          return Response.json(
            { columns: [{ name: 'name', type: 'VARCHAR' }], rows: [] },
            { headers: taken },
          )
        const { initialTx, limit } = JSON.parse(body) as { initialTx: string; limit: number }
        expect(new Headers(headers).get('webconsole-token')).toBe('t')
        const txs = Array.from({ length: limit }, (_, at) => history.tx(Number(initialTx) + at))
        return Response.json({ txs }, { headers: taken })
      },
    })
    const worker = built.files.find(({ path }) => path === `assets/${built.names.audit}`)
    new Script(new TextDecoder().decode(worker?.bytes)).runInContext(scope)
    const about = { baseURL: 'http://localhost/api', database: 'db', server: 'one', token: 't' }
    const from = { target: history.point(230), withValues: false }
    listen({
      data: {
        kind: 'start',
        listedAs: null,
        takesOwnHeader: true,
        clockOffset: 0,
        hasNewerForm: false,
        ...about,
        from,
      } satisfies AuditOrder,
    })
    await vi.waitFor(() => expect(told.at(-1)?.kind).not.toBe('progress'), 4_000)
    expect(told.at(-1)).toMatchObject({ kind: 'ended', tables: [], target: from.target })
    const reports = told.filter((news) => news.kind === 'progress')
    expect(reports.at(-1)).toMatchObject({ progress: { txId: '230', entries: 230 } })
    expect(reports.reduce((sum, { calls }) => sum + calls, 0)).toBe(2)
  })
})
