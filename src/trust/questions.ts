import type { TxEntries, TxEntry, TxHeader } from '~/api/transactions'
import { base64ToBytes, base64ToHex, bytesToHex } from '~/lib/bytes'
import { formatTx } from '~/lib/text'
import { hash } from '~/proof/kernel/hash'
import type { MetadataFacts } from '~/proof/kernel/proven-facts'
import { referenceValue } from '~/proof/kernel/stored'
import { entryLeaves, expiryValue, fieldLeaves } from '~/proof/proven-leaves'
import {
  booleanValue,
  bytesValue,
  type Leaf,
  nothing,
  numberValue,
  type ObjectPart,
  objectLeaf,
  passedBy,
  type Shown,
  textValue,
} from '~/proof/shown'
import { documentRequest, type Question, type QuestionOf } from './verification'

/** Leaves that no proof covers, each as the screen says it. */
export const saidLeaf = (name: ObjectPart, text: string, label?: string): Leaf =>
  objectLeaf(name, textValue(text), label)

/** The transaction that wrote something and, where it is drawn, its time in seconds since 1970. */
export function writtenLeaves(tx: string, seconds: string | null = null): Leaf[] {
  const time = objectLeaf('the time of the transaction', numberValue(seconds ?? ''))
  return [objectLeaf('the transaction', numberValue(tx)), ...(seconds === null ? [] : [time])]
}

/** A key as a page shows it, or as it was sent; keys and values are standard base64. */
export type ShownKey = {
  database: string
  key: string
  /** In words. */
  what: string
  tx: string
  /** Seconds since 1970, where the page draws it. */
  time?: string | null
  /** What the page draws beside it and no proof covers, such as the number of the revision. */
  said?: readonly Leaf[]
  /** See {@link Shown}. */
  sentAfter?: string
  /** Whether it is deleted, where the page says that in another place, too. */
  isDeleted?: boolean
} & (
  | { state: 'live'; value: string; expiresAt: string | null; target: ShownTarget | null }
  | { state: 'deleted'; expiresAt?: string | null }
  /** @param now seconds since 1970 by the clock that decides whether it has expired */
  | { state: 'expired'; expiresAt: string | null; now: number }
  /** Refers to a key that is not there any more, which is named where the page draws it. */
  | {
      state: 'dangling'
      expiresAt?: string | null
      refersTo?: { key: string; atTx: string | null }
    }
)

/** What a reference leads to: `tx` wrote that entry; `isBound` fixes it to that revision. */
type ShownTarget = { key: string; tx: string; isBound: boolean }

/**
 * The questions for a key in the transaction that wrote it, and for a reference for the entry behind
 * it. A key without a value is looked up among the entries of its transaction.
 */
export function keyQuestions(shown: ShownKey): readonly Question[] {
  const { database, key, tx, what, time = null } = shown
  const about = [...writtenLeaves(tx, time), ...(shown.said ?? [])]
  const sent = shown.sentAfter === undefined ? {} : { sentAfter: shown.sentAfter }
  if (shown.state !== 'live') {
    const leaves = [...about, ...leavesWithoutValue(shown), ...deletedLeaves(shown)]
    return [{ database, kind: 'tx', what, request: { tx }, shown: { leaves, whole: [], ...sent } }]
  }
  const { target, expiresAt } = shown
  const value = objectLeaf('the value', bytesValue(base64ToHex(shown.value)))
  const expires = objectLeaf('the time it expires', expiryValue(expiresAt))
  const named = objectLeaf('the key', bytesValue(base64ToHex(key)))
  const own = {
    database,
    kind: 'get',
    what,
    request: { keyRequest: { key, atTx: tx }, isIndexed: true },
    shown: {
      leaves: [
        named,
        ...about,
        ...(shown.isDeleted === undefined
          ? []
          : [objectLeaf('the deletion', booleanValue(shown.isDeleted), deletion)]),
        ...(target ? targetLeaves(target) : [value, expires]),
      ],
      whole: [],
      ...sent,
    },
  } as const
  if (!target) return [own]
  const behind = {
    database,
    kind: 'get',
    what: 'the entry it refers to',
    // A reference that is bound to a transaction shows also what is in no index.
    request: {
      keyRequest: { key: target.key, atTx: target.tx },
      ...(target.isBound ? {} : { isIndexed: true as const }),
    },
    shown: { leaves: [value, expires], whole: [] },
  } as const
  return [own, behind]
}

const deletion = 'the deletion of the key'

