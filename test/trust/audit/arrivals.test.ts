import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Store } from '~/core/session/client'
import { databaseIdAtom, sessionAtom } from '~/core/session/session'
import { storedAtom } from '~/core/storage/stored'
import { bytesToHex, encodeUtf8 } from '~/lib/bytes'
import type { AuditNews, AuditOrder, StartAudit } from '~/proof/audit-messages'
import { type DeepAudit, startDeepAudit, takePage } from '~/proof/deep-audit'
import { hash } from '~/proof/kernel/hash'
import { ProofError } from '~/proof/kernel/steps'
import { goOnFrom, readTarget, type SavedDeepAudit, saveDeepAudit } from '~/proof/saved-audit'
import {
  arrivalsAtom,
  checkArrivals,
  estimateArrivals,
  leaveArrivals,
  pauseArrivals,
  readNewArrivals,
  restartArrivals,
  resumeArrivals,
} from '~/trust/audit/arrivals'
import { endAllWork } from '~/trust/audit/audit-job'
import { noRecord } from '~/trust/audit/audit-record'
import { findArrivals, keepArrivals, keepRecord, readRangeOf } from '~/trust/audit/audit-store'
import { acceptServer, acknowledgeBreak, forgetState, revokeServer } from '~/trust/decisions'
import { memoryTrustStore, type TrustStore } from '~/trust/store'
import { trustAtom } from '~/trust/trust'
import type { TrustRecord } from '~/trust/trust-record'
import { TrustedStates, trustedStatesAtom, trustRecordsAtom } from '~/trust/trusted-states'
import { verifyObject } from '~/trust/verify-object'
import { verifyState } from '~/trust/verify-state'
import { FakeWorker } from '../../support/fake-worker'
import type { History, Json } from '../../support/history'
import {
  grow,
  historyOf,
  keptDoor,
  laggingHistory,
  ProvingServer,
  tabOf,
} from '../../support/proving-server'
import { txAlone } from '../../support/questions'
import { until } from '../../support/until'

vi.mock('~/lib/build', () => ({
  build: { version: 'test', commit: 'test' },
  workers: new Map([['audit', 'audit.js']]),
}))

/** Does what it is told with the engine that the real one has, as far as a test wants. */
class AuditWorker extends FakeWorker<AuditOrder, AuditNews> {
  get from() {
    const [order] = this.orders
    const { from } = order as StartAudit
    if (!('since' in from)) throw new Error('it does not go on from anything')
    return { ...from, since: from.since as SavedDeepAudit }
  }

  /** Reads what it was ordered to, as far as a transaction. */
  read(history: History, to?: number): DeepAudit {
    const { since, target } = this.from
    const audit = goOnFrom(since, { target, withValues: false, withTables: false })
    const end = to ?? Number(target.txId)
    for (let tx = Number(audit.chain.txId) + 1; tx <= end; tx += 1) {
      takePage(audit, [{ tx: history.tx(tx), values: null, lack: null }], 0)
    }
    const { chain, first } = audit
    this.tell({
      kind: 'progress',
      saved: saveDeepAudit(audit),
      calls: 1,
      progress: {
        first: String(first),
        txId: String(chain.txId),
        last: target.txId,
        withValues: false,
        entries: chain.entries,
        counts: { values: 0, bytes: 0, documents: 0 },
        exceptions: { counts: {}, list: [] },
        pending: 0,
        active: 1,
        rate: 1,
        step: 'transactions',
      },
    })
    return audit
  }

  end(history: History) {
    const { target } = this.from
    this.read(history)
    const nothing = {
      ...{
        tables: null,
        schemas: [],
        collections: [],
        named: [],
        nameDigests: new Map(),
        catalogTx: '0',
        listed: [],
        end: null,
      },
    }
    this.tell({ kind: 'ended', ...nothing, target })
  }
}

const idOf = (tab: Store) => tab.get(databaseIdAtom)('db')
const stateOf = (tab: Store) => tab.get(arrivalsAtom)

const isState = (tab: Store, kind: string) =>
  until(
    () => stateOf(tab),
    (state) => state.kind === kind,
  )

/** A tab that has the check on and follows a history. */
async function following(server: ProvingServer, door = keptDoor()) {
  const tab = tabOf(server, door)
  await verifyState(tab)
  await checkArrivals(tab, true)
  await readNewArrivals(tab)
  return tab
}

