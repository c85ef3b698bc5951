// @vitest-environment node
import { describe, expect, test, vi } from 'vitest'
import { databaseIdAtom, serverAtom, sessionAtom } from '~/core/session/session'
import { encodeUtf8 } from '~/lib/bytes'
import { plainKey, plainValue } from '~/proof/kernel/stored'
import { lookOf } from '~/screens/proof/trust-look'
import { importState } from '~/trust/compared-state'
import { acknowledgeBreak, forgetState } from '~/trust/decisions'
import { gapOf, verdictWhenChecked } from '~/trust/object-verdict'
import { proveAll } from '~/trust/prove'
import { keyQuestions } from '~/trust/questions'
import { refusedOnce } from '~/trust/refused-before'
import type { TrustStore } from '~/trust/store'
import { trustAtom, verdictOfTrust } from '~/trust/trust'
import { trustedStatesAtom, trustRecordsAtom } from '~/trust/trusted-states'
import type { Verification } from '~/trust/verification'
import { verifyObject } from '~/trust/verify-object'
import { noteFinding, verifyState } from '~/trust/verify-state'
import { History, type Json } from '../support/history'
import {
  grow,
  historyOf,
  keptDoor,
  laggingHistory,
  ProvingServer,
  refusal,
  tabOf,
} from '../support/proving-server'
import { keyAlone, txAlone } from '../support/questions'

type Tab = ReturnType<typeof tabOf>

/** A tab that has found a false proof of a key, and could not keep that. */
async function notKept() {
  const door = keptDoor()
  const storage = { isFull: false }
  const change: TrustStore['change'] = (...asked) =>
    storage.isFull ? Promise.reject(new DOMException('full', 'AbortError')) : door.change(...asked)
  const server = new ProvingServer(historyOf(5))
  const tab = tabOf(server, { ...door, change })
  await verifyState(tab)
  server.change = (answer, path) => (path.endsWith('/get') ? { ...answer, entry: {} } : answer)
  server.instead = (path) => {
    storage.isFull = path.endsWith('/get')
    return undefined
  }
  await verifyKey(tab, 2)
  return { server, tab, storage }
}

/** Verifies the key that a transaction wrote. */
function verifyKey(tab: Tab, tx: number, what?: string): Promise<Verification<'get'>> {
  return verifyObject(tab, keyAlone(`k${tx}`, what))
}

async function at(size: number) {
  const server = new ProvingServer(historyOf(size))
  const tab = tabOf(server)
  await verifyState(tab)
  return { server, tab }
}

const recordIn = (tab: Tab) => tab.get(trustedStatesAtom).read(tab.get(databaseIdAtom)('db'))

