import { beforeEach, describe, expect, test, vi } from 'vitest'
import { connect } from '~/core/session/client'
import { openQueryCache } from '~/core/session/query-client'
import { databaseIdAtom } from '~/core/session/session'
import { evidenceSizeLimit } from '~/lib/constants'
import { saveAudit } from '~/proof/audit-walk'
import { writeEvidence } from '~/proof/evidence'
import { auditTx, startAudit } from '~/proof/kernel/audit'
import { verify } from '~/proof/kernel/verify'
import { factsAlone } from '~/proof/shown'
import { closeEvidence, evidenceAtom, openEvidence } from '~/trust/evidence'
import { writeEvidenceFile } from '~/trust/evidence-file'
import { trustedStatesAtom } from '~/trust/trusted-states'
import type { Verification } from '~/trust/verification'
import { verifyObject } from '~/trust/verify-object'
import { verifyState } from '~/trust/verify-state'
import { about } from '../support/evidence'
import { FakeWorker } from '../support/fake-worker'
import { History } from '../support/history'
import { madeUp, madeUpRow } from '../support/made-up'
import { grow, historyOf, ProvingServer, tabOf } from '../support/proving-server'
import { txAlone } from '../support/questions'
import { deriveTable, RowServer } from '../support/row-server'
import { until } from '../support/until'

const workersOfBuild = vi.hoisted(() => new Map<string, string>())

vi.mock('~/lib/build', () => ({
  build: { version: 'test', commit: 'test' },
  workers: workersOfBuild,
}))

const file = (text: string, name = 'evidence.json') => new File([text], name)

type TestTab = ReturnType<typeof tabOf>

/** A transaction verified in a tab, as a screen would have it. */
function verified(tab: TestTab): Promise<Verification> {
  return verifyObject(tab, txAlone(2))
}

async function saved(tab: TestTab) {
  const verification = await verified(tab)
  expect(verification.outcome.kind).toBe('ok')
  return writeEvidenceFile(tab, verification, { note: 'seen' })
}

async function opened(tab: TestTab, text: string) {
  await openEvidence(tab, file(text))
  const open = tab.get(evidenceAtom)
  if (open.kind !== 'checked') throw new Error(`it is ${JSON.stringify(open)}`)
  return open
}

describe('the file of a verification', () => {
  test('says of which server, database and console it is, and holds what it takes', async () => {
    const server = new ProvingServer(historyOf(3))
    const tab = tabOf(server)
    await verifyState(tab)
    const { name, text } = await saved(tab)
    // Names are cut when they are long, and the time tells two files of one object apart.
    expect(name).toMatch(/^evidence \d{4}-\d{2}-\d{2}T\d{6} db transaction 2$/)
    expect(JSON.parse(text)).toMatchObject({
      what: 'transaction 2',
      kind: 'tx',
      server: { uuid: 'server-one', origin: tab.get(databaseIdAtom)('db').origin },
      firstContact: { txId: '3' },
      context: { db: 'db', trusted: server.history.point(3) },
      outcome: { verdict: 'ok', firstUse: false },
      report: { note: 'seen' },
    })
  })

  test('is verified again by a browser that knows nothing', async () => {
    const server = new ProvingServer(historyOf(3))
    const tab = tabOf(server)
    await verifyState(tab)
    const { text } = await saved(tab)
    const other = tabOf(new ProvingServer(historyOf(1)))
    const open = await opened(other, text)
    expect(open.rechecked.agrees).toBe(true)
    expect(open.own).toEqual({ kind: 'none' })
  })
})