/** More transactions, which the trusted state has moved to. */
async function written(tab: Store, server: ProvingServer, count: number) {
  for (let at = 0; at < count; at += 1) grow(server.history)
  await verifyState(tab)
  await readNewArrivals(tab)
}

const ioOf = (tab: Store) => ({ get: tab.get, set: tab.set })

/** What a tab trusts. */
function trusted(tab: Store): TrustRecord {
  const trust = tab.get(trustAtom)
  const record = 'record' in trust ? trust.record : null
  if (!record) throw new Error('nothing is trusted')
  return record
}

/** An audit of the first transactions of a server, as it ended. */
function auditedUpTo(server: ProvingServer, last: number): SavedDeepAudit {
  const audit = startDeepAudit(readTarget(server.history.point(last)), true)
  const txs = Array.from({ length: last }, (_, at) => ({
    tx: server.history.tx(at + 1),
    values: null,
    lack: null,
  }))
  takePage(audit, txs, 0)
  const saved = saveDeepAudit(audit)
  if (!saved) throw new Error('it cannot rest')
  return saved
}

/** As it is stored, with a sum that fits. */
function sealed(tab: Store, record: unknown) {
  const contact = trusted(tab).firstContact
  return {
    ...{ format: 2, contact, record },
    sum: bytesToHex(hash(encodeUtf8(JSON.stringify([2, contact, record])))),
  }
}

const keptOf = (tab: Store, which?: 'arrivals') =>
  tab.get(trustedStatesAtom).readAudit(idOf(tab), which)

const asideOf = async (tab: Store) =>
  (await tab.set(trustRecordsAtom)).unreadable.filter(({ at }) => at !== null)

const isBroken = (tab: Store) =>
  until(
    () => tab.get(trustAtom),
    ({ kind }) => kind === 'broken',
  )

function worker(): AuditWorker {
  const last = FakeWorker.all.at(-1)
  if (!(last instanceof AuditWorker)) throw new Error('no worker was started')
  return last
}

beforeEach(() => {
  vi.stubGlobal('Worker', AuditWorker)
  FakeWorker.all = []
  return () => {
    // A check belongs to the page, which all tests of this file share.
    for (const one of FakeWorker.all) one.tell({ kind: 'paused' })
  }
})