function targetLeaves({ key, tx, isBound }: ShownTarget): Leaf[] {
  return [
    objectLeaf('the target', bytesValue(base64ToHex(key))),
    objectLeaf('the revision of the target', isBound ? numberValue(tx) : nothing),
  ]
}

function leavesWithoutValue(shown: Exclude<ShownKey, { state: 'live' }>): Leaf[] {
  const { state, expiresAt = null } = shown
  const of = leafOfEntry(shown)
  const expires = of('expires', 'the time it expires', expiryValue(expiresAt))
  // Only an expired one tells that it does not expire.
  const said = expiresAt === null ? [] : [expires]
  // It was read by the index, which passes over entries that are in none.
  const indexed = of('indexed', 'the key', booleanValue(true))
  if (state === 'deleted') return [of('deleted', deletion, booleanValue(true)), indexed, ...said]
  const isThere = of('deleted', 'the key', booleanValue(false))
  if (state === 'expired') {
    const passed = of('expires', 'that it has expired', passedBy(Math.floor(shown.now)))
    return [isThere, indexed, expires, passed]
  }
  return [
    isThere,
    indexed,
    ...said,
    ...(shown.refersTo ? [of('digest', 'the target', digestOf(shown.refersTo))] : []),
    saidLeaf('the target', '', 'that its target is missing'),
  ]
}

/** Of a stored reference, which no answer has as such. */
function digestOf({ key, atTx }: { key: string; atTx: string | null }) {
  const stored = referenceValue(base64ToBytes(key), BigInt(atTx ?? '0'))
  return bytesValue(bytesToHex(hash(stored)))
}

function deletedLeaves(shown: ShownKey): Leaf[] {
  const { state, isDeleted = state === 'deleted' } = shown
  if (isDeleted === (state === 'deleted')) return []
  return [leafOfEntry(shown)('deleted', deletion, booleanValue(isDeleted))]
}

/** A leaf of the entry that wrote a key, by its name in the transaction. */
const leafOfEntry =
  ({ key }: ShownKey) =>
  (part: string, label: string, value: Leaf['value']): Leaf => {
    return { group: 'entry', name: `00${base64ToHex(key)} ${part}`, label, value }
  }

/** A transaction as a list shows it; the hash is standard base64, empty where it is not told. */
export type ShownTx = { id: string; ts: string; hash: string; nentries: number }

/** The question for a transaction of a list. */
export function txQuestion(database: string, shown: ShownTx, said: readonly Leaf[] = []): Question {
  return questionOfTx(database, shown.id, { leaves: [...listedLeaves(shown), ...said], whole: [] })
}

/** The question for a transaction of which this is shown, or was sent. */
export function questionOfTx(database: string, id: string, shown: Shown): QuestionOf<'tx'> {
  return { database, kind: 'tx', what: `tx ${formatTx(id)}`, request: { tx: id }, shown }
}

function listedLeaves({ id, ts, hash: alh, nentries }: ShownTx): Leaf[] {
  return [
    ...writtenLeaves(id, ts),
    ...(alh === '' ? [] : [objectLeaf('the hash', bytesValue(base64ToHex(alh)))]),
    objectLeaf('the number of entries', numberValue(nentries)),
  ]
}

/** A transaction as its page shows it: all of its header, and all of its entries. */
export type ShownTxPage = {
  database: string
  tx: TxEntries
  /** Standard base64; null where it could not be calculated. */
  hash: string | null
  /** Stored values by stored key, in base64, as far as they are drawn. */
  values: ReadonlyMap<string, string>
  /** What is drawn with the entries and no proof of the transaction covers. */
  said: readonly Leaf[]
}

/** The question for a transaction of which the page shows everything. */
export function txPageQuestion({ database, tx, hash: alh, values, said }: ShownTxPage): Question {
  const { header, entries } = tx
  const { id, ts, nentries } = header
  const drawn = (entries ?? []).flatMap((entry, at) => {
    const value = values.get(entry.key)
    return entryLeavesOf(value === undefined ? entry : { ...entry, value }, at)
  })
  const leaves = [
    ...listedLeaves({ id, ts, hash: alh ?? '', nentries }),
    ...headerLeaves(header),
    ...drawn,
    ...said,
  ]
  return questionOfTx(database, id, { leaves, whole: entries ? ['entry'] : [] })
}

