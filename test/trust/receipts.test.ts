// @vitest-environment node
import { beforeEach, describe, expect, test } from 'vitest'
import type { Operation } from '~/api/operations'
import { changeDraft, draftNewKey } from '~/atoms/keys/edit-draft'
import { deleteKey, saveDraft } from '~/atoms/keys/key-write'
import type { Store } from '~/core/session/client'
import { openQueryCache } from '~/core/session/query-client'
import { readServerSeconds } from '~/core/session/server-clock'
import { clockOffsetAtom } from '~/core/session/session'
import { encodeUtf8 } from '~/lib/bytes'
import { plainKey, plainValue, referenceValue, sortedSetKey } from '~/proof/kernel/stored'
import { gravestOf } from '~/proof/verdict'
import {
  gapOf,
  labelOf,
  notesOf,
  olderThanSent,
  unequalLeaves,
  verdictWhenChecked,
} from '~/trust/object-verdict'
import { openProofDrawer, proofDrawerAtom, repeatProof } from '~/trust/proof-drawer'
import { keyQuestions, type ShownKey, txQuestion } from '~/trust/questions'
import {
  type CommittedWrite,
  type Receipt,
  receiptAtom,
  receiptVerdictAtom,
  verifyWrite,
} from '~/trust/receipts'
import { keyWrite, operationsWrite, uncomparedWrite } from '~/trust/sent'
import { trustAtom } from '~/trust/trust'
import { trustRecordsAtom } from '~/trust/trusted-states'
import { type Proof, questionAgain } from '~/trust/verification'
import { verifyState } from '~/trust/verify-state'
import type { Json } from '../support/history'
import { grow, historyOf, ProvingServer, tabOf } from '../support/proving-server'
import { soon } from '../support/store'

const jsonHeaders = { headers: { 'content-type': 'application/json' } }

let server: ProvingServer
let store: Store

beforeEach(() => {
  server = new ProvingServer(historyOf(3))
  store = tabOf(server)
})

/** A transaction that was said to be new, of which nothing that was sent is compared. */
const bare = (tx: string, txBefore = '0'): CommittedWrite => {
  const write = { database: 'db', tx, txBefore }
  return { database: 'db', tx, of: 'bare', questions: uncomparedWrite(write) }
}

const set = (tx: number, value = `a${tx}`): Operation => {
  return { kind: 'set', key: btoa(`k${tx}`), value: btoa(value), expiresAt: null }
}

/** Operations that were sent as one transaction. */
const whole = (tx: string, operations: readonly Operation[], txBefore = '0'): CommittedWrite => {
  const write = { database: 'db', tx, txBefore }
  return { database: 'db', tx, of: 'whole', questions: operationsWrite(write, operations) }
}

/** A key that was set, or deleted where the value is null. */
function key(
  tx: number,
  value: string | null,
  more: { txBefore?: string; expiresAt?: string } = {},
) {
  const { txBefore = '0', expiresAt = null } = more
  const write = { database: 'db', tx: String(tx), txBefore }
  const stored = btoa(`k${tx}`)
  const sent = { key: stored, value: value === null ? null : btoa(value), expiresAt }
  return { database: 'db', tx: String(tx), of: `key ${stored}`, questions: keyWrite(write, sent) }
}

const receipt = (committed: Pick<CommittedWrite, 'database' | 'tx' | 'of'>) =>
  store.get(receiptAtom)(committed)
const judgedOn = (of?: Receipt) => (of ? store.get(receiptVerdictAtom)(of) : null)
const verdictOn = (of?: Receipt) => judgedOn(of)?.verdict
const proofsOf = (of?: Receipt) => (of?.kind === 'checked' ? of.proofs : [])
const gaps = (of?: Receipt) => proofsOf(of).map(gapOf)
const incidents = async () => (await store.set(trustRecordsAtom)).incidents

/** What is not the same as proven, with how it stands to that. */
const unequal = (proofs: readonly Proof[]) =>
  proofs.flatMap(unequalLeaves).map((leaf) => [labelOf(leaf), leaf.match])

