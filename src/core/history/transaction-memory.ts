import type { QueryClient } from '@tanstack/query-core'
import type { Getter } from 'jotai'
import { queryClientAtom } from 'jotai-tanstack-query'
import type { TxEntries, TxHeader } from '~/api/transactions'
import { bytesToBase64 } from '~/lib/bytes'
import { alhOf, readHeader } from '~/proof/kernel/header'
import { ProofError } from '~/proof/kernel/steps'
import { generationAtom } from '../session/renewed-databases'

/** Most entries to remember of one database; older ones are read again when needed. */
const mostEntries = 400_000

/**
 * Transactions that were read in this session. The past does not change, so they stay right until
 * the server shows another history.
 */
export class TransactionMemory {
  readonly #byId = new Map<string, TxEntries>()
  #entries = 0

  get(id: string): TxEntries | undefined {
    return this.#byId.get(id)
  }

  /** Forgets all others when these contradict them. */
  add(found: readonly TxEntries[]): void {
    if (found.some((tx) => this.#isContradicted(tx.header))) this.#clear()
    for (const tx of found) {
      const { id } = tx.header
      this.#entries += sizeOf(tx) - sizeOf(this.#byId.get(id))
      this.#byId.set(id, tx)
    }
    for (const [id, tx] of this.#byId) {
      if (this.#entries <= mostEntries || this.#byId.size <= found.length) break
      this.#byId.delete(id)
      this.#entries -= sizeOf(tx)
    }
  }

  #isContradicted(header: TxHeader): boolean {
    const known = this.#byId.get(header.id)
    if (known && !isSame(known.header, header)) return true
    const before = this.#byId.get(String(BigInt(header.id) - 1n))
    const hash = before && txHash(before.header)
    return hash !== undefined && hash !== null && hash !== header.prevAlh
  }

  #clear(): void {
    this.#byId.clear()
    this.#entries = 0
  }
}

const sizeOf = (tx: TxEntries | undefined) => (tx ? (tx.entries?.length ?? 0) + 1 : 0)

const isSame = (one: TxHeader, other: TxHeader) =>
  one.prevAlh === other.prevAlh && one.eH === other.eH && one.ts === other.ts

/**
 * The hash of a transaction and all before it, in base64, computed from its header; null when the
 * header cannot be read.
 */
export function txHash(header: TxHeader): string | null {
  try {
    return bytesToBase64(alhOf(readHeader(header)))
  } catch (error) {
    if (error instanceof ProofError) return null
    throw error
  }
}

/** A login has its own cache of answers, and these memories end with it. */
const memories = new WeakMap<QueryClient, Map<string, TransactionMemory>>()

/** What this session has read of a database. */
export function memoryOf(get: Getter, database: string): TransactionMemory {
  const cache = get(queryClientAtom)
  const ofCache = memories.get(cache) ?? new Map<string, TransactionMemory>()
  memories.set(cache, ofCache)
  const name = get(generationAtom)(database)
  const memory = ofCache.get(name) ?? new TransactionMemory()
  ofCache.set(name, memory)
  return memory
}