function headerLeaves({ prevAlh, eH, blTxId, blRoot, version, metadata }: TxHeader): Leaf[] {
  const bytes = (part: ObjectPart, of: string) => objectLeaf(part, bytesValue(base64ToHex(of)))
  return [
    bytes('the hash before', prevAlh),
    bytes('the hash of the entries', eH),
    objectLeaf('the tree', numberValue(blTxId)),
    bytes('the root of the tree', blRoot),
    objectLeaf('the format', numberValue(version)),
    objectLeaf('the truncation', numberValue(metadata.truncatedTxID)),
    bytes('the note of the server', metadata.extra),
  ]
}

/** An entry of a transaction as a page shows it; `number` counts from 1. */
export type ShownEntry = {
  database: string
  tx: string
  number: number
  entry: TxEntry
  /** What is drawn with the entry and no proof of its transaction covers. */
  said: readonly Leaf[]
}

/** The question for one entry: its transaction with all entries, compared with this one. */
export function entryQuestion({ database, tx, number, entry, said }: ShownEntry): Question {
  const leaves = [...entryLeavesOf(entry, number - 1), ...said]
  return {
    database,
    kind: 'tx',
    what: `entry ${number} of tx ${formatTx(tx)}`,
    request: { tx },
    shown: { leaves, whole: [] },
  }
}

/** An entry with its value, or with its digest where the value is not shown. */
function entryLeavesOf(entry: TxEntry, at: number): Leaf[] {
  const { key, hValue, value, isDeleted, expiresAt, isNonIndexable, vLen } = entry
  const meta: MetadataFacts = { deleted: isDeleted, expiresAt, nonIndexable: isNonIndexable }
  const of = (digest: string) => entryLeaves({ key: base64ToHex(key), meta, valueHash: digest }, at)
  const bytes = value === undefined ? null : base64ToBytes(value)
  // The size is part of no hash but that of the value.
  const isSizeKnown = bytes ? bytes.length === vLen : vLen === 0
  const size = isSizeKnown ? [] : [saidLeaf('the size of the value', String(vLen))]
  // Both the digest that the server told and that of the value: either may be drawn.
  const [told, digest] = [base64ToHex(hValue), bytes && bytesToHex(hash(bytes))]
  const [own] = digest !== null && digest !== told ? of(digest) : []
  return [...of(told), ...(own ? [own] : []), ...size]
}

/** What was sent as one whole transaction: all of its entries, in whatever order. */
export type SentEntry = {
  /** With its prefix. */
  key: Uint8Array
  /** The stored value, with its prefix. */
  value: Uint8Array
  isDeleted?: boolean
  /** Seconds since 1970. */
  expiresAt?: string | null
}

/** Compares a transaction with everything that was sent for it; an entry more or less differs. */
export function sentShown(entries: readonly SentEntry[], sentAfter: string): Shown {
  const leaves = entries.flatMap(({ key, value, isDeleted = false, expiresAt = null }) => {
    const meta: MetadataFacts = { deleted: isDeleted, expiresAt, nonIndexable: false }
    const valueHash = bytesToHex(hash(value))
    return entryLeaves({ key: bytesToHex(key), meta, valueHash }, null)
  })
  const count = objectLeaf('the number of entries', numberValue(entries.length))
  return { leaves: [count, ...leaves], whole: [], sentAfter }
}

/** A revision of a document as a page shows it; null for what is not drawn. */
export type ShownDocument = {
  database: string
  collection: string
  id: string
  tx: string
  seconds: string | null
  author: string | null
  /** What the page draws beside it and no proof covers, such as the number of the revision. */
  said?: readonly Leaf[]
  /** Null where the content is not drawn: it is deleted or cannot be read. */
  document: { readonly [name: string]: unknown } | null
  isDeleted: boolean | null
}

export const documentDeletion = (isDeleted: boolean) =>
  objectLeaf('the deletion', booleanValue(isDeleted), 'the deletion of the document')

/** The question for a document in the transaction that wrote it; all of its fields are shown. */
export function documentQuestion(shown: ShownDocument): QuestionOf<'document'> {
  const { database, collection, id, tx, seconds, author, said = [], document, isDeleted } = shown
  const leaves = [
    ...writtenLeaves(tx, seconds),
    objectLeaf('the document', textValue(id)),
    ...(isDeleted === null ? [] : [documentDeletion(isDeleted)]),
    ...(author === null
      ? []
      : [objectLeaf('the author', author === '' ? nothing : textValue(author))]),
    ...said,
    ...(document === null ? [] : fieldLeaves(document)),
  ]
  return {
    database,
    kind: 'document',
    what: `document ${id} of ${collection}`,
    request: documentRequest({ collection, id, tx }),
    shown: { leaves, whole: document === null ? [] : ['field'] },
  }
}
