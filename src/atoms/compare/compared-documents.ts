import { atom } from 'jotai'
import type { Client } from '~/api/client'
import type { DocumentRevision } from '~/api/documents'
import { waitForIndex } from '~/api/keys'
import type { Io } from '~/core/act'
import { decoded, type RangeRead } from '~/core/history/transaction-reader'
import {
  type DocumentName,
  documentRevisions,
  type Revisions,
  type WholeDocument,
  withContent,
} from '~/core/revisions/revisions'
import { clientAtom } from '~/core/session/client'
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
  unknown,
  type ValueDifference,
  type ValueThen,
  valueLists,
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

/** Newest revisions that are read together, with their contents. */
const revisionsAtOnce = 50

type Asked = DocumentName & { readonly signal: AbortSignal }

/** Null for a document of another collection. */
async function documentDifference(
  client: Client,
  name: Asked,
  revisions: Revisions<DocumentRevision>,
  of: Written,
  { from, to }: Ends,
): Promise<ValueDifference | null> {
  if ((await revisions.count(name.signal)) === 0) return null
  const then = async (moment: string) => {
    const { last } = await revisions.upTo(moment, name.signal)
    return last && documentThen(await withContent(client, name, last))
  }
  return differenceOf(of, await then(from), await then(to))
}

function documentThen({ isDeleted, document, hidden }: WholeDocument): ValueThen {
  if (isDeleted) return null
  if (hidden !== null) return unknown(hidden === 'gone' ? gone : tooLarge)
  const text = documentJson(document)
  return { kind: 'value', text, exact: text }
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
    const options = { atOnce: revisionsAtOnce, hasContent: true }
    const revisionsOf = memoizeByNames((id = '') =>
      documentRevisions(client, { database, collection, id }, options),
    )
    return async (of) => {
      const number = of.collectionId ?? 0
      if (isOwn.get(number) === false) return null
      const moments = momentsOf(of, { database, from, to })
      const name = { database, collection, id: of.id, signal }
      const found = await documentDifference(client, name, revisionsOf(of.id), of, moments)
      isOwn.set(number, found !== null || isOwn.get(number) === true)
      return found
    }
  }
}

/** Makes the list of what some documents were at both moments. */
export const documentValuesAtom = atom(
  (get) => (ends: OfDocuments, as: ComparedAs, written: readonly Written[]) => {
    const { database, from, to, collection } = ends
    const name = [database, from, to, 'documents', collection, as]
    return valueLists(name, written, beginDocuments({ get }, ends))
  },
)
