// @vitest-environment node
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { verdictOf } from '../support/proofs'

/**
 * What a server makes up that may build any trees and headers it likes, but cannot find two texts
 * with one hash. Nothing here is made by the code that is tested.
 */
type Json = { [name: string]: unknown }

const H = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest()
const leaf = (digest: Buffer) => H(Buffer.of(0), digest)
const node = (left: Buffer, right: Buffer) => H(Buffer.of(1), left, right)
const b64 = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64')

function big(size: 2 | 4 | 8, value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return bytes.subarray(8 - size)
}

type Entry = { key: string; value: string }

function digestOf({ key, value }: Entry): Buffer {
  const stored = Buffer.concat([Buffer.of(0), Buffer.from(key)])
  return H(big(2, 0), big(2, stored.length), stored, H(Buffer.of(0), Buffer.from(value)))
}

type Tx = { id: number; entry: Entry; alh: Buffer; inner: Buffer; header: Json }

type Made = {
  prev: Buffer
  root: Buffer
  entry?: Entry
  entries?: [eH: Buffer, count: number]
  size?: number
}

/** A transaction with one entry, or whatever it says; its tree has all before it or `size`. */
function makeTx(id: number, { prev, root, entry, entries, size = id - 1 }: Made): Tx {
  const written = entry ?? { key: `k${id}`, value: `v${id}` }
  const [eH, nentries] = entries ?? [leaf(digestOf(written)), 1]
  const [ts, blTxId] = [1_700_000_000 + id, size]
  const start = [big(8, ts), big(2, 1), big(2, 0), big(4, nentries)]
  const inner = H(...start, eH, big(8, blTxId), root)
  const alh = H(big(8, id), prev, inner)
  const hashes = { prevAlh: b64(prev), eH: b64(eH), blRoot: b64(root) }
  const numbers = { id: String(id), ts: String(ts), blTxId: String(blTxId), nentries, version: 1 }
  return { id, entry: written, alh, inner, header: { ...numbers, ...hashes, metadata: {} } }
}

/** Root over all leaves, as RFC 6962 has it. */
function rootOf(leaves: Buffer[]): Buffer {
  if (leaves.length === 0) return Buffer.alloc(32)
  if (leaves.length === 1) return leaves[0] as Buffer
  let half = 1
  while (half * 2 < leaves.length) half *= 2
  return node(rootOf(leaves.slice(0, half)), rootOf(leaves.slice(half)))
}

const leavesOf = (txs: Tx[]) => txs.map(({ alh }) => leaf(alh))

/** An honest beginning. */
function start(size: number): Tx[] {
  const txs: Tx[] = []
  for (let id = 1; id <= size; id += 1) {
    txs.push(makeTx(id, { prev: txs.at(-1)?.alh ?? H(), root: rootOf(leavesOf(txs)) }))
  }
  return txs
}

type Paths = { inclusion?: Buffer[]; consistency?: Buffer[]; last?: Buffer[] }

/** A proof with the paths that it is told; `before` is the transaction before the target. */
function dualProof(source: Tx, before: Tx, target: Tx, paths: Paths): Json {
  const { inclusion = [], consistency = [], last = [] } = paths
  const isOne = source.id === target.id
  return {
    sourceTxHeader: source.header,
    targetTxHeader: target.header,
    inclusionProof: inclusion.map(b64),
    consistencyProof: consistency.map(b64),
    targetBlTxAlh: b64(before.alh),
    lastInclusionProof: last.map(b64),
    linearProof: {
      sourceTxId: String(isOne ? target.id : before.id),
      TargetTxId: String(target.id),
      terms: isOne ? [b64(target.alh)] : [b64(before.alh), b64(target.inner)],
    },
  }
}

const known = ({ id, alh }: Tx) => ({
  db: 'db',
  trusted: { txId: String(id), txHash: b64(alh) },
  publicKey: null,
})

