// @vitest-environment node
import { describe, expect, test, vi } from 'vitest'
import { ApiError } from '~/api/errors'
import { databaseIdAtom, serverAtom } from '~/core/session/session'
import { importState } from '~/trust/compared-state'
import { acceptServer, acknowledgeBreak, forgetState, revokeServer } from '~/trust/decisions'
import { followStates, watchServer } from '~/trust/follow-history'
import type { Halt } from '~/trust/incidents'
import { refusedOnce } from '~/trust/refused-before'
import { pinKey } from '~/trust/signing-keys'
import type { TrustStore } from '~/trust/store'
import { late } from '~/trust/store'
import { forgotten, trustAtom } from '~/trust/trust'
import { TrustedStates, trustedStatesAtom, trustRecordsAtom } from '~/trust/trusted-states'
import { verifyObject } from '~/trust/verify-object'
import { verifyState, watchState } from '~/trust/verify-state'
import { releaseWrites, writesHeldAtom } from '~/trust/write-block'
import { serverWords } from '~/words/comparison'
import type { Json } from '../support/history'
import {
  grow,
  historyOf,
  keptDoor,
  lateTab,
  ProvingServer,
  refusal,
  tabOf,
} from '../support/proving-server'
import { keyAlone } from '../support/questions'

const recordIn = (store: ReturnType<typeof tabOf>) =>
  store.get(trustedStatesAtom).read(store.get(databaseIdAtom)('db'))

describe('the trusted state', () => {
  test('is the first state, as it is, until something is proven against it', async () => {
    const server = new ProvingServer(historyOf(3))
    const tab = tabOf(server)
    expect(await verifyState(tab)).toMatchObject({
      kind: 'first',
      record: { point: server.history.point(3), how: 'first', moved: 0, checked: 0 },
    })
    expect(tab.get(trustAtom).kind).toBe('first')
    // The same state again is no proof, however often it is asked for.
    for (let at = 0; at < 3; at += 1) {
      expect(await verifyState(tab)).toMatchObject({
        kind: 'first',
        why: null,
        record: { moved: 0, provenAt: 0, checked: expect.any(Number) },
      })
    }
    expect(server.count('verifiable')).toBe(0)
    grow(server.history)
    expect(await verifyState(tab)).toMatchObject({ kind: 'consistent' })
  })

  test('moves by a proof that asks for one more answer, and only then', async () => {
    const server = new ProvingServer(historyOf(3))
    const tab = tabOf(server)
    await verifyState(tab)
    grow(server.history)
    grow(server.history)
    server.asked.length = 0
    expect(await verifyState(tab)).toMatchObject({
      kind: 'consistent',
      record: { point: server.history.point(5), moved: 1, firstContact: { txId: '3' } },
    })
    expect(server.asked).toHaveLength(2)
    expect((await recordIn(tab))?.history.map(({ txId, how }) => [txId, how])).toEqual([
      ['3', 'first'],
      ['5', 'state'],
    ])
  })

  test('of an empty database is no more than first contact, and neither is what follows', async () => {
    const server = new ProvingServer(historyOf(0))
    const tab = tabOf(server)
    expect(await verifyState(tab)).toMatchObject({ kind: 'first' })
    expect(await verifyState(tab)).toMatchObject({
      kind: 'first',
      record: { point: { txId: '0' } },
    })
    server.history = historyOf(4)
    expect(await verifyState(tab)).toMatchObject({
      kind: 'first',
      record: { firstContact: { txId: '4' } },
    })
    expect(server.count('verifiable')).toBe(0)
    expect(await verifyState(tab)).toMatchObject({ kind: 'first' })
    grow(server.history)
    expect(await verifyState(tab)).toMatchObject({ kind: 'consistent' })
  })

  test('keeps its last 50 moves', async () => {
    const server = new ProvingServer(historyOf(1))
    const tab = tabOf(server)
    for (let at = 0; at < 53; at += 1) {
      await verifyState(tab)
      grow(server.history)
    }
    const history = (await recordIn(tab))?.history ?? []
    expect([history.length, history[0]?.txId, history.at(-1)?.txId]).toEqual([50, '4', '53'])
  })

  test('outlives the store: who comes next goes on from it', async () => {
    const server = new ProvingServer(historyOf(3))
    const door = keptDoor()
    await verifyState(tabOf(server, door))
    grow(server.history)
    expect(await verifyState(tabOf(server, door))).toMatchObject({
      kind: 'consistent',
      record: { moved: 1 },
    })
  })
})

/** Histories that do not go on from transaction 5 of the recorded one. */
const broken: readonly (readonly [string, () => ProvingServer, object])[] = [
  ['rolled back', () => new ProvingServer(historyOf(3)), { kind: 'rolled-back' }],
  ['emptied', () => new ProvingServer(historyOf(0)), { kind: 'rolled-back' }],
  ['of the same height, but different', () => serverOf(5), { kind: 'rewritten' }],
  ['forked and longer', () => serverOf(9), { kind: 'forked' }],
  ['of another database', () => changed((one) => ({ ...one, db: 'other' })), { kind: 'malformed' }],
  ['cut short', () => changed((one) => ({ ...one, txHash: 'AAAA' })), { kind: 'malformed' }],
]

