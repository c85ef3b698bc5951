// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { bytesToBase64 } from '~/lib/bytes'
import { forkQuestion } from '~/proof/fork-question'
import { emptyHash } from '~/proof/kernel/hash'
import { ProofError } from '~/proof/kernel/steps'
import { verify } from '~/proof/kernel/verify'
import {
  compareHistories,
  type Relation,
  readSourceState,
  type Source,
  type SourceState,
} from '~/proof/same-history'
import type { History, Json } from '../support/history'
import { laggingHistory, historyOf as singleBranch } from '../support/proving-server'

/** A history of `size` transactions that is its own after the first `shared`. */
const branch = (size: number, word: string, shared: number) => singleBranch(size, word, shared)

/** A server that proves what it says; everything that it answers can be changed. */
class Server {
  readonly history: History
  requests = 0
  change: (answer: Json, tx: number, since: number) => unknown = (answer) => answer
  state: () => unknown

  constructor(history: History, size = history.headers.length) {
    this.history = history
    this.state = () => stateOf(history, size)
  }

  readonly source: Source = {
    db: 'db',
    readState: async () => {
      this.requests += 1
      return this.state()
    },
    readTx: async (tx, since) => {
      this.requests += 1
      const { tx: whole, ...rest } = this.history.verifiableTx(Number(tx), Number(since))
      const { header } = whole as Json
      return this.change({ tx: { header }, ...rest }, Number(tx), Number(since))
    },
  }
}

function stateOf(history: History, size: number): Json {
  return size === 0
    ? { db: 'db', txHash: bytesToBase64(emptyHash) }
    : { db: 'db', ...history.point(size) }
}

type Compared = { found: Relation; states: readonly [SourceState, SourceState] | null }

async function compared(one: Server, other: Server): Promise<Compared> {
  const first = await readSourceState(verify, one.source, 0)
  if ('why' in first) return { found: { kind: 'unproven', ...first }, states: null }
  const second = await readSourceState(verify, other.source, 1)
  if ('why' in second) return { found: { kind: 'unproven', ...second }, states: null }
  const states = [first, second] as const
  return { found: await compareHistories(verify, [one.source, other.source], states), states }
}

const relation = async (one: Server, other: Server) => (await compared(one, other)).found

/** The requests that a comparison of histories of n transactions may take. */
const mostRequests = (n: number) => 2 * Math.log2(n) + 5

const sizes = [1, 2, 3, 4, 8, 9, 64, 65, 129]
const longest = 140

describe('two servers with one history', () => {
  test('at one transaction are the same, and both prove it', async () => {
    const [own, same] = [branch(longest, 'a', 0), branch(longest, 'a', 0)]
    for (const size of sizes) {
      const [one, other] = [new Server(own, size), new Server(same, size)]
      expect(await relation(one, other)).toEqual({ kind: 'same', tx: String(size) })
      expect(one.requests + other.requests).toBe(4)
    }
  })

  test('are one behind the other by the difference, whichever comes first', async () => {
    const history = branch(longest, 'a', 0)
    for (const size of sizes) {
      const short = new Server(history, size)
      const long = new Server(history)
      const by = longest - size
      // Only the last transaction before the newest is also found in the chain.
      const behind = { kind: 'behind', by: String(by), tx: String(size), isTreeOnly: by > 1 }
      expect(await relation(short, long)).toEqual({ ...behind, side: 0 })
      expect(await relation(long, short)).toEqual({ ...behind, side: 1 })
      expect(short.requests + long.requests).toBe(8)
    }
  })

  test('are so while both go on writing', async () => {
    const [one, other] = [new Server(branch(20, 'a', 0)), new Server(branch(30, 'a', 0))]
    one.history.add([])
    expect(await relation(one, other)).toMatchObject({ kind: 'behind', by: '10' })
  })

  test('whose tree lags show no more than their proofs', async () => {
    const history = laggingHistory()
    expect(await relation(new Server(history, 10), new Server(history, 20))).toMatchObject({
      kind: 'behind',
      by: '10',
    })
    expect(await relation(new Server(history, 20), new Server(history, 21))).toEqual({
      kind: 'unproven',
      why: 'lags',
      side: 1,
    })
  })
})