describe('the description of a table in a file', () => {
  test('is vouched for by an audit of this browser alone, whatever the file claims', async () => {
    const server = new RowServer(new History())
    server.add({ id: 1, name: 'one' })
    const tab = tabOf(server)
    connect(tab, '/api', server.answer)
    openQueryCache(tab)
    await verifyState(tab)
    const wanted = { table: 't', pkValues: [{ n: '1' }] }
    const verification = await verifyObject(tab, {
      database: 'db',
      kind: 'row',
      what: 'row 1',
      request: { sqlGetRequest: wanted },
      shown: factsAlone,
    })
    const { text } = await writeEvidenceFile(tab, verification)
    expect((await opened(tab, text)).judged.verdict).toBe('verified-in-part')
    // Said to be known for long.
    const file = JSON.parse(text)
    const known = { ...file, context: { ...file.context, schema: server.schema } }
    const open = await opened(tab, JSON.stringify(known))
    expect(open.judged.verdict).toBe('verified-in-part')
    expect(open.rechecked.unchecked).toContain('names')
    await deriveTable(tab, server)
    expect((await opened(tab, text)).judged.verdict).toBe('verified')
    server.column = 'paid'
    await deriveTable(tab, server)
    expect((await opened(tab, text)).judged.verdict).toBe('verified-in-part')
  })

  test('is not vouched for by what it was called before the content was written', async () => {
    const server = new RowServer(new History())
    server.add({ id: 1, name: 'one' })
    const tab = tabOf(server)
    await deriveTable(tab, server, '1')
    // Its columns are renamed, and the file calls them what they were called before.
    server.add({ id: 1, name: 'two' })
    await verifyState(tab)
    const open = await opened(tab, await madeUpRow(server, 2, server.history.point(1)))
    expect(open.own).toMatchObject({ kind: 'same', txId: '2' })
    expect([open.isDescribed, open.judged.verdict]).toEqual([false, 'verified-in-part'])
  })
})

describe('what a file says that it knows', () => {
  test('of transactions that were read does not place its own in the chain', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = tabOf(server)
    await verifyState(tab)
    const text = await madeUp(server, '2', server.history.point(5))
    const file = JSON.parse(text)
    const told = { ...file, context: { ...file.context, readFrom: '1', readTo: '5' } }
    for (const each of [text, JSON.stringify(told)]) {
      const { rechecked } = await opened(tab, each)
      expect(rechecked.agrees).toBe(true)
      expect(rechecked.unchecked).toContain('tree')
      expect(rechecked.outcome).toMatchObject({ verified: { open: ['tree'] } })
    }
  })

  test('of a table does not make its description an audited one', async () => {
    const server = new RowServer(new History())
    server.add({ id: 1, name: 'one' })
    const tab = tabOf(server)
    await verifyState(tab)
    const file = JSON.parse(await madeUpRow(server, 1, server.history.point(1)))
    const told = { ...file, context: { ...file.context, isOnlySeen: false } }
    expect(file.context.schema).toEqual(server.schema)
    for (const each of [file, told]) {
      const { rechecked, judged } = await opened(tab, JSON.stringify(each))
      expect(rechecked.unchecked).toContain('names')
      expect(rechecked.outcome).toMatchObject({ verified: { open: ['description'] } })
      expect(judged.verdict).toBe('verified-in-part')
    }
  })
})

describe('a state that is recorded here', () => {
  test('vouches for nothing once its server is revoked', async () => {
    const server = new ProvingServer(historyOf(3))
    const tab = tabOf(server)
    await verifyState(tab)
    const { text } = await saved(tab)
    expect((await opened(tab, text)).judged.verdict).toBe('verified')
    const { origin, server: uuid } = tab.get(databaseIdAtom)('db')
    const points = tab.get(trustedStatesAtom)
    await points.acceptServer(origin, 'another', 'moved')
    await points.revokeServer(origin, uuid, 'stolen')
    const { judged, own } = await opened(tab, text)
    expect([judged, own.kind]).toEqual([{ verdict: 'unproven', cause: 'file' }, 'none'])
  })

  test('vouches for nothing while the history behind it is broken', async () => {
    const server = new ProvingServer(historyOf(3))
    const tab = tabOf(server)
    await verifyState(tab)
    const { text } = await saved(tab)
    server.history = historyOf(2)
    await verifyState(tab)
    expect((await opened(tab, text)).judged).toEqual({ verdict: 'contradicted', cause: 'broken' })
  })
})

describe('the signing key of a file', () => {
  test('is compared with the one that is pinned here for that server', async () => {
    const server = new ProvingServer(historyOf(3))
    const tab = tabOf(server)
    await verifyState(tab)
    const { text } = await saved(tab)
    const key = (byte: number) => btoa(String.fromCharCode(4, ...new Array(64).fill(byte)))
    const file = JSON.parse(text)
    const { origin, server: uuid } = tab.get(databaseIdAtom)('db')
    const points = tab.get(trustedStatesAtom)
    await points.pinKey(origin, uuid, key(1))
    const unsigned = await opened(tab, text)
    expect([unsigned.judged.verdict, unsigned.key]).toEqual(['verified', 'missing'])
    // It claims another key; that it was signed with it is not even needed to contradict the own.
    const other = { ...file, context: { ...file.context, publicKey: key(2) } }
    const open = await opened(tab, JSON.stringify({ ...other, outcome: unproven }))
    expect(open.judged.cause).toBe('other-key')
  })
})