/** Which transaction is trusted after a state was to go on from one to the other; null for none. */
async function nextAfter(from: Tx, to: Tx, proof: Json): Promise<string | null> {
  const response = {
    state: { db: 'db', txId: String(to.id), txHash: b64(to.alh) },
    proof: { tx: { header: to.header }, dualProof: proof },
  }
  const given = { verify: 'state', context: known(from), request: {} } as const
  const found = await verdictOf(given, response)
  return found.refused ? null : (found.next?.txId ?? null)
}

/** What is believed that a transaction wrote; null when the answer is refused. */
async function readAt(trusted: Tx, { id, entry }: Tx, proof: Json, inclusion?: Json) {
  const { key, value } = entry
  const response = {
    entry: { tx: String(id), key: b64(key), value: b64(value) },
    verifiableTx: { dualProof: proof },
    inclusionProof: inclusion ?? { width: 1 },
  }
  const request = { keyRequest: { key: b64(key), atTx: String(id) } }
  const given = { verify: 'get', context: known(trusted), request } as const
  const found = await verdictOf(given, response)
  return found.refused ? null : found.facts
}

const hexOf = (text: string) => Buffer.from(text).toString('hex')
const forged = { key: 'balance', value: 'forged' }

describe('a server that makes up its trees cannot', () => {
  test('exchange transactions behind a proof that its tree has grown', async () => {
    const txs = start(6)
    const [, , , fourth, fifth, sixth] = txs as [Tx, Tx, Tx, Tx, Tx, Tx]
    const old = rootOf(leavesOf([...txs.slice(0, 5)]))
    // A tree of seven that has the old one too deep, and another fifth transaction where that was.
    const left = node(old, leaf(H()))
    const fake = makeTx(5, { prev: fourth.alh, root: left, entry: forged })
    const seventh = makeTx(7, { prev: sixth.alh, root: rootOf(leavesOf(txs)) })
    const pair = node(leaf(fake.alh), leaf(sixth.alh))
    const right = node(pair, leaf(seventh.alh))
    const eighth = makeTx(8, { prev: seventh.alh, root: node(left, right) })
    const proof = dualProof(sixth, seventh, eighth, {
      inclusion: [leaf(fake.alh), leaf(seventh.alh), left],
      consistency: [old, leaf(H()), right],
      last: [pair, left],
    })
    const read = dualProof(fake, seventh, eighth, {
      inclusion: [leaf(sixth.alh), leaf(seventh.alh), left],
      consistency: [left, right],
      last: [pair, left],
    })
    expect(fifth.alh).not.toEqual(fake.alh)
    // The second step alone is right: what must not be believed is what it starts from.
    expect(await readAt(eighth, fake, read)).toMatchObject({ value: hexOf('forged') })
    expect(await nextAfter(sixth, eighth, proof)).toBeNull()
  })

  test('put another transaction than the trusted one into the tree of the next', async () => {
    const txs = start(4)
    const [first, second, third, fourth] = txs as [Tx, Tx, Tx, Tx]
    const old = rootOf(leavesOf([first, second, third]))
    const fake = makeTx(4, { prev: third.alh, root: old, entry: forged })
    const pair = node(leaf(first.alh), leaf(second.alh))
    const end = node(leaf(third.alh), leaf(fake.alh))
    const fifth = makeTx(5, { prev: fourth.alh, root: node(pair, end) })
    const sixth = makeTx(6, { prev: fifth.alh, root: node(node(pair, end), leaf(fifth.alh)) })
    const consistency = [leaf(third.alh), leaf(fake.alh), pair]
    const last = [leaf(third.alh), pair]
    const honest = dualProof(fourth, fourth, fifth, { consistency, last })
    const lying = dualProof(fourth, fake, fifth, { consistency, last })
    const { linearProof } = honest
    const read = dualProof(fake, fifth, sixth, {
      inclusion: [leaf(third.alh), pair, leaf(fifth.alh)],
      consistency: [...consistency, leaf(fifth.alh)],
      last: [node(pair, end)],
    })
    expect(await readAt(sixth, fake, read)).toMatchObject({ value: hexOf('forged') })
    expect(await nextAfter(fourth, fifth, honest)).toBeNull()
    expect(await nextAfter(fourth, fifth, { ...lying, linearProof })).toBeNull()
  })

  test('do so while its tree lags behind, where the proof cannot tell', async () => {
    const txs = start(4)
    const [first, second, third, fourth] = txs as [Tx, Tx, Tx, Tx]
    const old = rootOf(leavesOf([first, second, third]))
    const fifth = makeTx(5, { prev: fourth.alh, root: old, size: 3 })
    const sixth = makeTx(6, { prev: fifth.alh, root: old, size: 3 })
    const fake = makeTx(4, { prev: third.alh, root: old, entry: forged })
    const pair = node(leaf(first.alh), leaf(second.alh))
    const root = node(pair, node(leaf(third.alh), leaf(fake.alh)))
    const seventh = makeTx(7, { prev: sixth.alh, root, size: 4 })
    const linear = dualProof(sixth, sixth, seventh, {}).linearProof
    const proof = dualProof(sixth, fake, seventh, {
      consistency: [leaf(third.alh), leaf(fake.alh), pair],
      last: [leaf(third.alh), pair],
    })
    // The chain goes on, which is what the state says; the tree is not taken for granted.
    expect(await nextAfter(sixth, seventh, { ...proof, linearProof: linear })).toBe('6')
  })

  test('have its first state end its tree with another transaction than its chain', async () => {
    const [first, second] = start(2) as [Tx, Tx]
    const fake = makeTx(2, { prev: first.alh, root: leaf(first.alh), entry: forged })
    const root = (tx: Tx) => node(leaf(first.alh), leaf(tx.alh))
    const proofOf = (tx: Tx) => {
      const third = makeTx(3, { prev: second.alh, root: root(tx) })
      const paths = { consistency: [root(tx)], last: [leaf(first.alh)] }
      return [third, dualProof(third, tx, third, paths)] as const
    }
    const [right, rightProof] = proofOf(second)
    expect(await nextAfter(right, right, rightProof)).toBe('3')
    const [wrong, wrongProof] = proofOf(fake)
    expect(await nextAfter(wrong, wrong, wrongProof)).toBeNull()
  })

  test('have two transactions of one number', async () => {
    const [first, second] = start(2) as [Tx, Tx]
    const fake = makeTx(1, { prev: H(), root: Buffer.alloc(32), entry: forged })
    const right = node(leaf(fake.alh), leaf(second.alh))
    const third = makeTx(3, { prev: second.alh, root: node(leaf(first.alh), right) })
    const last = [leaf(fake.alh), leaf(first.alh)]
    const one = dualProof(first, second, third, { inclusion: [right], last })
    const inclusion = [leaf(second.alh), leaf(first.alh)]
    const other = dualProof(fake, second, third, { inclusion, last })
    const both = [await readAt(third, first, one), await readAt(third, fake, other)]
    expect(both.filter((facts) => facts !== null)).toHaveLength(1)
  })

  test('have two entries in one place of a transaction', async () => {
    const entries = [forged, { key: 'a', value: '1' }, { key: 'b', value: '2' }] as const
    const [one, two, three] = entries.map((entry) => leaf(digestOf(entry))) as [
      Buffer,
      Buffer,
      Buffer,
    ]
    const made = { prev: H(), root: Buffer.alloc(32) }
    const tx = makeTx(1, { ...made, entries: [node(one, node(two, three)), 2] })
    const proof = { ...dualProof(tx, tx, tx, {}), targetBlTxAlh: b64(Buffer.alloc(32)) }
    const read = (entry: Entry, terms: Buffer[]) =>
      readAt(tx, { ...tx, entry }, proof, { leaf: 0, width: 2, terms: terms.map(b64) })
    const both = [await read(entries[0], [node(two, three)]), await read(entries[1], [three, one])]
    expect(both.filter((facts) => facts !== null)).toHaveLength(1)
  })
})
