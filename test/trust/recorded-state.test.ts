import { describe, expect, test, vi } from 'vitest'
import { serverAtom } from '~/core/session/session'
import type { EvidenceFile } from '~/proof/check-evidence'
import { lookOf } from '~/screens/proof/trust-look'
import { needsReason } from '~/screens/trust/DecideDialog'
import { importState } from '~/trust/compared-state'
import { incidentOf } from '~/trust/findings'
import { ownState } from '~/trust/recorded-state'
import { memoryTrustStore } from '~/trust/store'
import { verdictOfRecord } from '~/trust/trust'
import { type Break, isUncompared, startedRecord } from '~/trust/trust-record'
import { trustedStatesAtom } from '~/trust/trusted-states'
import { verifyState } from '~/trust/verify-state'
import { comparisonWords, serverWords } from '~/words/comparison'
import { grow, historyOf, ProvingServer, refusal, tabOf } from '../support/proving-server'

const id = { origin: 'http://localhost:3000', server: 'server-one', database: 'db' }

test('a server is accepted only with a reason, for nothing else tells later why', () => {
  expect(needsReason('accept')).toBe(true)
  expect(needsReason('keep')).toBe(false)
})

test('a proof in a page that keeps nothing is neither consistent nor unchanged', async () => {
  const server = new ProvingServer(historyOf(5))
  const tab = tabOf(server, memoryTrustStore())
  tab.set(serverAtom, server.uuid)
  await verifyState(tab)
  grow(server.history)
  const trust = await verifyState(tab)
  expect(trust.kind).toBe('first')
  const { title, text } = lookOf(trust, () => 'noon')
  expect(title).toBe('First contact')
  expect(text).toMatch(/This browser keeps nothing for it/)
  const record = 'record' in trust ? trust.record : null
  expect(verdictOfRecord(record, trust).cause).toBe('first')
})

test('a missing signature is an incident without hashes, for none was compared', () => {
  const hash = 'a'.repeat(64)
  const found = { kind: 'unsigned', reason: 'signature', what: 'the newest state of db', at: 1 }
  const broken = { ...found, step: 'signature', part: 'signature', expected: hash, received: hash }
  expect(incidentOf(broken as Break)).toMatchObject({ expected: '', received: '' })
})

describe('a state from elsewhere', () => {
  const same = { kind: 'same', txId: '3' } as const

  test('that is the imported one again was compared with nothing', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = tabOf(server)
    tab.set(serverAtom, server.uuid)
    server.instead = () => refusal('internal error', 500)
    await importState(tab, id, server.history.point(3))
    const imported = await tab.get(trustedStatesAtom).read(id)
    if (!imported) throw new Error('not taken over')
    expect(isUncompared(imported)).toBe(true)
    const { tone, text } = comparisonWords(same, { isHere: true, isUncompared: true })
    expect(tone).toBe('neutral')
    expect(text).not.toMatch(/recorded|were shown/)
    const claim = { ...server.history.point(3), vouches: true }
    const file = { context: { db: 'db' }, server: { uuid: id.server, origin: id.origin } }
    const own = () => ownState(file as EvidenceFile, [claim], [imported])
    expect(own()).toMatchObject({ kind: 'same', isUncompared: true })
    server.instead = () => undefined
    await verifyState(tab)
    const compared = await tab.get(trustedStatesAtom).read(id)
    expect(compared && isUncompared(compared)).toBe(false)
  })

  test('agrees by no proof where the server has proven nothing', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = tabOf(server)
    tab.set(serverAtom, server.uuid)
    await verifyState(tab)
    const trust = await verifyState(tab)
    expect(trust.kind).toBe('first')
    expect(await importState(tab, id, server.history.point(5))).toEqual({ kind: 'same' })
    expect(serverWords({ kind: 'same' }).tone).toBe('neutral')
    expect(await importState(tab, id, server.history.point(2))).toMatchObject({
      kind: 'agrees',
      verification: { outcome: { kind: 'ok', verified: { open: ['tree'] } } },
    })
  })

  test('agrees with nothing where the trusted state is forgotten while it is proven', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = tabOf(server)
    tab.set(serverAtom, server.uuid)
    await verifyState(tab)
    const points = tab.get(trustedStatesAtom)
    const read = points.read.bind(points)
    let reads = 0
    vi.spyOn(points, 'read').mockImplementation(async (of) => {
      const found = await read(of)
      reads += 1
      // Another tab does it, once what is recorded was looked at.
      if (reads === 3) await points.forget(id, 'test')
      return found
    })
    const found = await importState(tab, id, server.history.point(2))
    expect(found.kind).toBe('unknown')
  })

  test('is only imported where another address has compared the history up to elsewhere', async () => {
    const record = (origin: string, at: number, how: 'state' | 'import') => ({
      ...startedRecord({ ...id, origin }, historyOf(5).point(at), how, 1),
      ...(how === 'import' ? {} : { checked: 2, provenAt: 2, moved: 1 }),
    })
    const records = [record('https://one', 5, 'state'), record('https://two', 3, 'import')]
    const file = { context: { db: 'db' }, server: { uuid: id.server, origin: id.origin } }
    const claim = { ...historyOf(5).point(3), vouches: true }
    expect(ownState(file as EvidenceFile, [claim], records)).toMatchObject({
      kind: 'same',
      isUncompared: true,
    })
  })
})