function serverOf(size: number): ProvingServer {
  return new ProvingServer(historyOf(size, 'b', 2))
}

function changed(change: (state: Json) => Json): ProvingServer {
  const server = new ProvingServer(historyOf(5))
  server.change = (answer, path) => (path === '/db/state' ? change(answer) : answer)
  return server
}

describe('a history that is', () => {
  test.each(broken)('%s is found broken, and stays it', async (_, make, expected) => {
    const door = keptDoor()
    const honest = new ProvingServer(historyOf(5))
    await verifyState(tabOf(honest, door))
    const liar = make()
    const tab = tabOf(liar, door)
    const trust = await verifyState(tab)
    expect(trust).toMatchObject({
      kind: 'broken',
      broken: { ...expected, acknowledgedAt: null },
      record: { point: honest.history.point(5) },
    })
    // Asked twice before it was said, and said once.
    expect(liar.count('/db/state')).toBeGreaterThanOrEqual(2)
    expect(await verifyState(tab)).toMatchObject({ broken: (trust as Halt).broken })
    // Another page knows it at once, even if the server is right again.
    const next = await verifyState(tabOf(honest, door))
    expect(next).toMatchObject({ kind: 'broken', broken: expected })
  })

  test('rolled back shows both hashes', async () => {
    const door = keptDoor()
    await verifyState(tabOf(new ProvingServer(historyOf(5)), door))
    const trust = await verifyState(tabOf(new ProvingServer(historyOf(3)), door))
    expect(trust).toMatchObject({
      broken: {
        expected: expect.stringMatching(/^[0-9a-f]{64}$/),
        received: expect.stringMatching(/^[0-9a-f]{64}$/),
        step: 'link',
        verification: { kind: 'state', database: 'db', server: 'server-one' },
      },
    })
  })

  test.each(['targetBlTxAlh', 'consistencyProof', 'linearProof'])(
    'linked by a proof with a changed %s is found broken',
    async (part) => {
      const server = new ProvingServer(historyOf(5))
      const tab = tabOf(server)
      await verifyState(tab)
      for (let at = 0; at < 3; at += 1) grow(server.history)
      server.change = (answer, path) => {
        if (path === '/db/state') return answer
        const { [part]: _, ...rest } = answer.dualProof as Json
        return { ...answer, dualProof: rest }
      }
      expect(await verifyState(tab)).toMatchObject({ kind: 'broken' })
      expect((await recordIn(tab))?.point.txId).toBe('5')
    },
  )
})

describe('a finding', () => {
  test('is a server that shows a newer state and does not have the recorded one, twice', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = tabOf(server)
    await verifyState(tab)
    grow(server.history)
    server.instead = (path) => (path.includes('verifiable') ? refusal('illegal state') : undefined)
    expect(await verifyState(tab)).toMatchObject({ kind: 'broken' })
    expect(server.count('verifiable')).toBe(2)
    expect((await recordIn(tab))?.break).not.toBeNull()
  })

  test('that cannot be kept is remembered by the page until an operator has it checked', async () => {
    const { door, stop } = fullDoor()
    const server = new ProvingServer(historyOf(5))
    const tab = tabOf(server, door)
    await verifyState(tab)
    stop()
    const { history } = server
    server.history = historyOf(3)
    expect(await verifyState(tab)).toMatchObject({ kind: 'broken' })
    server.history = history
    stop(false)
    expect(await verifyState(tab)).toMatchObject({
      kind: 'broken',
      broken: { kind: 'rolled-back' },
    })
    expect(await acknowledgeBreak(tab, 'check', '')).toMatchObject({ kind: 'first' })
  })

  test('begins with a refused answer, which is told until the question is answered', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = tabOf(server)
    await verifyState(tab)
    await verifyState(tab)
    const { history } = server
    server.history = historyOf(3)
    let isAway = false
    server.instead = () => {
      if (isAway) return refusal('internal error', 500)
      isAway = true
      return undefined
    }
    expect(await verifyState(tab)).toMatchObject({ kind: 'first', ...refusedOnce })
    server.instead = () => undefined
    expect(await verifyState(tab)).toMatchObject({ kind: 'broken' })
    server.history = history
    expect(await acknowledgeBreak(tab, 'check', '')).toMatchObject({ why: null })
  })

  test('is not what a right answer follows on the next occasion', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = tabOf(server)
    await verifyState(tab)
    let isAway = false
    server.instead = () => {
      if (isAway) return refusal('internal error', 500)
      isAway = true
      return undefined
    }
    server.change = (state) => ({ ...state, db: 'other' })
    expect(await verifyState(tab)).toMatchObject({ ...refusedOnce })
    server.instead = () => undefined
    server.change = (state) => state
    expect(await verifyState(tab)).toMatchObject({ kind: 'first', why: null })
  })
})

