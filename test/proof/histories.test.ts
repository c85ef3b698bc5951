// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { areEqual, encodeUtf8 } from '~/lib/bytes'
import { saveAudit } from '~/proof/audit-walk'
import { auditTx, resumeAudit, startAudit } from '~/proof/kernel/audit'
import { checkDualProofV2 } from '~/proof/kernel/dual-proof'
import { entryDigest, provenRoot, readInclusionProof } from '~/proof/kernel/entry'
import { climb, isConsistent } from '~/proof/kernel/growing-tree'
import { emptyHash, hash, leaf, node } from '~/proof/kernel/hash'
import { plainKey, plainValue } from '~/proof/kernel/stored'
import { verify } from '~/proof/kernel/verify'
import { History, type Json, plain, type Written } from '../support/history'
import { randomOf } from '../support/mutations'
import { proven, verdictOf } from '../support/proofs'

const pair = (key: string, value: string): Written => ({
  key: plainKey(encodeUtf8(key)),
  value: plainValue(encodeUtf8(value)),
})

const kinds: readonly (readonly [string, (at: number) => number])[] = [
  ['that never lags', () => 0],
  ['that lags for a while', (at) => (at > 10 && at <= 20 ? at - 10 : 0)],
  ['that lags always', () => 3],
]

function historyOf(size: number, lag: (at: number) => number, widths = randomOf(7)): History {
  const history = new History()
  for (let at = 1; at <= size; at += 1) {
    const width = 1 + Math.floor(widths() * 5)
    const entries = Array.from({ length: width }, (_, nth) => pair(`k${nth}`, `v${at}.${nth}`))
    history.add(entries, { lag: lag(at) })
  }
  return history
}

const context = (history: History, tx: number) => ({
  db: 'db',
  trusted: tx > 0 ? history.point(tx) : null,
  publicKey: null,
})

/** The newer of the two, unless its tree took in something that the proof does not compare. */
function nextOf(history: History, tx: number, since: number): number {
  if (tx <= since || since === 0) return Math.max(tx, since)
  const [{ id, blTxId }, { blTxId: size }] = [history.header(since), history.header(tx)]
  return size === blTxId || size >= id - 1n ? tx : since
}

const terms = (proof: Json): readonly (readonly [Json, string])[] =>
  Object.entries(proof).flatMap(([name, value]) =>
    Array.isArray(value) && value.length > 0
      ? [[proof, name] as const]
      : typeof value === 'object' && value !== null
        ? terms(value as Json)
        : [],
  )

describe.each(kinds)('a history %s', (_, lag) => {
  const history = historyOf(34, lag)
  const all = history.headers.map((_, at) => at + 1)

  test('is proven between any two transactions', { timeout: 60_000 }, async () => {
    for (const tx of all) {
      for (const since of [0, ...all]) {
        const response = history.verifiableTx(tx, since)
        const found = await verify('tx', context(history, since), { tx: String(tx) }, response)
        expect(found.next).toEqual(history.point(nextOf(history, tx, since)))
        const isTied = since === 0 || Number(found.next?.txId) >= tx
        expect([found.verdict, found.firstUse]).toEqual([isTied ? 'ok' : 'unproven', since === 0])
        if (!isTied) expect(found.facts).toBeNull()
        else
          expect(found.facts).toMatchObject({
            id: String(tx),
            nentries: found.facts?.entries?.length,
          })
      }
    }
  })

  test('is not proven without any of the terms', async () => {
    for (const [tx, since] of [
      [34, 1],
      [34, 12],
      [15, 29],
      [22, 20],
      [33, 34],
      [2, 1],
      [17, 25],
    ] as const) {
      const of = () => history.verifiableTx(tx, since)
      for (const [nth] of terms(of().dualProof as Json).entries()) {
        for (const how of ['shift', 'pop'] as const) {
          const response = of()
          const [holder, name] = terms(response.dualProof as Json)[nth] ?? [{}, '']
          const changed = holder[name] as unknown[]
          changed[how]()
          const given = {
            verify: 'tx',
            context: context(history, since),
            request: { tx: String(tx) },
          } as const
          const found = await verdictOf(given, response)
          // A consistency proof of a tree with itself may be there or not.
          const isSame = history.header(tx).blTxId === history.header(since).blTxId
          if (!(isSame && name === 'consistencyProof')) expect(found.refused, name).toBe(true)
        }
      }
    }
  })

  test('can be audited, also with rests in between', async () => {
    let audit = startAudit()
    for (const tx of all) {
      auditTx(audit, history.tx(tx))
      const saved = saveAudit(audit)
      audit = resumeAudit(JSON.parse(JSON.stringify(saved)))
      expect(saveAudit(audit)).toEqual(saved)
      expect([saved.txId, saved.alh]).toEqual([String(tx), history.point(tx).txHash])
    }
    const txs = all.map((tx) => history.tx(tx))
    const found = await verify('audit', context(history, 34), {}, { txs })
    const entries = history.headers.reduce((sum, { nentries }) => sum + nentries, 0)
    expect(found.facts).toMatchObject({ txId: '34', entries })
  })
})

