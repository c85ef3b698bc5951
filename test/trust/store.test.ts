import { describe, expect, test } from 'vitest'
import { serversAtom } from '~/atoms/databases/trusted-databases'
import { serverAtom, sessionAtom } from '~/core/session/session'
import { hexOf } from '~/lib/bytes'
import { lookOf } from '~/screens/proof/trust-look'
import { offersFor } from '~/screens/trust/DecideDialog'
import { noRecord } from '~/trust/audit/audit-record'
import { findRecord, keepRecord } from '~/trust/audit/audit-store'
import { readDeepAudit } from '~/trust/audit/deep-audit'
import { importState } from '~/trust/compared-state'
import { acceptServer, forgetState, removeAside, revokeServer } from '~/trust/decisions'
import { withIncident } from '~/trust/findings'
import { followStates, watchServer } from '~/trust/follow-history'
import { dismissSwap, serverSwapAtom } from '~/trust/incidents'
import { verdictWhenChecked } from '~/trust/object-verdict'
import { prove, proveAll } from '~/trust/prove'
import { keyQuestions } from '~/trust/questions'
import { verifyWrite } from '~/trust/receipts'
import { keyWrite, uncomparedWrite } from '~/trust/sent'
import { pinKey } from '~/trust/signing-keys'
import { memoryTrustStore, type StoreName, stores, type TrustStore } from '~/trust/store'
import { damagedKeyWhy, newerWhy } from '~/trust/stored-records'
import { trustAtom, trustOf, verdictOfTrust } from '~/trust/trust'
import type { Break, Incident } from '~/trust/trust-record'
import { TrustedStates, trustedStatesAtom, trustRecordsAtom } from '~/trust/trusted-states'
import { verifyObject } from '~/trust/verify-object'
import { verifyState } from '~/trust/verify-state'
import { writesHeldAtom } from '~/trust/write-block'
import { incidentWords, writeIncidents } from '~/words/incident'
import { unreadableWords } from '~/words/unreadable-record'
import {
  grow,
  historyOf,
  keptDoor,
  lateTab,
  ProvingServer,
  refusal,
  tabOf,
} from '../support/proving-server'
import { keyAlone, txAlone } from '../support/questions'

const origin = 'http://localhost:3000'
const id = { origin, server: 'server-one', database: 'db' }
const key = JSON.stringify([id.origin, id.server, id.database])
const history = historyOf(5)
const publicKey = `B${'A'.repeat(86)}=`

const verification = {
  database: 'db',
  server: 'server-one',
  kind: 'get',
  what: 'key k2',
  context: { db: 'db', trusted: history.point(5), publicKey: null },
  basis: { contact: { ...history.point(3), at: 1_000 }, keeping: 'kept' },
  request: { keyRequest: { key: 'azI=' } },
  response: { entry: {}, verifiableTx: null },
  at: 2_000,
  outcome: {
    kind: 'refused',
    refusal: { reason: 'value-mismatch', step: 'value', part: 'entry', compared: {}, steps: [] },
  },
}

const finding = {
  kind: 'object',
  reason: 'value-mismatch',
  step: 'value',
  part: 'entry',
  expected: 'ab'.repeat(32),
  received: '',
  at: 2_000,
  what: 'key k2',
  verification,
  acknowledgedAt: null,
}

/** A record as it was written before records had versions. */
const record = {
  id,
  point: history.point(5),
  firstContact: { at: 1_000, ...history.point(3) },
  moved: 1,
  checked: 1_500,
  how: 'state',
  history: [
    { ...history.point(3), at: 1_000, how: 'first' },
    { ...history.point(5), at: 1_500, how: 'state' },
  ],
  break: finding,
  others: [{ ...finding, kind: 'rewritten', verification: null, acknowledgedAt: 1_700 }],
  schemas: new Map([
    [
      'orders',
      {
        table: 'orders',
        tableId: 2,
        pk: [1],
        cols: [{ id: 1, name: 'id', type: 'INTEGER', maxLen: 8 }],
        maxColId: 1,
      },
    ],
  ]),
  collections: new Map([['notes', 7]]),
}

const line = {
  at: 900,
  id: { origin, server: 'server-two', database: '' },
  what: 'server-accepted',
  reason: 'moved to a new machine',
  point: null,
}

const put = (door: TrustStore, store: StoreName, at: string, value: unknown) =>
  door.change(store, at, () => value)

/** Storage with the given records and nothing else. */
async function doorWith(...values: [StoreName, string, unknown][]): Promise<TrustStore> {
  const door = keptDoor()
  for (const one of values) await put(door, ...one)
  return door
}

