import type { DatabaseId } from '~/core/session/database-id'
import type { TrustedState } from '~/proof/kernel/context'
import type { Schema } from '~/proof/kernel/schema'
import type { Persistence, StoreName } from './store'
import type { FirstContact, Verification } from './verification'

/** How a state came to be trusted. */
export type TrustOrigin = 'first' | 'state' | 'import'

/** Milliseconds since 1970. */
type Time = number

/** `lags`: the server's tree over all transactions ended earlier there than it could. */
export type StateChange = TrustedState & { at: Time; how: TrustOrigin; lags?: true }

/**
 * What can be wrong with a history. Which refused proof is which is said in `findings.ts`; the words
 * are in `words/broken-history.ts`, what the operator can do in `screens/trust/DecideDialog.tsx`.
 */
export const breakKinds = [
  'rolled-back',
  /** The same transaction has another hash. */
  'rewritten',
  /** A newer history that does not continue the recorded one. */
  'forked',
  'other-server',
  'unsigned',
  'foreign-signature',
  'malformed',
  /** The transaction that a saved audit reached is not in the trusted history. */
  'saved-audit',
  /** The proof of a row, a key, a transaction or a document. */
  'object',
] as const
export type BreakKind = (typeof breakKinds)[number]

/** Kinds of incidents; those that break no history have their words in `words/incident.ts`. */
export const incidentKinds = [...breakKinds, 'contradicted', 'server-swapped'] as const

/** What this browser found wrong. Hashes are hex digits; empty where there is none. */
export type Break = {
  kind: BreakKind
  reason: string
  step: string
  part: string
  expected: string
  received: string
  at: Time
  /** The checked object, such as `row 42 of orders`. */
  what: string
  verification: Verification | null
  /** When the operator chose to keep the trusted state and continue; null before. */
  acknowledgedAt: Time | null
}

/** What this browser recorded about the history of one database. */
export type TrustRecord = {
  id: DatabaseId
  point: TrustedState
  firstContact: FirstContact
  /** How often a proof advanced the trusted state. */
  moved: number
  /** When a state last agreed with the trusted one, in milliseconds since 1970; 0 for never. */
  checked: Time
  /** When a proof that links another transaction to this history held; 0 for never. */
  provenAt: Time
  how: TrustOrigin
  /** The last trusted states, the newest last. */
  history: readonly StateChange[]
  /** The finding that is shown. */
  break: Break | null
  /** Other findings that have not ended, the newest last. */
  others?: readonly Break[]
  /** Pinned at first use, by the names of their tables. */
  schemas: ReadonlyMap<string, Schema>
  /** Numbers of collections, pinned at first use. */
  collections: ReadonlyMap<string, number>
  /** Which of these audits derived from the history, and for which span; absent for none. */
  spans?: Spans
  /** A proof of a row has described its table in the newer form; absent where none is known to have. */
  hasNewerForm?: true
  /** A linear advance proof held; absent where none is known to have. */
  hasAdvance?: true
}

/** The first and the last transaction, in decimal digits, for which the history describes it so. */
export type Span = { from: string; to: string }

/** By the names of tables and collections that the history describes as they are pinned. */
export type Spans = {
  tables: ReadonlyMap<string, Span>
  collections: ReadonlyMap<string, Span>
}

export const noSpans: Spans = { tables: new Map(), collections: new Map() }

/**
 * Whether a proof of a row has described its table in the newer form. Older consoles did not note it:
 * of their records, a table that no audit derived was pinned from such a proof.
 */
export function hasLeftOlderForm({ hasNewerForm, schemas, spans = noSpans }: TrustRecord): boolean {
  return hasNewerForm ?? [...schemas.keys()].some((table) => !spans.tables.has(table))
}

/** The spans without one name, which is described in another way now. */
export function withoutSpan(
  { tables, collections }: Spans = noSpans,
  { table, collection }: { table?: string; collection?: string },
): Spans {
  return {
    tables: new Map([...tables].filter(([name]) => name !== table)),
    collections: new Map([...collections].filter(([name]) => name !== collection)),
  }
}

/** Which transactions were read, one after the other, with the chain ending in the trusted state. */
export type ReadRange = {
  readFrom: string
  readTo: string
  /** The last of them known to have changed tables or collections; 0 for none. */
  catalogTx: string
}

/**
 * Whether the history up to a transaction describes a table or collection as it is pinned. An audit
 * must have derived it, and no later change up to there can have been missed.
 * @param read what was read since, maybe without the values; a change shows in the keys
 */
export function isDescribedAt(
  span: Span | undefined,
  txId: string,
  read: ReadRange | null,
): boolean {
  if (!span || BigInt(txId) < BigInt(span.from)) return false
  const to = BigInt(span.to)
  if (BigInt(txId) <= to) return true
  if (!read || BigInt(read.catalogTx) > to) return false
  return BigInt(read.readFrom) <= to + 1n && BigInt(txId) <= BigInt(read.readTo)
}

/** An accepted server at an address. The first was taken automatically and has no reason. */
export type KnownServer = { server: string; at: Time; reason?: string }