describe('the file of an audit', () => {
  /** Its last transaction, behind a walk that the file says was made. */
  async function audited(of: ProvingServer, at: number, after: unknown, txs = [of.history.tx(at)]) {
    const context = { db: 'db', trusted: of.history.point(at), publicKey: null }
    const request = { initialTx: String(at), limit: txs.length, ...(after ? { after } : {}) }
    const response = { txs }
    const verified = await verify('audit', context, request, response)
    const { origin } = tabOf(of).get(databaseIdAtom)('db')
    const asked = { kind: 'audit' as const, context, request, response, at: 0 }
    return writeEvidence(
      { ...asked, what: 'the audit of transactions 1 to 5', outcome: { kind: 'ok', verified } },
      { ...about, server: { uuid: of.uuid, origin }, report: { values: 'all read' } },
    )
  }

  function walkTo(history: History, tx: number) {
    const audit = startAudit()
    for (let at = 1; at <= tx; at += 1) auditTx(audit, history.tx(at))
    return saveAudit(audit)
  }

  test('that holds its end alone is no more than verified in part', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = tabOf(server)
    await verifyState(tab)
    const open = await opened(tab, await audited(server, 5, walkTo(server.history, 4)))
    expect(open.own.kind).toBe('same')
    expect(open.judged.verdict).toBe('verified-in-part')
    expect(open.rechecked.unchecked).toContain('audit')
  })

  test('of a made-up history is neutral, whatever its report says', async () => {
    const forged = new ProvingServer(historyOf(5, 'b', 2))
    const text = await audited(forged, 5, walkTo(forged.history, 4))
    const stranger = tabOf(new ProvingServer(historyOf(1)))
    expect((await opened(stranger, text)).judged.verdict).toBe('unproven')
    const own = new ProvingServer(historyOf(8))
    const tab = tabOf(own)
    await verifyState(tab)
    expect((await opened(tab, text)).judged.verdict).toBe('unproven')
  })

  test('with a forged beginning is contradicted by what is recorded of it here', async () => {
    const own = new ProvingServer(historyOf(4))
    const tab = tabOf(own)
    await verifyState(tab)
    const forged = new ProvingServer(historyOf(5, 'b', 2))
    const open = await opened(tab, await audited(forged, 5, walkTo(forged.history, 4)))
    expect(open.judged.verdict).toBe('contradicted')
    expect(open.own).toMatchObject({ txId: '4', theirs: forged.history.point(4) })
  })

  test('is contradicted by a transaction in the middle of it, too', async () => {
    const own = new ProvingServer(historyOf(3))
    const tab = tabOf(own)
    await verifyState(tab)
    const forged = new ProvingServer(historyOf(5, 'b', 2))
    const txs = [1, 2, 3, 4, 5].map((tx) => forged.history.tx(tx))
    const open = await opened(tab, await audited(forged, 5, null, txs))
    expect(open.judged.verdict).toBe('contradicted')
    expect(open.own).toMatchObject({ txId: '3', theirs: forged.history.point(3) })
  })

  test('does not vouch for what was made up behind a walk that is known here', async () => {
    const own = new ProvingServer(historyOf(4))
    const tab = tabOf(own)
    await verifyState(tab)
    const forged = new ProvingServer(historyOf(5, 'b', 4))
    const open = await opened(tab, await audited(forged, 5, walkTo(forged.history, 4)))
    expect(open.own.kind).toBe('apart')
    expect(open.judged.verdict).toBe('unproven')
  })

  test('with the walk of another history before it is refused, so it was changed', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = tabOf(server)
    await verifyState(tab)
    const file = JSON.parse(await audited(server, 5, walkTo(server.history, 4)))
    file.request.after = walkTo(historyOf(4, 'b', 2), 4)
    expect((await opened(tab, JSON.stringify(file))).judged.verdict).toBe('failed')
  })
})