describe('the receipt of a write', () => {
  test('says verified once all that was sent is part of the history, and nothing else', async () => {
    grow(server.history)
    const committed = whole('4', [set(4)], '3')
    expect(receipt(committed)).toBeUndefined()
    const verifying = verifyWrite(store, committed)
    expect(receipt(committed)).toEqual({ kind: 'checking' })
    await verifying
    expect(verdictOn(receipt(committed))).toBe('verified')
    expect(gaps(receipt(committed))).toEqual([null])
    expect(store.get(trustAtom).kind).not.toBe('broken')
  })

  test('never says so of a transaction whose content was not compared', async () => {
    grow(server.history)
    const committed = bare('4', '3')
    await verifyWrite(store, committed)
    expect(judgedOn(receipt(committed))).toMatchObject({
      verdict: 'verified-in-part',
      cause: 'open',
      parts: [{ name: 'what was sent', match: 'uncovered' }],
    })
    expect(gaps(receipt(committed))).toEqual(['not covered by the proof: what was sent'])
    expect(store.get(trustAtom).kind).not.toBe('broken')
    expect(await incidents()).toEqual([])
  })

  test('of a key compares what was sent with what is proven', async () => {
    const right = key(2, 'a2')
    await verifyWrite(store, right)
    expect(verdictOn(receipt(right))).toBe('verified')
    const wrong = key(3, 'sent')
    await verifyWrite(store, wrong)
    expect(judgedOn(receipt(wrong))).toMatchObject({ verdict: 'contradicted', cause: 'different' })
    expect(unequal(proofsOf(receipt(wrong)))).toEqual([['the value', 'differs']])
  })

  test('of a key contradicts a transaction that has more than the key', async () => {
    const more = { key: plainKey(encodeUtf8('more')), value: plainValue(encodeUtf8('a')) }
    const own = { key: plainKey(encodeUtf8('k4')), value: plainValue(encodeUtf8('a4')) }
    server.history.add([own, more])
    await verifyWrite(store, key(4, 'a4'))
    expect(unequal(proofsOf(receipt(key(4, 'a4'))))).toEqual([['the number of entries', 'differs']])
    expect(verdictOn(receipt(key(4, 'a4')))).toBe('contradicted')
  })

  test('is not that of another write that is said to be in the same transaction', async () => {
    const dropped = bare('2', '1')
    await verifyWrite(store, dropped)
    await verifyWrite(store, whole('2', [set(2)], '1'))
    expect(verdictOn(receipt(dropped))).toBe('verified-in-part')
  })

  test('of a transaction that was there before it was sent is not verified', async () => {
    await verifyWrite(store, whole('3', [set(3)], '2'))
    expect(verdictOn(receipt({ database: 'db', tx: '3', of: 'whole' }))).toBe('verified')
    for (const committed of [
      bare('2', '2'),
      whole('1', [set(1)], '2'),
      key(1, 'a1', { txBefore: '2' }),
    ]) {
      await verifyWrite(store, committed)
      const judged = judgedOn(receipt(committed))
      expect(judged?.verdict).toBe('contradicted')
      expect(judged && olderThanSent(judged)).toEqual({ before: '2', named: committed.tx })
    }
    const [log] = await incidents()
    expect(log?.incidents).toMatchObject([
      { kind: 'contradicted', reason: 'not-new', what: 'tx 2', part: '' },
      { kind: 'contradicted', reason: 'not-new', what: 'tx 1', part: '', times: 2 },
    ])
  })

  test('of a key stays what it is when another write is said to be in its transaction', async () => {
    const sent = key(3, 'sent')
    await verifyWrite(store, sent)
    const other = whole('3', [set(3)], '2')
    await verifyWrite(store, other)
    expect(verdictOn(receipt(other))).toBe('verified')
    expect(verdictOn(receipt(sent))).toBe('contradicted')
  })

  test.each([
    ['whose content was compared', whole('3', [set(3)])],
    ['whose content was not compared', bare('3')],
  ])(
    'of a transaction %s and whose entries the server keeps back is not verified',
    async (_, of) => {
      server.change = (answer, path) => {
        if (!path.startsWith('/db/verifiable/tx/3')) return answer
        return { ...answer, tx: { header: (answer.tx as Json).header } }
      }
      await verifyWrite(store, of)
      const why = /its entries were not given/i
      expect(gaps(receipt(of))).toEqual([expect.stringMatching(why)])
      expect(verdictOn(receipt(of))).toBe('verified-in-part')
      expect(store.get(trustAtom).kind).not.toBe('broken')
      expect(await incidents()).toEqual([])
    },
  )

  test('of a key compares when it expires with what was sent', async () => {
    const never = key(2, 'a2')
    await verifyWrite(store, never)
    expect(verdictOn(receipt(never))).toBe('verified')
    const later = key(3, 'a3', { expiresAt: '4102444800' })
    await verifyWrite(store, later)
    expect(unequal(proofsOf(receipt(later)))).toEqual([['the time it expires', 'differs']])
    expect(verdictOn(receipt(later))).toBe('contradicted')
  })

  test('of a deletion looks for it in the transaction', async () => {
    const deleted = key(2, null)
    await verifyWrite(store, deleted)
    // The server's transaction writes the key.
    expect(verdictOn(receipt(deleted))).toBe('contradicted')
    expect(unequal(proofsOf(receipt(deleted)))).toEqual([['the deletion of the key', 'differs']])
    const metadata = { deleted: true }
    server.history.add([{ key: plainKey(encodeUtf8('k4')), value: new Uint8Array(), metadata }])
    await verifyWrite(store, key(4, null))
    expect(verdictOn(receipt(key(4, null)))).toBe('verified')
  })

  test('of a deletion contradicts nothing where the answer leaves its entries out', async () => {
    const deleted = key(2, null)
    server.change = (answer, path) => {
      if (!path.includes('verifiable/tx/2')) return answer
      const { header } = answer.tx as Json
      return { ...answer, tx: { header } }
    }
    await verifyWrite(store, deleted)
    expect(verdictOn(receipt(deleted))).toBe('verified-in-part')
    expect(await incidents()).toEqual([])
  })

  describe('of operations', () => {
    const of = (text: string) => encodeUtf8(text)
    const operations: readonly Operation[] = [
      { kind: 'set', key: btoa('a'), value: btoa('v'), expiresAt: '4102444800' },
      { kind: 'reference', key: btoa('r'), target: btoa('a'), atTx: null },
      { kind: 'reference', key: btoa('b'), target: btoa('k2'), atTx: '2' },
      { kind: 'zadd', set: btoa('s'), score: -1.5, key: btoa('a'), atTx: null },
    ]
    const metadata = { expiresAt: 4_102_444_800n }
    const entries = [
      { key: plainKey(of('a')), value: plainValue(of('v')), metadata },
      { key: plainKey(of('r')), value: referenceValue(of('a'), 0n) },
      { key: plainKey(of('b')), value: referenceValue(of('k2'), 2n) },
      { key: sortedSetKey(of('s'), -1.5, of('a'), 0n), value: new Uint8Array() },
    ]
    const checked = async (stored: typeof entries, sent = operations) => {
      server.history.add(stored)
      const tx = String(server.history.headers.length)
      await verifyWrite(store, whole(tx, sent, String(Number(tx) - 1)))
      return receipt({ database: 'db', tx, of: 'whole' })
    }

    test('is verified when all of them are stored, in whatever order', async () => {
      expect(verdictOn(await checked([...entries].reverse()))).toBe('verified')
    })

    test.each([
      ['one is missing', entries.slice(1), ['the number of entries', 'its value']],
      [
        'there is one more',
        [...entries, { key: plainKey(of('x')), value: plainValue(of('y')) }],
        ['the number of entries'],
      ],
      [
        'a value is another',
        entries.with(0, { ...(entries[0] as (typeof entries)[0]), value: plainValue(of('w')) }),
        ['its value'],
      ],
      [
        'a reference is bound',
        entries.with(1, { key: plainKey(of('r')), value: referenceValue(of('a'), 2n) }),
        ['its value'],
      ],
      [
        'a value expires otherwise',
        entries.with(0, {
          ...(entries[0] as (typeof entries)[0]),
          metadata: { expiresAt: 4_102_444_801n },
        }),
        ['the time it expires'],
      ],
    ])('contradicts them when %s', async (_, stored, parts) => {
      const said = await checked(stored)
      expect(verdictOn(said)).toBe('contradicted')
      const differing = unequal(proofsOf(said)).map(([name]) => name)
      for (const part of parts) expect(differing).toContain(part)
      const [log] = await incidents()
      expect(log?.incidents).toMatchObject([{ kind: 'contradicted', reason: 'not-as-shown' }])
    })
  })

  describe('of a key that the server names an old transaction for', () => {
    const old = { before: '3', named: '2' }
    const named = (name: string) => ({ database: 'db', tx: '2', of: `key ${btoa(name)}` })

    beforeEach(async () => {
      server.history = historyOf(1)
      server.instead = (path) => {
        const isWrite = path === '/db/deletekey' || path === '/db/set'
        return isWrite ? new Response('{"id":"2","ts":"1","nentries":1}', jsonHeaders) : undefined
      }
      openQueryCache(store)
    })

    const said = (name: string) =>
      soon(() => {
        const found = receipt(named(name))
        if (!found || found.kind === 'checking') throw new Error('not yet')
        return found
      })

    test('which really deletes it: the deletion is not verified', async () => {
      server.history.add([
        { key: plainKey(encodeUtf8('k')), value: new Uint8Array(), metadata: { deleted: true } },
      ])
      grow(server.history)
      await verifyState(store)
      expect(await deleteKey(store, btoa('k'))).toBe(true)
      const judged = judgedOn(await said('k'))
      expect(judged).toMatchObject({ verdict: 'contradicted', cause: 'different' })
      expect(judged && olderThanSent(judged)).toEqual(old)
    })

    test('which really sets it, and is new to this browser: the value is not verified', async () => {
      grow(server.history)
      grow(server.history)
      await verifyState(store)
      draftNewKey(store)
      changeDraft(store, { keyText: 'k2', text: 'a2' })
      await saveDraft(store)
      const judged = judgedOn(await said('k2'))
      expect(judged).toMatchObject({ verdict: 'contradicted', cause: 'different' })
      expect(judged && olderThanSent(judged)).toEqual(old)
    })

    test('which does not even have it: nothing is verified', async () => {
      server.history.add([
        { key: plainKey(encodeUtf8('k')), value: new Uint8Array(), metadata: { deleted: true } },
      ])
      grow(server.history)
      await verifyState(store)
      draftNewKey(store)
      changeDraft(store, { keyText: 'k2', text: 'a2' })
      await saveDraft(store)
      expect(verdictOn(await said('k2'))).toBe('failed')
    })
  })

  test('says why nothing was verified when the server is away', async () => {
    server.instead = () => {
      throw new TypeError('connection refused')
    }
    const committed = bare('2')
    await verifyWrite(store, committed)
    expect(receipt(committed)).toMatchObject({ kind: 'failed', committed })
  })

  test('of a forged transaction breaks the history', async () => {
    await verifyWrite(store, whole('3', [set(3)]))
    server.change = (answer, path) => {
      if (!path.startsWith('/db/verifiable/tx/2')) return answer
      const tx = answer.tx as { header: Json }
      return { ...answer, tx: { ...tx, header: { ...tx.header, ts: '1' } } }
    }
    const committed = whole('2', [set(2)])
    await verifyWrite(store, committed)
    expect(verdictOn(receipt(committed))).toBe('failed')
    expect(store.get(trustAtom)).toMatchObject({ kind: 'broken', broken: { kind: 'object' } })
  })

  test('is not asked for when many writes wait for theirs', async () => {
    server.history = historyOf(30)
    const many = Array.from({ length: 30 }, (_, at) => whole(String(at + 1), [set(at + 1)]))
    const running = many.map((committed) => verifyWrite(store, committed))
    expect(receipt({ database: 'db', tx: '30', of: 'whole' })).toMatchObject({ kind: 'failed' })
    await Promise.all(running)
    expect(verdictOn(receipt({ database: 'db', tx: '20', of: 'whole' }))).toBe('verified')
    await verifyWrite(store, whole('30', [set(30)]))
    expect(verdictOn(receipt({ database: 'db', tx: '30', of: 'whole' }))).toBe('verified')
  })
})

