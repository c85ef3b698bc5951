// @vitest-environment node
import { beforeEach, describe, expect, test } from 'vitest'
import { changeDraftAtom, draftNewAtom } from '~/atoms/keys/edit-draft'
import { deleteKeyAtom, saveDraftAtom } from '~/atoms/keys/write'
import {
  type Committed,
  type Receipt,
  receiptAtom,
  receiptVerdictAtom,
  verifyWriteAtom,
} from '~/atoms/query/receipts'
import type { Store } from '~/atoms/session/client'
import { openQueryCache } from '~/atoms/session/query-client'
import { clockOffsetAtom } from '~/atoms/session/session'
import { openKeyProofAtom, openTxProofAtom } from '~/atoms/trust/object-proofs'
import { verdictWhenChecked } from '~/atoms/trust/object-verdict'
import { proofDrawerAtom } from '~/atoms/trust/proof-drawer'
import { trustRecordsAtom } from '~/atoms/trust/records'
import { trustAtom } from '~/atoms/trust/trust'
import { verifyStateAtom } from '~/atoms/trust/verify-state'
import { encodeUtf8 } from '~/lib/bytes'
import { plainKey, plainValue } from '~/proof/stored'
import { gravestOf } from '~/proof/verdict'
import type { Json } from '../../support/history'
import { grow, historyOf, ProvingServer, tabOf } from '../../support/proving-server'
import { soon } from '../../support/store'

const jsonHeaders = { headers: { 'content-type': 'application/json' } }

let server: ProvingServer
let store: Store

beforeEach(() => {
  server = new ProvingServer(historyOf(3))
  store = tabOf(server)
})

const shown = (tx: number, value: string) => ({
  database: 'db',
  key: btoa(`k${tx}`),
  what: `key k${tx}`,
  tx: String(tx),
  value: btoa(value),
  targetTx: null,
  isDeleted: false,
})

const receipt = (committed: Committed) => store.get(receiptAtom)(committed)
const verdictOn = (of?: Receipt) => of && store.get(receiptVerdictAtom)(of)?.verdict