describe('the check of every transaction as it arrives', () => {
  test('is off until it is turned on, for one database of one server', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = tabOf(server)
    await verifyState(tab)
    await readNewArrivals(tab)
    expect(FakeWorker.all).toEqual([])
    expect(server.count('/verifiable/tx')).toBe(0)
    await checkArrivals(tab, true)
    expect(tab.get(storedAtom).arrivals).toEqual([{ server: 'server-one', database: 'db' }])
    await checkArrivals(tab, false)
    expect(tab.get(storedAtom).arrivals).toEqual([])
  })

  test('says before what it costs, by what the newest transactions weigh', async () => {
    const server = new ProvingServer(historyOf(30))
    server.instead = (path) =>
      path === '/db/tx'
        ? Response.json({ txs: [11, 12].map((tx) => server.history.tx(tx)) })
        : undefined
    const tab = tabOf(server)
    await verifyState(tab)
    const cost = await estimateArrivals(tab)
    expect(cost).toMatchObject({ transactions: '0', calls: 0, bytes: 0 })
    expect(cost.each).toBeGreaterThan(300)
    expect(server.count('/db/tx')).toBe(1)
  })

  test('begins at the trusted state and reads what comes after it, once', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = await following(server)
    expect(FakeWorker.all).toEqual([])
    expect(stateOf(tab)).toMatchObject({ kind: 'done', first: '6', to: '5' })
    await written(tab, server, 3)
    expect(worker().from).toMatchObject({
      since: { chain: { txId: '5' } },
      target: server.history.point(8),
      withValues: false,
    })
    worker().end(server.history)
    await isState(tab, 'done')
    expect(stateOf(tab)).toMatchObject({ first: '6', to: '8' })
    await readNewArrivals(tab)
    expect(FakeWorker.all).toHaveLength(1)
    await written(tab, server, 1)
    expect(worker().from.since.chain.txId).toBe('8')
  })

  test('closes what a proof by the tree leaves open, for what it has read', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = await following(server)
    await written(tab, server, 3)
    const openOf = async (tx: number) => {
      const { outcome } = await verifyObject(tab, txAlone(tx))
      return outcome.kind === 'ok' ? outcome.verified.open : null
    }
    expect(await openOf(6)).toEqual(['tree'])
    // Read, but the end, which tells that it is right, is still to come.
    worker().read(server.history, 7)
    expect(await openOf(6)).toEqual(['tree'])
    worker().end(server.history)
    await isState(tab, 'done')
    expect(await openOf(6)).toEqual([])
    expect(await openOf(5)).toEqual(['tree'])
  })

  test('goes on from a deep audit, which reaches back to the first transaction', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = tabOf(server)
    await verifyState(tab)
    const record = trusted(tab)
    const io = ioOf(tab)
    await keepRecord(io, record, { ...noRecord, finished: auditedUpTo(server, 5) })
    expect(await readRangeOf(io, record)).toEqual({ readFrom: '1', readTo: '5', catalogTx: '0' })
    await checkArrivals(tab, true)
    await written(tab, server, 2)
    worker().end(server.history)
    expect(await isState(tab, 'done')).toMatchObject({ first: '1', to: '7' })
    expect(await readRangeOf(io, trusted(tab))).toEqual({
      readFrom: '1',
      readTo: '7',
      catalogTx: '0',
    })
  })

  test('is paused, and goes on from there, also in the next page', async () => {
    const server = new ProvingServer(historyOf(5))
    const door = keptDoor()
    const tab = await following(server, door)
    await written(tab, server, 4)
    worker().read(server.history, 7)
    expect(stateOf(tab)).toMatchObject({ kind: 'reading', txId: '7', last: '9' })
    await pauseArrivals(tab)
    expect(worker().isEnded).toBe(true)
    await readNewArrivals(tab)
    expect(FakeWorker.all).toHaveLength(1)
    await resumeArrivals(tab)
    expect(worker().from.since.chain.txId).toBe('7')
    worker().tell({ kind: 'paused' })
    const next = await following(server, door)
    expect(worker().from.since.chain.txId).toBe('7')
    worker().end(server.history)
    expect(await isState(next, 'done')).toMatchObject({ first: '6', to: '9' })
  })

  test('runs for the page alone where this browser keeps nothing', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = await following(server, memoryTrustStore())
    await written(tab, server, 2)
    worker().end(server.history)
    expect(await isState(tab, 'done')).toMatchObject({ first: '6', to: '7' })
  })

  test('rests while nobody looks at the tab', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = await following(server)
    await written(tab, server, 2)
    await leaveArrivals(tab)
    expect(worker().isEnded).toBe(true)
    expect(stateOf(tab).kind).toBe('waiting')
    await readNewArrivals(tab)
    expect(FakeWorker.all).toHaveLength(2)
  })

  test('gives way to another tab, and goes on when that one ends', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = await following(server)
    await written(tab, server, 2)
    const other = new BroadcastChannel('webconsole-audit')
    const key = `arrivals ${JSON.stringify(Object.values(idOf(tab)))}`
    other.postMessage({ kind: 'running', key, since: 0, tab: 0 })
    await isState(tab, 'elsewhere')
    expect(worker().isEnded).toBe(true)
    other.postMessage({ kind: 'ended', key })
    await isState(tab, 'reading')
    expect(FakeWorker.all).toHaveLength(2)
    other.close()
  })

  test('lets another tab go on at once when its page is closed', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = await following(server)
    const other = new BroadcastChannel('webconsole-audit')
    const heard: unknown[] = []
    other.onmessage = ({ data }) => heard.push(data)
    await written(tab, server, 2)
    dispatchEvent(new Event('pagehide'))
    const key = `arrivals ${JSON.stringify(Object.values(idOf(tab)))}`
    await vi.waitFor(() => expect(heard).toContainEqual({ kind: 'ended', key }))
    other.close()
  })

  test('ends with the session, and sends nothing without one', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = await following(server)
    await written(tab, server, 2)
    tab.set(sessionAtom, null)
    worker().read(server.history, 6)
    expect(worker().isEnded).toBe(true)
    await readNewArrivals(tab)
    expect(FakeWorker.all).toHaveLength(1)
  })

  test('ends at once for a user who logs out', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = await following(server)
    await written(tab, server, 2)
    endAllWork(tab)
    expect(worker().isEnded).toBe(true)
    expect(stateOf(tab).kind).toBe('waiting')
  })
})

