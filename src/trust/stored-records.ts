import * as v from 'valibot'
import type { Schema } from '~/proof/kernel/schema'
import { type Aside, type StoreName, stores, type TrustStore } from './store'
import { auditFormat, isWhole, type StoredAudit } from './stored-audit'
import {
  type Break,
  breakKinds,
  type Incident,
  type IncidentLog,
  incidentKinds,
  type KnownServer,
  type KnownServers,
  keyOf,
  type LogLine,
  type Sighting,
  type StateChange,
  serverIn,
  type TrustRecord,
  type Unreadable,
  type Witness,
  type WitnessFinding,
} from './trust-record'
import type { FirstContact, Verification } from './verification'
import { sightingKey } from './witness-record'

/**
 * The content of each store. All but audits have a `version`, which records of older consoles lack.
 * Each change of a form raises it, and `upgrades` says how to read the one before.
 */
export type StoredIn = {
  points: TrustRecord
  servers: KnownServers
  /** Base64 of 65 bytes. */
  keys: string
  log: LogLine
  incidents: IncidentLog
  audits: StoredAudit
  witnesses: Witness
  sightings: Sighting
  aside: Aside
}

const version = 1

const time = v.number()
const point = v.looseObject({
  txId: v.pipe(v.string(), v.regex(/^\d{1,20}$/)),
  txHash: v.pipe(v.string(), v.regex(/^[A-Za-z0-9+/]{43}=$/)),
})
const pointId = v.object({ origin: v.string(), server: v.string(), database: v.string() })
const contact: v.GenericSchema<unknown, FirstContact> = v.looseObject({
  ...point.entries,
  at: time,
})
const how = v.picklist(['first', 'state', 'import'])
const move: v.GenericSchema<unknown, StateChange> = v.looseObject({
  ...point.entries,
  at: time,
  how,
  lags: v.exactOptional(v.literal(true)),
})

const finding = {
  reason: v.string(),
  step: v.string(),
  part: v.string(),
  expected: v.string(),
  received: v.string(),
  what: v.string(),
  at: time,
}

/** The parts that screens use; the engine reads the rest when it checks again. */
const verification = v.custom<Verification>((value) =>
  v.is(
    v.looseObject({
      database: v.string(),
      server: v.string(),
      kind: v.string(),
      what: v.string(),
      at: time,
      outcome: v.looseObject({ kind: v.picklist(['ok', 'refused', 'unproven']) }),
    }),
    value,
  ),
)

const found: v.GenericSchema<unknown, Break> = v.looseObject({
  ...finding,
  kind: v.picklist(breakKinds),
  verification: v.nullable(verification),
  acknowledgedAt: v.nullable(time),
})

const column = v.looseObject({
  id: v.number(),
  name: v.string(),
  type: v.string(),
  maxLen: v.number(),
})
const schema: v.GenericSchema<unknown, Schema> = v.looseObject({
  table: v.string(),
  tableId: v.number(),
  pk: v.array(v.number()),
  cols: v.array(column),
  maxColId: v.number(),
})

const digits = v.pipe(v.string(), v.regex(/^\d{1,20}$/))
const span = v.looseObject({ from: digits, to: digits })

const trustRecord: v.GenericSchema<unknown, TrustRecord> = v.looseObject({
  id: pointId,
  point,
  firstContact: contact,
  moved: v.number(),
  checked: time,
  provenAt: time,
  how,
  history: v.array(move),
  break: v.nullable(found),
  others: v.exactOptional(v.array(found)),
  schemas: v.map(v.string(), schema),
  collections: v.map(v.string(), v.number()),
  spans: v.exactOptional(
    v.looseObject({ tables: v.map(v.string(), span), collections: v.map(v.string(), span) }),
  ),
  hasNewerForm: v.exactOptional(v.literal(true)),
  hasAdvance: v.exactOptional(v.literal(true)),
})

const server: v.GenericSchema<unknown, KnownServer> = v.looseObject({
  server: v.string(),
  at: time,
  reason: v.exactOptional(v.string()),
})
const servers: v.GenericSchema<unknown, KnownServers> = v.looseObject({
  servers: v.array(server),
  last: v.nullable(v.string()),
})

const key = v.pipe(
  // 65 bytes, the first of them 4.
  v.looseObject({ key: v.pipe(v.string(), v.regex(/^B[A-P][A-Za-z0-9+/]{85}=$/)) }),
  v.transform((value) => value.key),
)

