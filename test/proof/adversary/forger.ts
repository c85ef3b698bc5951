import { createHash, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'

// A server that lies. It builds real transactions, chains and trees, and proofs over them, with
// nothing but Node's own hashes: it shares no code with the engine that it attacks.

type Json = { [name: string]: unknown }

export type Entry = { readonly key: Buffer; readonly value: Buffer }

/** A transaction as someone could have built it; its parent is the one before it in its chain. */
export type Tx = {
  readonly id: number
  readonly parent: Tx | null
  readonly entries: readonly Entry[]
  /** What its tree has at the places 1 to `blTxId`, which need not be what its chain has there. */
  readonly leaves: readonly Buffer[]
  readonly ts: number
  readonly alh: Buffer
  readonly inner: Buffer
  readonly eH: Buffer
  readonly blRoot: Buffer
}

const sha = (...parts: readonly Uint8Array[]) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const emptyHash = sha()
const zeros = Buffer.alloc(32)
const leafOf = (digest: Uint8Array) => sha(Buffer.of(0), digest)
const nodeOf = (left: Uint8Array, right: Uint8Array) => sha(Buffer.of(1), left, right)

const u16 = (value: number) => {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}
export const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const u64 = (value: number) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return bytes
}

export const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
export const valueHash = ({ value }: Entry) => sha(value)

const digestOf = (entry: Entry) => sha(u16(0), u16(entry.key.length), entry.key, valueHash(entry))

/** The largest power of two below `size`. */
const half = (size: number) => 2 ** (Math.ceil(Math.log2(size)) - 1)

/** The root over hashed leaves, of the shape of RFC 6962. */
function rootOf(leaves: readonly Buffer[]): Buffer {
  const [only] = leaves
  if (only && leaves.length === 1) return only
  const split = half(leaves.length)
  return nodeOf(rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)))
}

/** The way from a leaf, counted from 0, to the root; from the leaf up. */
function pathOf(at: number, leaves: readonly Buffer[]): Buffer[] {
  if (leaves.length <= 1) return []
  const split = half(leaves.length)
  return at < split
    ? [...pathOf(at, leaves.slice(0, split)), rootOf(leaves.slice(split))]
    : [...pathOf(at - split, leaves.slice(split)), rootOf(leaves.slice(0, split))]
}

/**
 * That the tree of the first `size` leaves is the beginning of this one. Like RFC 6962's, but the
 * first term is there also when it is the older root itself, as immudb sends it.
 */
function consistencyOf(size: number, leaves: readonly Buffer[]): Buffer[] {
  if (size === leaves.length) return [rootOf(leaves)]
  const split = half(leaves.length)
  return size <= split
    ? [...consistencyOf(size, leaves.slice(0, split)), rootOf(leaves.slice(split))]
    : [...consistencyOf(size - split, leaves.slice(split)), rootOf(leaves.slice(0, split))]
}

/** Builds a transaction behind a parent, with any tree. */
export function buildTx(
  parent: Tx | null,
  entries: readonly Entry[],
  leaves: readonly Buffer[],
  ts: number,
): Tx {
  const id = (parent?.id ?? 0) + 1
  const eH = rootOf(entries.map((entry) => leafOf(digestOf(entry))))
  const blRoot = leaves.length > 0 ? rootOf(leaves.map(leafOf)) : zeros
  const size = u64(leaves.length)
  const inner = sha(u64(ts), u16(1), u16(0), u32(entries.length), eH, size, blRoot)
  const alh = sha(u64(id), parent?.alh ?? emptyHash, inner)
  return { id, parent, entries, leaves, ts, alh, inner, eH, blRoot }
}

/** A transaction and all before it, the first one first. */
export function chainOf(tx: Tx | null): Tx[] {
  const chain: Tx[] = []
  for (let at = tx; at; at = at.parent) chain.unshift(at)
  return chain
}

function headerJson(tx: Tx): Json {
  return {
    id: String(tx.id),
    prevAlh: base64(tx.parent?.alh ?? emptyHash),
    ts: String(tx.ts),
    nentries: tx.entries.length,
    eH: base64(tx.eH),
    blTxId: String(tx.leaves.length),
    blRoot: base64(tx.blRoot),
    version: 1,
  }
}