describe('the check of what arrives stops with a sentence', () => {
  test('while the server is away, and goes on by itself', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = await following(server)
    await written(tab, server, 2)
    worker().tell({ kind: 'waiting', why: 'server', words: 'The server is away.' })
    expect(stateOf(tab)).toMatchObject({
      kind: 'reading',
      words: 'The server is away. The console tries again until it answers.',
    })
    worker().tell({ kind: 'going-on' })
    expect(stateOf(tab)).toMatchObject({ kind: 'reading', words: null })
    worker().tell({ kind: 'failed', words: 'The disk is full.', details: '' })
    expect(stateOf(tab)).toMatchObject({ kind: 'stopped', words: 'The disk is full.' })
    await written(tab, server, 1)
    expect(stateOf(tab).kind).toBe('reading')
  })

  test('where the tree lags, and names the way round it', async () => {
    const history = laggingHistory()
    const server = new ProvingServer(history)
    const tab = tabOf(server)
    // The state before the one that cannot be tied.
    server.change = (answer, path) => (path === '/db/state' ? server.state(20) : answer)
    await verifyState(tab)
    await checkArrivals(tab, true)
    await readNewArrivals(tab)
    expect(stateOf(tab)).toMatchObject({
      kind: 'stopped',
      words: 'The tree over all transactions lags behind on this server.',
      advice: expect.stringContaining('deep audit'),
    })
  })

  test.each<[string, (kept: Record<string, unknown>, tab: Store) => unknown]>([
    ['another sum', (kept) => ({ ...kept, sum: 'other' })],
    ['the sum of a form it never had', (_, tab) => sealed(tab, { first: 6, saved: {} })],
    ['the form of an audit', (_, tab) => sealed(tab, noRecord)],
    ['text in its place', () => 'damaged'],
  ])('where what it kept has %s, and begins only when it is told to', async (_, change) => {
    const server = new ProvingServer(historyOf(5))
    const tab = await following(server)
    const points = tab.get(trustedStatesAtom)
    const value = change((await keptOf(tab, 'arrivals')) as Record<string, unknown>, tab)
    await points.writeAudit(idOf(tab), value, 'arrivals')
    await written(tab, server, 1)
    expect(stateOf(tab)).toMatchObject({ kind: 'stopped', saved: 'damaged', isTried: false })
    await readNewArrivals(tab)
    expect(FakeWorker.all).toEqual([])
    await restartArrivals(tab)
    expect(stateOf(tab)).toMatchObject({ kind: 'done', first: '7', to: '6' })
    expect(await asideOf(tab)).toMatchObject([{ store: 'audits', kind: 'damaged', value }])
  })

  test('where the record of an audit is damaged, and begins only when it is told to', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = tabOf(server)
    await verifyState(tab)
    const points = tab.get(trustedStatesAtom)
    await points.writeAudit(idOf(tab), 'damaged')
    await checkArrivals(tab, true)
    await written(tab, server, 1)
    expect(stateOf(tab)).toMatchObject({ kind: 'stopped', saved: 'damaged', isTried: false })
    await readNewArrivals(tab)
    expect(FakeWorker.all).toEqual([])
    expect(await asideOf(tab)).toEqual([])
    await restartArrivals(tab)
    expect(stateOf(tab)).toMatchObject({ kind: 'done', first: '7', to: '6' })
    expect(await asideOf(tab)).toMatchObject([{ store: 'audits', value: 'damaged' }])
  })

  test('where the worker cannot go on from what it kept, which is kept aside', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = await following(server)
    const value = await keptOf(tab, 'arrivals')
    await written(tab, server, 1)
    worker().tell({ kind: 'unreadable' })
    await isState(tab, 'stopped')
    expect(stateOf(tab)).toMatchObject({ saved: 'damaged', isTried: false })
    expect(await asideOf(tab)).toMatchObject([{ store: 'audits', value }])
    await restartArrivals(tab)
    expect(stateOf(tab)).toMatchObject({ kind: 'done', first: '7', to: '6' })
    expect(await asideOf(tab)).toHaveLength(1)
  })

  test('where the worker cannot go on from an audit, which is kept aside, and its report stays', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = tabOf(server)
    await verifyState(tab)
    const report = { point: server.history.point(5), finishedAt: 1 }
    const finished = auditedUpTo(server, 5)
    const value = sealed(tab, { ...noRecord, report, finished })
    await tab.get(trustedStatesAtom).writeAudit(idOf(tab), value)
    await checkArrivals(tab, true)
    await written(tab, server, 1)
    worker().tell({ kind: 'unreadable' })
    await isState(tab, 'stopped')
    expect(await asideOf(tab)).toMatchObject([{ store: 'audits', value }])
    expect(await keptOf(tab)).toMatchObject({ record: { ...noRecord, report } })
    await restartArrivals(tab)
    expect(stateOf(tab)).toMatchObject({ kind: 'done', first: '7', to: '6' })
  })

  test('where what it kept was damaged while it read, which is kept aside', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = await following(server)
    await written(tab, server, 2)
    await tab.get(trustedStatesAtom).writeAudit(idOf(tab), { ...sealed(tab, {}) }, 'arrivals')
    worker().end(server.history)
    await isState(tab, 'done')
    expect(await asideOf(tab)).toMatchObject([{ store: 'audits', value: sealed(tab, {}) }])
  })
})

