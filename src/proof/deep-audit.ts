import { areEqual, bytesToHex, encodeUtf8 } from '~/lib/bytes'
import { advanceSize, isTooLarge, sizeOf } from './answer-size'
import { copyAudit, type SavedAudit, saveAudit } from './audit-walk'
import { type Catalog, emptyCatalog, readCatalogEntry } from './catalog'
import {
  clockSlack,
  type ExceptionReason,
  type Exceptions,
  except,
  noExceptions,
} from './exceptions'
import { type Audit, type AuditedTx, auditTx, refusal, startAudit } from './kernel/audit'
import type { Point } from './kernel/context'
import { checkHash, emptyHash, hash } from './kernel/hash'
import { ProofError } from './kernel/steps'
import { documentPrefix } from './kernel/stored'
import type { TxEntry } from './kernel/transaction'
import { addValues } from './kernel/values'
import { type SampleRow, sampleRow } from './sample-row'
import { storedEntry } from './stored-entry'

/** Content that needs a separate call, a revision of a document first; hex digits. */
export type Pending = (
  | { kind: 'document'; collectionId: number; id: string }
  /** A value, or a row, in a transaction that is more than the server can send at once. */
  | { kind: 'value' }
  | { kind: 'row'; tableId: number }
) & {
  tx: string
  key: string
  /**
   * The most bytes that its proof can have, without those that a lagging tree of the trusted
   * transaction adds. Absent in records of older consoles.
   */
  size?: number
  /** Unix seconds, decimal digits; absent for what does not expire. */
  expiresAt?: string
  /** Bytes of the value, as reported by the server; may be absent too. */
  vLen?: number
}

/**
 * The audit of a whole database: the walk over its transactions and what it learned. It can pause
 * between pages. Its saved form does not grow with the history.
 */
export type DeepAudit = {
  chain: Audit
  /** The transaction and the hash with which the walk must end. */
  readonly target: Point
  /** The transaction it began with. */
  readonly first: bigint
  readonly withValues: boolean
  readonly counts: AuditCounts
  readonly exceptions: Exceptions
  /** The tables in the history. */
  readonly catalog: Catalog
  /**
   * The last transaction that wrote an entry of the catalog, of tables or of collections, or whose
   * entries could not be seen; 0 for none.
   */
  catalogTx: bigint
  /** False once a part of the catalog could not be read; then the catalog proves nothing. */
  isCatalogWhole: boolean
  /** A row of each table, to ask the server for its description of the table. */
  readonly rows: Map<number, SampleRow>
  /** Proven names of collections by id, or the number of documents that no listed name returned. */
  readonly collections: Map<number, string | number>
  /**
   * Digests of the names that the history gives collections, by id, in hex digits; null for one that
   * was deleted. No call gives the names themselves.
   */
  readonly nameDigests: Map<number, string | null>
  /** Content of the pages so far that is not proven yet. */
  pending: Pending[]
  /**
   * The last transaction and the walk before it, once it ended: enough to check the end again. Null
   * when the server cannot send all its entries.
   */
  end: AuditEnd | null
}

export type AuditCounts = {
  /**
   * Entries whose value was read and matches the proven digest, empty ones and deletions included.
   */
  values: number
  /** Bytes of these values as they are stored. */
  bytes: number
  /** Revisions of documents, proven by separate calls. */
  documents: number
  /**
   * Bytes of the values that were not read, as reported by the server. Absent in records of older
   * consoles.
   */
  unseen?: number
}

export type AuditEnd = { after: SavedAudit; tx: unknown }

/** A transaction as fetched. Nothing in it is proven yet. */
export type FetchedTx = {
  /** The `Tx` that lists all entries, with values where the server gave them in the same list. */
  tx: unknown
  /** A second `Tx` with the values that the server gives; null when there is none. */
  values: unknown
  /** Why there are none, if that is known. */
  lack: { reason: ExceptionReason; words: string } | null
}