describe('the receipt of a write', () => {
  test('says verified once the transaction is part of the history', async () => {
    grow(server.history)
    const committed = { database: 'db', tx: '4' }
    expect(receipt(committed)).toBeUndefined()
    const verifying = store.set(verifyWriteAtom, committed)
    expect(receipt(committed)).toEqual({ kind: 'checking' })
    await verifying
    expect(verdictOn(receipt(committed))).toBe('verified')
    expect(store.get(trustAtom).kind).not.toBe('broken')
  })

  test('of a key compares what was sent with what is proven', async () => {
    const right = { database: 'db', tx: '2', key: shown(2, 'a2') }
    await store.set(verifyWriteAtom, right)
    expect(verdictOn(receipt(right))).toBe('verified')
    const wrong = { database: 'db', tx: '3', key: shown(3, 'sent') }
    await store.set(verifyWriteAtom, wrong)
    expect(verdictOn(receipt(wrong))).toBe('contradicted')
  })

  test('of a transaction that was there before it was sent is not verified', async () => {
    await store.set(verifyWriteAtom, { database: 'db', tx: '3', txBefore: '2' })
    expect(verdictOn(receipt({ database: 'db', tx: '3' }))).toBe('verified')
    for (const committed of [
      { database: 'db', tx: '2', txBefore: '2' },
      { database: 'db', tx: '1', txBefore: '2', key: shown(1, 'a1') },
    ]) {
      await store.set(verifyWriteAtom, committed)
      const why = expect.stringMatching(/but tx 2 was there before this was sent/)
      expect(receipt(committed)).toMatchObject({ kind: 'checked', proofs: [{ conflict: why }] })
      expect(verdictOn(receipt(committed))).toBe('contradicted')
    }
  })

  test('of a key stays what it is when another write is said to be in its transaction', async () => {
    const key = { database: 'db', tx: '3', key: shown(3, 'sent') }
    await store.set(verifyWriteAtom, key)
    const statement = { database: 'db', tx: '3', txBefore: '2' }
    await store.set(verifyWriteAtom, statement)
    expect(verdictOn(receipt(statement))).toBe('verified')
    expect(verdictOn(receipt(key))).toBe('contradicted')
  })

  test('of a transaction whose entries the server keeps back is not verified', async () => {
    server.change = (answer, path) => {
      if (!path.startsWith('/db/verifiable/tx/3')) return answer
      return { ...answer, tx: { header: (answer.tx as Json).header } }
    }
    const committed = { database: 'db', tx: '3' }
    await store.set(verifyWriteAtom, committed)
    const why = expect.stringMatching(/did not give the entries, so nothing is said about them/)
    expect(receipt(committed)).toMatchObject({ kind: 'checked', proofs: [{ gap: why }] })
    expect(verdictOn(receipt(committed))).toBe('verified-in-part')
    expect(store.get(trustAtom).kind).not.toBe('broken')
  })

  test('of a key compares when it expires with what was sent', async () => {
    const never = { database: 'db', tx: '2', key: { ...shown(2, 'a2'), sentExpiry: null } }
    await store.set(verifyWriteAtom, never)
    expect(verdictOn(receipt(never))).toBe('verified')
    const later = { database: 'db', tx: '3', key: { ...shown(3, 'a3'), sentExpiry: '4102444800' } }
    await store.set(verifyWriteAtom, later)
    expect(receipt(later)).toMatchObject({
      kind: 'checked',
      proofs: [
        { compared: [{ match: 'same' }, { name: 'the time it expires', match: 'differs' }] },
      ],
    })
  })

  test('of a deletion looks for it in the transaction', async () => {
    const deleted = {
      database: 'db',
      tx: '2',
      key: { ...shown(2, ''), value: null, isDeleted: true },
    }
    await store.set(verifyWriteAtom, deleted)
    // The server's transaction writes the key.
    expect(verdictOn(receipt(deleted))).toBe('contradicted')
  })

  test('of a deletion contradicts nothing where the answer leaves its entries out', async () => {
    const deleted = {
      database: 'db',
      tx: '2',
      key: { ...shown(2, ''), value: null, isDeleted: true },
    }
    server.change = (answer, path) => {
      if (!path.includes('verifiable/tx/2')) return answer
      const { header } = answer.tx as Json
      return { ...answer, tx: { header } }
    }
    await store.set(verifyWriteAtom, deleted)
    expect(verdictOn(receipt(deleted))).toBe('verified-in-part')
    expect((await store.set(trustRecordsAtom)).incidents).toEqual([])
  })

  describe('of a key that the server names an old transaction for', () => {
    const old = expect.stringMatching(/the server named tx 2, but tx 3 was there before this/)
    const named = (key: string) => ({ database: 'db', tx: '2', key: { key: btoa(key) } })

    beforeEach(async () => {
      server.history = historyOf(1)
      server.history.add([
        { key: plainKey(encodeUtf8('k')), value: new Uint8Array(), metadata: { deleted: true } },
      ])
      grow(server.history)
      server.instead = (path) => {
        const isWrite = path === '/db/deletekey' || path === '/db/set'
        return isWrite ? new Response('{"id":"2","ts":"1","nentries":1}', jsonHeaders) : undefined
      }
      openQueryCache(store)
      await store.set(verifyStateAtom)
    })

    const said = (key: string) =>
      soon(() => {
        const found = store.get(receiptAtom)(named(key))
        if (!found || found.kind === 'checking') throw new Error('not yet')
        return found
      })

    test('which really deletes it: the deletion is not verified', async () => {
      expect(await store.set(deleteKeyAtom, btoa('k'))).toBe(true)
      expect(await said('k')).toMatchObject({ proofs: [{ conflict: old }] })
    })

    test('for a key that is new to this browser: the value is not verified', async () => {
      store.set(draftNewAtom)
      store.set(changeDraftAtom, { keyText: 'k2', text: 'a2' })
      await store.set(saveDraftAtom)
      expect(await said('k2')).toMatchObject({ proofs: [{ conflict: old }] })
    })
  })

  test('says why nothing was verified when the server is away', async () => {
    server.instead = () => {
      throw new TypeError('connection refused')
    }
    const committed = { database: 'db', tx: '2' }
    await store.set(verifyWriteAtom, committed)
    expect(receipt(committed)).toMatchObject({ kind: 'failed', committed })
  })

  test('of a forged transaction breaks the history', async () => {
    await store.set(verifyWriteAtom, { database: 'db', tx: '3' })
    server.change = (answer, path) => {
      if (!path.startsWith('/db/verifiable/tx/2')) return answer
      const tx = answer.tx as { header: Json }
      return { ...answer, tx: { ...tx, header: { ...tx.header, ts: '1' } } }
    }
    const committed = { database: 'db', tx: '2' }
    await store.set(verifyWriteAtom, committed)
    expect(verdictOn(receipt(committed))).toBe('failed')
    expect(store.get(trustAtom)).toMatchObject({ kind: 'broken', broken: { kind: 'object' } })
  })

  test('is not asked for when many writes wait for theirs', async () => {
    server.history = historyOf(30)
    const many = Array.from({ length: 30 }, (_, at) => ({ database: 'db', tx: String(at + 1) }))
    const running = many.map((committed) => store.set(verifyWriteAtom, committed))
    expect(receipt({ database: 'db', tx: '30' })).toMatchObject({ kind: 'failed' })
    await Promise.all(running)
    expect(verdictOn(receipt({ database: 'db', tx: '20' }))).toBe('verified')
    await store.set(verifyWriteAtom, { database: 'db', tx: '30' })
    expect(verdictOn(receipt({ database: 'db', tx: '30' }))).toBe('verified')
  })
})