describe('what else is found in a broken history', () => {
  const forge = (server: ProvingServer) => {
    server.change = (answer, path) => (path.endsWith('/get') ? { ...answer, entry: {} } : answer)
  }
  const verify = (tab: ReturnType<typeof tabOf>, what = 'key k2', key = 'k2') =>
    verifyObject(tab, keyAlone(key, what))
  const shown = (tab: ReturnType<typeof tabOf>) => (tab.get(trustAtom) as Halt).broken

  async function acknowledged() {
    const server = new ProvingServer(historyOf(5))
    const tab = tabOf(server)
    await verifyState(tab)
    forge(server)
    await verify(tab)
    server.change = (answer) => answer
    await acknowledgeBreak(tab, 'keep', 'seen')
    releaseWrites(tab, 'db')
    expect(tab.get(writesHeldAtom)('db')).toBeUndefined()
    return { server, tab }
  }

  test('takes the place of what was seen, holds writes again, and keeps its evidence', async () => {
    const { server, tab } = await acknowledged()
    const { history } = server
    server.history = historyOf(3, 'x')
    expect(await verifyState(tab)).toMatchObject({
      broken: { kind: 'rolled-back', acknowledgedAt: null },
      record: { others: [{ kind: 'object', verification: { response: expect.anything() } }] },
    })
    expect(tab.get(writesHeldAtom)('db')).toMatch(/^The history of db is broken/)
    // The same again is nothing new.
    const { at } = shown(tab)
    await acknowledgeBreak(tab, 'keep', 'seen, too')
    await verifyState(tab)
    expect(shown(tab)).toMatchObject({ at, acknowledgedAt: expect.any(Number) })
    // One that ends does not end the other.
    server.history = history
    expect(await acknowledgeBreak(tab, 'check', '')).toMatchObject({
      kind: 'broken',
      broken: { kind: 'object', what: 'key k2' },
    })
    expect(await acknowledgeBreak(tab, 'check', '')).toMatchObject({ kind: 'first' })
    expect(await recordIn(tab)).toMatchObject({ break: null, others: [] })
  })

  test('is looked for while the point stays where it was', async () => {
    const { server, tab } = await acknowledged()
    grow(server.history)
    await verifyState(tab)
    expect(await verifyState(tab)).toMatchObject({
      broken: { kind: 'object' },
      record: { point: { txId: '5' } },
    })
  })

  test('waits beside what nobody has seen so far', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = tabOf(server)
    await verifyState(tab)
    forge(server)
    await verify(tab)
    await verify(tab, 'key k2 again')
    expect(await recordIn(tab)).toMatchObject({
      break: { what: 'key k2' },
      others: [{ what: 'key k2 again' }],
    })
  })

  test('holds writes again although it waits beside what they were released for', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = tabOf(server)
    await verifyState(tab)
    forge(server)
    await verify(tab)
    releaseWrites(tab, 'db')
    await verify(tab)
    expect(tab.get(writesHeldAtom)('db')).toBeUndefined()
    await verify(tab, 'key k2 again')
    expect(tab.get(writesHeldAtom)('db')).toMatch(/^The history of db is broken/)
  })

  test('is not decided about by who was shown another finding', async () => {
    const { server, tab } = await acknowledged()
    const points = tab.get(trustedStatesAtom)
    const { at } = shown(tab)
    server.history = historyOf(3, 'x')
    await verifyState(tab)
    await points.acknowledge(tab.get(databaseIdAtom)('db'), 'late', at)
    expect((await recordIn(tab))?.break).toMatchObject({ acknowledgedAt: null })
  })

  test('is kept for each object, though two may be called the same', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = tabOf(server)
    await verifyState(tab)
    server.change = (answer, path) => (path.endsWith('/get') ? { ...answer, entry: {} } : answer)
    const what = 'the entry it refers to'
    await verify(tab, what)
    await verify(tab, what, 'k3')
    expect(await recordIn(tab)).toMatchObject({ break: { what }, others: [{ what }] })
    server.change = (answer) => answer
    expect(await acknowledgeBreak(tab, 'check', '')).toMatchObject({ kind: 'broken' })
    expect(await acknowledgeBreak(tab, 'check', '')).toMatchObject({ kind: 'first' })
  })

  test.each([
    ['an object', 'object'],
    ['the newest state', 'forked'],
  ])('while another alarm ends, in %s, does not end with it', async (_, kind) => {
    const door = keptDoor()
    const server = new ProvingServer(historyOf(5))
    const { history } = server
    const tab = tabOf(server, door)
    await verifyState(tab)
    server.history = historyOf(3)
    await verifyState(tab)
    await acknowledgeBreak(tab, 'keep', 'seen')
    server.history = history
    // Another tab, which the server shows something else than this one.
    const shownThere = new ProvingServer(kind === 'forked' ? historyOf(7, 'b') : history)
    const there = tabOf(shownThere, door)
    forge(shownThere)
    server.instead = async (path) => {
      if (path !== '/db/state') return undefined
      server.instead = () => undefined
      await (kind === 'forked' ? verifyState(there) : verify(there))
      return undefined
    }
    const found = { kind: 'broken', broken: { kind } }
    expect(await acknowledgeBreak(tab, 'check', '')).toMatchObject(found)
    expect((await recordIn(tab))?.break).toMatchObject(found.broken)
    expect(await verifyState(tab)).toMatchObject(found)
  })

  test('is no news while it cannot be kept', async () => {
    const { door, stop } = fullDoor()
    const server = new ProvingServer(historyOf(5))
    const tab = tabOf(server, door)
    await verifyState(tab)
    stop()
    server.history = historyOf(3)
    await verifyState(tab)
    const { at } = shown(tab)
    await verifyState(tab)
    expect(shown(tab).at).toBe(at)
  })

  test('is not asked for from a server that is away: what is broken is said at once', async () => {
    const door = keptDoor()
    await verifyState(tabOf(new ProvingServer(historyOf(5)), door))
    const server = new ProvingServer(historyOf(3))
    await verifyState(tabOf(server, door))
    const tab = tabOf(server, door)
    tab.set(serverAtom, 'server-one')
    server.instead = () => Promise.reject(new TypeError('fetch failed'))
    const why = 'The immudb server cannot be reached.'
    const away = { kind: 'broken', broken: { kind: 'rolled-back' }, why }
    expect(await verifyState(tab)).toMatchObject(away)
    // It was not checked, and nobody says that it was.
    expect(await acknowledgeBreak(tab, 'check', '')).toMatchObject(away)
  })
})

