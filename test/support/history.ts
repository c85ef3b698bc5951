import { bytesToBase64 } from '~/lib/bytes'
import type { TrustedState } from '~/proof/kernel/context'
import { type EntryMetadata, entriesRoot, entryDigest } from '~/proof/kernel/entry'
import { emptyHash, hash, leaf, node, zeroHash } from '~/proof/kernel/hash'
import { alhOf, type Header, innerHash } from '~/proof/kernel/header'

export type Json = { [name: string]: unknown }

export type Written = { key: Uint8Array; value: Uint8Array; metadata?: Partial<EntryMetadata> }

export const plain: EntryMetadata = { deleted: false, expiresAt: null, nonIndexable: false }

/**
 * A database that gives proofs like immudb. Tests can put into it what immudb's own interface
 * refuses, such as rows that no server writes. Transactions count from 1.
 */
export class History {
  readonly headers: Header[] = []
  readonly #entries: Written[][] = []
  readonly #alhs: Uint8Array[] = []
  readonly #leafHashes: Uint8Array[] = []
  readonly #tree = new Leaves(this.#leafHashes)

  /** @param lag how many transactions the tree lags behind, as those of old servers did */
  add(
    entries: Written[],
    options: Partial<Pick<Header, 'version' | 'extra' | 'truncatedTxID'>> & { lag?: number } = {},
  ) {
    const { version = 1, extra = new Uint8Array(), truncatedTxID = 0n, lag = 0 } = options
    const last = this.headers.at(-1)
    const size = Math.max(Number(last?.blTxId ?? 0n), this.headers.length - lag)
    this.#entries.push(entries)
    const header: Header = {
      id: BigInt(this.headers.length + 1),
      prevAlh: this.#alhs.at(-1) ?? emptyHash,
      ts: 1_700_000_000n + BigInt(this.headers.length),
      version,
      nentries: entries.length,
      eH: entriesRoot(entries.map((entry) => digestOf(version, entry))),
      blTxId: BigInt(size),
      blRoot: size > 0 ? this.#tree.root(0, size) : zeroHash,
      truncatedTxID,
      extra,
    }
    this.headers.push(header)
    this.#alhs.push(alhOf(header))
    this.#leafHashes.push(leaf(alhOf(header)))
  }

  header(tx: number): Header {
    const header = this.headers[tx - 1]
    if (!header) throw new Error(`there is no transaction ${tx}`)
    return header
  }

  point(tx: number): TrustedState {
    return { txId: String(tx), txHash: bytesToBase64(this.alh(tx)) }
  }

  alh(tx: number): Uint8Array {
    return this.#alhs[tx - 1] ?? emptyHash
  }

  tx(tx: number): Json {
    const entries = this.#entries[tx - 1] ?? []
    return { header: headerJson(this.header(tx)), entries: entries.map(entryJson) }
  }

  /** The proof of an entry's place in its transaction. */
  inclusionProof(tx: number, at: number): Json {
    const { version } = this.header(tx)
    const leaves = (this.#entries[tx - 1] ?? []).map((entry) => leaf(digestOf(version, entry)))
    return { leaf: at, width: leaves.length, terms: new Leaves(leaves).path(at, leaves.length) }
  }

  verifiableTx(tx: number, since: number): Json {
    return { tx: this.tx(tx), dualProof: this.dualProof(...order(tx, since)) }
  }

  verifiableTxV2(tx: number, since: number): Json {
    const [source, target] = order(tx, since)
    const [size, start] = [target - 1, Math.max(1, source - 1)]
    const isOne = source === target
    const inclusionProof = isOne ? [] : this.#tree.path(source - 1, size)
    const consistencyProof = isOne ? [] : this.#tree.consistency(start, size)
    const proof = { ...this.#pair(source, target), inclusionProof, consistencyProof }
    return { tx: this.tx(tx), dualProof: proof }
  }

  dualProof(source: number, target: number): Json {
    const [start, size] = [this.#treeSize(source), this.#treeSize(target)]
    const isInTree = source < size
    const linearAdvance = this.#linearAdvance(start, isInTree ? source : size, size)
    return {
      ...this.#pair(source, target),
      inclusionProof: isInTree ? this.#tree.path(source - 1, size) : [],
      consistencyProof: start > 0 ? this.#tree.consistency(start, size) : [],
      targetBlTxAlh: bytesToBase64(size > 0 ? this.alh(size) : zeroHash),
      lastInclusionProof: size > 0 ? this.#tree.path(size - 1, size) : [],
      linearProof: this.#linear(isInTree ? size : source, target),
      ...(linearAdvance ? { LinearAdvanceProof: linearAdvance } : {}),
    }
  }

  #treeSize(tx: number): number {
    return Number(this.header(tx).blTxId)
  }

  #pair(source: number, target: number): Json {
    const sourceTxHeader = headerJson(this.header(source))
    return { sourceTxHeader, targetTxHeader: headerJson(this.header(target)) }
  }

  #linear(from: number, to: number): Json {
    const inner = this.headers.slice(from, to).map((header) => bytesToBase64(innerHash(header)))
    const terms = [bytesToBase64(this.alh(from)), ...inner]
    return { sourceTxId: String(from), TargetTxId: String(to), terms }
  }