describe('a contradiction that the check of what arrives finds', () => {
  test('in the transactions is an alarm like any other', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = await following(server)
    await written(tab, server, 2)
    // The chain goes on as it was promised, the tree holds another transaction.
    const forked = historyOf(6, 'b', 5)
    grow(forked)
    const { header, ...tx } = server.history.tx(7)
    const { blRoot } = forked.tx(7).header as Json
    const shown = { ...tx, header: { ...(header as Json), blRoot } }
    const audit = worker().read(server.history, 6)
    let refused: unknown = null
    try {
      takePage(audit, [{ tx: shown, values: null, lack: null }], 0)
    } catch (error) {
      refused = error
    }
    if (!(refused instanceof ProofError)) throw new Error('it was taken')
    const { reason, step, part, compared, steps } = refused
    worker().tell({
      kind: 'refused',
      of: 'audit',
      what: 'the history of db behind transaction 6',
      context: { db: 'db', trusted: server.history.point(7), publicKey: null },
      request: {},
      response: { txs: [shown] },
      refusal: { reason, step, part, compared, steps },
    })
    await isBroken(tab)
    expect(tab.get(trustAtom)).toMatchObject({ kind: 'broken', broken: { part: 'blRoot' } })
    await readNewArrivals(tab)
    expect(FakeWorker.all).toHaveLength(1)
    // It goes on where it was as soon as the alarm has ended.
    await acknowledgeBreak(tab, 'end', 'the machine was repaired')
    expect(tab.get(trustAtom)).toMatchObject({ kind: 'consistent' })
    await readNewArrivals(tab)
    expect(stateOf(tab)).toMatchObject({ kind: 'reading', txId: '6', last: '7' })
  })

  test('of a state stops it, until the server answers right again', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = await following(server)
    await written(tab, server, 3)
    const { history } = server
    server.history = historyOf(4)
    await verifyState(tab)
    expect(tab.get(trustAtom).kind).toBe('broken')
    worker().read(history, 7)
    expect(worker().isEnded).toBe(true)
    await readNewArrivals(tab)
    expect(stateOf(tab).kind).toBe('waiting')
    server.history = history
    await acknowledgeBreak(tab, 'check', 'a backup was shown')
    await readNewArrivals(tab)
    worker().end(server.history)
    expect(await isState(tab, 'done')).toMatchObject({ first: '6', to: '8' })
  })

  test('between what it had read and what is trusted is a finding, not a new beginning', async () => {
    const server = new ProvingServer(historyOf(5))
    const door = keptDoor()
    const tab = await following(server, door)
    const id = idOf(tab)
    const io = { get: tab.get, set: tab.set }
    const record = await tab.get(trustedStatesAtom).read(id)
    const found = await findArrivals(io, id, record)
    if (!record || !found || found === 'damaged') throw new Error('nothing was kept')
    const forked = historyOf(5, 'b', 2)
    const chain = { ...found.saved.chain, alh: forked.point(5).txHash }
    await keepArrivals(io, record, { ...found, saved: { ...found.saved, chain } })
    expect(await readRangeOf(io, record)).toBeNull()
    await written(tab, server, 1)
    expect(FakeWorker.all).toEqual([])
    expect(tab.get(trustAtom)).toMatchObject({ kind: 'broken', broken: { kind: 'saved-audit' } })
    // Once the alarm has ended it says why it is off, and begins again only when it is told to.
    await acknowledgeBreak(tab, 'end', 'known')
    await readNewArrivals(tab)
    expect(stateOf(tab)).toMatchObject({
      kind: 'stopped',
      saved: 'unfit',
      words: 'The transactions that this check read do not fit the trusted state.',
    })
    expect(tab.get(trustAtom).kind).toBe('consistent')
    await restartArrivals(tab)
    expect(stateOf(tab)).toMatchObject({ kind: 'done', first: '7', to: '6' })
    expect(await asideOf(tab)).toEqual([])
  })

  test('between an audit and what is trusted lets it begin without that audit', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = tabOf(server)
    await verifyState(tab)
    const saved = auditedUpTo(server, 5)
    const chain = { ...saved.chain, alh: historyOf(5, 'b', 2).point(5).txHash }
    const finished = { ...saved, chain }
    await keepRecord(ioOf(tab), trusted(tab), { ...noRecord, finished })
    await checkArrivals(tab, true)
    await written(tab, server, 1)
    expect(tab.get(trustAtom).kind).toBe('broken')
    await acknowledgeBreak(tab, 'end', 'known')
    await restartArrivals(tab)
    expect(stateOf(tab)).toMatchObject({ kind: 'done', first: '7', to: '6' })
  })
})