export function startDeepAudit(target: Point, withValues: boolean): DeepAudit {
  return {
    chain: startAudit(),
    target,
    first: 1n,
    withValues,
    counts: { values: 0, bytes: 0, documents: 0, unseen: 0 },
    exceptions: noExceptions(),
    catalog: emptyCatalog(),
    catalogTx: 0n,
    isCatalogWhole: true,
    rows: new Map(),
    collections: new Map(),
    nameDigests: new Map(),
    pending: [],
    end: null,
  }
}

type Seen = { audited: AuditedTx; lack: FetchedTx['lack'] }

/**
 * Continues over the transactions of one page.
 * @param now Unix seconds, to tell entries that have expired
 * @param next the transaction after the page; it is not taken but must continue from it
 * @throws ProofError for what is not the history up to the target; the audit stays as it was then
 */
export function takePage(
  audit: DeepAudit,
  page: readonly FetchedTx[],
  now: number,
  next?: FetchedTx,
): void {
  const { target } = audit
  const chain = copyAudit(audit.chain)
  const left = target.txId - chain.txId
  const inputs = { trustedTxId: String(target.txId), txId: String(chain.txId) }
  // A history that ends before the trusted state is a different one. A longer history is fine.
  if (page.length === 0 || BigInt(page.length) > left) throw refusal('txs', { inputs })
  let end: AuditEnd | null = null
  const seen = page.map((fetched, at): Seen => {
    if (BigInt(at + 1) === left) end = endOf(chain, fetched)
    return { audited: walk(chain, fetched), lack: fetched.lack }
  })
  // Whether or not the last one lists what is in it.
  if (BigInt(page.length) === left) {
    checkHash(chain.alh, target.txHash, refusal, 'trusted', {
      ...inputs,
      txId: String(chain.txId),
    })
  }
  if (next) walk(copyAudit(chain), next)
  audit.chain = chain
  audit.end = end
  for (const each of seen) {
    noteUnlisted(audit, each)
    noteCatalog(audit, each)
    if (audit.withValues) takeEntries(audit, each, now)
    else takeCatalog(audit, each)
  }
}

/** Continues to a newer target, to which the older one must lead. */
export function goOnTo(audit: DeepAudit, target: Point): DeepAudit {
  return { ...audit, target, end: null }
}

export const isAtEnd = ({ chain, target }: DeepAudit): boolean => chain.txId === target.txId

const isListed = ({ lack }: Pick<FetchedTx, 'lack'>) => lack?.reason !== 'entries-too-large'

/** Null without the entries, because the end cannot be checked again then. */
function endOf(chain: Audit, fetched: FetchedTx): AuditEnd | null {
  if (!isListed(fetched)) return null
  return { after: saveAudit(chain), tx: withoutValues(fetched.tx) }
}

function walk(chain: Audit, { tx, values, lack }: FetchedTx): AuditedTx {
  const audited = auditTx(chain, tx, isListed({ lack }))
  if (values) addValues(audited.entries, values)
  return audited
}

/**
 * Reduces a refused part to what can be checked again without further knowledge: the walk after its
 * last fitting transaction without listed entries, and what follows. That entries were missing is
 * the server's claim and does not show in its answers.
 */
export function goOnBehindUnlisted(
  before: Audit,
  part: readonly FetchedTx[],
): { chain: Audit; rest: readonly FetchedTx[] } {
  const going = copyAudit(before)
  let found = { chain: before, rest: part }
  try {
    for (const [at, fetched] of part.entries()) {
      walk(going, fetched)
      if (!isListed(fetched)) found = { chain: copyAudit(going), rest: part.slice(at + 1) }
    }
  } catch {
    // This transaction is the refused one.
  }
  return found
}

/** The `Tx` with which the end can be checked again. */
function withoutValues(tx: unknown): unknown {
  if (typeof tx !== 'object' || tx === null || !('entries' in tx)) return tx
  const { entries } = tx
  if (!Array.isArray(entries)) return tx
  return {
    ...tx,
    entries: entries.map((entry: unknown) =>
      typeof entry === 'object' && entry !== null ? { ...entry, value: undefined } : entry,
    ),
  }
}