  #linearAdvance(start: number, end: number, size: number): Json | null {
    if (end <= start + 1) return null
    const { terms } = this.#linear(start + 1, end)
    const inclusionProofs = Array.from({ length: end - start - 1 }, (_, at) => ({
      terms: this.#tree.path(start + at, size),
    }))
    return { linearProofTerms: terms, inclusionProofs }
  }
}

const order = (tx: number, since: number): [number, number] =>
  since === 0 ? [tx, tx] : tx < since ? [tx, since] : [since, tx]

function digestOf(version: number, { key, value, metadata }: Written): Uint8Array {
  return entryDigest(version, { key, metadata: { ...plain, ...metadata }, hValue: hash(value) })
}

function entryJson({ key, value, metadata }: Written): Json {
  const entry = { key: bytesToBase64(key), hValue: bytesToBase64(hash(value)), vLen: value.length }
  return metadata ? { ...entry, metadata: metadataJson(metadata) } : entry
}

export function metadataJson({ expiresAt, ...flags }: Partial<EntryMetadata>): Json {
  const isSet = expiresAt !== null && expiresAt !== undefined
  return isSet ? { ...flags, expiration: { expiresAt: String(expiresAt) } } : flags
}

function headerJson(header: Header): Json {
  const { id, prevAlh, ts, version, nentries, eH, blTxId, blRoot, extra, truncatedTxID } = header
  return {
    id: String(id),
    prevAlh: bytesToBase64(prevAlh),
    ts: String(ts),
    version,
    nentries,
    eH: bytesToBase64(eH),
    ...(blTxId > 0n ? { blTxId: String(blTxId) } : {}),
    blRoot: bytesToBase64(blRoot),
    metadata: {
      ...(truncatedTxID > 0n ? { truncatedTxID: String(truncatedTxID) } : {}),
      ...(extra.length > 0 ? { extra: bytesToBase64(extra) } : {}),
    },
  }
}

/** The largest power of two below a number. */
function split(size: number): number {
  let left = 1
  while (left * 2 < size) left *= 2
  return left
}

/** RFC 6962, 2.1, over leaves that are hashed already; roots are remembered. */
class Leaves {
  readonly #all: readonly Uint8Array[]
  readonly #roots = new Map<number, Uint8Array>()

  constructor(all: readonly Uint8Array[]) {
    this.#all = all
  }

  root(from: number, to: number): Uint8Array {
    const name = from * 1_000_000 + to
    const found = to - from === 1 ? this.#all[from] : this.#roots.get(name)
    if (found) return found
    const middle = from + split(to - from)
    const root = node(this.root(from, middle), this.root(middle, to))
    this.#roots.set(name, root)
    return root
  }

  /** 2.1.1 */
  path(at: number, to: number, from = 0): string[] {
    if (to - from <= 1) return []
    const middle = from + split(to - from)
    return at < middle
      ? [...this.path(at, middle, from), bytesToBase64(this.root(middle, to))]
      : [...this.path(at, to, middle), bytesToBase64(this.root(from, middle))]
  }

  /** 2.1.2, but that it always starts with the root of a part of the old tree, as immudb's does. */
  consistency(size: number, to: number, from = 0): string[] {
    if (size === to) return [bytesToBase64(this.root(from, to))]
    const middle = from + split(to - from)
    return size <= middle
      ? [...this.consistency(size, middle, from), bytesToBase64(this.root(middle, to))]
      : [...this.consistency(size, to, middle), bytesToBase64(this.root(from, middle))]
  }
}