describe('a file that is checked in a worker', () => {
  beforeEach(() => {
    vi.stubGlobal('Worker', FakeWorker)
    workersOfBuild.set('proof', 'proof.js')
    return () => workersOfBuild.delete('proof')
  })

  const asked = () =>
    until(
      () => FakeWorker.all.findLast(({ orders, isEnded }) => orders.length > 0 && !isEnded),
      (one) => one !== undefined,
    )

  test('says how far it is, and is ended at once when it is cancelled', async () => {
    const tab = tabOf(new ProvingServer(historyOf(1)))
    void openEvidence(tab, file('{}', 'large.json'))
    const worker = await asked()
    expect(tab.get(evidenceAtom)).toMatchObject({ kind: 'reading', progress: null })
    const progress = { step: 'reading', share: 0.5 }
    worker?.tell({ number: 0, progress })
    expect(tab.get(evidenceAtom)).toEqual({ kind: 'reading', name: 'large.json', progress })
    closeEvidence(tab)
    expect(worker?.isEnded).toBe(true)
    worker?.tell({ number: 0, verified: { error: 'late' } })
    expect(tab.get(evidenceAtom)).toEqual({ kind: 'none' })
  })

  test('leaves its worker to the next one, which needs no server then', async () => {
    const tab = tabOf(new ProvingServer(historyOf(1)))
    for (const name of ['one', 'two']) {
      const reading = openEvidence(tab, file('{}', name))
      const worker = await asked()
      const count = FakeWorker.all.length
      if (!worker) throw new Error('no worker was asked')
      worker.orders.length = 0
      worker.tell({ number: 0, verified: { error: `it is ${name}` } })
      await reading
      expect(tab.get(evidenceAtom)).toMatchObject({ name, error: `it is ${name}` })
      expect(FakeWorker.all).toHaveLength(count)
    }
    expect(FakeWorker.all.filter(({ isEnded }) => !isEnded)).toHaveLength(1)
  })

  test('that is large is never checked on the page instead', async () => {
    const tab = tabOf(new ProvingServer(historyOf(1)))
    const large = {
      name: 'large.json',
      size: 2_000_000,
      arrayBuffer: () => Promise.reject(new Error()),
    }
    const reading = openEvidence(tab, large)
    const worker = await asked()
    worker?.dispatchEvent(new Event('error'))
    await reading
    expect(tab.get(evidenceAtom)).toMatchObject({
      kind: 'unreadable',
      error: expect.stringContaining('memory'),
    })
    vi.stubGlobal('Worker', undefined)
    const again = tabOf(new ProvingServer(historyOf(1)))
    await openEvidence(again, large)
    expect(again.get(evidenceAtom)).toMatchObject({
      kind: 'unreadable',
      error: expect.stringContaining('in the background'),
    })
  })
})

const unproven = { verdict: 'unproven', why: 'nothing' }