describe('a fork is named at its transaction', () => {
  async function expectFork(shared: number, size: number, other: number) {
    const short = new Server(branch(size, 'b', shared))
    const long = new Server(branch(other, 'a', 0))
    const { found, states } = await compared(short, long)
    expect(found, `${shared} of ${size} and ${other}`).toMatchObject({
      kind: 'forked',
      after: String(shared),
    })
    expect(short.requests + long.requests).toBeLessThanOrEqual(mostRequests(size))
    if (found.kind !== 'forked' || !states) throw new Error('no fork')
    return { found, states }
  }

  const few = [1, 2, 3, 4, 5, 7, 8, 9, 12]
  const many = [16, 17, 31, 64, 65, 100, 128]

  test('wherever it is', { timeout: 60_000 }, async () => {
    for (const size of few) {
      for (let shared = 0; shared < size; shared += 1) {
        await expectFork(shared, size, size)
        await expectFork(shared, size, size + 3)
      }
    }
    for (const size of many) {
      for (const shared of [0, 1, size / 2, size - 2, size - 1].map(Math.floor)) {
        await expectFork(shared, size, longest)
      }
    }
  })

  /** Names the fork between histories whose headers are as simple as their proofs are believed. */
  async function requestsFor(shared: number, size: number, other: number): Promise<number> {
    let requests = 2
    const hash = (word: string, tx: number) => {
      const own = tx > shared ? word : 'a'
      return tx === 0
        ? Buffer.from(emptyHash).toString('hex')
        : Buffer.from(`${own}${tx}`.padEnd(32)).toString('hex')
    }
    const source = (word: string): Source => ({
      db: 'db',
      readState: () => Promise.reject(new Error('known')),
      readTx: async (tx) => {
        requests += 1
        return { alh: hash(word, Number(tx)), prevAlh: hash(word, Number(tx) - 1) }
      },
    })
    const state = (word: string, tx: number): SourceState => {
      const txHash = Buffer.from(hash(word, tx), 'hex').toString('base64')
      return { point: { txId: String(tx), txHash }, key: null, answer: null }
    }
    const believe = (async (...[, , , facts]: unknown[]) => ({
      facts,
      open: [],
    })) as unknown as typeof verify
    const found = await compareHistories(
      believe,
      [source('b'), source('a')],
      [state('b', size), state('a', other)],
    )
    const isFound = found.kind === 'forked' && found.after === String(shared)
    return isFound ? requests : Number.POSITIVE_INFINITY
  }

  test('in at most 2·log₂ n + 5 requests, wherever it is', async () => {
    const tooMany: string[] = []
    const look = async (shared: number, size: number, other: number) => {
      const requests = await requestsFor(shared, size, other)
      if (requests > mostRequests(size)) tooMany.push(`${shared} ${size} ${other}: ${requests}`)
    }
    for (let size = 1; size <= 130; size += 1) {
      for (let shared = 0; shared < size; shared += 1) {
        await look(shared, size, size)
        await look(shared, size, size + 50)
      }
    }
    for (const size of [2 ** 20 - 1, 2 ** 20, 2 ** 20 + 1, 1_500_000]) {
      for (const shared of [0, 1, 2 ** 19, size - 2, size - 1]) await look(shared, size, size)
    }
    expect(tooMany).toEqual([])
  })

  test.each([
    ['at 1', 1],
    ['at a power of two', 512],
    ['before the last', 999],
    ['from the start', 0],
  ])('%s of a thousand', async (_where, shared) => {
    await expectFork(shared, 1000, 1300)
  })

  test('and the proof of it stands by itself, with the sides as they were given', async () => {
    const { found, states } = await expectFork(17, 40, 90)
    const side = (name: string) => ({ name, server: { uuid: null, origin: `https://${name}` } })
    const asked = forkQuestion(found, ['db', 'db'], states, [side('eu'), side('us')])
    const again = await verify(asked.kind, asked.context, asked.request, asked.response)
    expect(again).toMatchObject({
      verdict: 'ok',
      signed: false,
      facts: {
        after: '17',
        sides: [
          { stateTx: '40', key: null },
          { stateTx: '90', key: null },
        ],
      },
    })
  })
})