describe('a proof that is asked for', () => {
  const proofs = () => {
    const state = store.get(proofDrawerAtom)?.state
    return state?.kind === 'here' ? state.proofs : []
  }
  const isGreen = () => gravestOf(proofs().map(verdictWhenChecked))?.verdict === 'verified'
  const openKey = (shown: ShownKey) =>
    openProofDrawer(store, { what: shown.what, questions: keyQuestions(shown) })

  test('of a key is of the revision that is shown', async () => {
    const shown = (value: string): ShownKey => ({
      database: 'db',
      key: btoa('k2'),
      what: 'key k2',
      tx: '2',
      time: '1700000001',
      state: 'live',
      value: btoa(value),
      expiresAt: null,
      target: null,
    })
    await openKey(shown('a2'))
    expect(proofs()[0]?.verification.request).toEqual({
      keyRequest: { key: btoa('k2'), atTx: '2' },
      isIndexed: true,
    })
    expect(unequal(proofs())).toEqual([])
    await openKey(shown('else'))
    expect(unequal(proofs())).toEqual([['the value', 'differs']])
    await openKey({ ...shown('a2'), time: '1700000002' })
    expect(unequal(proofs())).toEqual([['the time of the transaction', 'differs']])
  })

  describe('of a key whose value is not given out', () => {
    /** Writes a key that expires so many seconds from now, as the server's clock tells. */
    function write(seconds: number | null): string | null {
      const expiresAt = seconds === null ? null : BigInt(Math.floor(Date.now() / 1_000) + seconds)
      const value = plainValue(encodeUtf8('a4'))
      server.history.add([{ key: plainKey(encodeUtf8('k4')), value, metadata: { expiresAt } }])
      return expiresAt === null ? null : String(expiresAt)
    }
    const about = { database: 'db', key: btoa('k4'), what: 'key k4', tx: '4' }
    const expired = (expiresAt: string | null): ShownKey => {
      return { ...about, state: 'expired', expiresAt, now: readServerSeconds(store) }
    }
    beforeEach(() => verifyState(store))

    test('because it has expired, is right when it has', async () => {
      await openKey(expired(write(-60)))
      expect(isGreen()).toBe(true)
      expect(proofs().flatMap(({ verification }) => notesOf(verification))).toContain(
        'It is entry 1 of this transaction.',
      )
    })

    test('because it has expired, is right by the clock of the server', async () => {
      store.set(clockOffsetAtom, 3_600_000)
      await openKey(expired(write(3_000)))
      expect(isGreen()).toBe(true)
    })

    test.each([
      ['never expires', null],
      ['expires much later', 86_400],
      ['expires later than any clock may say', 200_000],
    ])('because it has expired, is not as shown when it %s', async (_, seconds) => {
      if (seconds === 200_000) store.set(clockOffsetAtom, 300_000_000)
      await openKey(expired(write(seconds)))
      expect(isGreen()).toBe(false)
      expect(unequal(proofs())).toEqual([['that it has expired', 'differs']])
      // Clocks may differ.
      expect(await incidents()).toEqual([])
    })

    test('because it has expired, is not as shown when it did so at another time', async () => {
      const at = write(-60)
      await openKey(expired(String(Number(at) - 1)))
      expect(unequal(proofs())).toEqual([['the time it expires', 'differs']])
      const [log] = await incidents()
      expect(log?.incidents).toMatchObject([{ what: 'key k4', part: 'the time it expires' }])
    })

    test('because it refers to nothing, is verified but for that', async () => {
      write(null)
      await openKey({ ...about, state: 'dangling' })
      expect(isGreen()).toBe(false)
      expect(unequal(proofs())).toEqual([['that its target is missing', 'uncovered']])
      expect(proofs().map(gapOf)).toEqual(['not covered by the proof: that its target is missing'])
    })
  })

  test('and was found before is shown as it is, and asked for again when that is wanted', async () => {
    await verifyWrite(store, whole('2', [set(2)]))
    const found = proofsOf(receipt({ database: 'db', tx: '2', of: 'whole' }))
    const questions = found.flatMap(({ verification }) => questionAgain(verification) ?? [])
    expect(questions).toEqual(whole('2', [set(2)]).questions)
    const before = server.asked.length
    await openProofDrawer(store, { what: 'tx 2', questions, proofs: found })
    expect(proofs()).toBe(found)
    expect(isGreen()).toBe(true)
    expect(server.asked).toHaveLength(before)
    server.change = (answer) => ({ ...answer, tx: {} })
    await repeatProof(store)
    expect(server.asked.length).toBeGreaterThan(before)
    expect(isGreen()).toBe(false)
  })

  test('of a transaction is compared with what a list said of it', async () => {
    const openTx = (told: { hash: string; nentries: number; ts?: string }) => {
      const question = txQuestion('db', { id: '2', ts: '1700000001', ...told })
      return openProofDrawer(store, { what: question.what, questions: [question] })
    }
    await openTx({ hash: server.history.point(2).txHash, nentries: 1 })
    expect(unequal(proofs())).toEqual([])
    await openTx({ hash: server.history.point(1).txHash, nentries: 2, ts: '1700000002' })
    expect(unequal(proofs())).toEqual([
      ['the time of the transaction', 'differs'],
      ['the hash', 'differs'],
      ['the number of entries', 'differs'],
    ])
  })
})