const line: v.GenericSchema<unknown, LogLine> = v.looseObject({
  at: time,
  id: pointId,
  what: v.picklist([
    'forgotten',
    'acknowledged',
    'matched-again',
    'imported',
    'server-accepted',
    'server-revoked',
    'key-pinned',
    'key-removed',
    'witness-pinned',
    'witness-removed',
  ]),
  reason: v.string(),
  point: v.nullable(point),
})

const incident: v.GenericSchema<unknown, Incident> = v.looseObject({
  ...finding,
  kind: v.picklist(incidentKinds),
  last: time,
  times: v.number(),
})
const incidents: v.GenericSchema<unknown, IncidentLog> = v.looseObject({
  id: pointId,
  incidents: v.array(incident),
  dropped: v.number(),
})

const audit: v.GenericSchema<unknown, StoredAudit> = v.looseObject({
  format: v.literal(auditFormat),
  contact,
  record: v.looseObject({}),
  sum: v.string(),
})

const witnessKey = v.pipe(v.string(), v.regex(/^[^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}$/u))
const witness: v.GenericSchema<unknown, Witness> = v.looseObject({ key: witnessKey, at: time })
const witnessFinding: v.GenericSchema<unknown, WitnessFinding> = v.looseObject({
  kind: v.picklist(['differs', 'itself', 'falls']),
  txId: digits,
  signed: v.string(),
  other: v.string(),
  before: v.nullable(digits),
  at: time,
  notes: v.array(v.string()),
  verification: v.nullable(verification),
})
const sighting: v.GenericSchema<unknown, Sighting> = v.looseObject({
  witness: witnessKey,
  id: pointId,
  firstContact: contact,
  at: time,
  seen: v.array(point),
  found: v.nullable(witnessFinding),
})

const aside: v.GenericSchema<unknown, Aside> = v.looseObject({
  store: v.picklist(stores),
  key: v.string(),
  at: time,
  value: v.unknown(),
})

const forms: { [S in StoreName]: v.GenericSchema<unknown, StoredIn[S]> } = {
  points: trustRecord,
  servers,
  keys: key,
  log: line,
  incidents,
  witnesses: witness,
  sightings: sighting,
  audits: audit,
  aside,
}

/** How records without a version are read: as those of version 1 would have been written. */
const upgrades: Partial<Record<StoreName, (value: unknown) => unknown>> = {
  points: (value) => {
    const { moved, checked } = Object(value)
    // Whether an object was proven was not noted.
    return { ...Object(value), provenAt: moved > 0 ? checked : 0 }
  },
  servers: (value) => ({ servers: value, last: null }),
  keys: (value) => ({ key: value }),
}

/** How this version of the console sees a stored value. */
type Found<T> =
  | { kind: 'here'; value: T }
  | { kind: 'none' }
  | { kind: 'damaged' }
  | { kind: 'newer' }

/** Reads a value of any version. */
export function readStored<S extends StoreName>(
  store: S,
  at: string,
  value: unknown,
): Found<StoredIn[S]> {
  if (value === null || value === undefined) return { kind: 'none' }
  const isAudit = store === 'audits'
  const [own, current] = isAudit
    ? [numberIn(value, 'format'), auditFormat]
    : [numberIn(value), version]
  if (own === null || own < 0) return { kind: 'damaged' }
  if (own > current) return { kind: 'newer' }
  const upgraded = own === 0 ? (upgrades[store]?.(value) ?? value) : value
  const parsed = v.safeParse(forms[store], upgraded)
  if (!parsed.success) return { kind: 'damaged' }
  const read = parsed.output as StoredIn[S] // by its own form
  // The checksum depends on the order of fields, which parsing changes.
  if (isAudit && !isWhole(at, value as StoredAudit)) return { kind: 'damaged' }
  return isOf(store, at, read) ? { kind: 'here', value: bare(read) } : { kind: 'damaged' }
}

/** 0 where it is absent, null where it is not the number of a version. */
function numberIn(value: unknown, name = 'version'): number | null {
  if (typeof value !== 'object' || value === null || !(name in value)) return 0
  const own: unknown = Reflect.get(value, name)
  return Number.isSafeInteger(own) ? Number(own) : null
}

/** Whether a record matches its storage key. */
function isOf<S extends StoreName>(store: S, at: string, value: StoredIn[S]): boolean {
  if (store === 'keys') return serverIn(at) !== null
  if (store === 'witnesses') return (value as Witness).key === at
  if (store === 'sightings') return sightingKey(value as Sighting) === at
  if (store !== 'points' && store !== 'incidents') return true
  return keyOf((value as TrustRecord | IncidentLog).id) === at
}

/** Without its version, which only matters for storage. */
function bare<T>(value: T): T {
  if (typeof value !== 'object' || value === null || !('version' in value)) return value
  const { version: _, ...rest } = value
  return rest as T
}

