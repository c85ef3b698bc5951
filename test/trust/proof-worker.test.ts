import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { FakeWorker } from '../support/fake-worker'

type Message = { number: number; kind: string }

/** Workers that were started, oldest first; each answers as it is told to. */
let started: FakeWorker<Message>[]

const context = { db: 'a', trusted: null, publicKey: null }
const state = { db: 'a', txHash: '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' }

async function opened() {
  const { verifyInWorker: verifyApart } = await import('~/trust/proof-worker')
  return (db = 'a') => verifyApart('state', { ...context, db }, {}, { state })
}

beforeEach(() => {
  FakeWorker.all = []
  started = FakeWorker.all as FakeWorker<Message>[]
  vi.resetModules()
  vi.stubGlobal('Worker', FakeWorker)
  vi.doMock('~/lib/build', () => ({ workers: new Map([['proof', 'proof-worker.js']]) }))
})

afterEach(() => {
  vi.doUnmock('~/lib/build')
})

test('one worker does all checks, whose answers may come in any order', async () => {
  const verify = await opened()
  const [one, other] = [verify(), verify()]
  await vi.waitFor(() => expect(started[0]?.orders).toHaveLength(2))
  const [first, second] = started[0]?.orders ?? []
  started[0]?.tell({ number: second?.number, verified: { facts: 'second' } })
  started[0]?.tell({ number: first?.number, verified: { facts: 'first' } })
  expect(await one).toEqual({ facts: 'first' })
  expect(await other).toEqual({ facts: 'second' })
  expect(started).toHaveLength(1)
})

test('a refusal comes back as the error of the engine, with its steps', async () => {
  const verify = await opened()
  const refused = {
    reason: 'link',
    step: 'link',
    part: 'x',
    compared: {},
    steps: [{ name: 'link' }],
  }
  const checking = verify()
  await vi.waitFor(() => expect(started[0]?.orders).toHaveLength(1))
  started[0]?.tell({ number: started[0].orders[0]?.number, refused })
  await expect(checking).rejects.toMatchObject({ name: 'ProofError', ...refused })
})

test('a worker that breaks hands over what it had, and is tried again, but not for ever', async () => {
  const verify = await opened()
  for (let at = 1; at <= 3; at += 1) {
    const checking = verify()
    await vi.waitFor(() => expect(started).toHaveLength(at))
    started[at - 1]?.dispatchEvent(new Event('error'))
    expect(await checking).toMatchObject({ verdict: 'ok', facts: { txId: '0' } })
    expect(started[at - 1]?.isEnded).toBe(true)
  }
  await expect(verify('b')).rejects.toMatchObject({ reason: 'wrong-database' })
  expect(started).toHaveLength(3)
})

describe('rows among proven entries', () => {
  const schema = { table: 't', tableId: 1, pk: [1], cols: [], maxColId: 1 }
  const asked = { schema, keys: [[{ n: '1' }]], entries: [], answer: { tx: { entries: [] } } }
  const find = async () => {
    const { findRowsInWorker: findApart } = await import('~/trust/proof-worker')
    return findApart(asked)
  }

  test('are found by the worker, too', async () => {
    const finding = find()
    await vi.waitFor(() => expect(started[0]?.orders).toHaveLength(1))
    const [order] = started[0]?.orders ?? []
    expect(order).toMatchObject({ kind: 'rows', ...asked })
    started[0]?.tell({ number: order?.number, verified: [null] })
    expect(await finding).toEqual([null])
  })

  test('are found on the page when the worker breaks', async () => {
    const finding = find()
    await vi.waitFor(() => expect(started).toHaveLength(1))
    started[0]?.dispatchEvent(new Event('error'))
    expect(await finding).toEqual([null])
  })
})