/** Storage that takes nothing more while it is told so. */
function fullDoor() {
  const door = keptDoor()
  let isFull = false
  const change: TrustStore['change'] = (...asked) =>
    isFull ? Promise.reject(new DOMException('full', 'QuotaExceededError')) : door.change(...asked)
  return {
    door: { ...door, change },
    stop: (now = true) => {
      isFull = now
    },
  }
}

describe('no alarm is raised', () => {
  async function at(size: number) {
    const server = new ProvingServer(historyOf(size))
    const tab = tabOf(server)
    await verifyState(tab)
    return { server, tab }
  }

  test('by a state that was asked for before the point moved', async () => {
    const { server, tab } = await at(5)
    const early = server.state(4)
    const io = { get: tab.get, set: tab.set }
    expect(await verifyState(io, 'db', { seen: early })).toMatchObject({ kind: 'first' })
  })

  test('by a wrong answer that is right when asked again', async () => {
    const { server, tab } = await at(5)
    grow(server.history)
    let left = 1
    server.change = (answer, path) => {
      if (path === '/db/state' || left === 0) return answer
      left -= 1
      return { ...answer, dualProof: {} }
    }
    expect(await verifyState(tab)).toMatchObject({ kind: 'consistent' })
  })

  test.each([
    ['a server that is away', () => Promise.reject(new TypeError('fetch failed'))],
    ['a refused right', () => refusal('permission denied', 403)],
    ['a server that fails', () => refusal('internal error', 500)],
    ['a proxy that fails', () => new Response('<html>', { status: 502 })],
    [
      'half an answer',
      () => new Response('{"tx":', { headers: { 'content-type': 'application/json' } }),
    ],
  ])('by %s', async (_, answer) => {
    const { server, tab } = await at(5)
    grow(server.history)
    server.instead = (path) => (path.includes('verifiable') ? answer() : undefined)
    const trust = await verifyState(tab)
    expect(trust).toMatchObject({ kind: 'first', why: expect.any(String) })
    expect((await recordIn(tab))?.break).toBeNull()
  })

  test('before anything is known, by a server that is away: nothing is said but why', async () => {
    const server = new ProvingServer(historyOf(5))
    server.instead = () => refusal('permission denied', 403)
    const tab = tabOf(server)
    const why = expect.stringContaining('ermission')
    expect(await verifyState(tab)).toEqual({ kind: 'unchecked', why })
  })

  test('by two tabs that move the point at once', async () => {
    const server = new ProvingServer(historyOf(5))
    const door = keptDoor()
    const tabs = Array.from({ length: 4 }, () => tabOf(server, door))
    for (let at = 0; at < 20; at += 1) {
      const checks = tabs.map((tab) => verifyState(tab))
      grow(server.history)
      for (const trust of await Promise.all(checks)) {
        expect(['first', 'consistent']).toContain(trust.kind)
      }
    }
  })
})

describe('a polled state', () => {
  const watched = (tab: ReturnType<typeof tabOf>, error: unknown) =>
    watchState({ get: tab.get, set: tab.set }, 'db', { data: undefined, error })

  test('that has another form than a state is asked for again, and is a finding if it stays so', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = tabOf(server)
    await verifyState(tab)
    const error = new ApiError({ kind: 'bad-answer', text: 'unexpected txId' })
    expect(await watched(tab, error)).toMatchObject({ kind: 'first' })
    server.change = (state) => ({ ...state, txId: 'five' })
    expect(await watched(tab, error)).toMatchObject({
      kind: 'broken',
      broken: { kind: 'malformed' },
    })
  })

  test('of a database before it was made again, or of another server, is no first contact', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = tabOf(server)
    const io = { get: tab.get, set: tab.set }
    // As it is cached while another database is open.
    const cached = { data: server.state(), error: null }
    await watchState(io, 'db', cached)
    expect(server.asked).toEqual(['/db/state'])
    server.history = historyOf(3, 'b')
    await forgetState(tab, tab.get(databaseIdAtom)('db'), 'made again')
    expect(await watchState(io, 'db', cached)).toMatchObject({
      kind: 'first',
      record: { point: server.history.point(3) },
    })
    expect(await verifyState(tab)).toMatchObject({ kind: 'first' })
  })

  test('that was asked for before the trusted state moved is no incident, another history is', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = tabOf(server)
    const io = { get: tab.get, set: tab.set }
    await verifyState(tab)
    const asked = { data: server.state(), error: null }
    grow(server.history)
    await verifyState(tab)
    expect(await watchState(io, 'db', asked)).toMatchObject({ kind: 'consistent' })
    const incidents = async () => (await tab.set(trustRecordsAtom)).incidents
    expect(await incidents()).toEqual([])
    const { txHash } = historyOf(6, 'b').point(6)
    await watchState(io, 'db', { data: { ...asked.data, txId: '6', txHash }, error: null })
    expect(await incidents()).toMatchObject([{ incidents: [{ kind: 'rewritten' }] }])
  })

  test('that never came is asked for by nobody else, and what was known stays known', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = tabOf(server)
    await verifyState(tab)
    server.asked.length = 0
    const error = new ApiError({ kind: 'network', text: 'no connection' })
    expect(await watched(tab, error)).toMatchObject({
      kind: 'first',
      why: 'The immudb server cannot be reached.',
    })
    expect(server.asked).toEqual([])
  })
})

