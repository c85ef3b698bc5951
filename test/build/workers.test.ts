// @vitest-environment node
import { createContext, Script } from 'node:vm'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { root } from '../../build'
import { target } from '../../embed/pipeline/bundle'
import { bundleWorkers, type Workers } from '../../embed/pipeline/workers'
import { recordedMetrics } from '../support/fake-metrics'

let built: Workers

beforeAll(async () => {
  built = await bundleWorkers(root, { isProduction: true, target })
})

describe('the workers', () => {
  test('lie beside the other scripts, under names that change with their content', async () => {
    expect(Object.keys(built.names)).toEqual(['exposition', 'proof'])
    expect(built.names.exposition).toMatch(/^exposition-worker-[A-Z0-9]{8}\.js$/)
    expect(built.files.map(({ path, immutable }) => [path, immutable])).toEqual([
      [`assets/${built.names.exposition}`, true],
      [`assets/${built.names.proof}`, true],
    ])
    const again = await bundleWorkers(root, { isProduction: true, target })
    expect(again.names).toEqual(built.names)
  })

  test('keep their names while developing', async () => {
    const { names } = await bundleWorkers(root, { isProduction: false, target })
    expect(names).toEqual({ exposition: 'exposition-worker.js', proof: 'proof-worker.js' })
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
    new Script(new TextDecoder().decode(built.files[0]?.bytes)).runInContext(scope)
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
    await vi.waitFor(() => expect(answers).toHaveLength(2))
    expect(answers).toMatchObject([
      { number: 1, verified: { verdict: 'ok', facts: { txId: '0' } } },
      { number: 2, refused: { reason: 'wrong-database', steps: [{ result: 'failed' }] } },
    ])
  })
})