describe('a proof that is asked for', () => {
  const proofs = () => {
    const state = store.get(proofDrawerAtom)?.state
    return state?.kind === 'here' ? state.proofs : []
  }

  test('of a key is of the revision that is shown', async () => {
    await store.set(openKeyProofAtom, shown(2, 'a2'))
    expect(proofs()[0]?.verification.request).toEqual({
      keyRequest: { key: btoa('k2'), atTx: '2' },
    })
    expect(proofs()[0]?.compared).toMatchObject([{ match: 'same' }])
    await store.set(openKeyProofAtom, shown(2, 'else'))
    expect(proofs()[0]?.compared).toMatchObject([{ name: 'the value', match: 'differs' }])
  })

  describe('of a key whose value is not given out', () => {
    /** Writes a key that expires so many seconds from now, as the server's clock tells. */
    function write(seconds: number | null): typeof gone {
      const expiresAt = seconds === null ? null : BigInt(Math.floor(Date.now() / 1_000) + seconds)
      const value = plainValue(encodeUtf8('a4'))
      server.history.add([{ key: plainKey(encodeUtf8('k4')), value, metadata: { expiresAt } }])
      return gone
    }
    const gone = { ...shown(4, ''), value: null }
    const isGreen = () => gravestOf(proofs().map(verdictWhenChecked))?.verdict === 'verified'

    beforeEach(() => store.set(verifyStateAtom))

    test('because it has expired, is right when it has', async () => {
      await store.set(openKeyProofAtom, write(-60))
      expect(isGreen()).toBe(true)
      expect(proofs()[0]?.notes).toEqual([
        expect.stringMatching(/^Entry 1 of this transaction is this key, written to expire on \d/),
      ])
    })

    test('because it has expired, is right by the clock of the server', async () => {
      store.set(clockOffsetAtom, 3_600_000)
      await store.set(openKeyProofAtom, write(3_000))
      expect(isGreen()).toBe(true)
    })

    test.each([
      ['never expires', null, /written never to expire/],
      ['expires much later', 86_400, /written to expire on \d/],
      ['expires later than any clock may say', 200_000, /written to expire on \d/],
    ])('because it has expired, is not as shown when it %s', async (_, seconds, says) => {
      if (seconds === 200_000) store.set(clockOffsetAtom, 300_000_000)
      await store.set(openKeyProofAtom, write(seconds))
      expect(isGreen()).toBe(false)
      expect(proofs()[0]?.compared).toEqual([
        { name: 'that it has expired', shown: null, match: 'differs' },
      ])
      expect(proofs()[0]?.notes).toEqual([expect.stringMatching(says)])
    })

    test('because it refers to nothing, is verified but for that', async () => {
      await store.set(openKeyProofAtom, { ...write(null), isDangling: true })
      expect(isGreen()).toBe(false)
      expect(proofs()[0]?.compared).toEqual([])
      expect(proofs()[0]?.gap).toMatch(/^that its target is missing is only reported by the server/)
    })
  })

  test('of a transaction is compared with what a list said of it', async () => {
    await store.set(openTxProofAtom, { id: '2', hash: server.history.point(2).txHash, nentries: 1 })
    expect(proofs()[0]?.compared?.map(({ match }) => match)).toEqual(['same', 'same'])
    await store.set(openTxProofAtom, { id: '2', hash: server.history.point(1).txHash, nentries: 2 })
    expect(proofs()[0]?.compared?.map(({ match }) => match)).toEqual(['differs', 'differs'])
  })
})