const pointsOn = (door: TrustStore) => new TrustedStates(() => Promise.resolve(door))

describe('records without a version are read without a loss', () => {
  test('of a trusted history, with its findings and all that is pinned', async () => {
    const door = await doorWith(['points', key, record])
    const points = pointsOn(door)
    expect(await points.read(id)).toEqual({ ...record, provenAt: 1_500 })
    expect(await points.all()).toHaveLength(1)
    await points.noteChecked(id, history.point(5))
    const written = await door.read('points', key)
    expect(written).toEqual({
      ...record,
      version: 1,
      provenAt: 1_500,
      checked: expect.any(Number),
    })
  })

  test('of one that was only polled, which was called consistent: nothing was proven', async () => {
    const { others: _, ...polled } = { ...record, break: null, moved: 0 }
    const points = pointsOn(await doorWith(['points', key, polled]))
    expect(await points.read(id)).toEqual({ ...polled, provenAt: 0 })
  })

  test('of known servers, with the reasons that only the log has', async () => {
    const old = [
      { server: 'server-one', at: 800 },
      { server: 'server-two', at: 900 },
    ]
    const door = await doorWith(['servers', origin, old], ['log', '900 1', line])
    expect(await pointsOn(door).servers(origin)).toEqual(old)
    const tab = tabOf(new ProvingServer(history), door)
    await tab.set(trustRecordsAtom)
    expect(tab.get(serversAtom)).toMatchObject([
      { ...old[0], reason: null, isOnly: false },
      { ...old[1], reason: 'moved to a new machine' },
    ])
    await pointsOn(door).acceptServer(origin, 'server-three', 'again')
    expect(await door.read('servers', origin)).toEqual({
      version: 1,
      last: 'server-three',
      servers: [...old, { server: 'server-three', at: expect.any(Number), reason: 'again' }],
    })
  })

  test('of a pinned key', async () => {
    const at = JSON.stringify([origin, 'server-one'])
    const door = await doorWith(['keys', at, publicKey])
    expect(await pointsOn(door).pinnedKey(origin, 'server-one')).toBe(publicKey)
    await pointsOn(door).pinKey(origin, 'server-one', publicKey)
    expect(await door.read('keys', at)).toEqual({ version: 1, key: publicKey })
    expect(await pointsOn(door).pinnedKey(origin, 'server-one')).toBe(publicKey)
  })

  test('of each line of the log', async () => {
    const whats = ['forgotten', 'acknowledged', 'matched-again', 'imported', 'key-pinned'] as const
    const lines = [...whats, 'server-accepted', 'key-removed'].map((what, at) => ({
      ...line,
      what,
      at,
      point: at === 0 ? history.point(5) : null,
    }))
    const door = await doorWith(
      ...lines.map((one): [StoreName, string, unknown] => ['log', `${one.at} 1`, one]),
    )
    expect(await pointsOn(door).log()).toEqual(lines)
  })

  test('of an audit, which says its format by itself', async () => {
    const door = await doorWith(['points', key, { ...record, break: null, others: [] }])
    const tab = tabOf(new ProvingServer(history), door)
    const io = { get: tab.get, set: tab.set }
    const trust = await pointsOn(door).read(id)
    if (!trust) throw new Error('not read')
    await keepRecord(io, trust, noRecord)
    expect(await door.read('audits', key)).toEqual({
      format: 2,
      contact: record.firstContact,
      record: noRecord,
      sum: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(await findRecord(io, id)).toMatchObject({ record: noRecord, isDamaged: false })
  })

  test('and none of them is said to be damaged', async () => {
    const door = await doorWith(
      ['points', key, record],
      ['servers', origin, [{ server: 'server-one', at: 1 }]],
      ['keys', JSON.stringify([origin, 'server-one']), publicKey],
      ['log', '900 1', line],
    )
    expect((await pointsOn(door).others()).unreadable).toEqual([])
  })
})

/** What cannot be what was written, each in its store. */
const damaged: readonly (readonly [string, StoreName, string, unknown])[] = [
  ['a point without its hash', 'points', key, { ...record, point: { txId: '5' } }],
  ['a point of another database', 'points', key, { ...record, id: { ...id, database: 'x' } }],
  ['pins that are no map', 'points', key, { ...record, schemas: {} }],
  ['spans that are no lists', 'points', key, { ...record, spans: { tables: 'orders' } }],
  ['text in place of a record', 'points', key, 'x'],
  ['a version that is no number', 'points', key, { ...record, version: 'one' }],
  ['no list of servers', 'servers', origin, { version: 1, servers: 'none', last: null }],
  ['half a key', 'keys', JSON.stringify([origin, 'server-one']), publicKey.slice(9)],
  ['incidents of another database', 'incidents', key, { version: 1, id, incidents: 1, dropped: 0 }],
]

describe('a damaged record', () => {
  test.each(damaged)(
    '(%s) is told, and is kept aside when another takes its place',
    async (...of) => {
      const [, store, at, value] = of
      const door = await doorWith([store, at, value])
      const points = pointsOn(door)
      expect((await points.others()).unreadable).toEqual([
        { store, key: at, kind: 'damaged', at: null, value },
      ])
      // Reading changes nothing.
      expect(await door.read(store, at)).toBe(value)
      const tab = tabOf(new ProvingServer(history), door)
      await verifyState(tab)
      await points.pinKey(origin, 'server-one', publicKey)
      await points.noteIncident(id, incidentAt(1))
      expect((await points.others()).unreadable).toEqual([
        { store, key: at, kind: 'damaged', at: expect.any(Number), value },
      ])
      expect(await door.read(store, at)).toMatchObject({ version: 1 })
    },
  )

  test('of a trusted history leads to a first contact', async () => {
    const door = await doorWith(['points', key, { ...record, moved: 'once' }])
    const tab = tabOf(new ProvingServer(history), door)
    expect(await verifyState(tab)).toMatchObject({
      kind: 'first',
      record: { how: 'first', firstContact: { txId: '5' } },
    })
    const { unreadable } = await tab.set(trustRecordsAtom)
    expect(unreadable).toMatchObject([{ store: 'points', value: { moved: 'once' } }])
  })

  const damagedKeys: readonly (readonly [string, unknown])[] = [
    ['half a key', { version: 1, key: publicKey.slice(9) }],
    ['65 bytes that are no key', { version: 1, key: `A${publicKey.slice(1)}` }],
    ['a point on no curve', { version: 1, key: publicKey }],
    ['nothing but a version', { version: 1 }],
  ]
  describe.each(damagedKeys)('of a pinned key (%s)', (_, value) => {
    const at = JSON.stringify([origin, 'server-one'])
    const askForTx2 = (tab: ReturnType<typeof tabOf>) =>
      prove({ get: tab.get, set: tab.set }, txAlone(2))

    async function damagedTab() {
      const server = new ProvingServer(historyOf(5))
      const door = keptDoor()
      const tab = tabOf(server, door)
      await verifyState(tab)
      grow(server.history)
      expect(verdictOfTrust(await verifyState(tab)).verdict).toBe('verified')
      await put(door, 'keys', at, value)
      return { server, door, tab }
    }

    test('lets nothing of that server be verified, and says what to do', async () => {
      const { server, door, tab } = await damagedTab()
      const trust = await verifyState(tab)
      expect(trust).toMatchObject({ why: damagedKeyWhy })
      expect(verdictOfTrust(trust).verdict).toBe('unproven')
      const proof = await askForTx2(tab)
      expect(proof.verification.outcome).toEqual({ kind: 'unproven', why: damagedKeyWhy })
      const fresh = await verifyState(tabOf(server, door))
      expect(fresh).toEqual({ kind: 'unchecked', why: damagedKeyWhy })
      expect((await tab.get(trustedStatesAtom).others()).incidents).toEqual([])
    })

    test('is over once the operator unpins it, and its record is kept aside', async () => {
      const { door, tab } = await damagedTab()
      await verifyState(tab)
      await pointsOn(door).pinKey(origin, 'server-one', null)
      expect(verdictOfTrust(await verifyState(tab)).verdict).toBe('verified')
      const proof = await askForTx2(tab)
      expect(proof && verdictWhenChecked(proof).verdict).toBe('verified')
    })
  })

  test('of the servers lets no other one in than that of the record', async () => {
    const door = keptDoor()
    const server = new ProvingServer(history)
    await verifyState(tabOf(server, door))
    await put(door, 'servers', origin, 'x')
    const tab = tabOf(server, door)
    await verifyState(tab)
    server.uuid = 'server-two'
    expect(await verifyState(tab)).toMatchObject({ broken: { kind: 'other-server' } })
  })

  test('of the servers is none that a record of the same address does not make good', async () => {
    const door = keptDoor()
    const server = new ProvingServer(history)
    await verifyState(tabOf(server, door))
    await door.change('servers', origin, () => null)
    const other = new ProvingServer(historyOf(7, 'c'))
    other.uuid = 'server-two'
    const tab = tabOf(other, door)
    const io = { get: tab.get, set: tab.set }
    for (let round = 0; round < 2; round += 1) {
      expect(await verifyState(tab)).toMatchObject({
        broken: { kind: 'other-server', expected: 'server-one', received: 'server-two' },
      })
      await watchServer(io, 'db')
    }
    const { records } = await tab.set(trustRecordsAtom)
    expect(records.map((one) => one.id.server)).toEqual(['server-one'])
    // Both are listed once the operator accepts the other one, and either may answer.
    await acceptServer(tab, 'moved')
    const points = tab.get(trustedStatesAtom)
    expect((await points.servers(origin)).map((one) => one.server)).toEqual([
      'server-one',
      'server-two',
    ])
    // One that was revoked does not come back with the loss of the list.
    await points.revokeServer(origin, 'server-one', 'stolen')
    await door.change('servers', origin, () => null)
    expect(await points.isAccepted(origin, 'server-one')).toBe(false)
    expect(await points.isAccepted(origin, 'server-two')).toBe(true)
  })

  test('of the servers lets no other one in while storage is late', async () => {
    const other = new ProvingServer(historyOf(7, 'c'))
    other.uuid = 'server-two'
    const { tab, answer } = lateTab(other)
    await verifyState(tab)
    const door = keptDoor()
    await verifyState(tabOf(new ProvingServer(history), door))
    await door.change('servers', origin, () => null)
    answer(door)
    await expect.poll(async () => (await tab.set(trustRecordsAtom)).keeping).toBe('kept')
    expect(await tab.get(trustedStatesAtom).servers(origin)).toMatchObject([
      { server: 'server-one' },
    ])
    expect(await verifyState(tab)).toMatchObject({ broken: { kind: 'other-server' } })
  })

  test('of the servers is written again by the server that answers', async () => {
    const door = keptDoor()
    const tab = tabOf(new ProvingServer(history), door)
    tab.set(sessionAtom, (session) => session && { ...session, mode: 'open' as const })
    const io = { get: tab.get, set: tab.set }
    await verifyState(tab)
    await door.change('servers', origin, () => null)
    await verifyState(tab)
    await watchServer(io, 'db')
    expect(await door.read('servers', origin)).toMatchObject({
      servers: [{ server: 'server-one' }],
      last: 'server-one',
    })
  })

  test('of an audit is kept aside as well', async () => {
    const door = keptDoor()
    const tab = tabOf(new ProvingServer(history), door)
    await verifyState(tab)
    const kept = { format: 2, contact: record.firstContact, record: noRecord, sum: 'wrong' }
    await put(door, 'audits', key, kept)
    await readDeepAudit(tab)
    expect(await door.read('audits', key)).toBeNull()
    const { unreadable } = await tab.set(trustRecordsAtom)
    expect(unreadable).toMatchObject([{ store: 'audits', key, kind: 'damaged', value: kept }])
  })

  test('does not go when the history is forgotten', async () => {
    const door = await doorWith(['points', key, { ...record, moved: 'once' }])
    const tab = tabOf(new ProvingServer(history), door)
    tab.set(serverAtom, 'server-one')
    await forgetState(tab, id, 'restored')
    const { unreadable } = await tab.set(trustRecordsAtom)
    expect(unreadable).toMatchObject([{ store: 'points', value: { moved: 'once' } }])
  })

  test('of a key is not replaced by one that is pinned before storage answers', async () => {
    const server = new ProvingServer(history)
    const { tab, answer } = lateTab(server)
    await verifyState(tab)
    const [known, other] = [1, 2].map((byte) =>
      btoa(String.fromCharCode(4, ...new Array(64).fill(byte))),
    )
    const { origin, server: uuid } = id
    await expect(pinKey(tab, { origin, server: uuid }, other ?? '')).rejects.toThrow()
    const door = await doorWith([
      'keys',
      JSON.stringify([origin, uuid]),
      { version: 1, key: known },
    ])
    answer(door)
    await expect.poll(async () => (await tab.set(trustRecordsAtom)).keeping).toBe('kept')
    const { keys, log } = await tab.set(trustRecordsAtom)
    expect([...keys.values()]).toEqual([known])
    expect(log).toEqual([])
  })

  test('found when storage answers late is kept aside for what was found meanwhile', async () => {
    const server = new ProvingServer(history)
    const { tab, answer } = lateTab(server)
    await verifyState(tab)
    const door = await doorWith(['points', key, 'x'])
    answer(door)
    await expect.poll(async () => (await tab.set(trustRecordsAtom)).keeping).toBe('kept')
    expect(await door.read('points', key)).toMatchObject({ point: history.point(5) })
    expect((await pointsOn(door).others()).unreadable).toMatchObject([{ value: 'x' }])
  })
})

/** Records as a later version of the console might write them. */
const newer: readonly (readonly [StoreName, string, unknown])[] = [
  ['points', key, { version: 2, is: 'something else' }],
  ['servers', origin, { version: 2, known: [] }],
  ['keys', JSON.stringify([origin, 'server-one']), { version: 9 }],
]

describe('a record of a newer version', () => {
  test.each(newer)('in %s is left as it is, and nothing is said of the history', async (...of) => {
    const [store, at, value] = of
    const door = await doorWith([...of])
    const tab = tabOf(new ProvingServer(history), door)
    expect(await verifyState(tab)).toEqual({ kind: 'unchecked', why: newerWhy })
    expect(await door.read(store, at)).toBe(value)
    const { unreadable } = await tab.set(trustRecordsAtom)
    expect(unreadable).toEqual([{ store, key: at, kind: 'newer', at: null, value }])
    // What may answer at an address is not asked for an object.
    if (store === 'servers') return
    const asks = () => Promise.reject(new Error('asked'))
    const proof = await verifyObject(tab, txAlone(2), { asks })
    expect(proof.outcome).toEqual({ kind: 'unproven', why: newerWhy })
  })

  test('of an audit is neither used nor overwritten', async () => {
    const later = { format: 3, progress: 'elsewhere' }
    const door = await doorWith(['audits', key, later])
    const tab = tabOf(new ProvingServer(history), door)
    await verifyState(tab)
    const io = { get: tab.get, set: tab.set }
    const found = await findRecord(io, id)
    expect(found).toMatchObject({ record: noRecord, isDamaged: false })
    if (found.trust) await expect(keepRecord(io, found.trust, noRecord)).rejects.toThrow('later')
    await tab.get(trustedStatesAtom).forget(id, 'restored')
    expect(await door.read('audits', key)).toBe(later)
  })

  test('of the storage as a whole is told', async () => {
    const points = new TrustedStates(() => Promise.reject(new DOMException('v', 'VersionError')))
    expect(await points.keeping()).toBe('memory')
    expect((await points.others()).isOfNewer).toBe(true)
    const broken = new TrustedStates(() => Promise.reject(new DOMException('gone', 'UnknownError')))
    expect(await broken.keeping()).toBe('memory')
    expect((await broken.others()).isOfNewer).toBe(false)
  })
})

test('each store has its own words for what is lost, and damaged and newer differ', () => {
  const said = (['points', 'servers', 'keys', 'audits', 'incidents', 'log'] as const).flatMap(
    (store) =>
      (['damaged', 'newer'] as const).map((kind) =>
        Object.values(unreadableWords({ store, key, kind })).join(' '),
      ),
  )
  expect(new Set(said).size).toBe(said.length)
  expect(unreadableWords({ store: 'points', key, kind: 'damaged' }).what).toBe(
    'The trusted state of db on server server-one',
  )
  expect(unreadableWords({ store: 'points', key: '{', kind: 'damaged' }).what).toContain('{')
  const arrivals = unreadableWords({ store: 'audits', key: `${key} arrivals`, kind: 'damaged' })
  expect(arrivals.what).toBe('The check of new transactions of db on server server-one')
  expect(said).not.toContain(Object.values(arrivals).join(' '))
})

test('a record that was set aside is removed, and nothing else', async () => {
  const door = await doorWith(['points', key, 'x'], ['keys', 'here', 'damaged where it is'])
  const tab = tabOf(new ProvingServer(history), door)
  await verifyState(tab)
  await tab.set(trustRecordsAtom)
  const [inPlace, aside] = tab.get(trustRecordsAtom)?.unreadable ?? []
  if (!inPlace || !aside) throw new Error('nothing is damaged')
  expect([inPlace.at, aside.value]).toEqual([null, 'x'])
  const before = await Promise.all(stores.map((store) => door.all(store)))
  await removeAside(tab, inPlace)
  expect(await Promise.all(stores.map((store) => door.all(store)))).toEqual(before)
  await removeAside(tab, aside)
  await expect.poll(() => tab.get(trustRecordsAtom)?.unreadable).toEqual([inPlace])
  expect(await Promise.all(stores.map((store) => door.all(store)))).toEqual(
    before.map((of, at) => (stores[at] === 'aside' ? [] : of)),
  )
})

function incidentAt(at: number, change: Partial<Incident> = {}): Incident {
  const hash = { expected: '', received: '' }
  const where = { reason: 'dual-proof', step: 'link', part: 'p' }
  return { kind: 'object', ...where, ...hash, what: `key ${at}`, at, last: at, times: 1, ...change }
}

describe('the log of incidents', () => {
  test('keeps the oldest and the newest, and counts those in between', () => {
    let log = null
    for (let at = 0; at < 250; at += 1) log = withIncident(id, log, incidentAt(at))
    const whats = log?.incidents.map(({ what }) => what) ?? []
    expect([whats.length, whats[0], whats[99], whats[100], whats.at(-1)]).toEqual([
      200,
      'key 0',
      'key 99',
      'key 150',
      'key 249',
    ])
    expect(log?.dropped).toBe(50)
  })

  test('counts what happens just so again', () => {
    const log = [1, 2, 3].reduce<ReturnType<typeof withIncident> | null>(
      (all, at) => withIncident(id, all, incidentAt(at, { what: 'key k' })),
      null,
    )
    expect(log?.incidents).toEqual([incidentAt(1, { what: 'key k', last: 3, times: 3 })])
  })
})

const incidentsIn = async (tab: ReturnType<typeof tabOf>) =>
  (await tab.set(trustRecordsAtom)).incidents

describe('an incident', () => {
  test('is noted of a proof that was refused once and held when asked for again', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = tabOf(server)
    await verifyState(tab)
    let isFirst = true
    server.change = (answer, path) => {
      if (!path.endsWith('/get') || !isFirst) return answer
      isFirst = false
      return { ...answer, entry: { ...(answer.entry as object), value: btoa('secret value') } }
    }
    const { outcome } = await verifyObject(tab, keyAlone('k2'))
    expect(outcome).toMatchObject({ kind: 'ok' })
    const logs = await incidentsIn(tab)
    expect(logs).toMatchObject([
      {
        id: { server: 'server-one', database: 'db' },
        incidents: [
          {
            what: 'key k2',
            kind: 'object',
            reason: 'entry-not-included',
            expected: expect.stringMatching(/^[0-9a-f]{64}$/),
            received: expect.stringMatching(/^[0-9a-f]{64}$/),
            times: 1,
          },
        ],
      },
    ])
    const text = JSON.stringify(logs)
    expect(text).not.toContain('secret value')
    expect(text).not.toContain(btoa('secret value'))
  })

  test('stays after a state agrees again, after a decision, and after the point is forgotten', async () => {
    const server = new ProvingServer(historyOf(5))
    const door = keptDoor()
    const tab = tabOf(server, door)
    await verifyState(tab)
    const { history: honest } = server
    server.history = historyOf(3)
    expect(await verifyState(tab)).toMatchObject({ kind: 'broken' })
    server.history = honest
    grow(server.history)
    await verifyState(tab)
    await forgetState(tab, id, 'restored')
    const [log] = await incidentsIn(tabOf(server, door))
    expect(log?.incidents).toMatchObject([
      { kind: 'rolled-back', what: 'the newest state of db', times: expect.any(Number) },
    ])
  })

  test('that happens while storage is late is there when it answers', async () => {
    const server = new ProvingServer(historyOf(5))
    const { tab, answer } = lateTab(server)
    await verifyState(tab)
    server.change = (state) => ({ ...state, db: 'other' })
    await verifyState(tab)
    const door = keptDoor()
    await pointsOn(door).noteIncident(id, incidentAt(1))
    answer(door)
    await expect.poll(async () => (await tab.set(trustRecordsAtom)).keeping).toBe('kept')
    const [log] = await incidentsIn(tab)
    expect(log?.incidents).toMatchObject([{ what: 'key 1' }, { kind: 'malformed' }])
  })

  test('that cannot be kept stops nothing', async () => {
    const door: TrustStore = {
      ...memoryTrustStore(),
      isKept: true,
      change: () => Promise.reject(new DOMException('full', 'QuotaExceededError')),
    }
    const server = new ProvingServer(historyOf(5))
    server.change = (state) => ({ ...state, db: 'other' })
    expect(await verifyState(tabOf(server, door))).toMatchObject({ kind: 'broken' })
  })
})

test('a state from elsewhere that differs is an incident', async () => {
  const server = new ProvingServer(historyOf(5))
  const tab = tabOf(server)
  await verifyState(tab)
  const other = historyOf(5, 'b').point(5)
  expect(await importState(tab, id, other)).toMatchObject({ kind: 'differs' })
  const [log] = await incidentsIn(tab)
  expect(log?.incidents).toMatchObject([
    {
      kind: 'contradicted',
      what: 'tx 5 as given from elsewhere',
      expected: hexOf(other.txHash),
      received: hexOf(server.history.point(5).txHash),
    },
  ])
})

test('what a page shows beside a proof of something else is an incident', async () => {
  const server = new ProvingServer(historyOf(5))
  const tab = tabOf(server)
  await verifyState(tab)
  const io = { get: tab.get, set: tab.set }
  const about = { database: 'db', key: btoa('k2'), what: 'key k2', tx: '2' }
  const shown = { ...about, state: 'live', expiresAt: null, target: null } as const
  await proveAll(io, keyQuestions({ ...shown, value: btoa('a2') }))
  expect(await incidentsIn(tab)).toEqual([])
  await proveAll(io, keyQuestions({ ...shown, value: btoa('another') }))
  const [log] = await incidentsIn(tab)
  expect(log?.incidents).toMatchObject([
    { kind: 'contradicted', what: 'key k2', part: 'the value' },
  ])
  expect(JSON.stringify(log)).not.toContain('another')
})

test('a write that is answered with an older transaction is an incident, once', async () => {
  const server = new ProvingServer(historyOf(5))
  const tab = tabOf(server)
  await verifyState(tab)
  const sent = { key: btoa('k2'), value: btoa('a2'), expiresAt: null }
  const key = keyWrite({ database: 'db', tx: '2', txBefore: '4' }, sent)
  for (const questions of [uncomparedWrite({ database: 'db', tx: '3', txBefore: '4' }), key, key]) {
    await verifyWrite(tab, { database: 'db', tx: '2', of: 'it', questions })
  }
  const [log] = await incidentsIn(tab)
  // The content is what was sent, so that nothing but its age is told.
  expect(log?.incidents).toMatchObject([
    { kind: 'contradicted', reason: 'not-new', what: 'tx 3', times: 1 },
    { kind: 'contradicted', reason: 'not-new', what: 'tx 2', times: 2 },
  ])
  expect(log?.incidents.map(incidentWords)).toEqual(Array(2).fill(oldAnswer))
})

const oldAnswer = 'The server answered a write with a transaction that is older than the write.'

test('a write that cannot be proven is no incident', async () => {
  const server = new ProvingServer(historyOf(5))
  const tab = tabOf(server)
  await verifyState(tab)
  server.instead = (path) =>
    path.startsWith('/db/verifiable/tx/9') ? refusal('tx not found') : undefined
  const write = { database: 'db', tx: '9', txBefore: '10' }
  await verifyWrite(tab, { ...write, of: 'it', questions: uncomparedWrite(write) })
  expect(await incidentsIn(tab)).toEqual([])
})

test('the incidents as text hold nothing that could begin a line of their own', () => {
  const incident = incidentAt(1, { what: 'key a\nserver: forged', times: 2, last: 2 })
  const text = writeIncidents([{ id, incidents: [incident], dropped: 1 }])
  expect(text.split('\n')).toEqual([
    'immudb incidents',
    'database: db',
    'server: server-one',
    `address: ${origin}`,
    'left out: 1 incident between the oldest and the newest was not kept.',
    '',
    'time: 1970-01-01T00:00:00.001Z',
    'again: 2 times in all, last 1970-01-01T00:00:00.002Z',
    `incident: ${incidentWords(incident)}`,
    'object: key a server: forged',
    'failed: dual-proof, link, p',
    '',
  ])
})

describe('an accepted server', () => {
  /** A tab that knows two servers at its address; the second one answers. */
  async function accepted() {
    const server = new ProvingServer(historyOf(5))
    const door = keptDoor()
    const tab = tabOf(server, door)
    tab.set(sessionAtom, (session) => session && { ...session, mode: 'open' as const })
    const io = { get: tab.get, set: tab.set }
    await verifyState(tab)
    await watchServer(io, 'db')
    const answerFrom = async (uuid: string) => {
      server.uuid = uuid
      await verifyState(tab)
      await watchServer(io, 'db')
    }
    await answerFrom('server-two')
    await acceptServer(tab, 'moved to a new machine')
    await watchServer(io, 'db')
    return { server, tab, door, io, answerFrom }
  }

  test('is listed with its time and its reason, beside the first one', async () => {
    const { tab } = await accepted()
    await tab.set(trustRecordsAtom)
    expect(tab.get(serversAtom)).toEqual([
      expect.objectContaining({ server: 'server-one', reason: null, isAnswering: false }),
      {
        origin,
        server: 'server-two',
        at: expect.any(Number),
        reason: 'moved to a new machine',
        isAnswering: true,
        isOnly: false,
      },
    ])
    // That it answers was said when it was accepted.
    expect(tab.get(serverSwapAtom)).toBeNull()
  })

  test('that is revoked while it answers breaks the history at once; its records stay', async () => {
    const { tab, door } = await accepted()
    const other = tabOf(new ProvingServer(historyOf(5)), door)
    other.set(serverAtom, 'server-two')
    await verifyState(other)
    await revokeServer(tab, origin, 'server-two', 'not ours')
    expect(tab.get(trustAtom)).toMatchObject({
      kind: 'broken',
      broken: { kind: 'other-server', expected: 'server-one', received: 'server-two' },
    })
    expect(tab.get(writesHeldAtom)('db')).toBeDefined()
    const { log, records } = await tab.set(trustRecordsAtom)
    expect(log.at(-1)).toMatchObject({ what: 'server-revoked', reason: 'not ours' })
    expect(records.map((one) => one.id.server).sort()).toEqual(['server-one', 'server-two'])
    await acceptServer(tab, 'ours after all')
    expect(tab.get(trustAtom).kind).toBe('first')
  })

  test('is revoked for other tabs, too', async () => {
    const { server, tab, door } = await accepted()
    const other = tabOf(server, door)
    await verifyState(other)
    const stop = followStates({ get: other.get, set: other.set })
    await revokeServer(tab, origin, 'server-two', 'not ours')
    await expect
      .poll(() => other.get(trustAtom))
      .toMatchObject({
        broken: { kind: 'other-server', received: 'server-two' },
      })
    stop()
  })

  test('is not revoked when it is the only one', async () => {
    const { tab } = await accepted()
    await revokeServer(tab, origin, 'server-one', 'gone for good')
    await tab.set(trustRecordsAtom)
    expect(tab.get(serversAtom)).toMatchObject([{ server: 'server-two', isOnly: true }])
    await revokeServer(tab, origin, 'server-two', 'gone, too')
    expect(await tab.get(trustedStatesAtom).servers(origin)).toHaveLength(1)
  })

  test('that takes the place of another one is shown each time, and noted', async () => {
    const { tab, answerFrom } = await accepted()
    for (const [now, before] of [
      ['server-one', 'server-two'],
      ['server-two', 'server-one'],
      ['server-one', 'server-two'],
    ]) {
      await answerFrom(now ?? '')
      expect(tab.get(serverSwapAtom)).toMatchObject({ before, now: { server: now } })
      dismissSwap(tab)
    }
    const logs = (await incidentsIn(tab)).filter(({ id: { database } }) => database === '')
    expect(logs.flatMap(({ incidents }) => incidents)).toMatchObject([
      { kind: 'server-swapped', expected: 'server-two', received: 'server-one', times: 2 },
      { kind: 'server-swapped', expected: 'server-one', received: 'server-two', times: 1 },
    ])
  })

  test('that answers when the page is loaded is shown if another one did before', async () => {
    const { server, door } = await accepted()
    server.uuid = 'server-one'
    const next = tabOf(server, door)
    await verifyState(next)
    await watchServer({ get: next.get, set: next.set }, 'db')
    expect(next.get(serverSwapAtom)).toMatchObject({
      before: 'server-two',
      now: { server: 'server-one' },
    })
    const again = tabOf(server, door)
    await verifyState(again)
    await watchServer({ get: again.get, set: again.set }, 'db')
    expect(again.get(serverSwapAtom)).toBeNull()
  })

  test('says when it is offered that a pinned key does not carry over', () => {
    const broken = { kind: 'other-server' } as Break
    const offers = offersFor(broken, { isRecorded: true, isUnproven: false })
    expect(offers.find(({ choice }) => choice === 'accept')?.text).toMatch(
      /A pinned signing key does not carry over/,
    )
  })
})

describe('a point that was taken over', () => {
  test('is called imported, and not as the server gave it, until it was compared', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = tabOf(server)
    tab.set(serverAtom, server.uuid)
    server.instead = () => refusal('internal error', 500)
    const point = server.history.point(3)
    expect(await importState(tab, id, point)).toMatchObject({ kind: 'taken' })
    const record = await tab.get(trustedStatesAtom).read(id)
    if (!record) throw new Error('not taken over')
    const look = lookOf(trustOf(record), String)
    expect(look.title).toBe('Imported, not compared')
    expect(look.text).not.toContain('server gave')
    server.instead = () => undefined
    expect(await verifyState(tab)).toMatchObject({ kind: 'consistent' })
  })

  test('that the server still shows is unchanged, and nothing more', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = tabOf(server)
    tab.set(serverAtom, server.uuid)
    await importState(tab, id, server.history.point(5))
    const trust = tab.get(trustAtom)
    expect(trust.kind).toBe('first')
    const { title, text, tone } = lookOf(trust, () => 'noon')
    expect(title).toBe('Imported · unchanged since noon')
    expect(text).toMatch(/^At noon the server reported the state that you imported then\./)
    expect(tone).not.toContain('verified')
  })
})