describe('nothing is claimed', () => {
  test('of a database without transactions', async () => {
    const [empty, full] = [new Server(branch(0, 'a', 0)), new Server(branch(9, 'a', 0))]
    expect(await relation(empty, full)).toEqual({ kind: 'unproven', why: 'empty', side: 0 })
    expect(await relation(full, empty)).toEqual({ kind: 'unproven', why: 'empty', side: 1 })
    expect(await relation(empty, empty)).toEqual({ kind: 'unproven', why: 'empty', side: null })
  })

  test('when a call fails, and it is said whose', async () => {
    const [one, other] = [new Server(branch(9, 'a', 0)), new Server(branch(9, 'b', 3))]
    const error = new Error('away')
    other.change = () => {
      throw error
    }
    expect(await relation(one, other)).toEqual({ kind: 'unproven', why: 'failed', side: 1, error })
    one.state = () => {
      throw error
    }
    expect(await relation(one, other)).toEqual({ kind: 'unproven', why: 'failed', side: 0, error })
  })

  test('of a server that copies the state of another', async () => {
    const [honest, copy] = [new Server(branch(30, 'a', 0)), new Server(branch(30, 'b', 12))]
    copy.state = honest.state
    for (const [one, other] of [
      [honest, copy],
      [copy, honest],
    ] as const) {
      expect(await relation(one, other)).toMatchObject({
        kind: 'unproven',
        why: 'refused',
        side: one === copy ? 0 : 1,
      })
    }
  })

  test('of a state that its server cannot prove, however long', async () => {
    const [honest, liar] = [new Server(branch(30, 'a', 0)), new Server(branch(60, 'a', 0))]
    liar.state = () => ({ db: 'db', txId: '50', txHash: bytesToBase64(emptyHash) })
    expect(await relation(honest, liar)).toMatchObject({ why: 'refused', side: 1 })
    liar.state = () => ({ db: 'db', txId: '20', txHash: bytesToBase64(emptyHash) })
    expect(await relation(honest, liar)).toMatchObject({ why: 'refused', side: 1 })
  })

  test('of a state of another database, or one of a wrong form', async () => {
    const [one, other] = [new Server(branch(3, 'a', 0)), new Server(branch(3, 'a', 0))]
    const { state } = other
    for (const wrong of [{ ...(state() as Json), db: 'other' }, null, [], 7, { db: 'db' }]) {
      other.state = () => wrong
      const found = await relation(one, other)
      expect(found).toMatchObject({ why: 'refused', side: 1, refusal: expect.any(ProofError) })
    }
  })
})

describe('a server that lies about its headers', () => {
  /** Answers some headers out of another history than that of its state. */
  function liarOf(own: History, other: History, isLie: (tx: number) => boolean): Server {
    const liar = new Server(own)
    liar.change = (answer, tx, since) =>
      isLie(tx) && since <= other.headers.length
        ? { ...other.verifiableTx(tx, since), tx: { header: (other.tx(tx) as Json).header } }
        : answer
    return liar
  }

  test('is not believed to have forked', async () => {
    const [honest, other] = [branch(64, 'a', 0), branch(100, 'b', 20)]
    const found = await relation(
      new Server(honest),
      liarOf(branch(100, 'a', 0), other, () => true),
    )
    expect(found).toMatchObject({ kind: 'unproven', why: 'refused', side: 1 })
  })

  test('cannot hide that it has', async () => {
    const [honest, forked] = [branch(64, 'a', 0), branch(100, 'b', 20)]
    for (const lies of [() => true, (tx: number) => tx > 20, (tx: number) => tx === 64]) {
      const found = await relation(new Server(honest), liarOf(forked, branch(100, 'a', 0), lies))
      expect(found).toMatchObject({ kind: 'unproven', side: 1 })
    }
  })

  test('cannot move the fork', async () => {
    const [honest, forked] = [branch(64, 'a', 0), branch(100, 'b', 20)]
    const third = branch(100, 'c', 9)
    for (let lie = 1; lie <= 64; lie += 1) {
      const liar = liarOf(forked, third, (tx) => tx === lie)
      const found = await relation(new Server(honest), liar)
      if (found.kind === 'forked') expect(found.after).toBe('20')
      else expect(found).toMatchObject({ kind: 'unproven', why: 'refused', side: 1 })
    }
  })
})