test('what one tab finds out, another follows without asking', async () => {
  const server = new ProvingServer(historyOf(5))
  const door = keptDoor()
  const [one, other] = [tabOf(server, door), tabOf(server, door)]
  await verifyState(one)
  await verifyState(other)
  const stop = followStates({ get: other.get, set: other.set })
  grow(server.history)
  await verifyState(one)
  server.asked.length = 0
  await vi.waitFor(() =>
    expect(other.get(trustAtom)).toMatchObject({ record: { point: { txId: '6' } } }),
  )
  server.history = historyOf(3)
  await verifyState(one)
  await vi.waitFor(() => expect(other.get(trustAtom).kind).toBe('broken'))
  expect(server.asked).toEqual(['/db/state', '/db/state'])
  stop()
})

test('what another tab does to another database says nothing about this one', async () => {
  const server = new ProvingServer(historyOf(5))
  const door = keptDoor()
  const [one, other] = [tabOf(server, door), tabOf(server, door)]
  await verifyState(one)
  await verifyState(other)
  server.instead = () => refusal('internal error', 500)
  const before = await verifyState(other)
  expect(before).toMatchObject({ kind: 'first', why: expect.any(String) })
  const points = other.get(trustedStatesAtom)
  const told = vi.fn()
  const stop = followStates({ get: other.get, set: other.set })
  const quiet = points.onChange(told)
  const elsewhere = { ...one.get(databaseIdAtom)('db'), database: 'elsewhere' }
  await one.get(trustedStatesAtom).move(elsewhere, null, server.history.point(1), 'first')
  await vi.waitFor(() => expect(told).toHaveBeenCalled())
  await points.all()
  await new Promise((resolve) => setTimeout(resolve))
  expect(other.get(trustAtom)).toBe(before)
  quiet()
  stop()
})

test('two branches shown to two tabs at once are found out', async () => {
  const door = keptDoor()
  const [one, other] = [new ProvingServer(historyOf(9)), serverOf(9)]
  other.history = historyOf(9, 'b', 5)
  await verifyState(tabOf(new ProvingServer(historyOf(5)), door))
  const checks = [one, other].map((server) => verifyState(tabOf(server, door)))
  const kinds = (await Promise.all(checks)).map(({ kind }) => kind)
  expect(kinds.sort()).toEqual(['broken', 'consistent'])
})

describe('a server that has an id since it was upgraded', () => {
  /** Recorded without an id at transaction 5; then a server with one answers. */
  async function upgraded(after: ProvingServer) {
    const door = keptDoor()
    const before = new ProvingServer(historyOf(5))
    before.uuid = ''
    await verifyState(tabOf(before, door))
    const tab = tabOf(after, door)
    return { door, tab, trust: await verifyState(tab) }
  }

  test('goes on from the trusted state by a proof, and is accepted', async () => {
    const { tab, trust } = await upgraded(new ProvingServer(historyOf(7)))
    expect(trust).toMatchObject({
      kind: 'consistent',
      record: { id: { server: 'server-one' }, point: { txId: '7' }, firstContact: { txId: '5' } },
    })
    const { log, incidents } = await tab.set(trustRecordsAtom)
    expect(log).toMatchObject([{ what: 'server-accepted', id: { server: 'server-one' } }])
    expect(incidents).toEqual([])
  })

  test('is not reported as another one before its state was asked for', async () => {
    const after = new ProvingServer(historyOf(7))
    const { tab } = await upgraded(after)
    tab.set(serverAtom, 'server-one')
    await watchServer(tab, 'db')
    expect(tab.get(trustAtom)).toMatchObject({ kind: 'consistent' })
  })

  test('is another server when its history does not go on', async () => {
    for (const history of [historyOf(7, 'c'), historyOf(3)]) {
      const { tab, trust } = await upgraded(new ProvingServer(history))
      expect(trust).toMatchObject({
        kind: 'broken',
        broken: { kind: 'other-server', expected: '', received: 'server-one' },
      })
      expect(await recordIn(tab)).toBeNull()
    }
  })

  test('that was revoked is not taken again', async () => {
    const { tab } = await upgraded(new ProvingServer(historyOf(7)))
    const { origin } = tab.get(databaseIdAtom)('db')
    await revokeServer(tab, origin, 'server-one', 'not ours')
    expect(await verifyState(tab)).toMatchObject({
      kind: 'broken',
      broken: { kind: 'other-server' },
    })
  })

  test('begins anew once it was forgotten, as any other', async () => {
    const after = new ProvingServer(historyOf(7))
    const { tab } = await upgraded(after)
    after.history = historyOf(2, 'z')
    expect(await verifyState(tab)).toMatchObject({ kind: 'broken' })
    await forgetState(tab, tab.get(databaseIdAtom)('db'), 'restored')
    expect(await verifyState(tab)).toMatchObject({
      kind: 'first',
      record: { point: { txId: '2' } },
    })
  })

  test('is not believed for a database whose history does not go on', async () => {
    const door = keptDoor()
    const before = new ProvingServer(historyOf(5))
    before.uuid = ''
    await verifyState(tabOf(before, door))
    const tab = tabOf(new ProvingServer(historyOf(7, 'c')), door)
    // As after the first database of that server.
    await tab
      .get(trustedStatesAtom)
      .acceptServer(tab.get(databaseIdAtom)('db').origin, 'server-one', 'another database')
    expect(await verifyState(tab)).toMatchObject({ kind: 'broken', broken: { kind: 'forked' } })
    expect(await recordIn(tab)).toBeNull()
  })
})

