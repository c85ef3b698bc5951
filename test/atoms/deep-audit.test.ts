import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Store } from '~/atoms/client'
import {
  deepAuditAtom,
  dropDeepAuditAtom,
  pauseDeepAuditAtom,
  readDeepAuditAtom,
  resumeDeepAuditAtom,
  startDeepAuditAtom,
} from '~/atoms/deep-audit'
import { readRecord } from '~/atoms/deep-audit-record'
import { pauseAudit } from '~/atoms/deep-audit-work'
import { memoryDoor, type PointsDoor } from '~/atoms/points-door'
import { callCountAtom, sessionAtom } from '~/atoms/session'
import { checkTrustAtom, pointIdAtom, trustAtom } from '~/atoms/trust'
import { trustedPointsAtom } from '~/atoms/trusted-points'
import type { AuditNews, AuditOrder, AuditProgress } from '~/proof/audit-messages'
import { startDeepAudit } from '~/proof/deep-audit'
import { noExceptions } from '~/proof/exceptions'
import { readTarget, saveDeepAudit } from '~/proof/saved-audit'
import { grow, historyOf, ProvingServer, tabOf } from '../support/proving-server'
import { until } from '../support/until'

vi.mock('~/lib/build', () => ({
  build: { version: 'test', commit: 'test' },
  workers: new Map([['audit', 'audit.js']]),
}))

/** In the place of the worker: keeps what it is told, and says what the test wants. */
class FakeWorker extends EventTarget {
  static last: FakeWorker
  readonly orders: AuditOrder[] = []
  isEnded = false

  constructor() {
    super()
    FakeWorker.last = this
  }

  postMessage(order: AuditOrder) {
    this.orders.push(order)
  }

  terminate() {
    this.isEnded = true
  }

  tell(news: AuditNews) {
    this.dispatchEvent(new MessageEvent('message', { data: news }))
  }
}

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

async function started(of: ProvingServer): Promise<{ tab: Store; worker: FakeWorker }> {
  const tab = tabOf(of)
  await tab.set(startDeepAuditAtom, { withValues: true, from: 'start' })
  return { tab, worker: FakeWorker.last }
}

const kindOf = (tab: Store) => tab.get(deepAuditAtom).state.kind

async function kept(tab: Store) {
  const id = tab.get(pointIdAtom)('db')
  return readRecord(await tab.get(trustedPointsAtom).readAudit(id))
}

beforeEach(() => {
  vi.stubGlobal('Worker', FakeWorker)
  return () => {
    // An audit belongs to the page, which all tests of this file share.
    pauseAudit('db')
    FakeWorker.last?.tell({ kind: 'failed', words: '', details: '' })
  }
})

