import { atom } from 'jotai'
import type { Client } from '~/api/client'
import { auditDocument, type DocumentRevision } from '~/api/documents'
import { isBecause } from '~/api/errors'
import { waitForIndex } from '~/api/keys'
import type { Io } from '~/core/act'
import { decoded, type RangeRead } from '~/core/history/transaction-reader'
import { clientAtom } from '~/core/session/client'
import { unreadable } from '~/core/unreadable'
import { documentJson } from '~/immudb/document-json'
import { bytesToHex } from '~/lib/bytes'
import { memoizeByNames } from '~/lib/memoize-by-names'
import {
  type Begin,
  type ComparedAs,
  differenceOf,
  type Ends,
  gone,
  momentsOf,
  tooLarge,
  tooMany,
  unknown,
  unread,
  type ValueDifference,
  type ValueThen,
  valuesQuery,
  type Written,
} from './values'

/** The documents of all collections that a range of transactions wrote, by their collections. */
export function writtenDocuments({ writes }: RangeRead): Written[] {
  const found: (Written & { collectionId: number })[] = []
  for (const [stored, of] of writes) {
    const entry = decoded(stored)
    if (entry.kind !== 'document') continue
    const { collectionId } = entry
    found.push({ id: bytesToHex(entry.id), writes: of, collectionId })
  }
  return found.sort((one, other) => one.collectionId - other.collectionId)
}

/** Revisions asked for at once. */
const revisionsAtOnce = 50
/** Revisions behind the second moment that are passed before a document is given up. */
const mostPassed = 1_000

type DocumentAsked = {
  readonly database: string
  readonly collection: string
  readonly id: string
  readonly signal: AbortSignal
}

/** Reads pages of revisions, newest first, each once. */
function historyOf(client: Client, asked: DocumentAsked) {
  const bare = new Set<DocumentRevision>()
  const ask = (page: string) => {
    const wanted = { ...asked, page: Number(page), pageSize: revisionsAtOnce, isNewestFirst: true }
    return auditDocument(client, { ...wanted, omitPayload: false }).catch(async (error) => {
      if (unreadable(error) === null) throw error
      const found = await auditDocument(client, { ...wanted, omitPayload: true })
      for (const revision of found) bare.add(revision)
      return found
    })
  }
  const known = memoizeByNames((page = '') => ask(page))
  return {
    read: (page: number) => known(String(page)),
    was: async (revision: DocumentRevision | undefined) =>
      revision && bare.has(revision) ? readAlone(client, asked, revision) : documentThen(revision),
  }
}

type History = ReturnType<typeof historyOf>

/** Null for a document of another collection. */
async function documentDifference(
  { read, was }: History,
  of: Written,
  { from, to }: Ends,
): Promise<ValueDifference | null> {
  let after: DocumentRevision | undefined
  try {
    for (let page = 1; page * revisionsAtOnce <= mostPassed; page += 1) {
      const found = await read(page)
      if (page === 1 && found.length === 0) return null
      after ??= found.find(({ tx }) => BigInt(tx) <= BigInt(to))
      const before = found.find(({ tx }) => BigInt(tx) <= BigInt(from))
      if (before || found.length < revisionsAtOnce) {
        return differenceOf(of, await was(before), await was(after))
      }
    }
  } catch (error) {
    if (isBecause(error, 'document-not-found')) return null
    throw error
  }
  return unread(of, tooMany)
}

function documentThen(revision: DocumentRevision | undefined): ValueThen {
  if (!revision || revision.isDeleted) return null
  const text = documentJson(revision.document)
  return { kind: 'value', text, exact: text }
}

/** A revision whose page was more than one answer takes, or has a value that is gone. */
async function readAlone(
  client: Client,
  asked: DocumentAsked,
  { revision, isDeleted }: DocumentRevision,
): Promise<ValueThen> {
  if (isDeleted) return null
  try {
    // Oldest first its place is its number, which no new revision moves.
    const place = { page: Number(revision), pageSize: 1, isNewestFirst: false }
    const [found] = await auditDocument(client, { ...asked, ...place, omitPayload: false })
    return found ? documentThen(found) : unknown(gone)
  } catch (error) {
    const why = unreadable(error)
    if (why === null) throw error
    return unknown(why === 'gone' ? gone : tooLarge)
  }
}

type OfDocuments = Ends & { readonly collection: string }

/**
 * Documents of other collections are left out: the server says of one document of each number
 * whether it belongs to the collection of this name.
 */
export function beginDocuments(
  io: Pick<Io, 'get'>,
  { database, from, to, collection }: OfDocuments,
): Begin {
  const isOwn = new Map<number, boolean>()
  const client = io.get(clientAtom)
  return async (_page, signal) => {
    // A document that is not yet in the index would be taken for one of another collection.
    await waitForIndex(client, { database, signal })
    const histories = memoizeByNames((id = '') =>
      historyOf(client, { database, collection, id, signal }),
    )
    return async (of) => {
      const number = of.collectionId ?? 0
      if (isOwn.get(number) === false) return null
      const moments = momentsOf(of, { database, from, to })
      const found = await documentDifference(histories(of.id), of, moments)
      isOwn.set(number, found !== null || isOwn.get(number) === true)
      return found
    }
  }
}

/** Makes the query of what some documents were at both moments. */
export const documentValuesAtom = atom(
  (get) => (ends: OfDocuments, as: ComparedAs, written: readonly Written[]) => {
    const { database, from, to, collection } = ends
    const name = [database, from, to, 'documents', collection, as]
    return valuesQuery(name, written, beginDocuments({ get }, ends))
  },
)