describe('another server at the same address', () => {
  async function replaced() {
    const door = keptDoor()
    await verifyState(tabOf(new ProvingServer(historyOf(5)), door))
    const other = new ProvingServer(historyOf(7, 'c'))
    other.uuid = 'server-two'
    const tab = tabOf(other, door)
    return { door, tab, trust: await verifyState(tab) }
  }

  test('is told by what it calls itself, and nothing of it is trusted', async () => {
    const { tab, trust } = await replaced()
    expect(trust).toMatchObject({
      kind: 'broken',
      broken: { kind: 'other-server', expected: 'server-one', received: 'server-two' },
      record: { point: { txId: '5' } },
    })
    expect(await recordIn(tab)).toBeNull()
  })

  test('that cannot be asked is not called consistent for the one before', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = tabOf(server)
    await verifyState(tab)
    await verifyState(tab)
    await tab
      .get(trustedStatesAtom)
      .acceptServer(tab.get(databaseIdAtom)('db').origin, 'server-two', 'moved')
    server.uuid = 'server-two'
    server.instead = () => refusal('internal error', 500)
    expect(await verifyState(tab)).toMatchObject({
      kind: 'unchecked',
      why: expect.any(String),
    })
  })

  test('is a first contact of its own once it is accepted, and the old point stays', async () => {
    const { tab } = await replaced()
    expect(await acceptServer(tab, 'moved to a new machine')).toMatchObject({
      kind: 'first',
      record: { point: { txId: '7' } },
    })
    const { records, log } = await tab.set(trustRecordsAtom)
    expect(records.map(({ id }) => id.server)).toEqual(['server-one', 'server-two'])
    expect(log).toMatchObject([{ what: 'server-accepted', reason: 'moved to a new machine' }])
  })
})

describe('a pinned key', () => {
  const key = 'BA'.padEnd(86, 'A').concat('AA')

  test('makes an unsigned state a finding', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = tabOf(server)
    await verifyState(tab)
    const of = tab.get(databaseIdAtom)('db')
    // A point on the curve, which the generator of P-256 is.
    await pinKey(tab, of, generator)
    expect(await verifyState(tab)).toMatchObject({
      kind: 'broken',
      broken: { kind: 'unsigned' },
    })
  })

  test('that signed nothing of it makes a signature a finding of its own', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = tabOf(server)
    await verifyState(tab)
    await pinKey(tab, tab.get(databaseIdAtom)('db'), generator)
    server.change = (answer) => ({ ...answer, signature: { publicKey: key, signature: 'AA==' } })
    expect(await verifyState(tab)).toMatchObject({
      kind: 'broken',
      broken: { kind: 'foreign-signature' },
    })
  })
})

const generator = Buffer.from(
  '046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5',
  'hex',
).toString('base64')

test('what is pinned first stays when two pin at once, and nothing of what was forgotten', async () => {
  const server = new ProvingServer(historyOf(3))
  const door = keptDoor()
  const tabs = [tabOf(server, door), tabOf(server, door)]
  for (const tab of tabs) await verifyState(tab)
  const seen = await Promise.all(tabs.map(recordIn))
  const collections = (number: number) => ({
    schemas: new Map(),
    collections: new Map([['notes', number]]),
  })
  const pin = (at: number) => {
    const record = seen[at]
    if (!record) throw new Error('no record')
    return tabs[at]?.get(trustedStatesAtom).pinFirst(record, collections(at + 1))
  }
  const found = await Promise.all([pin(0), pin(1)])
  expect(found.map((record) => record?.collections.get('notes'))).toEqual([1, 1])
  const [tab] = tabs
  if (!tab) throw new Error('unreachable')
  await forgetState(tab, tab.get(databaseIdAtom)('db'), 'again')
  grow(server.history)
  await verifyState(tab)
  expect((await pin(0))?.collections.size).toBe(0)
})

