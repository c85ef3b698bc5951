import { atom } from 'jotai'
import type { TxEntries } from '~/api/transactions'
import { pastListOf } from '~/core/history/past-list'
import { decoded } from '~/core/history/transaction-reader'
import { bytesToBase64 } from '~/lib/bytes'
import { memoizeByNames } from '~/lib/memoize-by-names'

/** A key that was live as of a transaction; the digests of the transactions tell no more. */
export type PastKey = {
  /** Standard base64. */
  key: string
  /** How many transactions had written it by then. */
  revision: string
  /** The last of them. */
  tx: string
  expires: boolean
}

/**
 * Returns the list of the keys as of a transaction, in the order of their bytes. The server lists
 * only the keys of now, so all transactions up to there are read.
 */
export const pastListsAtom = atom(() =>
  memoizeByNames((database = '', tx = '') => pastListOf(database, tx, () => new Listing())),
)

type Written = { revision: number; tx: string; isLive: boolean; expiresAt: string | null }

/** What the transactions so far have left. */
class Listing {
  readonly #keys = new Map<string, Written>()
  #time = 0n

  add({ header, entries }: TxEntries): void {
    this.#time = BigInt(header.ts)
    for (const { key: stored, isDeleted, isNonIndexable, expiresAt } of entries ?? []) {
      const entry = decoded(stored)
      // What is in no index is no revision: reads go on to find the one before it.
      if (entry.kind !== 'key' || isNonIndexable) continue
      const key = bytesToBase64(entry.key)
      const revision = (this.#keys.get(key)?.revision ?? 0) + 1
      this.#keys.set(key, { revision, tx: header.id, isLive: !isDeleted, expiresAt })
    }
  }

  /** Those that were live by the clock of the last transaction. */
  end(): { keys: readonly PastKey[] } {
    const found: [bytes: string, PastKey][] = []
    for (const [key, { revision, tx, isLive, expiresAt }] of this.#keys) {
      if (!isLive || (expiresAt !== null && BigInt(expiresAt) <= this.#time)) continue
      const line = { key, tx, revision: String(revision), expires: expiresAt !== null }
      found.push([atob(key), line])
    }
    found.sort(([one], [other]) => (one < other ? -1 : 1))
    return { keys: found.map(([, line]) => line) }
  }
}