describe('an object', () => {
  test('is verified against the trusted state, with all that is needed to do it again', async () => {
    const { server, tab } = await at(5)
    expect(await verifyKey(tab, 2)).toMatchObject({
      database: 'db',
      server: 'server-one',
      kind: 'get',
      what: 'key k2',
      context: { db: 'db', trusted: server.history.point(5) },
      request: { keyRequest: { key: btoa('k2') } },
      response: { entry: { tx: '2' } },
      outcome: { kind: 'ok', verified: { firstUse: false, facts: { tx: '2' } } },
    })
  })

  test('has the point taken first when there is none', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = tabOf(server)
    expect((await verifyKey(tab, 2)).outcome).toMatchObject({
      kind: 'ok',
      verified: { firstUse: false },
    })
    expect(server.asked[0]).toBe('/db/state')
  })

  test('waits for a first contact that is under way', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = tabOf(server)
    let open: () => void = () => {}
    const gate = new Promise<undefined>((resolve) => {
      open = () => resolve(undefined)
    })
    server.instead = (path) => (path === '/db/state' ? gate : undefined)
    const contact = verifyState(tab)
    await vi.waitFor(() => expect(tab.get(trustAtom).kind).toBe('checking'))
    const verification = verifyKey(tab, 2)
    // What is needed is here already, so that it has begun after one turn.
    await import('~/trust/verify-object')
    await new Promise((resolve) => setTimeout(resolve))
    open()
    await contact
    expect((await verification).outcome).toMatchObject({
      kind: 'ok',
      verified: { firstUse: false },
    })
  })

  test('newer than the point waits for the point to move', async () => {
    const { server, tab } = await at(5)
    grow(server.history)
    grow(server.history)
    const { outcome, context } = await verifyKey(tab, 6)
    expect(outcome).toMatchObject({ kind: 'ok', verified: { next: { txId: '7' } } })
    expect(context?.trusted?.txId).toBe('7')
    expect((await recordIn(tab))?.point.txId).toBe('7')
  })

  test('newer than the point and not tied to it is unproven, and the point stays', async () => {
    const server = new ProvingServer(laggingHistory())
    const tab = tabOf(server)
    let newest = 20
    server.change = (answer, path) => (path === '/db/state' ? server.state(newest) : answer)
    await verifyState(tab)
    await verifyState(tab)
    const { outcome } = await verifyKey(tab, 21)
    expect(outcome).toMatchObject({ kind: 'unproven', why: expect.stringContaining('lags behind') })
    newest = 21
    const trust = await verifyState(tab)
    expect(trust).toMatchObject({ kind: 'first', why: expect.stringContaining('lags behind') })
    expect((await recordIn(tab))?.point.txId).toBe('20')
  })

  describe('behind which the tree lagged', () => {
    /** A server without an id, whose tree stood still for some transactions and then went on. */
    function withoutAdvance() {
      const history = new History()
      for (let at = 1; at <= 25; at += 1) {
        const lag = at <= 10 || at > 20 ? 0 : at - 10
        const [key, value] = [`k${at}`, `a${at}`].map(encodeUtf8) as [Uint8Array, Uint8Array]
        history.add([{ key: plainKey(key), value: plainValue(value) }], { lag })
      }
      const server = new ProvingServer(history)
      server.uuid = ''
      const tab = tabOf(server)
      const cut = (answer: Json, path: string): Json => {
        const parts = answer.verifiableTx ? (answer.verifiableTx as Json) : answer
        if (path !== '/db/state') delete (parts.dualProof as Json).LinearAdvanceProof
        return answer
      }
      return { server, tab, cut }
    }

    test('cannot be checked on servers that send no proof of it, and nothing is called wrong', async () => {
      const { server, tab, cut } = withoutAdvance()
      server.change = cut
      await verifyState(tab)
      const { outcome } = await verifyKey(tab, 15)
      expect(outcome).toMatchObject({
        kind: 'unproven',
        why: expect.stringContaining('the answer lacks the proof for that'),
      })
      expect((await verifyKey(tab, 9)).outcome).toMatchObject({ kind: 'ok' })
      expect((await verifyKey(tab, 22)).outcome).toMatchObject({ kind: 'ok' })
      expect(tab.get(trustAtom).kind).not.toBe('broken')
      expect((await tab.set(trustRecordsAtom)).incidents).toEqual([])
    })

    test('holds the trusted state, which is checked again on a newer version', async () => {
      const { server, tab, cut } = withoutAdvance()
      let newest = 15
      server.change = (answer, path) =>
        path === '/db/state' ? server.state(newest) : cut(answer, path)
      await verifyState(tab)
      newest = 25
      expect(await verifyState(tab)).toMatchObject({
        kind: 'first',
        why: expect.stringContaining('the answer lacks the proof for that'),
      })
      expect((await recordIn(tab))?.point.txId).toBe('15')
      server.change = (answer) => answer
      expect(await verifyState(tab)).toMatchObject({ kind: 'consistent' })
      expect(await recordIn(tab)).toMatchObject({ point: { txId: '25' }, hasAdvance: true })
    })

    test('is wrong without its proof once there was one', async () => {
      const { server, tab, cut } = withoutAdvance()
      await verifyState(tab)
      expect((await verifyKey(tab, 15)).outcome).toMatchObject({ kind: 'ok' })
      server.change = cut
      expect((await verifyKey(tab, 15)).outcome).toMatchObject({
        refusal: { reason: 'linear-advance-proof' },
      })
      expect(tab.get(trustAtom).kind).toBe('broken')
    })

    test('is wrong without its proof where the server has an id', async () => {
      const { server, tab, cut } = withoutAdvance()
      server.uuid = 'server-one'
      server.change = cut
      await verifyState(tab)
      expect((await verifyKey(tab, 15)).outcome).toMatchObject({ kind: 'refused' })
    })
  })

  test('whose answer leaves out the other entries is verified in part', async () => {
    const { server, tab } = await at(5)
    const shown = { database: 'db', key: btoa('k2'), what: 'k2', tx: '2', value: btoa('a2') }
    const key = keyQuestions({ ...shown, state: 'live', expiresAt: null, target: null })
    expect((await proveAll(tab, key)).map(verdictWhenChecked)).toMatchObject([
      { verdict: 'verified' },
    ])
    server.change = (answer, path) => {
      if (!path.endsWith('/get')) return answer
      const { tx, ...rest } = answer.verifiableTx as Json
      return { ...answer, verifiableTx: rest }
    }
    const [proof] = await proveAll(tab, key)
    expect(proof && gapOf(proof)).toContain('same key')
    expect(proof && verdictWhenChecked(proof).verdict).toBe('verified-in-part')
  })

  test('of a database that was empty waits for its first contact', async () => {
    const { server, tab } = await at(0)
    grow(server.history)
    const { outcome } = await verifyKey(tab, 1)
    expect(outcome).toMatchObject({ kind: 'ok', verified: { firstUse: false } })
    expect(await recordIn(tab)).toMatchObject({ firstContact: { txId: '1' }, moved: 0 })
    // A proof of the first contact itself links it to nothing.
    expect(tab.get(trustAtom).kind).toBe('first')
  })

  test('is verified against a first contact, and does not make that consistent', async () => {
    const { server, tab } = await at(5)
    expect((await verifyKey(tab, 5)).outcome.kind).toBe('ok')
    expect([tab.get(trustAtom).kind, (await recordIn(tab))?.provenAt]).toEqual(['first', 0])
    const verification = await verifyKey(tab, 2)
    expect(verdictWhenChecked({ verification }).verdict).toBe('verified')
    // The server gave that state a moment ago and has confirmed nothing but itself.
    const trust = tab.get(trustAtom)
    expect(trust).toMatchObject({ kind: 'first', record: { moved: 0 } })
    expect((await recordIn(tab))?.provenAt).toBeGreaterThan(0)
    expect(verdictOfTrust(trust).verdict).toBe('unproven')
    expect(lookOf(trust, String)).toMatchObject({
      title: 'First contact',
      text: expect.stringMatching(/the state that the server gave at first contact/),
    })
    await verifyState(tab)
    expect(lookOf(tab.get(trustAtom), String).title).toMatch(/^First contact · unchanged since/)
    // An advance is a proof about a state that was there before.
    grow(server.history)
    await verifyState(tab)
    expect(tab.get(trustAtom)).toMatchObject({ kind: 'consistent', record: { moved: 1 } })
    expect(verdictOfTrust(tab.get(trustAtom)).verdict).toBe('verified')
  })

  test('F73 that the index does not have yet is asked for again', async () => {
    const { server, tab } = await at(5)
    let left = 2
    server.instead = (path) => {
      if (!path.endsWith('/get') || left === 0) return undefined
      left -= 1
      return refusal('tbtree: key not found')
    }
    expect((await verifyKey(tab, 2)).outcome.kind).toBe('ok')
  })

  test('that is not there is neither right nor wrong', async () => {
    const { tab } = await at(5)
    expect((await verifyKey(tab, 8)).outcome.kind).toBe('unproven')
    expect(tab.get(trustAtom).kind).toBe('first')
  })

  test.each([
    ['9', /no such transaction\. The newest that this browser knows of is tx 5\.$/],
    ['3', /no such transaction\. It must have one, for the trusted state is tx 5: ask/],
  ])('that is transaction %s and not there is told by what is known', async (tx, why) => {
    const { server, tab } = await at(5)
    server.instead = (path) => (path.includes('/tx/') ? refusal('tx not found') : undefined)
    const { outcome } = await verifyObject(tab, txAlone(tx))
    expect(outcome).toEqual({ kind: 'unproven', why: expect.stringMatching(why) })
    expect(tab.get(trustAtom).kind).toBe('first')
  })

  test.each([
    ['a network error', () => Promise.reject(new TypeError('fetch failed'))],
    ['a missing right', () => refusal('permission denied', 403)],
    ['an error of the server', () => refusal('something else', 500)],
  ])('is not verified after %s, and nothing is said about the history', async (_, answer) => {
    const { server, tab } = await at(5)
    server.instead = (path) => (path.endsWith('/get') ? answer() : undefined)
    await expect(verifyKey(tab, 2)).rejects.toMatchObject({ name: 'ApiError' })
    expect(tab.get(trustAtom).kind).not.toBe('broken')
  })

  test('F74 whose proof is wrong twice breaks the history; once is nothing', async () => {
    const { server, tab } = await at(5)
    let left = 1
    server.change = (answer, path) => {
      if (!path.endsWith('/get') || left === 0) return answer
      left -= 1
      return { ...answer, entry: { ...(answer.entry as Json), value: btoa('other') } }
    }
    expect((await verifyKey(tab, 2)).outcome.kind).toBe('ok')
    left = 9
    const { outcome } = await verifyKey(tab, 2)
    expect(outcome).toMatchObject({ kind: 'refused', refusal: { reason: 'entry-not-included' } })
    expect(tab.get(trustAtom)).toMatchObject({
      kind: 'broken',
      broken: { kind: 'object', what: 'key k2', verification: { response: expect.anything() } },
    })
    expect((await recordIn(tab))?.break).toMatchObject({ kind: 'object' })
  })

  test('whose proof is wrong breaks the history although another tab moved the point', async () => {
    const door = keptDoor()
    const server = new ProvingServer(historyOf(5))
    const [tab, other] = [tabOf(server, door), tabOf(server, door)]
    await verifyState(tab)
    server.change = (answer, path) => (path.endsWith('/get') ? { ...answer, entry: {} } : answer)
    server.instead = async (path) => {
      if (!path.endsWith('/get')) return undefined
      grow(server.history)
      await verifyState(other)
      return undefined
    }
    await verifyKey(tab, 2)
    expect((await recordIn(tab))?.break).toMatchObject({ kind: 'object' })
    expect(await verifyState(tab)).toMatchObject({ kind: 'broken' })
  })

  test('whose proof is wrong stays a finding of the page when it cannot be kept', async () => {
    const { server, tab, storage } = await notKept()
    storage.isFull = false
    expect((await recordIn(tab))?.break).toBeNull()
    grow(server.history)
    expect(await verifyState(tab)).toMatchObject({
      kind: 'broken',
      broken: { kind: 'object' },
    })
  })

  test('whose proof is wrong and that is forgotten meanwhile breaks nothing new', async () => {
    const { server, tab } = await at(5)
    let asked = 0
    server.change = (answer, path) => (path.endsWith('/get') ? { ...answer, entry: {} } : answer)
    server.instead = async (path) => {
      if (!path.endsWith('/get')) return undefined
      asked += 1
      if (asked === 2) await forgetState(tab, tab.get(databaseIdAtom)('db'), 'restored')
      return undefined
    }
    await verifyKey(tab, 2)
    expect(await verifyState(tab)).toMatchObject({ kind: 'first' })
  })

  test('refused once and not answered again is told, and the next refusal is the second', async () => {
    const { server, tab } = await at(5)
    server.change = (answer, path) => (path.endsWith('/get') ? { ...answer, entry: {} } : answer)
    let asked = 0
    server.instead = (path) => {
      if (path.endsWith('/get')) asked += 1
      return asked > 1 && path.endsWith('/get') ? refusal('something else', 500) : undefined
    }
    await expect(verifyKey(tab, 2)).rejects.toMatchObject({ name: 'ApiError' })
    const refused = { kind: 'first', ...refusedOnce }
    expect(tab.get(trustAtom)).toMatchObject(refused)
    expect(await verifyState(tab)).toMatchObject(refused)
    server.instead = () => undefined
    server.asked.length = 0
    expect((await verifyKey(tab, 2)).outcome.kind).toBe('refused')
    expect(server.count('/get')).toBe(1)
    expect(tab.get(trustAtom).kind).toBe('broken')
  })

  test('makes a state from elsewhere consistent, which the server did not give', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = tabOf(server)
    tab.set(serverAtom, server.uuid)
    await importState(tab, tab.get(databaseIdAtom)('db'), server.history.point(5))
    expect(tab.get(trustAtom).kind).toBe('first')
    expect((await verifyKey(tab, 2)).outcome.kind).toBe('ok')
    expect(tab.get(trustAtom)).toMatchObject({ kind: 'consistent', record: { moved: 0 } })
  })

  test('refused once is not refused twice by the proof of another one of that name', async () => {
    const { server, tab } = await at(5)
    server.change = (answer, path) => (path.endsWith('/get') ? { ...answer, entry: {} } : answer)
    let asked = 0
    server.instead = (path) => {
      if (path.endsWith('/get')) asked += 1
      return asked === 2 && path.endsWith('/get') ? refusal('something else', 500) : undefined
    }
    const what = 'the entry it refers to'
    await expect(verifyKey(tab, 2, what)).rejects.toMatchObject({ name: 'ApiError' })
    const { change } = server
    server.change = (answer, path) => {
      // Once is nothing.
      if (path.endsWith('/get')) server.change = (right) => right
      return change(answer, path)
    }
    expect((await verifyKey(tab, 3, what)).outcome.kind).toBe('ok')
    // The first one still waits to be asked for again.
    expect(tab.get(trustAtom)).toMatchObject({ kind: 'first', ...refusedOnce })
  })

  test('refused once is forgotten when it is right the next time', async () => {
    const { server, tab } = await at(5)
    server.change = (answer, path) => (path.endsWith('/get') ? { ...answer, entry: {} } : answer)
    let asked = 0
    server.instead = (path) => {
      if (path.endsWith('/get')) asked += 1
      return asked > 1 && path.endsWith('/get') ? refusal('something else', 500) : undefined
    }
    await expect(verifyKey(tab, 2)).rejects.toMatchObject({ name: 'ApiError' })
    server.instead = () => undefined
    server.change = (answer) => answer
    expect((await verifyKey(tab, 2)).outcome.kind).toBe('ok')
    expect(tab.get(trustAtom)).toMatchObject({ kind: 'first', why: null })
  })

  test('that a server cannot prove from a point it has just proven to have breaks it', async () => {
    const { server, tab } = await at(5)
    server.instead = (path) => (path.endsWith('/get') ? refusal('illegal state') : undefined)
    expect((await verifyKey(tab, 2)).outcome.kind).toBe('refused')
    expect(tab.get(trustAtom)).toMatchObject({ kind: 'broken', broken: { kind: 'object' } })
  })

  test('answered by another server is no refusal of the one before', async () => {
    const { server, tab } = await at(5)
    const id = tab.get(databaseIdAtom)('db')
    // Where there is no login, nobody has to come back first.
    tab.set(sessionAtom, (session) => session && { ...session, mode: 'open' as const })
    await tab.get(trustedStatesAtom).acceptServer(id.origin, 'server-two', 'moved')
    let asked = 0
    server.change = (answer, path) =>
      path.endsWith('/get') && asked === 2 ? { ...answer, entry: {} } : answer
    server.instead = (path) => {
      if (!path.endsWith('/get')) return undefined
      asked += 1
      if (asked > 1) return undefined
      server.uuid = 'server-two'
      server.history = historyOf(7, 'c')
      server.word = 'c'
      return undefined
    }
    expect((await verifyKey(tab, 2)).outcome.kind).toBe('ok')
    expect(tab.get(trustAtom)).toMatchObject({ record: { id: { server: 'server-two' } } })
    expect(server.count('/get')).toBe(3)
  })

  test('is still verified while the history is broken, and what is right clears nothing', async () => {
    const { server, tab } = await at(5)
    server.change = (answer, path) => (path.endsWith('/get') ? { ...answer, entry: {} } : answer)
    await verifyKey(tab, 2)
    server.change = (answer) => answer
    expect((await verifyKey(tab, 2)).outcome.kind).toBe('ok')
    expect(tab.get(trustAtom).kind).toBe('broken')
  })

  test('ends its alarm only by a proof of itself, whatever the newest state says', async () => {
    const { server, tab } = await at(5)
    server.change = (answer, path) => (path.endsWith('/get') ? { ...answer, entry: {} } : answer)
    await verifyKey(tab, 2)
    grow(server.history)
    expect(await acknowledgeBreak(tab, 'check', '')).toMatchObject({
      kind: 'broken',
      broken: { kind: 'object', what: 'key k2' },
    })
    expect((await recordIn(tab))?.break).toMatchObject({ kind: 'object' })
    server.instead = (path) => (path.endsWith('/get') ? refusal('internal error', 500) : undefined)
    await expect(acknowledgeBreak(tab, 'check', '')).rejects.toMatchObject({
      name: 'ApiError',
    })
    expect(tab.get(trustAtom).kind).toBe('broken')
    server.instead = () => undefined
    server.change = (answer) => answer
    // The proof of another object is none of this one.
    expect((await verifyKey(tab, 3)).outcome.kind).toBe('ok')
    expect(tab.get(trustAtom).kind).toBe('broken')
    server.asked.length = 0
    expect(await acknowledgeBreak(tab, 'check', '')).toMatchObject({ kind: 'consistent' })
    expect(server.count('/get')).toBe(1)
    expect((await recordIn(tab))?.break).toBeNull()
  })

  test('of an audit cannot be asked for again: its alarm ends on the word of an operator', async () => {
    const { server, tab } = await at(5)
    server.change = (answer, path) => (path.endsWith('/get') ? { ...answer, entry: {} } : answer)
    await verifyKey(tab, 2)
    server.change = (answer) => answer
    const record = await recordIn(tab)
    if (!record?.break?.verification) throw new Error('nothing was found')
    const io = { get: tab.get, set: tab.set }
    await tab.get(trustedStatesAtom).matchedAgain(record.id, record, '')
    const verification = { ...record.break.verification, kind: 'audit' as const }
    await noteFinding(io, record.id, null, { ...record.break, verification })
    expect(await acknowledgeBreak(tab, 'check', '')).toMatchObject({ kind: 'broken' })
    const { history } = server
    server.history = historyOf(3)
    // Which is a finding of its own, and ends by itself.
    expect(await acknowledgeBreak(tab, 'end', 'seen')).toMatchObject({
      broken: { kind: 'rolled-back' },
    })
    server.history = history
    expect(await acknowledgeBreak(tab, 'check', '')).toMatchObject({
      broken: { kind: 'object' },
    })
    expect(await acknowledgeBreak(tab, 'end', 'seen')).toMatchObject({
      kind: 'first',
    })
    expect(await tab.get(trustedStatesAtom).log()).toContainEqual(
      expect.objectContaining({ what: 'acknowledged', reason: 'seen' }),
    )
  })

  test('whose alarm could not be kept does not end by a state either', async () => {
    const { server, tab, storage } = await notKept()
    expect(await acknowledgeBreak(tab, 'check', '')).toMatchObject({ kind: 'broken' })
    server.instead = () => undefined
    server.change = (answer) => answer
    storage.isFull = false
    expect(await acknowledgeBreak(tab, 'check', '')).toMatchObject({ kind: 'first' })
  })

  test('newer than the point says in a broken history that the point does not move', async () => {
    const { server, tab } = await at(5)
    server.change = (answer, path) => (path.endsWith('/get') ? { ...answer, entry: {} } : answer)
    await verifyKey(tab, 2)
    server.change = (answer) => answer
    await acknowledgeBreak(tab, 'keep', 'seen')
    grow(server.history)
    server.asked.length = 0
    const { outcome } = await verifyKey(tab, 6)
    expect(outcome).toEqual({
      kind: 'unproven',
      why: 'It is newer than the trusted state, tx 5, which does not move while the history is broken. Choose “Resolve…” in the red bar first.',
    })
    expect(server.count('/get')).toBe(1)
    expect((await recordIn(tab))?.point.txId).toBe('5')
  })

  test('that is newer than the point is checked once more all the same', async () => {
    const { server, tab } = await at(5)
    server.change = (answer, path) => (path.endsWith('/get') ? { ...answer, entry: {} } : answer)
    grow(server.history)
    await verifyKey(tab, 6)
    server.change = (answer) => answer
    expect(await acknowledgeBreak(tab, 'check', '')).toMatchObject({ kind: 'consistent' })
  })

  test.each([
    ['gone', () => refusal('tbtree: key not found'), /finds nothing there/],
    ['of a table that was deleted', () => refusal('table does not exist'), /does not exist/],
  ])('that is %s can be proven no more, which is said', async (_, answer, why) => {
    const { server, tab } = await at(5)
    server.change = (one, path) => (path.endsWith('/get') ? { ...one, entry: {} } : one)
    await verifyKey(tab, 2)
    server.change = (one) => one
    server.instead = (path) => (path.endsWith('/get') ? answer() : undefined)
    expect(await acknowledgeBreak(tab, 'check', '')).toMatchObject({
      kind: 'broken',
      unproven: expect.stringMatching(why),
    })
    expect(await acknowledgeBreak(tab, 'end', 'deleted')).toMatchObject({
      kind: 'first',
    })
    expect((await tab.get(trustedStatesAtom).log()).map(({ what }) => what)).toEqual([
      'acknowledged',
      'matched-again',
    ])
  })

  test('on a server that was rolled back shows the rollback', async () => {
    const { server, tab } = await at(5)
    server.history = historyOf(3)
    await expect(verifyKey(tab, 2)).rejects.toThrow('illegal state')
    expect(tab.get(trustAtom)).toMatchObject({ broken: { kind: 'rolled-back' } })
  })
})