/** The value as it is stored. */
export function writeStored<S extends StoreName>(store: S, value: StoredIn[S]): unknown {
  if (store === 'audits' || store === 'aside') return value
  return typeof value === 'string' ? { version, key: value } : { version, ...value }
}

/** An unreadable record, without which no verdict on a history is possible; `why` in sentences. */
export abstract class UnreadRecord extends Error {
  abstract readonly why: string
}

/** A record of a later console version, which is left unchanged. */
export class NewerRecord extends UnreadRecord {
  readonly why = newerWhy
  constructor() {
    super('a later version of this console wrote this record')
  }
}

/** The pinned key is unknown, so answers that it may not have signed must not pass. */
export class DamagedKey extends UnreadRecord {
  readonly why = damagedKeyWhy
  constructor() {
    super('the pinned key is damaged')
  }
}

/** The reason when the pinned key of a server is damaged. */
export const damagedKeyWhy =
  'The signing key pinned for this server is damaged in the storage of this browser. Without it, nothing from this server can be verified. Open the tab Keys of Verify, and pin the key again or unpin it.'

/** The reason when a later version wrote the record of a history. */
export const newerWhy =
  'A newer version of this console wrote the record of this history. This version cannot read it and leaves it unchanged. Open the newer console.'

/** A store that reads and writes records of any version. */
export class RecordStore {
  readonly #store: TrustStore

  constructor(store: TrustStore) {
    this.#store = store
  }

  /** As it is stored; null for nothing. */
  readRaw(store: StoreName, key: string): Promise<unknown> {
    return this.#store.read(store, key)
  }

  async find<S extends StoreName>(store: S, key: string): Promise<Found<StoredIn[S]>> {
    return readStored(store, key, await this.#store.read(store, key))
  }

  /** Null also for what is damaged. @throws NewerRecord */
  async read<S extends StoreName>(store: S, key: string): Promise<StoredIn[S] | null> {
    return valueOrNull(await this.find(store, key))
  }

  /** Removes a record, unless it is unreadable. */
  async drop(store: StoreName, key: string): Promise<void> {
    await this.#store.change(store, key, (value) => {
      const { kind } = readStored(store, key, value)
      return kind === 'damaged' || kind === 'newer' ? undefined : null
    })
  }

  /** Moves an unusable record aside. */
  async setAside(store: StoreName, key: string): Promise<void> {
    await this.#store.change(store, key, (value, setAside) => {
      if (value === null) return undefined
      setAside()
      return null
    })
  }

  /** All that can be read. */
  async all<S extends StoreName>(store: S): Promise<[key: string, value: StoredIn[S]][]> {
    return (await this.#store.all(store)).flatMap(([key, value]) => {
      const read = readStored(store, key, value)
      return read.kind === 'here' ? [[key, read.value] as [string, StoredIn[S]]] : []
    })
  }

  /**
   * See `TrustStore`. A damaged record counts as null and is set aside when another replaces it.
   * @throws NewerRecord
   */
  async change<S extends StoreName>(
    store: S,
    key: string,
    change: (known: StoredIn[S] | null) => StoredIn[S] | null | undefined,
  ): Promise<StoredIn[S] | null> {
    let after: StoredIn[S] | null = null
    await this.#store.change(store, key, (value, setAside) => {
      const read = readStored(store, key, value)
      const before = valueOrNull(read)
      const next = change(before)
      after = next === undefined ? before : next
      if (next === undefined) return undefined
      if (read.kind === 'damaged') setAside()
      return next === null ? null : writeStored(store, next)
    })
    return after
  }

  /** All unreadable records, in place and set aside. */
  async unreadable(): Promise<Unreadable[]> {
    const stores = Object.keys(forms) as StoreName[] // of the table above
    const each = await Promise.all(
      stores.map(async (store) =>
        (await this.#store.all(store)).flatMap(([key, value]): Unreadable[] => {
          const { kind } = readStored(store, key, value)
          const isLost = kind === 'damaged' || kind === 'newer'
          return isLost ? [{ store, key, kind, at: null, value }] : []
        }),
      ),
    )
    const set = (await this.all('aside')).map(
      ([, value]): Unreadable => ({ ...value, kind: 'damaged' }),
    )
    return [...each.flat(), ...set]
  }
}

/** The value; null also for what is damaged. @throws NewerRecord */
export function valueOrNull<T>(read: Found<T>): T | null {
  if (read.kind === 'newer') throw new NewerRecord()
  return read.kind === 'here' ? read.value : null
}