/** All accepted servers at an address, and the one that answered last; null when unknown. */
export type KnownServers = { servers: readonly KnownServer[]; last: string | null }

/** An operator's action on trusted states; it stays when the trusted state is forgotten. */
export type LogLine = {
  at: number
  id: DatabaseId
  what:
    | 'forgotten'
    | 'acknowledged'
    | 'matched-again'
    | 'imported'
    | 'server-accepted'
    | 'server-revoked'
    | 'key-pinned'
    | 'key-removed'
    | 'witness-pinned'
    | 'witness-removed'
  /** In the operator's words, or ours. */
  reason: string
  point: TrustedState | null
}

/** A problem, or an event that an operator should know, with its count. */
export type Incident = {
  kind: (typeof incidentKinds)[number]
  reason: string
  step: string
  part: string
  /** The checked object, such as `row 42 of orders`. */
  what: string
  /** Hex digits of hashes, or names of servers; empty where there is none. */
  expected: string
  received: string
  /** When it happened first and last, and how often. */
  at: Time
  last: Time
  times: number
}

/**
 * The incidents of one database. Only the limit removes lines, and it keeps the oldest and the
 * newest; `dropped` counts those in between.
 */
export type IncidentLog = { id: DatabaseId; incidents: readonly Incident[]; dropped: number }

/** Someone else's auditor whose checkpoints are compared with histories here. */
export type Witness = {
  /** The key that signs them, `name+hash+key`. */
  key: string
  /** When it was pinned. */
  at: Time
}

/** What this browser proved of a witness's checkpoints of one database. */
export type Sighting = {
  /** The key of the witness. */
  witness: string
  id: DatabaseId
  /** What tells the history in which they lie from a later record of the database. */
  firstContact: FirstContact
  /** When the last of them was proven. */
  at: Time
  /** Those that lie in the history, rising; the newest when there are very many. */
  seen: readonly TrustedState[]
  /** What speaks against the history or the witness; null for nothing. */
  found: WitnessFinding | null
}

export type WitnessFinding = {
  /**
   * The history has another hash there; or the witness contradicts itself: it has signed two hashes
   * for one transaction, or gone back to an older one.
   */
  kind: 'differs' | 'itself' | 'falls'
  txId: string
  /** What the witness signed, and the other hash; in hex digits. */
  signed: string
  other: string
  /**
   * The last of its checkpoints before that lies in the history, null when none was found; of one
   * that went back, the transaction that it had signed before.
   */
  before: string | null
  at: Time
  /** What was signed, as it stood in its file. */
  notes: readonly string[]
  /** The server's proof of the other hash, if one was asked for. */
  verification: Verification | null
}

/** A record that cannot be read, as it is stored. */
export type Unreadable = {
  store: StoreName
  key: string
  /** `newer`: a later version of this console wrote it. */
  kind: 'damaged' | 'newer'
  /** When it was set aside; null while it is still in its place. */
  at: Time | null
  value: unknown
}

/** Everything that is stored about trusted states. */
export type Records = {
  records: readonly TrustRecord[]
  log: readonly LogLine[]
  /** Pinned keys by `origin` and `server`, as JSON of the two. */
  keys: ReadonlyMap<string, string>
  /** By addresses. */
  servers: ReadonlyMap<string, KnownServers>
  incidents: readonly IncidentLog[]
  witnesses: readonly Witness[]
  sightings: readonly Sighting[]
  unreadable: readonly Unreadable[]
  keeping: Persistence
  /** Whether a later version of this console wrote the records here, which this one cannot read. */
  isOfNewer: boolean
}

export const historyLength = 50

/** Whether the finding is about an object or an audit, which the newest state cannot settle. */
export function isObjectBreak({ verification }: Break): boolean {
  return verification !== null && verification.kind !== 'state'
}

export function isSameState(one: TrustedState | null, other: TrustedState | null): boolean {
  return one?.txId === other?.txId && one?.txHash === other?.txHash
}

export function isSameId(one: DatabaseId, other: DatabaseId): boolean {
  return (
    one.origin === other.origin && one.server === other.server && one.database === other.database
  )
}

/** One text for each database of each server. */
export function keyOf({ origin, server, database }: DatabaseId): string {
  return JSON.stringify([origin, server, database])
}

/** The server for which a key is pinned, by its storage key; null when that is no server. */
export function serverIn(at: string): Pick<DatabaseId, 'origin' | 'server'> | null {
  try {
    const names: unknown = JSON.parse(at)
    if (!Array.isArray(names) || names.length !== 2) return null
    const [origin, server]: unknown[] = names
    return typeof origin === 'string' && typeof server === 'string' ? { origin, server } : null
  } catch {
    return null
  }
}

type Contacted = Pick<TrustRecord, 'firstContact'>

/**
 * Whether a record has the same first contact as an earlier read of it. After it was forgotten, it
 * has another one. An empty database has no first contact yet.
 */
export function isSameContact({ firstContact: one }: Contacted, other: Contacted): boolean {
  const { at, txId, txHash } = other.firstContact
  return one.txId === '0' || (one.at === at && one.txId === txId && one.txHash === txHash)
}