describe('storage', () => {
  test('that cannot be opened: what is known lasts as long as the page, and that is said', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = tabOf(server)
    tab.set(trustedStatesAtom, new TrustedStates(() => Promise.reject(new Error('no'))))
    expect(await verifyState(tab)).toMatchObject({ kind: 'first' })
    expect((await tab.set(trustRecordsAtom)).keeping).toBe('memory')
    // What cannot be found again is never more than a first contact, and that is said.
    await verifyState(tab)
    expect(tab.get(trustAtom)).toMatchObject({ kind: 'first', ...forgotten })
  })

  test('that answers late is told of, and what it held is what counts then', async () => {
    const server = new ProvingServer(historyOf(5))
    const door = keptDoor()
    const early = tabOf(server, door)
    await verifyState(early)
    server.history = historyOf(7, 'b')
    const { tab, answer } = lateTab(server)
    const stop = followStates({ get: tab.get, set: tab.set })
    await verifyState(tab)
    await verifyState(tab)
    expect(tab.get(trustAtom)).toEqual({ kind: 'unchecked', ...late })
    expect((await tab.set(trustRecordsAtom)).keeping).toBe('late')
    answer(door)
    await vi.waitFor(() =>
      expect(tab.get(trustAtom)).toMatchObject({ kind: 'broken', broken: { kind: 'forked' } }),
    )
    expect((await recordIn(tab))?.point).toEqual(historyOf(5).point(5))
    expect((await tab.set(trustRecordsAtom)).keeping).toBe('kept')
    stop()
  })

  test('that answers late takes what was found out meanwhile, where it held nothing', async () => {
    const server = new ProvingServer(historyOf(5))
    const door = keptDoor()
    const { tab, answer } = lateTab(server)
    await verifyState(tab)
    const id = tab.get(databaseIdAtom)('db')
    // A key that is pinned there would be replaced by someone who could not see it.
    await expect(pinKey(tab, id, generator)).rejects.toThrow(late.why)
    answer(door)
    await vi.waitFor(async () => expect((await tab.set(trustRecordsAtom)).keeping).toBe('kept'))
    const next = tabOf(server, door)
    const points = next.get(trustedStatesAtom)
    expect(await points.read(id)).toMatchObject({ point: server.history.point(5), how: 'first' })
    expect(await points.servers(id.origin)).toMatchObject([{ server: 'server-one' }])
    expect(await points.pinnedKey(id.origin, id.server)).toBeNull()
    expect(await points.log()).toEqual([])
  })

  test('that answers late keeps what was found broken, and no server that nobody accepted', async () => {
    const door = keptDoor()
    const known = new TrustedStates(() => Promise.resolve(door))
    const server = new ProvingServer(historyOf(5))
    const { tab, answer } = lateTab(server)
    await verifyState(tab)
    const here = tab.get(databaseIdAtom)('db')
    await known.acceptServer(here.origin, 'server-zero')
    await known.move(here, null, server.history.point(2), 'first')
    server.history = historyOf(3)
    await verifyState(tab)
    expect(tab.get(trustAtom)).toMatchObject({ broken: { kind: 'rolled-back' } })
    answer(door)
    await vi.waitFor(async () => expect((await tab.set(trustRecordsAtom)).keeping).toBe('kept'))
    expect(await recordIn(tab)).toMatchObject({
      point: { txId: '2' },
      break: { kind: 'rolled-back' },
    })
    expect(await known.servers(here.origin)).toMatchObject([{ server: 'server-zero' }])
  })

  test('that answers late keeps all that was found broken', async () => {
    const door = keptDoor()
    const server = new ProvingServer(historyOf(5))
    await verifyState(tabOf(server, door))
    const { tab, answer } = lateTab(server)
    await verifyState(tab)
    server.change = (found, path) => (path.endsWith('/get') ? { ...found, entry: {} } : found)
    await verifyObject(tab, keyAlone('k2'))
    server.history = historyOf(3)
    await verifyState(tab)
    answer(door)
    await vi.waitFor(async () => expect((await tab.set(trustRecordsAtom)).keeping).toBe('kept'))
    expect(await recordIn(tab)).toMatchObject({
      break: { kind: 'rolled-back' },
      others: [{ kind: 'object', what: 'key k2' }],
    })
  })

  test('that keeps nothing is never shown as consistent', async () => {
    const door: TrustStore = {
      ...keptDoor(),
      change: () => Promise.reject(new DOMException('full', 'QuotaExceededError')),
    }
    const tab = tabOf(new ProvingServer(historyOf(5)), door)
    for (let at = 0; at < 2; at += 1) {
      expect(await verifyState(tab)).toEqual({
        kind: 'unchecked',
        why: 'This browser could not read or keep the trusted state.',
      })
    }
  })
})

