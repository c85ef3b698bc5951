import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Store } from '~/core/session/client'
import { callCountAtom, clockOffsetAtom, databaseIdAtom, sessionAtom } from '~/core/session/session'
import type { AuditNews, AuditOrder, AuditProgress } from '~/proof/audit-messages'
import { startDeepAudit, takePage } from '~/proof/deep-audit'
import { type ExceptionReason, except, noExceptions } from '~/proof/exceptions'
import { verify } from '~/proof/kernel/verify'
import { readTarget, saveDeepAudit } from '~/proof/saved-audit'
import { endAllWork } from '~/trust/audit/audit-job'
import type { AuditRecord } from '~/trust/audit/audit-record'
import {
  acceptCollection,
  beginDeepAudit,
  deepAuditAtom,
  dropDeepAudit,
  pauseDeepAudit,
  readDeepAudit,
  resumeDeepAudit,
} from '~/trust/audit/deep-audit'
import { forgetState } from '~/trust/decisions'
import { memoryTrustStore, type TrustStore } from '~/trust/store'
import { trustAtom } from '~/trust/trust'
import { startedRecord, type TrustRecord } from '~/trust/trust-record'
import { trustedStatesAtom, trustRecordsAtom } from '~/trust/trusted-states'
import { verifyState } from '~/trust/verify-state'
import { FakeWorker } from '../../support/fake-worker'
import type { History } from '../../support/history'
import {
  grow,
  historyOf,
  keptDoor,
  ProvingServer,
  refusal,
  tabOf,
} from '../../support/proving-server'
import { until } from '../../support/until'

vi.mock('~/lib/build', () => ({
  build: { version: 'test', commit: 'test' },
  workers: new Map([['audit', 'audit.js']]),
}))

const lastWorker = () => FakeWorker.all.at(-1) as FakeWorker<AuditOrder, AuditNews>

const server = () => new ProvingServer(historyOf(5))
const savedOf = (of: ProvingServer) =>
  saveDeepAudit(startDeepAudit(readTarget(of.history.point(5)), true))

const progress = (txId: string): AuditProgress => ({
  first: '1',
  txId,
  last: '5',
  withValues: true,
  entries: Number(txId),
  counts: { values: Number(txId), bytes: 10, documents: 0 },
  exceptions: noExceptions(),
  pending: 0,
  active: 1_000,
  rate: 5,
  step: 'transactions',
})

async function started(
  of: ProvingServer,
): Promise<{ tab: Store; worker: FakeWorker<AuditOrder, AuditNews> }> {
  const tab = tabOf(of)
  await beginDeepAudit(tab, { withValues: true, from: 'start' })
  return { tab, worker: lastWorker() }
}

const kindOf = (tab: Store) => tab.get(deepAuditAtom).state.kind

const idOf = (tab: Store) => tab.get(databaseIdAtom)('db')

const keyHere = (tab: Store) => JSON.stringify(Object.values(idOf(tab)))

type Raw = { record: AuditRecord }

async function kept(tab: Store): Promise<AuditRecord> {
  const found = await tab.get(trustedStatesAtom).readAudit(idOf(tab))
  return (found as Raw | null)?.record ?? { resting: null, report: null, finished: null }
}

/** Until an audit that rests is kept. */
const isResting = (tab: Store) => until(kept.bind(null, tab), ({ resting }) => resting !== null)

async function restingAt3(of: ProvingServer, door = keptDoor()) {
  const tab = tabOf(of, door)
  await beginDeepAudit(tab, { withValues: true, from: 'start' })
  const worker = lastWorker()
  worker.tell({ kind: 'progress', progress: progress('3'), saved: savedOf(of), calls: 0 })
  await isResting(tab)
  return { tab, worker, door }
}

const ended = (of: ProvingServer) =>
  ({
    kind: 'ended',
    tables: null,
    schemas: [{ table: 't', tableId: 1, pk: [1], cols: [], maxColId: 1 }],
    collections: [[7, 'notes']],
    named: [],
    nameDigests: new Map(),
    catalogTx: '2',
    listed: [],
    end: null,
    target: of.history.point(5),
  }) satisfies AuditNews

beforeEach(() => {
  vi.stubGlobal('Worker', FakeWorker)
  return () => {
    // An audit belongs to the page, which all tests of this file share.
    lastWorker()?.tell({ kind: 'failed', words: '', details: '' })
  }
})