/**
 * Whether a proof has held against a state that was known before the server gave its own. A server
 * can always prove what it says against the state that it gave at first contact.
 */
export function isProven({ point, moved, provenAt, how }: Proven): boolean {
  return point.txId !== '0' && provenAt > 0 && (moved > 0 || how === 'import')
}

type Proven = Pick<TrustRecord, 'point' | 'moved' | 'provenAt' | 'how'>

/** When an answer of the server last agreed with the record; 0 for never. */
export function checkedAt({ checked, provenAt }: Pick<TrustRecord, 'checked' | 'provenAt'>): Time {
  return Math.max(checked, provenAt)
}

/** Whether a later answer was compared with the trusted state; an empty database does not count. */
export function isCompared({ point, moved, checked }: TrustRecord): boolean {
  return point.txId !== '0' && (moved > 0 || checked > 0)
}

/** Whether it was imported and no answer of the server was compared with it yet. */
export function isUncompared(record: TrustRecord): boolean {
  return record.how === 'import' && !isCompared(record)
}

/** Whether the server's tree over all transactions lagged behind at the last advance. */
export function isLagging({ history }: Pick<TrustRecord, 'history'>): boolean {
  return history.at(-1)?.lags === true
}

/** Every transaction whose hash the record has, the newest first. */
export function recordedStates({
  point,
  history,
  firstContact,
}: Pick<TrustRecord, 'point' | 'history' | 'firstContact'>): readonly TrustedState[] {
  return [point, ...history, firstContact]
}

export function startedRecord(
  id: DatabaseId,
  point: TrustedState,
  how: TrustOrigin,
  at: Time,
): TrustRecord {
  return {
    id,
    point,
    firstContact: { at, ...point },
    moved: 0,
    checked: 0,
    provenAt: 0,
    how,
    history: [{ ...point, at, how }],
    break: null,
    schemas: new Map(),
    collections: new Map(),
  }
}

/**
 * The record after an advance. Null when the trusted state is no longer `from`, or would go back;
 * then nothing may be written. An advance from an empty database is a first contact, because
 * nothing links it.
 */
export function movedRecord(
  id: DatabaseId,
  known: TrustRecord | null,
  from: TrustedState | null,
  { at, how, lags, ...to }: StateChange,
): TrustRecord | null {
  if (!known) return from === null ? startedRecord(id, to, how, at) : null
  if (!isSameState(known.point, from) || BigInt(to.txId) <= BigInt(known.point.txId)) return null
  const history = [...known.history, { ...to, at, how, ...(lags ? { lags } : {}) }].slice(
    -historyLength,
  )
  const next = { ...known, point: to, how, history }
  if (known.point.txId === '0') {
    return { ...next, checked: 0, provenAt: 0, firstContact: { at, ...to } }
  }
  return { ...next, moved: known.moved + 1, checked: at, provenAt: at }
}

/** What tables and collections look like, by their names. */
export type Pins = Pick<TrustRecord, 'schemas' | 'collections'> & { spans?: Spans }

/** The record with pins where it has none, or undefined when it has all of them. */
export function firstPinned(known: TrustRecord, pins: Pins): TrustRecord | undefined {
  const schemas = new Map([...pins.schemas, ...known.schemas])
  const collections = new Map([...pins.collections, ...known.collections])
  // Only an answer in the newer form pins a table.
  const isNewer = pins.schemas.size > 0 && !known.hasNewerForm
  const isNew = schemas.size > known.schemas.size || collections.size > known.collections.size
  if (!isNew && !isNewer) return undefined
  return { ...known, schemas, collections, ...(isNewer && { hasNewerForm: true }) }
}

/** What an audit learned about tables and collections. */
export type Audited = {
  /** All tables as the history describes them; null when they cannot be derived. */
  schemas: readonly Schema[] | null
  /** Numbers of collections, as proofs of their documents had them. */
  collections: readonly (readonly [name: string, number: number])[]
  /** The collections that the history itself names so. */
  named: readonly (readonly [name: string, number: number])[]
  /** The span for which the history says this. */
  span: Span
}

/** The record after an audit, or undefined when it learned nothing. */
export function auditedRecord(
  known: TrustRecord,
  { schemas, collections, named, span }: Audited,
): TrustRecord | undefined {
  if (!schemas && collections.length === 0 && named.length === 0) return undefined
  const { tables, collections: before } = known.spans ?? noSpans
  const pinned = new Map([...collections, ...known.collections])
  const derived = named.filter(([name, number]) => pinned.get(name) === number)
  const spanned = (names: readonly string[]) => names.map((name) => [name, span] as const)
  return {
    ...known,
    schemas: new Map([
      ...known.schemas,
      ...(schemas ?? []).map((one) => [one.table, one] as const),
    ]),
    collections: pinned,
    spans: {
      tables: schemas ? new Map(spanned(schemas.map(({ table }) => table))) : tables,
      collections: new Map([...before, ...spanned(derived.map(([name]) => name))]),
    },
  }
}