describe('once the trusted state is forgotten, the check of what arrives', () => {
  /** A tab whose check reads. */
  async function reading(door = keptDoor()) {
    const server = new ProvingServer(historyOf(5))
    const tab = await following(server, door)
    await written(tab, server, 3)
    return { server, tab, door, id: idOf(tab) }
  }

  test('ends, and writes nothing any more', async () => {
    const { server, tab, id } = await reading()
    const before = worker()
    before.read(server.history, 6)
    await forgetState(tab, id, 'restored')
    expect(before.isEnded).toBe(true)
    expect(stateOf(tab)).toEqual({ kind: 'waiting' })
    before.end(server.history)
    await readNewArrivals(tab)
    expect(await keptOf(tab, 'arrivals')).toBeNull()
    expect(await tab.get(trustedStatesAtom).read(id)).toBeNull()
    expect(stateOf(tab)).toEqual({ kind: 'waiting' })
  })

  test('says nothing of what it had read', async () => {
    const { server, tab, id } = await reading()
    worker().end(server.history)
    await isState(tab, 'done')
    await forgetState(tab, id, 'restored')
    expect(stateOf(tab)).toEqual({ kind: 'waiting' })
    expect(await keptOf(tab, 'arrivals')).toBeNull()
  })

  test('is called off before it has begun, and meets nobody again', async () => {
    const { server, tab, id } = await reading()
    worker().read(server.history, 7)
    await leaveArrivals(tab)
    let isAsked = false
    let answer = () => {}
    server.instead = async (path) => {
      if (!path.startsWith('/db/verifiable/tx/7')) return undefined
      isAsked = true
      await new Promise<void>((resolve) => {
        answer = resolve
      })
      return undefined
    }
    const begun = readNewArrivals(tab)
    await until(
      () => isAsked,
      (is) => is,
    )
    await forgetState(tab, id, 'restored')
    answer()
    await begun
    expect(FakeWorker.all).toHaveLength(1)
    expect(stateOf(tab)).toEqual({ kind: 'waiting' })
    expect(await keptOf(tab, 'arrivals')).toBeNull()
  })

  test('keeps nothing that it was about to write', async () => {
    const { tab, door, id } = await reading()
    const record = trusted(tab)
    const found = await findArrivals(ioOf(tab), id, record)
    if (!found || found === 'damaged') throw new Error('nothing was kept')
    await tab.get(trustedStatesAtom).forget(id, 'restored')
    await keepArrivals(ioOf(tab), record, found)
    await keepRecord(ioOf(tab), record, noRecord)
    expect(await door.all('audits')).toEqual([])
  })

  test('keeps nothing where it was forgotten while it wrote', async () => {
    const door = keptDoor()
    const { tab, id } = await reading(door)
    const record = trusted(tab)
    const found = await findArrivals(ioOf(tab), id, record)
    if (!found || found === 'damaged') throw new Error('nothing was kept')
    const elsewhere = new TrustedStates(() => Promise.resolve(door))
    const slow: TrustStore = {
      ...door,
      change: async (store, key, change) => {
        if (store === 'audits') await elsewhere.forget(id, 'restored')
        return door.change(store, key, change)
      },
    }
    const late = tabOf(new ProvingServer(historyOf(5)), slow)
    await keepArrivals(ioOf(late), record, found)
    expect(await door.all('audits')).toEqual([])
  })

  test('ends in other tabs, too', async () => {
    const { server, tab, door, id } = await reading()
    const other = tabOf(server, door)
    await verifyState(other)
    await forgetState(other, id, 'restored')
    await isState(tab, 'waiting')
    expect(worker().isEnded).toBe(true)
  })
})