/**
 * This many digests may exceed 4 MiB. A key has at most 1,024 bytes (`MaxKeyLen` of
 * embedded/store), and an answer adds less than 1,024 for each.
 */
const fewestTooLarge = 2_048

/** Notes a transaction whose digests could not be fetched in any way. */
function noteUnlisted(audit: DeepAudit, { audited: { header }, lack }: Seen): void {
  if (lack?.reason !== 'entries-too-large') return
  const { id, nentries: count } = header
  const reason = count < fewestTooLarge ? 'entries-withheld' : lack.reason
  except(audit.exceptions, { reason, words: '', tx: String(id), key: '', count })
  audit.isCatalogWhole = false
  // The transaction may have renamed any collection.
  audit.nameDigests.clear()
}

/**
 * Keys are proven without their values, so a walk over digests alone finds the catalog's changes
 * too.
 */
function noteCatalog(audit: DeepAudit, { audited: { header, entries }, lack }: Seen): void {
  // An entry that is not indexable changes nothing, see `readCatalogEntry`.
  const isWritten = ({ key, metadata }: TxEntry) =>
    !metadata.nonIndexable && (isCatalogKey(key) || isOfCollections(key))
  if (!isListed({ lack }) || entries.some(isWritten)) audit.catalogTx = header.id
  for (const { key: stored, metadata, hValue } of entries) {
    const key = storedEntry(stored)
    if (key.kind !== 'collection-catalogue' || key.of.part !== 'table') continue
    if (metadata.nonIndexable) continue
    const isNamed = !metadata.deleted && metadata.expiresAt === null
    audit.nameDigests.set(key.of.tableId, isNamed ? bytesToHex(hValue) : null)
  }
}

/** An audit by digests reads the values of the catalog alone, so that it knows the tables, too. */
function takeCatalog(audit: DeepAudit, { audited: { entries } }: Seen): void {
  for (const entry of entries) {
    if (isCatalogKey(entry.key) && !learned(audit.catalog, entry, isSeen(entry)))
      audit.isCatalogWhole = false
  }
}

/** Whether the value is known; that of an empty one is by its digest. */
const isSeen = ({ value, hValue }: TxEntry) => value !== null || areEqual(hValue, emptyHash)

function takeEntries(audit: DeepAudit, { audited, lack }: Seen, now: number): void {
  const { header, entries } = audited
  const tx = String(header.id)
  const size = sizeOf(audited)
  const values = entries.reduce((sum, { vLen }) => sum + vLen, 0)
  const isClaimed = lack?.reason === 'too-large'
  const place = {
    tx,
    // A page contains no proof, so no tree enlarges it.
    lack: isClaimed && !isTooLarge(size + values) ? unexplained : lack,
    now,
    size,
    advance: advanceSize(header, audit.target),
  }
  for (const entry of entries) takeEntry(audit, entry, place)
}

const unexplained = { reason: 'size-unexplained', words: '' } as const

type Place = { tx: string; lack: FetchedTx['lack']; now: number; size: number; advance: number }

function takeEntry(audit: DeepAudit, entry: TxEntry, place: Place): void {
  const { tx } = place
  const key = storedEntry(entry.key)
  const size = place.size + entry.vLen
  const { expiresAt } = entry.metadata
  const expiry = expiresAt === null ? {} : { expiresAt: String(expiresAt) }
  const asked = { tx, key: bytesToHex(entry.key), size, vLen: entry.vLen, ...expiry }
  // The server proves no expired entries, which is no finding.
  const isAsked = !isExpired(expiresAt, place.now)
  if (key.kind === 'document' && isAsked) {
    const { collectionId, id } = key
    // Proofs of documents need a tree that does not lag.
    audit.pending.push({ kind: 'document', collectionId, id: bytesToHex(id), ...asked })
    return
  }
  const isKnown = isSeen(entry)
  const isLarge = place.lack?.reason === 'too-large' || place.lack === unexplained
  const single = { ...asked, size: size + place.advance }
  if (isKnown) {
    audit.counts.values += 1
    audit.counts.bytes += entry.value?.length ?? 0
  } else if (isLarge && isAsked && entry.key[0] === plainPrefix) {
    audit.pending.push({ kind: 'value', ...single })
  } else if (isLarge && isAsked && key.kind === 'row') {
    audit.pending.push({ kind: 'row', tableId: key.tableId, ...single })
  } else {
    const lack = isOfCollections(entry.key) ? atCatalog : lackOf(entry, place)
    except(audit.exceptions, { ...lack, tx, key: bytesToHex(entry.key) })
    audit.counts.unseen = (audit.counts.unseen ?? 0) + entry.vLen
  }
  if (key.kind === 'row') keepRow(audit, key.tableId, entry, tx)
  else if (!learned(audit.catalog, entry, isKnown)) audit.isCatalogWhole = false
}