describe('an operator', () => {
  async function alarmed() {
    const door = keptDoor()
    const honest = new ProvingServer(historyOf(5))
    await verifyState(tabOf(honest, door))
    const server = new ProvingServer(historyOf(3))
    const tab = tabOf(server, door)
    await verifyState(tab)
    return { server, tab, honest }
  }

  test('who has seen it keeps the point, and the finding', async () => {
    const { tab } = await alarmed()
    expect(await acknowledgeBreak(tab, 'keep', 'asked Jo')).toMatchObject({
      kind: 'broken',
      record: { point: { txId: '5' } },
      broken: { acknowledgedAt: expect.any(Number) },
    })
    expect((await tab.set(trustRecordsAtom)).log).toMatchObject([
      { what: 'acknowledged', reason: 'asked Jo', point: { txId: '5' } },
    ])
  })

  test('who forgets the point begins again; a line of the log stays', async () => {
    const { tab } = await alarmed()
    expect(await acknowledgeBreak(tab, 'forget', 'restored')).toMatchObject({
      kind: 'first',
      record: { point: { txId: '3' } },
    })
    expect((await tab.set(trustRecordsAtom)).log).toMatchObject([
      { what: 'forgotten', reason: 'restored', point: { txId: '5' } },
    ])
  })

  test('who has it checked once more is told the same, or that it matches again', async () => {
    const { server, tab, honest } = await alarmed()
    expect(await acknowledgeBreak(tab, 'check', '')).toMatchObject({ kind: 'broken' })
    server.history = honest.history
    grow(server.history)
    expect(await acknowledgeBreak(tab, 'check', '')).toMatchObject({
      kind: 'consistent',
      record: { point: { txId: '6' }, break: null },
    })
    expect((await tab.set(trustRecordsAtom)).log.at(-1)).toMatchObject({ what: 'matched-again' })
  })

  test('whose point comes when another tab has just met the database is told how it compares', async () => {
    const server = new ProvingServer(historyOf(5))
    const kept = keptDoor()
    let isFirst = true
    const read: TrustStore['read'] = async (store, key) => {
      const found = await kept.read(store, key)
      if (store === 'points' && isFirst) {
        isFirst = false
        await verifyState(tabOf(server, kept))
      }
      return found
    }
    const tab = tabOf(server, { ...kept, read })
    tab.set(serverAtom, server.uuid)
    const id = tab.get(databaseIdAtom)('db')
    const theirs = historyOf(5, 'b').point(5)
    expect(await importState(tab, id, theirs)).toMatchObject({ kind: 'differs' })
    expect((await recordIn(tab))?.point).toEqual(server.history.point(5))
  })

  test('whose point comes before storage answers is told that it is not compared', async () => {
    const server = new ProvingServer(historyOf(5))
    const door = keptDoor()
    await verifyState(tabOf(server, door))
    const { tab, answer } = lateTab(server)
    tab.set(serverAtom, server.uuid)
    const id = tab.get(databaseIdAtom)('db')
    const theirs = historyOf(4, 'b').point(4)
    expect(await importState(tab, id, theirs)).toEqual({ kind: 'unknown', why: late.why })
    answer(door)
    await vi.waitFor(async () => expect((await tab.set(trustRecordsAtom)).keeping).toBe('kept'))
    expect(await importState(tab, id, theirs)).toMatchObject({ kind: 'differs' })
  })

  test('compares a point with a false proof, which is a finding and not an outage', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = tabOf(server)
    await verifyState(tab)
    server.change = (answer, path) =>
      path.includes('verifiable/tx/2') ? { ...answer, dualProof: {} } : answer
    const here = tab.get(databaseIdAtom)('db')
    expect(await importState(tab, here, server.history.point(2))).toMatchObject({
      kind: 'refused',
      verification: { kind: 'tx', outcome: { kind: 'refused' } },
    })
    expect((await recordIn(tab))?.break).toMatchObject({ kind: 'object', what: 'transaction 2' })
    expect(tab.get(trustAtom).kind).toBe('broken')
    expect(await importState(tab, here, historyOf(8).point(8))).toMatchObject({
      kind: 'unknown',
    })
  })

  test('brings a point along, which is proven or found wrong', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = tabOf(server)
    const id = tab.get(databaseIdAtom)('db')
    await verifyState(tab)
    const here = tab.get(databaseIdAtom)('db')
    expect(id.server).toBe('')
    const compare = (point: { txId: string; txHash: string }) => importState(tab, here, point)
    expect(await compare(server.history.point(5))).toEqual({ kind: 'same' })
    expect(await compare(server.history.point(2))).toMatchObject({ kind: 'agrees' })
    expect(await compare(historyOf(5, 'b', 1).point(4))).toMatchObject({ kind: 'differs' })
    expect(await compare(historyOf(8).point(8))).toEqual({ kind: 'ahead', newest: '5' })
    server.instead = () => Promise.reject(new TypeError('fetch failed'))
    for (const point of [historyOf(8).point(8), server.history.point(2)]) {
      expect(await compare(point)).toEqual({
        kind: 'unknown',
        why: 'The immudb server cannot be reached.',
      })
    }
    // What is recorded here needs nobody.
    expect(await compare(server.history.point(5))).toEqual({ kind: 'same' })
    server.instead = () => undefined
    await forgetState(tab, here, 'to take another')
    expect(await compare(server.history.point(2))).toEqual({ kind: 'taken', why: null })
    expect(tab.get(trustAtom)).toMatchObject({ kind: 'consistent', record: { moved: 1 } })
    await forgetState(tab, here, 'to take another while the server is away')
    server.instead = () => Promise.reject(new TypeError('fetch failed'))
    const taken = await compare(server.history.point(2))
    expect(serverWords(taken).text).toBe(
      'It is the trusted state now. The server has not been checked against it yet. The immudb server cannot be reached.',
    )
  })
})
