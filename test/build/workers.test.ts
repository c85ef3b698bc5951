// @vitest-environment node
import { createContext, Script } from 'node:vm'
import { beforeAll, describe, expect, test } from 'vitest'
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
    expect(Object.keys(built.names)).toEqual(['exposition'])
    expect(built.names.exposition).toMatch(/^exposition-worker-[A-Z0-9]{8}\.js$/)
    expect(built.files.map(({ path, immutable }) => [path, immutable])).toEqual([
      [`assets/${built.names.exposition}`, true],
    ])
    const again = await bundleWorkers(root, { isProduction: true, target })
    expect(again.names).toEqual(built.names)
  })

  test('keep their names while developing', async () => {
    const { names } = await bundleWorkers(root, { isProduction: false, target })
    expect(names).toEqual({ exposition: 'exposition-worker.js' })
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
})
