import { atom } from 'jotai'
import type { TxEntries } from '~/api/transactions'
import type { Io } from '~/core/act'
import { pastListOf } from '~/core/history/past-list'
import { decoded } from '~/core/history/transaction-reader'
import { documentRevisions } from '~/core/revisions/revisions'
import { clientAtom } from '~/core/session/client'
import { bytesToHex } from '~/lib/bytes'
import { memoizeByNames } from '~/lib/memoize-by-names'

/** A document that was there as of a transaction; the digests of the transactions tell no more. */
export type PastDocument = {
  readonly id: string
  /** The last transaction that wrote it by then. */
  readonly tx: string
  /** How many transactions had written it by then. */
  readonly revision: number
}

/**
 * Returns the list of the documents of a collection as of a transaction. Searches know only the
 * present, so all transactions up to there are read.
 */
export const pastDocumentListsAtom = atom(() =>
  memoizeByNames((database = '', collection = '', tx = '') =>
    pastListOf(database, tx, () => listingOf(database, collection)),
  ),
)

/** The documents that were written up to now, by the number of their collection. */
type ByCollection = Map<number, Map<string, { revision: number; tx: string; isDeleted: boolean }>>

function listingOf(database: string, collection: string) {
  const written: ByCollection = new Map()
  return {
    add: ({ header, entries }: TxEntries) => {
      for (const entry of entries ?? []) note(written, entry, header.id)
    },
    end: async (io: Io, signal: AbortSignal) => {
      const found = await ofCollection(io, { database, collection, signal }, written)
      const documents = [...found].flatMap(([id, { revision, tx, isDeleted }]): PastDocument[] =>
        isDeleted ? [] : [{ id, revision, tx }],
      )
      documents.sort((one, other) => (one.id < other.id ? -1 : 1))
      return { documents }
    },
  }
}

function note(written: ByCollection, entry: { key: string; isDeleted: boolean }, tx: string) {
  const stored = decoded(entry.key)
  if (stored.kind !== 'document') return
  const of = written.get(stored.collectionId) ?? new Map()
  written.set(stored.collectionId, of)
  const id = bytesToHex(stored.id)
  const revision = (of.get(id)?.revision ?? 0) + 1
  of.set(id, { revision, tx, isDeleted: entry.isDeleted })
}

/**
 * The documents of one collection. Transactions have only the numbers of collections, so a document
 * of each is looked up under the name.
 */
async function ofCollection(
  io: Io,
  { database, collection, signal }: { database: string; collection: string; signal: AbortSignal },
  written: ByCollection,
) {
  const client = io.get(clientAtom)
  for (const documents of written.values()) {
    const [id] = documents.keys()
    if (id === undefined) continue
    const count = await documentRevisions(client, { database, collection, id }).count(signal)
    if (count > 0) return documents
  }
  return new Map<string, { revision: number; tx: string; isDeleted: boolean }>()
}