test('the check of what arrives ends with a server that is revoked, and begins with it again', async () => {
  const server = new ProvingServer(historyOf(5))
  const tab = await following(server)
  const { origin } = idOf(tab)
  await tab.get(trustedStatesAtom).acceptServer(origin, 'server-two', 'a copy')
  await written(tab, server, 2)
  await revokeServer(tab, origin, 'server-one', 'not ours')
  expect(tab.get(trustAtom).kind).toBe('broken')
  expect(worker().isEnded).toBe(true)
  expect(stateOf(tab)).toEqual({ kind: 'waiting' })
  tab.set(sessionAtom, (session) => session && { ...session, mode: 'open' as const })
  await acceptServer(tab, 'ours after all')
  await readNewArrivals(tab)
  expect(stateOf(tab)).toMatchObject({ kind: 'reading', last: '7' })
})

describe('what was read is looked up', () => {
  /** Storage that counts how often records of audits are read. */
  function countingDoor() {
    const door = keptDoor()
    let count = 0
    const counting: TrustStore = {
      ...door,
      read: (store, key) => {
        if (store === 'audits') count += 1
        return door.read(store, key)
      },
    }
    const counted = () => {
      const before = count
      count = 0
      return before
    }
    return { door, counting, counted }
  }

  const verify = (tab: Store, tx: number) => verifyObject(tab, txAlone(tx))

  test('once for a hundred rows, and again after each change, in whatever tab', async () => {
    const server = new ProvingServer(historyOf(5))
    const { door, counting, counted } = countingDoor()
    const tab = tabOf(server, counting)
    await verifyState(tab)
    counted()
    for (let row = 0; row < 100; row += 1) await verify(tab, 2)
    // The record of audits, and that of what arrives.
    expect(counted()).toBe(2)
    const range = () => readRangeOf(ioOf(tab), trusted(tab))
    const finished = auditedUpTo(server, 4)
    await keepRecord(ioOf(tab), trusted(tab), { ...noRecord, finished })
    expect(await range()).toEqual({ readFrom: '1', readTo: '4', catalogTx: '0' })
    await verify(tab, 2)
    expect(counted()).toBe(2)
    const other = tabOf(server, door)
    await verifyState(other)
    const more = auditedUpTo(server, 5)
    await keepRecord(ioOf(other), trusted(other), { ...noRecord, finished: more })
    await until(range, (found) => found?.readTo === '5')
    const before = trusted(tab)
    await tab.get(trustedStatesAtom).forget(idOf(tab), 'restored')
    expect(await readRangeOf(ioOf(tab), before)).toBeNull()
  })

  test('again after storage has failed', async () => {
    const server = new ProvingServer(historyOf(5))
    const door = keptDoor()
    let isFailing = false
    const failing: TrustStore = {
      ...door,
      read: (store, key) =>
        isFailing && store === 'audits'
          ? Promise.reject(new DOMException('gone', 'UnknownError'))
          : door.read(store, key),
    }
    const tab = tabOf(server, failing)
    await verifyState(tab)
    const finished = auditedUpTo(server, 5)
    await keepRecord(ioOf(tab), trusted(tab), { ...noRecord, finished })
    isFailing = true
    await expect(readRangeOf(ioOf(tab), trusted(tab))).rejects.toThrow('gone')
    isFailing = false
    expect(await readRangeOf(ioOf(tab), trusted(tab))).toEqual({
      readFrom: '1',
      readTo: '5',
      catalogTx: '0',
    })
  })
})