describe('an audit', () => {
  test.each([
    [-90_000, -90_000],
    [10 * 86_400_000, 86_400_000],
  ])(
    'is told by how much the clock of the server is ahead (%i ms), up to a day',
    async (ahead, told) => {
      const tab = tabOf(server())
      await verifyState(tab)
      tab.set(clockOffsetAtom, ahead)
      await beginDeepAudit(tab, { withValues: true, from: 'start' })
      expect(lastWorker().orders[0]).toMatchObject({ kind: 'start', clockOffset: told })
    },
  )

  test('ends at the newest state, which is checked first', async () => {
    const of = server()
    const { tab, worker } = await started(of)
    expect(kindOf(tab)).toBe('running')
    expect(tab.get(trustAtom).kind).toBe('first')
    expect(worker.orders).toEqual([
      {
        kind: 'start',
        clockOffset: 0,
        hasNewerForm: false,
        baseURL: 'http://localhost:3000/api',
        listedAs: null,
        takesOwnHeader: false,
        database: 'db',
        server: 'server-one',
        token: 'token',
        from: { target: of.history.point(5), withValues: true },
      },
    ])
  })

  test('of an empty database, or of one that cannot be checked, says so', async () => {
    const empty = tabOf(new ProvingServer(historyOf(0)))
    await beginDeepAudit(empty, { withValues: true, from: 'start' })
    expect(empty.get(deepAuditAtom).state).toMatchObject({
      kind: 'failed',
      words: expect.stringContaining('empty'),
    })
    const of = server()
    of.instead = () => Response.error()
    const away = tabOf(of)
    await beginDeepAudit(away, { withValues: true, from: 'start' })
    expect(away.get(deepAuditAtom).state).toMatchObject({ kind: 'failed', progress: null })
  })

  test('counts its calls and keeps where it is', async () => {
    const of = server()
    const { tab, worker } = await started(of)
    const before = tab.get(callCountAtom)
    worker.tell({ kind: 'progress', progress: progress('3'), saved: savedOf(of), calls: 7 })
    expect(tab.get(callCountAtom) - before).toBe(7)
    expect(tab.get(deepAuditAtom).state).toMatchObject({ progress: { txId: '3' } })
    await until(
      async () => (await kept(tab)).resting?.progress.txId,
      (at) => at === '3',
    )
  })

  test('says that a collection has another number, which is pinned once it is accepted', async () => {
    const of = server()
    const { tab, worker } = await started(of)
    const points = tab.get(trustedStatesAtom)
    const record = await points.read(idOf(tab))
    if (!record) throw new Error('no trusted state')
    await points.pinFirst(record, { schemas: new Map(), collections: new Map([['notes', 6]]) })
    worker.tell({ kind: 'progress', progress: progress('5'), saved: savedOf(of), calls: 0 })
    worker.tell({ ...ended(of), collections: [...ended(of).collections, [8, 'orders']] })
    await until(
      () => kindOf(tab),
      (kind) => kind === 'finished',
    )
    const report = tab.get(deepAuditAtom).report
    expect(report?.collections).toEqual([{ name: 'notes', pinned: 6, found: 7 }])
    const pinned = async () => [...((await points.read(idOf(tab)))?.collections ?? [])].sort()
    expect(await pinned()).toEqual([
      ['notes', 6],
      ['orders', 8],
    ])
    // What the history itself does not say stays the word of the server.
    const span = { from: '2', to: '5' }
    expect((await points.read(idOf(tab)))?.spans).toEqual({
      tables: new Map([['t', span]]),
      collections: new Map(),
    })
    // One that goes on from there, and sees no document, says it again.
    grow(of.history)
    await beginDeepAudit(tab, { withValues: true, from: 'last' })
    const later = { ...progress('6'), first: '6', last: '6' }
    lastWorker().tell({ kind: 'progress', progress: later, saved: savedOf(of), calls: 0 })
    lastWorker().tell({ ...ended(of), collections: [] })
    const after = await until(
      () => tab.get(deepAuditAtom).report,
      (one) => one?.first === '6',
    )
    expect(after?.collections).toEqual(report?.collections)
    const [found] = report?.collections ?? []
    if (!after || !found) throw new Error('nothing was found')
    expect(await acceptCollection(tab, after, found)).toBeNull()
    expect((await pinned())[0]).toEqual(['notes', 7])
    expect(tab.get(deepAuditAtom).report?.collections).toMatchObject([{ isAccepted: true }])
    expect((await kept(tab)).report?.collections).toMatchObject([{ isAccepted: true }])
    await forgetState(tab, idOf(tab), 'test')
    expect(await acceptCollection(tab, after, found)).toMatch(/has since been forgotten/)
  })

  test('lets the history itself describe tables and collections', async () => {
    const of = server()
    const { tab, worker } = await started(of)
    worker.tell({ kind: 'progress', progress: progress('5'), saved: savedOf(of), calls: 0 })
    const notes = ['notes', 7] as const
    // Of a name that went over to another number the history speaks of that one.
    worker.tell({ ...ended(of), named: [notes, ['orders', 9]] })
    await until(
      () => kindOf(tab),
      (kind) => kind === 'finished',
    )
    const points = tab.get(trustedStatesAtom)
    const spansNow = async () => (await points.read(idOf(tab)))?.spans
    const span = { from: '2', to: '5' }
    expect(await spansNow()).toEqual({
      tables: new Map([['t', span]]),
      collections: new Map([['notes', span]]),
    })
    const record = await points.read(idOf(tab))
    if (!record) throw new Error('no trusted state')
    const schema = { table: 't', tableId: 2, pk: [1], cols: [], maxColId: 1 }
    expect(await points.pinSchema(record, schema)).toBe(true)
    expect(await points.pinCollection(record, 'notes', 8)).toBe(true)
    expect(await spansNow()).toEqual({ tables: new Map(), collections: new Map() })
  })

  test('that ended leaves a report and pins what it proved', async () => {
    const of = server()
    const { tab, worker } = await started(of)
    worker.tell({ kind: 'progress', progress: progress('5'), saved: savedOf(of), calls: 0 })
    const schema = { table: 't', tableId: 1, pk: [1], cols: [], maxColId: 1 }
    const target = of.history.point(5)
    const tables = [{ table: 't', kind: 'agrees', what: '', row: 'compared' }] as const
    worker.tell({
      kind: 'ended',
      tables: [...tables],
      schemas: [schema],
      collections: [[7, 'notes']],
      named: [],
      nameDigests: new Map(),
      catalogTx: '2',
      listed: [],
      end: null,
      target,
    })
    await until(
      () => kindOf(tab),
      (kind) => kind === 'finished',
    )
    expect(worker.isEnded).toBe(true)
    expect(tab.get(deepAuditAtom).report).toMatchObject({
      first: '1',
      point: target,
      tables: { counts: { agrees: 1 }, rows: { compared: 1, refused: 0 }, list: tables },
    })
    const record = await kept(tab)
    expect(record).toMatchObject({ resting: null, report: { entries: 5 } })
    expect(record.finished).not.toBeNull()
    const points = tab.get(trustedStatesAtom)
    const pinned = () => points.read(tab.get(databaseIdAtom)('db'))
    const found = await until(pinned, (one) => one?.collections.has('notes') === true)
    // It went through all that the server gave, and no proof has advanced that state.
    expect(tab.get(trustAtom)).toMatchObject({ kind: 'first', record: { moved: 0 } })
    expect(found?.provenAt).toBeGreaterThan(0)
    expect(found?.schemas.get('t')).toEqual(schema)
    // Nothing new was written.
    await beginDeepAudit(tab, { withValues: true, from: 'last' })
    expect(tab.get(deepAuditAtom).state).toMatchObject({
      words: expect.stringContaining('Nothing has been written'),
    })
  })

  test.each([
    ['kept', keptDoor],
    ['memory', memoryTrustStore],
  ])('reports whether what it was compared with was recorded: %s', async (keeping, door) => {
    const of = server()
    const tab = tabOf(of, door())
    await beginDeepAudit(tab, { withValues: true, from: 'start' })
    const worker = lastWorker()
    worker.tell({ kind: 'progress', progress: progress('5'), saved: savedOf(of), calls: 0 })
    worker.tell(ended(of))
    await until(
      () => kindOf(tab),
      (kind) => kind === 'finished',
    )
    expect(tab.get(deepAuditAtom).report?.keeping).toBe(keeping)
  })
})