/** Whether the engine of documents keeps it beside the documents. */
const isOfCollections = (key: Uint8Array) =>
  key[0] === documentPrefix && storedEntry(key).kind !== 'document'

/** Collections whose documents were proven under the name that the history has for their number. */
export function namedInHistory({ collections, nameDigests }: DeepAudit): [string, number][] {
  const proven = [...collections].flatMap(([id, name]): [string, number][] =>
    typeof name === 'string' ? [[name, id]] : [],
  )
  return namedBy(nameDigests, proven)
}

/**
 * Those of some collections whose name and number the history ties together.
 * @param digests of the names in the history, by number; null for a deleted collection
 */
export function namedBy(
  digests: ReadonlyMap<number, string | null>,
  collections: Iterable<readonly [name: string, number: number]>,
): [name: string, number: number][] {
  return [...collections].flatMap(([name, number]): [string, number][] =>
    digests.get(number) === bytesToHex(hash(encodeUtf8(name))) ? [[name, number]] : [],
  )
}

/** The prefix of keys and references, which can be fetched one by one. */
const plainPrefix = 0
const catalogUnseen = { reason: 'catalog-unseen', words: '' } as const
const atCatalog = { reason: 'collection-catalog', words: '' } as const

/** Whether an entry has expired, or may have by a clock that is slightly ahead. */
export function isExpired(expiresAt: bigint | null, now: number): boolean {
  return expiresAt !== null && expiresAt <= BigInt(Math.floor(now) + clockSlack)
}

function lackOf({ key, metadata }: TxEntry, { lack, now }: Place) {
  const isLarge = lack?.reason === 'too-large' || lack === unexplained
  if (isLarge && isCatalogKey(key)) return catalogUnseen
  if (isExpired(metadata.expiresAt, now)) return { reason: 'expired', words: '' } as const
  return lack ?? ({ reason: 'withheld', words: '' } as const)
}

/** False when the entry belongs to the catalog and its content is unknown or unreadable. */
function learned(catalog: Catalog, entry: TxEntry, isKnown: boolean): boolean {
  const { key, value, metadata } = entry
  if (isCatalogKey(key) && !isKnown && !metadata.nonIndexable) return false
  try {
    const content = metadata.deleted ? null : (value ?? new Uint8Array())
    readCatalogEntry(catalog, key, content, metadata)
    return true
  } catch (error) {
    if (error instanceof ProofError) return false
    throw error
  }
}

const catalogStart = Uint8Array.of(2, 0x43, 0x54, 0x4c, 0x2e) // "CTL." below SQL's prefix

function isCatalogKey(key: Uint8Array): boolean {
  return areEqual(key.subarray(0, catalogStart.length), catalogStart)
}

function keepRow({ catalog, rows }: DeepAudit, tableId: number, entry: TxEntry, tx: string) {
  const { value, metadata } = entry
  const pk = catalog.get(tableId)?.pk ?? []
  const isServed = !metadata.deleted && !metadata.nonIndexable && metadata.expiresAt === null
  const row = value && isServed ? sampleRow(tx, value, pk) : null
  if (row) rows.set(tableId, row)
}