test('a truncation of a database without tables, which writes no entries, is proven', async () => {
  const history = historyOf(4, () => 0)
  history.add([], { truncatedTxID: 2n })
  history.add([pair('k', 'after')])
  const all = [1, 2, 3, 4, 5, 6]
  for (const tx of all) {
    for (const since of [0, ...all]) {
      const response = history.verifiableTx(tx, since)
      const { facts } = await proven('tx', context(history, since), { tx }, response)
      expect([facts.id, facts.entries?.length]).toEqual([String(tx), facts.nentries])
    }
  }
  const txs = all.map((tx) => history.tx(tx))
  expect((await verify('audit', context(history, 6), {}, { txs })).next).toEqual(history.point(6))
  const empty = new History()
  empty.add([])
  const given = { verify: 'tx', context: context(empty, 1), request: { tx: 1 } } as const
  const found = await verdictOf(given, empty.verifiableTx(1, 1))
  expect(found.refused && found.error.reason).toBe('malformed')
})

test('the proof for documents is right between any two transactions', () => {
  const history = historyOf(20, () => 0)
  for (let tx = 1; tx <= 20; tx += 1) {
    for (let since = 1; since <= 20; since += 1) {
      const { dualProof } = history.verifiableTxV2(tx, since)
      expect(Number(checkDualProofV2(dualProof).target.id)).toBe(Math.max(tx, since))
      if (tx === since) continue
      const proof = dualProof as { inclusionProof: string[]; consistencyProof: string[] }
      for (const name of ['inclusionProof', 'consistencyProof'] as const) {
        const short = { ...proof, [name]: proof[name].slice(1) }
        // A tree is consistent with itself without a proof.
        const isNeeded = name === 'inclusionProof' || Math.max(tx, since) > 2
        if (isNeeded && proof[name].length > 0)
          expect(() => checkDualProofV2(short)).toThrow('dual-proof')
      }
    }
  }
})

test('trees of one size have one root, however far the way between them goes', () => {
  const made = leaf(Uint8Array.of(255))
  for (let size = 1; size <= 33; size += 1) {
    const leaves = Array.from({ length: size }, (_, at) => leaf(Uint8Array.of(at)))
    const way = wayFromLast(leaves)
    const root = way.reduce((found, term) => node(term, found))
    const same = [BigInt(size), root] as const
    expect(isConsistent(same, same, wayToItself(leaves))).toBe(true)
    for (const other of [node(root, made), node(made, root), node(node(root, made), made)]) {
      for (const more of [[made], [made, made]]) {
        expect(isConsistent(same, [same[0], other], [...way, ...more]), String(size)).toBe(false)
      }
    }
  }
})

/** `ConsistencyProof` of embedded/ahtree gives both halves, and nothing of one leaf. */
function wayToItself(leaves: readonly Uint8Array[]): Uint8Array[] {
  const way = wayFromLast(leaves)
  if (way.length < 2) return []
  return [way.slice(0, -1).reduce((found, term) => node(term, found)), ...way.slice(-1)]
}

/** The last leaf of a tree, and all that is left of it on the way up. */
function wayFromLast(leaves: readonly Uint8Array[]): Uint8Array[] {
  if (leaves.length === 1) return [...leaves]
  const half = 2 ** Math.ceil(Math.log2(leaves.length) - 1)
  const left = wayFromLast(leaves.slice(0, half)).reduce((found, term) => node(term, found))
  return [...wayFromLast(leaves.slice(half)), left]
}

test('the way from any place in a tree has one length', () => {
  const lengths = Array.from({ length: 12 }, (_, length) => length)
  for (let size = 1; size <= 70; size += 1) {
    for (let at = 0; at < size; at += 1) {
      const right = lengths.filter((length) => {
        const path = Array.from({ length }, () => emptyHash)
        return climb(emptyHash, BigInt(at), BigInt(size - 1), path)[2]
      })
      expect(right, `${at} of ${size}`).toHaveLength(1)
    }
  }
})

test('every entry of a transaction of any width is proven in its place and no other', () => {
  for (let width = 1; width <= 33; width += 1) {
    const history = new History()
    const entries = Array.from({ length: width }, (_, at) => pair(`k${at}`, `v${at}`))
    history.add(entries)
    const { eH } = history.header(1)
    for (const [at, { key, value }] of entries.entries()) {
      const proof = readInclusionProof(history.inclusionProof(1, at))
      const digest = entryDigest(1, { key, metadata: plain, hValue: hash(value) })
      const places = Array.from({ length: width + 2 }, (_, leaf) => leaf).filter((leaf) => {
        const root = provenRoot({ ...proof, leaf }, digest)
        return root !== null && areEqual(root, eH)
      })
      expect(places).toEqual([at])
    }
  }
})
