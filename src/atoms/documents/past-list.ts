import { atom } from 'jotai'
import { auditDocument } from '~/api/documents'
import { bytesToHex } from '~/lib/bytes'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { clientAtom, ensureDatabaseToken } from '../session/client'
import type { StoreAccess } from '../storage/storage'
import { decoded, pagesOf } from '../transactions/reading'

/** A document that was there as of a transaction; the digests of the transactions tell no more. */
export type PastDocument = {
  readonly id: string
  /** The last transaction that wrote it by then. */
  readonly tx: string
  /** How many transactions had written it by then. */
  readonly revision: number
}

export type PastDocuments =
  | { kind: 'reading'; read: number; of: number; controller: AbortController }
  /** Cancelled or failed; what was read is remembered. */
  | { kind: 'stopped'; error: unknown }
  | {
      kind: 'done'
      documents: readonly PastDocument[]
      /** Transactions with too many entries to be listed. */
      unlisted: number
    }

/** So many transactions are read without being asked to: that takes a few requests. */
const readUnasked = 2_000

/**
 * Returns the atom of the documents of a collection as of a transaction. Searches know only the
 * present, so all transactions up to there are read: written with `read` it starts that, with
 * `cancel` it stops.
 */
export const pastDocumentListsAtom = atom(() =>
  memoizeByNames((database = '', collection = '', tx = '') => {
    const stateAtom = atom<PastDocuments | null>(null)
    const listAtom = atom(
      (get) => get(stateAtom),
      async (get, set, what: 'read' | 'cancel'): Promise<void> => {
        const known = get(stateAtom)
        if (what === 'cancel')
          return known?.kind === 'reading' ? known.controller.abort() : undefined
        if (known?.kind === 'reading' || known?.kind === 'done') return
        const tell = (list: PastDocuments) => set(stateAtom, list)
        await readList({ get, set }, { database, collection, tx }, tell)
      },
    )
    listAtom.onMount = (write) => {
      if (BigInt(tx) <= readUnasked) void write('read')
    }
    return listAtom
  }),
)

type Asked = { database: string; collection: string; tx: string }

/** The documents that were written up to now, by the number of their collection. */
type ByCollection = Map<number, Map<string, { revision: number; tx: string; isDeleted: boolean }>>

async function readList(
  io: StoreAccess,
  { database, collection, tx }: Asked,
  tell: (list: PastDocuments) => void,
): Promise<void> {
  const controller = new AbortController()
  const { signal } = controller
  const written: ByCollection = new Map()
  let [read, unlisted] = [0, 0]
  const tellReading = () => tell({ kind: 'reading', read, of: Number(tx), controller })
  tellReading()
  try {
    await ensureDatabaseToken(io, io.get(clientAtom), database)
    for await (const page of pagesOf(io, database, { from: 1n, to: BigInt(tx) }, signal)) {
      for (const { header, entries } of page) {
        if (entries === null) unlisted += 1
        for (const entry of entries ?? []) note(written, entry, header.id)
      }
      read += page.length
      tellReading()
    }
    const found = await ofCollection(io, { database, collection, signal }, written)
    const documents = [...found].flatMap(([id, { revision, tx: last, isDeleted }]) =>
      isDeleted ? [] : [{ id, revision, tx: last }],
    )
    documents.sort((one, other) => (one.id < other.id ? -1 : 1))
    tell({ kind: 'done', documents, unlisted })
  } catch (error) {
    tell({ kind: 'stopped', error: signal.aborted ? null : error })
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
  io: StoreAccess,
  asked: { database: string; collection: string; signal: AbortSignal },
  written: ByCollection,
) {
  const client = io.get(clientAtom)
  const order = { page: 1, pageSize: 1, isNewestFirst: true, omitPayload: true }
  for (const documents of written.values()) {
    const [id] = documents.keys()
    if (id === undefined) continue
    const found = await auditDocument(client, { ...asked, id, ...order })
    if (found.length > 0) return documents
  }
  return new Map<string, { revision: number; tx: string; isDeleted: boolean }>()
}