test('what an audit found is still told by the one that goes on from it', async () => {
  const of = server()
  const { tab, worker } = await started(of)
  const exceptions = noExceptions()
  except(exceptions, { reason: 'refused', tx: '2', key: '', words: 'data is corrupted' })
  const found = { ...progress('5'), exceptions }
  worker.tell({ kind: 'progress', progress: found, saved: savedOf(of), calls: 0 })
  worker.tell({ ...ended(of), tables: [] })
  await until(
    () => kindOf(tab),
    (kind) => kind === 'finished',
  )
  grow(of.history)
  await beginDeepAudit(tab, { withValues: true, from: 'last' })
  const next = lastWorker()
  const since = { ...progress('6'), first: '6', last: '6' }
  next.tell({ kind: 'progress', progress: since, saved: savedOf(of), calls: 0 })
  next.tell({ ...ended(of), tables: [], target: of.history.point(6) })
  await until(
    () => kindOf(tab),
    (kind) => kind === 'finished',
  )
  const { report } = await kept(tab)
  expect(report).toMatchObject({ first: '6', exceptions: noExceptions() })
  expect(report?.before).toMatchObject({ isOdd: true, isWhole: false, exceptions })
})

describe('what an audit found', () => {
  const table = (name: string, kind: 'differs' | 'missing' | 'surplus') =>
    ({ table: name, kind, what: 'column secret is missing', row: 'none' }) as const

  /** Audits from the first transaction, up to its end. */
  async function audited(tab: Store, of: ProvingServer, found: Partial<AuditProgress>, end = {}) {
    await beginDeepAudit(tab, { withValues: true, from: 'start' })
    const all = { ...progress('5'), ...found }
    lastWorker().tell({ kind: 'progress', progress: all, saved: savedOf(of), calls: 0 })
    lastWorker().tell({ ...ended(of), tables: [], ...end })
    await until(
      () => kindOf(tab),
      (kind) => kind === 'finished',
    )
  }

  const incidents = async (tab: Store) =>
    (await tab.set(trustRecordsAtom)).incidents.flatMap((log) => log.incidents)

  function withReasons(...reasons: ExceptionReason[]) {
    const exceptions = noExceptions()
    const words = 'content of an answer'
    for (const reason of reasons) except(exceptions, { reason, tx: '2', key: 'abcd', words })
    return { exceptions }
  }

  test('stays among the incidents after an audit that finds nothing', async () => {
    const of = server()
    const tab = tabOf(of)
    await verifyState(tab)
    const record = await tab.get(trustedStatesAtom).read(idOf(tab))
    if (!record) throw new Error('no trusted state')
    const pins = { schemas: new Map(), collections: new Map([['notes', 6]]) }
    await tab.get(trustedStatesAtom).pinFirst(record, pins)
    const reasons = withReasons('withheld', 'withheld', 'expired', 'size-unexplained')
    const tables = [table('a', 'differs'), table('b', 'missing'), table('c', 'surplus')]
    await audited(tab, of, reasons, { tables })
    await audited(tab, of, {}, { collections: [] })
    const found = await incidents(tab)
    expect(found).toMatchObject([
      { reason: 'audit-reason', part: 'withheld', what: 'deep audit, first at tx 2', times: 1 },
      { reason: 'audit-reason', part: 'size-unexplained', times: 1 },
      { reason: 'audit-collection', what: 'collection notes', times: 1 },
      { reason: 'audit-table', part: 'differs', what: 'table a', times: 1 },
      { reason: 'audit-table', part: 'missing', what: 'table b', times: 1 },
      { reason: 'audit-table', part: 'surplus', what: 'table c', times: 1 },
    ])
    // As a console before this one has it, which would take a kind it does not know for damage.
    expect(new Set(found.map(({ kind }) => kind))).toEqual(new Set(['contradicted']))
    expect(JSON.stringify(found)).not.toMatch(/content of an answer|secret|abcd/)
  })

  test('is counted again, and no line of its own, when the next one finds it too', async () => {
    const of = server()
    const tab = tabOf(of)
    for (let again = 0; again < 2; again += 1)
      await audited(tab, of, withReasons('entries-withheld'))
    expect(await incidents(tab)).toMatchObject([{ part: 'entries-withheld', times: 2 }])
  })

  test('is no more than eleven lines', async () => {
    const of = server()
    const tab = tabOf(of)
    const tables = Array.from({ length: 250 }, (_, n) => table(`t${n}`, 'missing'))
    await audited(tab, of, withReasons('refused'), { tables })
    const found = await incidents(tab)
    expect(found).toHaveLength(11)
    expect(found.at(-1)).toMatchObject({ reason: 'audit-more', what: '241 more findings' })
  })

  test('is no incident when nobody need look into it', async () => {
    const of = server()
    const tab = tabOf(of)
    await audited(tab, of, withReasons('expired', 'too-large', 'collection-gone'))
    expect(await incidents(tab)).toEqual([])
  })
})

