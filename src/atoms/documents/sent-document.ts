import type { Getter } from 'jotai'
import { auditDocument, type DocumentRevision } from '~/api/documents'
import { waitForIndex } from '~/api/keys'
import { decoded, visitSince } from '~/core/history/transaction-reader'
import { clientAtom } from '~/core/session/client'
import { isIdOf } from '~/immudb/collection'
import { type DocumentFields, documentJson } from '~/immudb/document-json'
import { bytesToHex } from '~/lib/bytes'
import { parsedJson } from '~/lib/parsed-json'
import { formatTx } from '~/lib/text'
import { notSoFar, possibleCopies } from '~/words/outcome'

/** What was sent, as far as it takes to find it again. */
export type SoughtDocument = {
  readonly database: string
  readonly collection: string
  /** JSON without the id. */
  readonly json: string
  /** The revision that it was to replace; empty for a new document. */
  readonly revision: string
  /** The newest transaction known before it was sent. */
  readonly txBefore: string
}

/** A document that was found, or a sentence that says what was. */
export type FoundSent = { id: string; tx: string; text: string } | string

/**
 * Whether a stored document has the content of a text that was sent: numbers as the doubles that
 * the server stores, and U+FFFD for half characters. The server adds one field, the id, under a name
 * that may have changed since.
 */
export function isSent(json: string, stored: DocumentFields, id: string): boolean {
  const sent = asStored(parsedJson(json))
  if (typeof sent !== 'object' || sent === null) return false
  const fields = Object.entries(stored)
  const content = fields.filter(([name, value]) => !isIdOf(value, id) || Object.hasOwn(sent, name))
  const hasOneMore = content.length === fields.length - 1
  const ordered = (value: unknown) => documentJson(value, undefined, true)
  return hasOneMore && ordered(sent) === ordered(Object.fromEntries(content))
}

function asStored(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\p{Surrogate}/gu, '\uFFFD')
  if (Array.isArray(value)) return value.map(asStored)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, field]) => [asStored(name), asStored(field)])
  return Object.fromEntries(fields)
}

const notStored = notSoFar(
  'Not stored so far.',
  'commit it',
  'check again before you save once more, or it may be stored twice',
)

/** Documents that a check looks at. */
const mostDocuments = 200

/** Documents that transactions wrote since another one, and whether all of them are known. */
export async function writtenSince(
  get: Getter,
  { database, txBefore }: Pick<SoughtDocument, 'database' | 'txBefore'>,
): Promise<{ found: { tx: string; ids: readonly string[] }[]; isWhole: boolean }> {
  const found: { tx: string; ids: readonly string[] }[] = []
  const isWhole = await visitSince({ get }, database, txBefore, (header, entries) => {
    const ids = entries.flatMap(({ key, isDeleted }) => {
      const entry = decoded(key)
      return entry.kind === 'document' && !isDeleted ? [bytesToHex(entry.id)] : []
    })
    if (ids.length > 0) found.push({ tx: header.id, ids })
  })
  return { found, isWhole }
}

/** The first revision of a document, when a transaction wrote that; null otherwise. */
export async function firstRevision(
  get: Getter,
  { database, collection }: Pick<SoughtDocument, 'database' | 'collection'>,
  id: string,
  tx: string,
): Promise<DocumentRevision | null> {
  const order = { page: 1, pageSize: 1, isNewestFirst: false, omitPayload: false }
  const asked = { database, collection, id, ...order }
  const [first] = await auditDocument(get(clientAtom), asked)
  return first?.tx === tx ? first : null
}

const byWords = ({ author }: DocumentRevision) => (author === '' ? '' : ` by ${author}`)

/** Looks for a new document with the sent content in the transactions since it was sent. */
export async function findInserted(get: Getter, sought: SoughtDocument): Promise<FoundSent> {
  await waitForIndex(get(clientAtom), sought)
  const { found, isWhole } = await writtenSince(get, sought)
  const candidates = found.flatMap(({ tx, ids }) => ids.map((id) => ({ tx, id })))
  const same: { id: string; tx: string; by: string }[] = []
  for (const { tx, id } of candidates.slice(0, mostDocuments)) {
    const first = await firstRevision(get, sought, id, tx)
    if (first?.document && isSent(sought.json, first.document, id)) {
      same.push({ id, tx, by: byWords(first) })
    }
  }
  const [one, ...others] = same
  if (!one) {
    return isWhole && candidates.length <= mostDocuments
      ? notStored
      : 'It was not found, but not every transaction since then could be looked through. The page Transactions lists them.'
  }
  const copies = possibleCopies(others.map(({ tx }) => tx))
  const text = `tx ${formatTx(one.tx)} inserted a document with exactly this content${one.by}.${copies}`
  return { id: one.id, tx: one.tx, text }
}

/** Newest revisions that a check compares. */
const lookedAt = 20

/** Looks for the sent content in the revisions since the one that it was to replace. */
export async function findReplaced(
  get: Getter,
  sought: SoughtDocument,
  id: string,
): Promise<FoundSent> {
  const { database, collection, json, revision } = sought
  const client = get(clientAtom)
  await waitForIndex(client, sought)
  const order = { page: 1, pageSize: lookedAt, isNewestFirst: true, omitPayload: false }
  const newest = await auditDocument(client, { database, collection, id, ...order })
  const since = newest.filter((one) => BigInt(one.revision) > BigInt(revision || '0'))
  const same = since.find((one) => one.document && isSent(json, one.document, id))
  if (same) {
    const text = `Revision ${same.revision} has exactly this content: it was written in tx ${formatTx(same.tx)}${byWords(same)}.`
    return { id, tx: same.tx, text }
  }
  if (since.length === 0) return notStored
  if (since.length === lookedAt) {
    return `There are ${lookedAt} or more newer revisions, and the newest differ from it. The history shows them all.`
  }
  const [last] = since
  return `Someone wrote something else: revision ${last?.revision}${last ? byWords(last) : ''}. This text is in none of the newer revisions so far.`
}