export function txJson(tx: Tx, hasEntries: boolean): Json {
  const entries = tx.entries.map((entry) => entryJson(entry))
  return { header: headerJson(tx), ...(hasEntries ? { entries } : {}) }
}

function entryJson(entry: Entry, isRead = false): Json {
  return {
    key: base64(entry.key),
    hValue: base64(valueHash(entry)),
    vLen: entry.value.length,
    ...(isRead ? { value: base64(entry.value) } : {}),
  }
}

/** The list of a transaction with values, from which some entries are left out. */
export function valuesJson(tx: Tx, isListed: (entry: Entry) => boolean): Json {
  const entries = tx.entries.filter(isListed).map((entry) => entryJson(entry, true))
  return { header: headerJson(tx), entries }
}

export function inclusionJson(tx: Tx, at: number): Json {
  const leaves = tx.entries.map((entry) => leafOf(digestOf(entry)))
  return { leaf: at, width: leaves.length, terms: pathOf(at, leaves).map(base64) }
}

/**
 * The best proof there is that two transactions are in one history: right wherever they are, and
 * wherever only their trees say so. `byAlh` finds what a leaf was made of.
 */
export function dualProof(source: Tx, target: Tx, byAlh: (alh: Buffer) => Tx | undefined): Json {
  const size = target.leaves.length
  const isInTree = source.id < size
  const hashed = target.leaves.map(leafOf)
  const last = target.leaves[size - 1] ?? zeros
  const chain = chainOf(target)
  const from = isInTree ? size : source.id
  const first = isInTree ? last : source.alh
  const inner = chain.slice(from).map((tx) => base64(tx.inner))
  const start = source.leaves.length
  const end = isInTree ? source : byAlh(last)
  const advance = end && end.id - start > 1 ? linearAdvance(start, chainOf(end), target) : undefined
  return {
    sourceTxHeader: headerJson(source),
    targetTxHeader: headerJson(target),
    inclusionProof: isInTree ? pathOf(source.id - 1, hashed).map(base64) : [],
    consistencyProof: start > 0 && start < size ? consistencyOf(start, hashed).map(base64) : [],
    targetBlTxAlh: base64(last),
    lastInclusionProof: size > 0 ? pathOf(size - 1, hashed).map(base64) : [],
    linearProof: {
      sourceTxId: String(from),
      TargetTxId: String(target.id),
      terms: [base64(first), ...inner],
    },
    ...(advance ? { LinearAdvanceProof: advance } : {}),
  }
}

function linearAdvance(start: number, chain: readonly Tx[], target: Tx): Json {
  const [first, ...others] = chain.slice(start)
  const hashed = target.leaves.map(leafOf)
  return {
    linearProofTerms: [base64(first?.alh ?? zeros), ...others.map((tx) => base64(tx.inner))],
    inclusionProofs: others.map((_, at) => ({
      terms: start + at < hashed.length ? pathOf(start + at, hashed).map(base64) : [],
    })),
  }
}

/** The proof that documents have: only trees are compared. */
export function dualProofV2(source: Tx, target: Tx): Json {
  const hashed = target.leaves.map(leafOf)
  const isOne = source === target
  const start = Math.max(1, source.leaves.length)
  return {
    sourceTxHeader: headerJson(source),
    targetTxHeader: headerJson(target),
    inclusionProof: isOne ? [] : pathOf(source.id - 1, hashed).map(base64),
    consistencyProof:
      isOne || start >= hashed.length ? [] : consistencyOf(start, hashed).map(base64),
  }
}

/** A pair of keys with which states are signed; the public one is base64 of `04 || x || y`. */
export type Signer = { readonly publicKey: string; readonly secret: KeyObject }

export function newSigner(): Signer {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const encoded = pair.publicKey.export({ type: 'spki', format: 'der' })
  return { publicKey: base64(encoded.subarray(-65)), secret: pair.privateKey }
}

/** What the holder of a key says of a transaction of a database. */
export function signatureJson({ publicKey, secret }: Signer, db: string, { id, alh }: Tx): Json {
  const payload = Buffer.concat([u32(db.length), Buffer.from(db), u64(id), alh])
  return { publicKey, signature: base64(createSign('sha256').update(payload).sign(secret)) }
}