describe('an audit of only what is new', () => {
  /** A tab whose last audit ended where a walk over a history stands. */
  async function auditedOf(of: ProvingServer, walked: History, at = 5) {
    const { tab, worker } = await started(of)
    const audit = startDeepAudit(readTarget(walked.point(at)), true)
    const txs = Array.from({ length: at }, (_, index) => walked.tx(index + 1))
    takePage(
      audit,
      txs.map((tx) => ({ tx, values: null, lack: null })),
      0,
    )
    worker.tell({
      kind: 'progress',
      progress: progress('5'),
      saved: saveDeepAudit(audit),
      calls: 0,
    })
    worker.tell(ended(of))
    await until(
      () => kindOf(tab),
      (kind) => kind === 'finished',
    )
    return tab
  }

  test('begins behind the last one, which the trusted history holds', async () => {
    const of = server()
    const tab = await auditedOf(of, of.history)
    grow(of.history)
    grow(of.history)
    const before = lastWorker()
    await beginDeepAudit(tab, { withValues: true, from: 'last' })
    expect(lastWorker()).not.toBe(before)
    expect(lastWorker().orders[0]).toMatchObject({
      from: { since: { chain: { txId: '5' } }, target: of.history.point(7) },
    })
  })

  test('is a finding, and nothing begins, when the last one stands in another history', async () => {
    const of = server()
    const tab = await auditedOf(of, historyOf(5, 'b', 2))
    grow(of.history)
    const before = lastWorker()
    await beginDeepAudit(tab, { withValues: true, from: 'last' })
    expect(lastWorker()).toBe(before)
    expect(tab.get(deepAuditAtom).state).toMatchObject({
      kind: 'broken',
      broken: { kind: 'saved-audit', received: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
    expect(tab.get(trustAtom).kind).toBe('broken')
    const { incidents } = await tab.get(trustedStatesAtom).others()
    expect(incidents).toMatchObject([{ incidents: [{ kind: 'saved-audit', times: 1 }] }])
    // Neither is dropped: one of the two is not what it was.
    expect((await kept(tab)).finished).not.toBeNull()
  })

  test('asks the server for a proof where this browser did not record that state', async () => {
    const of = new ProvingServer(historyOf(8))
    const [right, wrong] = [historyOf(8), historyOf(8, 'b', 2)]
    const tab = await auditedOf(of, right)
    grow(of.history)
    await beginDeepAudit(tab, { withValues: true, from: 'last' })
    expect(of.count('/db/verifiable/tx/5?')).toBe(1)
    expect(kindOf(tab)).toBe('running')
    lastWorker().tell({ kind: 'failed', words: '', details: '' })
    const other = new ProvingServer(historyOf(8))
    const tab2 = await auditedOf(other, wrong)
    grow(other.history)
    await beginDeepAudit(tab2, { withValues: true, from: 'last' })
    const { state } = tab2.get(deepAuditAtom)
    expect(state).toMatchObject({ kind: 'broken', broken: { kind: 'saved-audit' } })
    // Anyone who gets the file sees the difference again.
    const proof = state.kind === 'broken' ? state.broken.verification : null
    if (!proof?.context) throw new Error('there is no evidence')
    await expect(verify('audit', proof.context, proof.request, proof.response)).rejects.toThrow(
      'trusted',
    )
  })

  test('that paused is continued only where it stands in the trusted history', async () => {
    const of = server()
    const { tab, worker } = await started(of)
    const walked = historyOf(5, 'b', 2)
    const audit = startDeepAudit(readTarget(walked.point(5)), true)
    takePage(
      audit,
      [1, 2, 3].map((tx) => ({ tx: walked.tx(tx), values: null, lack: null })),
      0,
    )
    const saved = saveDeepAudit(audit)
    worker.tell({ kind: 'progress', progress: progress('3'), saved, calls: 0 })
    worker.tell({ kind: 'paused' })
    await isResting(tab)
    await resumeDeepAudit(tab)
    expect(lastWorker()).toBe(worker)
    expect(tab.get(deepAuditAtom).state).toMatchObject({ broken: { kind: 'saved-audit' } })
  })

  test('is not begun while the server cannot prove where the last one stands', async () => {
    const of = new ProvingServer(historyOf(8))
    const tab = await auditedOf(of, of.history)
    grow(of.history)
    of.instead = (path) => (path.includes('/tx/5?') ? refusal('busy', 503) : undefined)
    const before = lastWorker()
    await beginDeepAudit(tab, { withValues: true, from: 'last' })
    expect(lastWorker()).toBe(before)
    expect(tab.get(deepAuditAtom).state).toMatchObject({
      kind: 'failed',
      advice: 'The saved audit is still there. Try again later.',
    })
    expect(tab.get(trustAtom).kind).not.toBe('broken')
  })
})

describe('an audit that stops', () => {
  test('is paused and goes on from there, also in another page', async () => {
    const of = server()
    const { tab, worker } = await started(of)
    const saved = savedOf(of)
    worker.tell({ kind: 'progress', progress: progress('3'), saved, calls: 0 })
    await pauseDeepAudit(tab)
    expect(worker.orders.at(-1)).toEqual({ kind: 'pause' })
    worker.tell({ kind: 'paused' })
    expect(worker.isEnded).toBe(true)
    await until(
      () => kindOf(tab),
      (kind) => kind === 'paused',
    )
    await readDeepAudit(tab)
    expect(tab.get(deepAuditAtom).state).toMatchObject({ progress: { txId: '3', last: '5' } })
    await resumeDeepAudit(tab)
    expect(lastWorker()).not.toBe(worker)
    expect(lastWorker().orders[0]).toMatchObject({ kind: 'start', from: { resume: saved } })
  })

  test('that is paused while the newest state is being checked does not begin', async () => {
    const of = server()
    let answer = () => {}
    let isAsked = false
    of.instead = () =>
      new Promise((resolve) => {
        isAsked = true
        answer = () => resolve(undefined)
      })
    const tab = tabOf(of)
    const starting = beginDeepAudit(tab, { withValues: true, from: 'start' })
    await until(
      async () => isAsked,
      (now) => now,
    )
    const before = lastWorker()
    expect(kindOf(tab)).toBe('running')
    await pauseDeepAudit(tab)
    expect(kindOf(tab)).toBe('idle')
    of.instead = () => undefined
    answer()
    await starting
    expect(lastWorker()).toBe(before)
    expect(kindOf(tab)).not.toBe('running')
  })

  test('is forgotten when the operator starts over', async () => {
    const of = server()
    const { tab, worker } = await started(of)
    worker.tell({ kind: 'progress', progress: progress('3'), saved: savedOf(of), calls: 0 })
    worker.tell({ kind: 'failed', words: 'The disk is full.', details: '' })
    expect(tab.get(deepAuditAtom).state).toMatchObject({
      kind: 'failed',
      words: 'The disk is full.',
      progress: { txId: '3' },
    })
    await until(
      async () => (await kept(tab)).resting,
      (resting) => resting !== null,
    )
    await dropDeepAudit(tab)
    expect(kindOf(tab)).toBe('idle')
    expect((await kept(tab)).resting).toBeNull()
  })

  test('for a lost token gets the next one, or none when nobody signs in again', async () => {
    const { tab, worker } = await started(server())
    worker.tell({ kind: 'waiting', why: 'token', words: 'token has expired' })
    expect(tab.get(deepAuditAtom).state).toMatchObject({ waiting: { why: 'token' } })
    await until(
      () => worker.orders.at(-1),
      (order) => order?.kind === 'token',
    )
    expect(worker.orders.at(-1)).toEqual({ kind: 'token', token: 'token' })
    worker.tell({ kind: 'going-on' })
    expect(tab.get(deepAuditAtom).state).toMatchObject({ kind: 'running', waiting: null })
  })

  test('for a lost token gets no token of another database, which is open since', async () => {
    const of = server()
    const { tab, worker } = await started(of)
    const session = tab.get(sessionAtom)
    if (!session) throw new Error('nobody is signed in')
    const databaseTokens = new Map([['other', 'of other']])
    tab.set(sessionAtom, { ...session, token: 'of other', databaseTokens })
    let isGone = true
    of.instead = (path) => {
      if (path !== '/db/use/db') return undefined
      return isGone ? refusal('database does not exist') : Response.json({ token: 'token-of-db' })
    }
    const given = async () => {
      worker.orders.length = 0
      worker.tell({ kind: 'waiting', why: 'token', words: 'token has expired' })
      await until(
        () => worker.orders.at(-1),
        (order) => order?.kind === 'token',
      )
      return worker.orders.at(-1)
    }
    expect(await given()).toEqual({ kind: 'token', token: null })
    isGone = false

    expect(await given()).toEqual({ kind: 'token', token: 'token-of-db' })
  })

  test('says what it waits for until it goes on, although it tells how long it works', async () => {
    const { tab, worker } = await started(server())
    worker.tell({ kind: 'waiting', why: 'server', words: 'The immudb server cannot be reached.' })
    worker.tell({ kind: 'progress', progress: progress('3'), saved: null, calls: 0 })
    expect(tab.get(deepAuditAtom).state).toMatchObject({
      kind: 'running',
      progress: { txId: '3' },
      waiting: { words: 'The immudb server cannot be reached.' },
    })
    worker.tell({ kind: 'going-on' })
    worker.tell({ kind: 'progress', progress: progress('4'), saved: null, calls: 0 })
    expect(tab.get(deepAuditAtom).state).toMatchObject({ progress: { txId: '4' }, waiting: null })
  })

  test('ends with the session', async () => {
    const { tab, worker } = await started(server())
    tab.set(sessionAtom, null)
    worker.tell({ kind: 'progress', progress: progress('3'), saved: null, calls: 0 })
    expect(worker.isEnded).toBe(true)
  })
})

/** What a worker tells of a part that is not right, but for why. */
const refused = {
  kind: 'refused',
  of: 'audit',
  what: 'the history of db behind transaction 3',
  context: { db: 'db', trusted: null, publicKey: null },
  request: {},
  response: { txs: [] },
} as const

describe('an audit of a history that is forgotten meanwhile', () => {
  const forgone = {
    ...refused,
    refusal: { reason: 'audit', step: 'link', part: 'trusted', compared: {}, steps: [] },
  } as const

  test('is ended, and what it had found is dropped', async () => {
    const { tab, worker } = await restingAt3(server())
    await forgetState(tab, idOf(tab), 'restored')
    expect(worker.isEnded).toBe(true)
    expect(await tab.get(trustedStatesAtom).readAudit(idOf(tab))).toBeNull()
    expect(tab.get(deepAuditAtom)).toMatchObject({
      state: { kind: 'failed', words: expect.stringContaining('forgotten'), progress: null },
      report: null,
    })
    // The worker may have said something just before.
    worker.tell({ kind: 'progress', progress: progress('4'), saved: null, calls: 0 })
    await verifyState(tab)
    expect(tab.get(deepAuditAtom).state.kind).toBe('failed')
  })

  test('takes its report with it', async () => {
    const of = server()
    const { tab, worker } = await restingAt3(of)
    worker.tell(ended(of))
    await until(
      () => kindOf(tab),
      (kind) => kind === 'finished',
    )
    await forgetState(tab, idOf(tab), 'restored')
    expect(tab.get(deepAuditAtom)).toEqual({ state: { kind: 'unread' }, report: null })
    await readDeepAudit(tab)
    expect(tab.get(deepAuditAtom)).toEqual({ state: { kind: 'idle' }, report: null })
  })

  test('is called off before it has begun', async () => {
    const of = server()
    const tab = tabOf(of)
    await verifyState(tab)
    const { length } = FakeWorker.all
    let answer = () => {}
    const held = new Promise<undefined>((resolve) => {
      answer = () => resolve(undefined)
    })
    of.instead = () => held
    const beginning = beginDeepAudit(tab, { withValues: true, from: 'start' })
    await forgetState(tab, idOf(tab), 'restored')
    answer()
    await beginning
    expect(FakeWorker.all).toHaveLength(length)
    expect(kindOf(tab)).toBe('unread')
  })

  test('is ended when another tab forgets it', async () => {
    const of = server()
    const { tab, worker, door } = await restingAt3(of)
    const other = tabOf(of, door)
    await forgetState(other, idOf(tab), 'restored')
    await until(
      () => kindOf(tab),
      (kind) => kind === 'failed',
    )
    expect(worker.isEnded).toBe(true)
  })

  /** The point is forgotten and the server is met again, which the tab has not heard of. */
  async function replaced(of: ProvingServer) {
    const { tab, worker, door } = await restingAt3(of)
    await door.change('points', keyHere(tab), (known) => {
      const { point } = known as TrustRecord
      return startedRecord(idOf(tab), point, 'first', 1)
    })
    const record = () => tab.get(trustedStatesAtom).read(idOf(tab))
    return { tab, worker, record }
  }

  test('finds nothing wrong with the one that came after it', async () => {
    const { tab, worker, record } = await replaced(server())
    worker.tell(forgone)
    await until(
      () => kindOf(tab),
      (kind) => kind !== 'running',
    )
    expect(kindOf(tab)).toBe('failed')
    expect(await record()).toMatchObject({ firstContact: { at: 1 }, break: null })
    expect(tab.get(trustAtom).kind).toBe('first')
  })

  test('proves nothing of the one that came after it', async () => {
    const of = server()
    const { tab, worker, record } = await replaced(of)
    worker.tell(ended(of))
    await until(
      () => kindOf(tab),
      (kind) => kind !== 'running',
    )
    expect(await record()).toMatchObject({ schemas: new Map(), collections: new Map() })
    expect(tab.get(deepAuditAtom)).toMatchObject({ state: { kind: 'failed' }, report: null })
  })

  test('is not gone on with by the one that came after it', async () => {
    const { tab, worker } = await replaced(server())
    worker.tell({ kind: 'paused' })
    await readDeepAudit(tab)
    expect(tab.get(deepAuditAtom)).toEqual({ state: { kind: 'idle' }, report: null })
  })

  test('says nothing about the same database of another server', async () => {
    const of = server()
    const { tab, worker } = await restingAt3(of)
    of.uuid = 'server-two'
    await verifyState(tab)
    expect(tab.get(deepAuditAtom).state.kind).toBe('unread')
    worker.tell(forgone)
    await verifyState(tab)
    const points = tab.get(trustedStatesAtom)
    expect((await points.read({ ...idOf(tab), server: 'server-one' }))?.break).toBeNull()
    expect(tab.get(trustAtom)).toMatchObject({ broken: { kind: 'other-server' } })
  })
})

describe('what is kept of an audit', () => {
  type Change = (kept: Record<string, unknown>) => unknown
  const deep = (kept: Record<string, unknown>, change: (record: AuditRecord) => void) => {
    const copy = structuredClone(kept)
    change((copy.record ?? copy) as AuditRecord)
    return copy
  }
  const damages: [string, Change][] = [
    ['nothing but text', () => 'garbage'],
    ['a list', () => [1, 2, 3]],
    ['no sum', ({ sum: _, ...rest }) => rest],
    [
      'another hash',
      (kept) =>
        deep(kept, ({ resting }) => {
          if (resting) resting.saved.chain.alh = btoa('x'.repeat(32))
        }),
    ],
    [
      'another count',
      (kept) =>
        deep(kept, ({ resting }) => {
          if (resting) resting.saved.counts.values += 1
        }),
    ],
    [
      'less of it',
      (kept) =>
        deep(kept, ({ resting }) => {
          if (resting) Reflect.deleteProperty(resting, 'progress')
        }),
    ],
    ['what JSON does not have', (kept) => ({ ...kept, contact: 1n })],
  ]

  test.each(damages)('with %s is told as damage here, and nobody is blamed', async (_, change) => {
    const { tab, worker } = await restingAt3(server())
    worker.tell({ kind: 'paused' })
    expect(kindOf(tab)).toBe('paused')
    const points = tab.get(trustedStatesAtom)
    const found = (await points.readAudit(idOf(tab))) as Record<string, unknown>
    await points.writeAudit(idOf(tab), change(found))
    await resumeDeepAudit(tab)
    expect(lastWorker()).toBe(worker)
    expect(tab.get(deepAuditAtom)).toMatchObject({
      state: {
        kind: 'failed',
        words: expect.stringContaining('could not be read'),
        progress: null,
      },
      report: null,
    })
    expect((await points.read(idOf(tab)))?.break).toBeNull()
    // It is of no more use.
    await readDeepAudit(tab)
    expect(kindOf(tab)).toBe('idle')
  })

  test('is kept aside when the worker cannot go on from it', async () => {
    const { tab, worker } = await restingAt3(server())
    const value = await tab.get(trustedStatesAtom).readAudit(idOf(tab))
    worker.tell({ kind: 'unreadable' })
    await until(
      () => kindOf(tab),
      (kind) => kind === 'failed',
    )
    expect((await kept(tab)).resting).toBeNull()
    expect(tab.get(deepAuditAtom).state).toMatchObject({ progress: null })
    const { unreadable } = await tab.get(trustedStatesAtom).others()
    expect(unreadable).toMatchObject([{ store: 'audits', at: expect.any(Number), value }])
  })
})

describe('an audit in another tab', () => {
  /** What another tab says and hears. */
  function otherTab() {
    const channel = new BroadcastChannel('webconsole-audit')
    const heard: { kind: string; since?: number }[] = []
    channel.onmessage = ({ data }) => heard.push(data)
    onTestFinished(() => channel.close())
    return { heard, say: (message: unknown) => channel.postMessage(message) }
  }

  test('that began first goes on, this one gives way and follows', async () => {
    const { tab, worker } = await restingAt3(server())
    const { say, heard } = otherTab()
    say({ kind: 'ask', key: keyHere(tab) })
    await until(
      () => heard.some(({ kind }) => kind === 'running'),
      (isTold) => isTold,
    )
    say({ kind: 'running', key: keyHere(tab), since: 1, tab: 0 })
    await until(
      () => kindOf(tab),
      (kind) => kind === 'elsewhere',
    )
    expect(worker.isEnded).toBe(true)
    say({ kind: 'ended', key: keyHere(tab) })
    await until(
      () => kindOf(tab),
      (kind) => kind === 'unread',
    )
    await readDeepAudit(tab)
    expect(kindOf(tab)).toBe('paused')
  })

  test('that ends when this one has begun leaves this one as it is', async () => {
    const { tab, worker } = await restingAt3(server())
    const { say, heard } = otherTab()
    const isClaimed = () =>
      until(
        () => heard.some(({ kind }) => kind === 'running'),
        (isTold) => isTold,
      )
    worker.tell({ kind: 'paused' })
    await readDeepAudit(tab)
    say({ kind: 'running', key: keyHere(tab), since: 1, tab: 0 })
    await until(
      () => kindOf(tab),
      (kind) => kind === 'elsewhere',
    )
    heard.length = 0
    await resumeDeepAudit(tab)
    await isClaimed()
    heard.length = 0
    say({ kind: 'ended', key: keyHere(tab) })
    say({ kind: 'ask', key: keyHere(tab) })
    // The answer comes after what was heard before.
    await isClaimed()
    expect(kindOf(tab)).toBe('running')
  })

  test('that began later hears of this one', async () => {
    const { tab, worker } = await restingAt3(server())
    const { say, heard } = otherTab()
    const later = Date.now() + 60_000
    say({ kind: 'running', key: keyHere(tab), since: later, tab: 0 })
    const told = await until(
      () => heard.find(({ kind }) => kind === 'running'),
      (found) => found !== undefined,
    )
    expect(told?.since).toBeLessThan(later)
    expect(worker.isEnded).toBe(false)
  })

  test('is not shown as resting here', async () => {
    const { tab, worker } = await restingAt3(server())
    worker.tell({ kind: 'paused' })
    const { say, heard } = otherTab()
    await readDeepAudit(tab)
    await until(
      () => heard.some(({ kind }) => kind === 'ask'),
      (isAsked) => isAsked,
    )
    say({ kind: 'running', key: keyHere(tab), since: 1, tab: 0 })
    await until(
      () => kindOf(tab),
      (kind) => kind === 'elsewhere',
    )
  })
})

test('an audit ends at once for a user who logs out, and goes on after the next login', async () => {
  const of = server()
  const { tab, worker, door } = await restingAt3(of)
  endAllWork(tab)
  expect(worker.isEnded).toBe(true)
  expect(kindOf(tab)).toBe('unread')
  const next = tabOf(of, door)
  await verifyState(next)
  await readDeepAudit(next)
  expect(next.get(deepAuditAtom).state).toMatchObject({ kind: 'paused', progress: { txId: '3' } })
})

test('an audit whose user logs out while it is prepared does not begin', async () => {
  const of = server()
  const tab = tabOf(of)
  await verifyState(tab)
  const { length } = FakeWorker.all
  of.instead = () => void tab.set(sessionAtom, null)
  await beginDeepAudit(tab, { withValues: true, from: 'start' })
  expect(FakeWorker.all).toHaveLength(length)
  expect(kindOf(tab)).toBe('unread')
})

describe('a page that was locked, and unlocked by the same user,', () => {
  test('drops the report of an audit once another tab forgets its history', async () => {
    const of = server()
    const { tab, worker, door } = await restingAt3(of)
    worker.tell(ended(of))
    await until(
      () => kindOf(tab),
      (kind) => kind === 'finished',
    )
    endAllWork(tab)
    expect(tab.get(deepAuditAtom).report).not.toBeNull()
    await forgetState(tabOf(of, door), idOf(tab), 'restored')
    await until(
      () => tab.get(deepAuditAtom).report,
      (report) => report === null,
    )
  })

  test('shows what is kept of an audit that another tab has ended since', async () => {
    const { tab, worker } = await restingAt3(server())
    const other = new BroadcastChannel('webconsole-audit')
    onTestFinished(() => other.close())
    worker.tell({ kind: 'paused' })
    await readDeepAudit(tab)
    other.postMessage({ kind: 'running', key: keyHere(tab), since: 1, tab: 0 })
    await until(
      () => kindOf(tab),
      (kind) => kind === 'elsewhere',
    )
    endAllWork(tab)
    other.postMessage({ kind: 'ended', key: keyHere(tab) })
    await until(
      () => kindOf(tab),
      (kind) => kind === 'unread',
    )
  })
})

describe('what an audit refuses', () => {
  const refusal = {
    reason: 'audit',
    step: 'link',
    part: 'trusted',
    compared: { expected: 'aa', computed: 'bb' },
    steps: [],
  } as const

  test.each([
    ['trusted', 'rewritten'],
    ['txs', 'rolled-back'],
    ['prevAlh', 'object'],
  ] as const)('at %s is a history that is %s, and recorded', async (part, kind) => {
    const { tab, worker } = await started(server())
    worker.tell({ ...refused, refusal: { ...refusal, part } })
    await until(
      () => kindOf(tab),
      (state) => state === 'broken',
    )
    const broken = { kind, expected: 'aa', received: 'bb', what: refused.what }
    expect(tab.get(deepAuditAtom).state).toMatchObject({ broken })
    expect(tab.get(trustAtom)).toMatchObject({ kind: 'broken', broken })
    const record = await tab.get(trustedStatesAtom).read(tab.get(databaseIdAtom)('db'))
    expect(record?.break).toMatchObject(broken)
  })

  test('is recorded beside what was found meanwhile', async () => {
    const of = server()
    const { tab, worker } = await started(of)
    of.history = historyOf(3)
    worker.tell({ ...refused, refusal: { ...refusal, part: 'prevAlh' } })
    await until(
      () => kindOf(tab),
      (state) => state === 'broken',
    )
    const record = await tab.get(trustedStatesAtom).read(tab.get(databaseIdAtom)('db'))
    expect(record).toMatchObject({
      break: { kind: 'rolled-back' },
      others: [{ kind: 'object', what: refused.what }],
    })
    expect(tab.get(deepAuditAtom).state).toMatchObject({ broken: { kind: 'rolled-back' } })
  })

  test('is recorded although another tab moves the point just then', async () => {
    const inner = keptDoor()
    const of = server()
    let isTold = false
    let changes = 0
    const door: TrustStore = {
      ...inner,
      change: async (...asked) => {
        changes += isTold && asked[0] === 'points' ? 1 : 0
        // The first change is that of the state, which is looked at once more.
        if (changes === 2) {
          isTold = false
          grow(of.history)
          await verifyState(tabOf(of, inner))
        }
        return inner.change(...asked)
      },
    }
    const tab = tabOf(of, door)
    await beginDeepAudit(tab, { withValues: true, from: 'start' })
    isTold = true
    lastWorker().tell({ ...refused, refusal })
    await until(
      () => kindOf(tab),
      (state) => state === 'broken',
    )
    expect(await verifyState(tab)).toMatchObject({
      kind: 'broken',
      record: { point: { txId: '6' } },
      broken: { kind: 'rewritten' },
    })
    const { incidents } = await tab.get(trustedStatesAtom).others()
    expect(incidents).toMatchObject([{ incidents: [{ kind: 'rewritten', what: refused.what }] }])
  })

  test('is not looked for in a history that is broken already', async () => {
    const of = server()
    const { tab, worker } = await restingAt3(of)
    worker.tell({ kind: 'paused' })
    of.history = historyOf(4)
    await verifyState(tab)
    for (const begin of [
      () => beginDeepAudit(tab, { withValues: true, from: 'start' }),
      () => resumeDeepAudit(tab),
    ]) {
      await begin()
      expect(tab.get(deepAuditAtom).state).toMatchObject({
        kind: 'broken',
        broken: { kind: 'rolled-back' },
        isBefore: true,
      })
    }
    expect(lastWorker()).toBe(worker)
  })

  test('is first compared with the state: a history that was rolled back is just that', async () => {
    const of = server()
    const { tab, worker } = await started(of)
    of.history = historyOf(4)
    worker.tell({ ...refused, refusal })
    await until(
      () => kindOf(tab),
      (state) => state === 'broken',
    )
    expect(tab.get(deepAuditAtom).state).toMatchObject({
      broken: { kind: 'rolled-back', reason: 'rolled-back' },
    })
  })
})