describe('an audit', () => {
  test('ends at the newest state, which is checked first', async () => {
    const of = server()
    const { tab, worker } = await started(of)
    expect(kindOf(tab)).toBe('running')
    expect(tab.get(trustAtom).kind).toBe('first')
    expect(worker.orders).toEqual([
      {
        kind: 'start',
        baseURL: 'http://localhost:3000/api',
        database: 'db',
        server: 'server-one',
        token: 'token',
        from: { target: of.history.point(5), withValues: true },
      },
    ])
  })

  test('of an empty database, or of one that cannot be checked, says so', async () => {
    const empty = tabOf(new ProvingServer(historyOf(0)))
    await empty.set(startDeepAuditAtom, { withValues: true, from: 'start' })
    expect(empty.get(deepAuditAtom).state).toMatchObject({
      kind: 'failed',
      words: expect.stringContaining('empty'),
    })
    const of = server()
    of.instead = () => Response.error()
    const away = tabOf(of)
    await away.set(startDeepAuditAtom, { withValues: true, from: 'start' })
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

  test('that ended leaves a report and pins what it proved', async () => {
    const of = server()
    const { tab, worker } = await started(of)
    worker.tell({ kind: 'progress', progress: progress('5'), saved: savedOf(of), calls: 0 })
    const schema = { table: 't', tableId: 1, pk: [1], cols: [], maxColId: 1 }
    const target = of.history.point(5)
    const tables = [{ table: 't', kind: 'agrees', what: '' }] as const
    worker.tell({
      kind: 'ended',
      tables: [...tables],
      schemas: [schema],
      collections: [['notes', 7]],
      end: null,
      target,
    })
    expect(worker.isEnded).toBe(true)
    await until(
      () => kindOf(tab),
      (kind) => kind === 'finished',
    )
    expect(tab.get(deepAuditAtom).report).toMatchObject({ first: '1', point: target, tables })
    const record = await kept(tab)
    expect(record).toMatchObject({ resting: null, report: { entries: 5 } })
    expect(record.finished).not.toBeNull()
    const points = tab.get(trustedPointsAtom)
    const pinned = () => points.read(tab.get(pointIdAtom)('db'))
    const found = await until(pinned, (one) => one?.collections.has('notes') === true)
    expect(found?.schemas.get('t')).toEqual(schema)
    // Nothing new was written.
    await tab.set(startDeepAuditAtom, { withValues: true, from: 'last' })
    expect(tab.get(deepAuditAtom).state).toMatchObject({
      words: expect.stringContaining('Nothing was written'),
    })
  })
})

describe('an audit that stops', () => {
  test('is paused and goes on from there, also in another page', async () => {
    const of = server()
    const { tab, worker } = await started(of)
    const saved = savedOf(of)
    worker.tell({ kind: 'progress', progress: progress('3'), saved, calls: 0 })
    await tab.set(pauseDeepAuditAtom)
    expect(worker.orders.at(-1)).toEqual({ kind: 'pause' })
    worker.tell({ kind: 'paused' })
    expect(worker.isEnded).toBe(true)
    await until(
      () => kindOf(tab),
      (kind) => kind === 'paused',
    )
    await tab.set(readDeepAuditAtom)
    expect(tab.get(deepAuditAtom).state).toMatchObject({ progress: { txId: '3', last: '5' } })
    await tab.set(resumeDeepAuditAtom)
    expect(FakeWorker.last).not.toBe(worker)
    expect(FakeWorker.last.orders[0]).toMatchObject({ kind: 'start', from: { resume: saved } })
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
    await tab.set(dropDeepAuditAtom)
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

  test('ends with the session', async () => {
    const { tab, worker } = await started(server())
    tab.set(sessionAtom, null)
    worker.tell({ kind: 'progress', progress: progress('3'), saved: null, calls: 0 })
    expect(worker.isEnded).toBe(true)
  })
})

describe('what an audit refuses', () => {
  const refused = {
    kind: 'refused',
    of: 'audit',
    what: 'the history of db behind transaction 3',
    context: { db: 'db', trusted: null, publicKey: null },
    request: {},
    response: { txs: [] },
  } as const
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
    const record = await tab.get(trustedPointsAtom).read(tab.get(pointIdAtom)('db'))
    expect(record?.break).toMatchObject(broken)
  })

  test('is recorded although another tab moves the point just then', async () => {
    const inner = memoryDoor()
    const of = server()
    let isTold = false
    let changes = 0
    const door: PointsDoor = {
      ...inner,
      change: async (...asked) => {
        changes += isTold && asked[0] === 'points' ? 1 : 0
        // The first change is that of the state, which is looked at once more.
        if (changes === 2) {
          isTold = false
          grow(of.history)
          await tabOf(of, inner).set(checkTrustAtom)
        }
        return inner.change(...asked)
      },
    }
    const tab = tabOf(of, door)
    await tab.set(startDeepAuditAtom, { withValues: true, from: 'start' })
    isTold = true
    FakeWorker.last.tell({ ...refused, refusal })
    await until(
      () => kindOf(tab),
      (state) => state === 'broken',
    )
    expect(await tab.set(checkTrustAtom)).toMatchObject({
      kind: 'broken',
      record: { point: { txId: '6' } },
      broken: { kind: 'rewritten' },
    })
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