describe('the point of a file beside the own record', () => {
  test('is the same, also after the own one has moved on', async () => {
    const server = new ProvingServer(historyOf(3))
    const tab = tabOf(server)
    await verifyState(tab)
    const { text } = await saved(tab)
    grow(server.history)
    await verifyState(tab)
    const point = server.history.point(3)
    expect((await opened(tab, text)).own).toEqual({ kind: 'same', ...point, theirs: point })
  })

  test('is different where this browser was shown another history', async () => {
    const server = new ProvingServer(historyOf(3))
    const tab = tabOf(server)
    await verifyState(tab)
    const { text } = await saved(tab)
    const forked = new ProvingServer(historyOf(3, 'b', 1))
    const other = tabOf(forked)
    await verifyState(other)
    const open = await opened(other, text)
    expect(open.rechecked.agrees).toBe(true)
    const theirs = server.history.point(3)
    expect(open.own).toEqual({ kind: 'different', ...forked.history.point(3), theirs })
  })

  test('is different where only what the file proves contradicts the record', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = tabOf(server)
    await verifyState(tab)
    const { text } = await saved(tab)
    // This browser stopped at the very transaction that is proven, of another history.
    const forked = new ProvingServer(historyOf(2, 'b', 1))
    const other = tabOf(forked)
    await verifyState(other)
    expect((await opened(other, text)).own).toEqual({
      kind: 'different',
      ...forked.history.point(2),
      theirs: server.history.point(2),
    })
  })

  test('does not vouch for what was made up behind it', async () => {
    const server = new ProvingServer(historyOf(2))
    const tab = tabOf(server)
    await verifyState(tab)
    const known = server.history.point(2)
    // Goes on from there as this browser never saw it, by someone who has the history up to there.
    const forged = new ProvingServer(historyOf(4, 'b', 2))
    const text = await madeUp(forged, '4', known)
    const open = await opened(tab, text)
    expect(open.rechecked).toMatchObject({ agrees: true, outcome: { kind: 'ok' } })
    expect(open.rechecked.unchecked).toContain('newer')
    expect(open.own).toEqual({ kind: 'apart', ...known, theirs: forged.history.point(4) })
    // Its own record may vouch for it all the same.
    const other = tabOf(forged)
    await verifyState(other)
    expect((await opened(other, text)).own.kind).toBe('same')
  })

  test('of a server without a name is one of its address, not of every such server', async () => {
    const server = new ProvingServer(historyOf(3))
    server.uuid = ''
    const tab = tabOf(server)
    await verifyState(tab)
    const { text } = await saved(tab)
    expect(JSON.parse(text).server.uuid).toBeNull()
    expect((await opened(tab, text)).own.kind).toBe('same')
    const elsewhere = tabOf(new ProvingServer(historyOf(3)))
    const id = { origin: 'https://other.example', server: '', database: 'db' }
    const forked = historyOf(3, 'b', 1)
    await elsewhere.get(trustedStatesAtom).move(id, null, forked.point(3), 'first')
    expect((await opened(elsewhere, text)).own).toEqual({ kind: 'none' })
  })

  test('of a named server is one of that server, wherever it is reached', async () => {
    const server = new ProvingServer(historyOf(3))
    const tab = tabOf(server)
    await verifyState(tab)
    const { text } = await saved(tab)
    const elsewhere = tabOf(new ProvingServer(historyOf(3)))
    const points = elsewhere.get(trustedStatesAtom)
    const there = { origin: 'https://other.example', server: 'server-one', database: 'db' }
    const forked = historyOf(3, 'b', 1)
    await points.move(there, null, forked.point(3), 'first')
    expect((await opened(elsewhere, text)).own.kind).toBe('different')
  })

  test('cannot be compared where the transaction was never recorded', async () => {
    const server = new ProvingServer(historyOf(3))
    const tab = tabOf(server)
    await verifyState(tab)
    const { text } = await saved(tab)
    grow(server.history)
    const other = tabOf(server)
    await verifyState(other)
    expect((await opened(other, text)).own).toMatchObject({ kind: 'apart', txId: '4' })
  })

  test('is left out where the records cannot be read', async () => {
    const server = new ProvingServer(historyOf(3))
    const tab = tabOf(server)
    await verifyState(tab)
    const { text } = await saved(tab)
    const points = tab.get(trustedStatesAtom)
    points.all = () => Promise.reject(new Error('storage gave up'))
    expect((await opened(tab, text)).own).toEqual({ kind: 'none' })
  })
})

describe('a file', () => {
  const tab = tabOf(new ProvingServer(historyOf(1)))

  test('that is none is told by name, with the reason', async () => {
    await openEvidence(tab, file('{}', 'other.json'))
    expect(tab.get(evidenceAtom)).toEqual({
      kind: 'unreadable',
      name: 'other.json',
      error: 'This is not an evidence file of this console.',
    })
  })

  test('that is far too large is not even read', async () => {
    const arrayBuffer = () => Promise.reject(new Error('it was read'))
    await openEvidence(tab, { name: 'huge', size: evidenceSizeLimit + 1, arrayBuffer })
    expect(tab.get(evidenceAtom)).toMatchObject({ error: expect.stringContaining('larger') })
  })

  test('that vanished under the browser is told', async () => {
    const arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotFoundError'))
    await openEvidence(tab, { name: 'gone', size: 1, arrayBuffer })
    expect(tab.get(evidenceAtom)).toMatchObject({ kind: 'unreadable', name: 'gone' })
  })

  test('that is read for long does not take the place of a later one, nor of none', async () => {
    let finish: (bytes: ArrayBuffer) => void = () => {}
    const slow = new Promise<ArrayBuffer>((resolve) => {
      finish = resolve
    })
    const first = openEvidence(tab, { name: 'slow', size: 1, arrayBuffer: () => slow })
    expect(tab.get(evidenceAtom)).toEqual({ kind: 'reading', name: 'slow', progress: null })
    closeEvidence(tab)
    finish(new ArrayBuffer(2))
    await first
    expect(tab.get(evidenceAtom)).toEqual({ kind: 'none' })
  })
})
