import { atom, type Getter } from 'jotai'
import type { Io } from '~/core/act'
import type { DatabaseId } from '~/core/session/database-id'
import { databaseAtom, databaseIdAtom } from '~/core/session/session'
import { trustStoreTimeout } from '~/lib/constants'
import { joinChannel } from '~/lib/tab-channel'
import type { TrustedState } from '~/proof/kernel/context'
import type { Schema } from '~/proof/kernel/schema'
import { FallbackTrustStore } from './fallback-store'
import { withFinding, withIncident, withoutFinding } from './findings'
import {
  acceptIn,
  isKnown,
  linesOf,
  listedServers,
  noteAnsweringIn,
  revokeIn,
  valuesOf,
} from './known-servers'
import { asideKey, late, openTrustStore, type Persistence } from './store'
import { type AuditPart, auditKey, type StoredAudit } from './stored-audit'
import { DamagedKey, RecordStore, valueOrNull } from './stored-records'
import {
  type Audited,
  auditedRecord,
  type Break,
  firstPinned,
  type Incident,
  isSameContact,
  isSameState,
  type KnownServer,
  keyOf,
  type LogLine,
  movedRecord,
  type Pins,
  type Records,
  type StateChange,
  type TrustOrigin,
  type TrustRecord,
  type Unreadable,
  withoutSpan,
} from './trust-record'

const continuesUnnamed = 'It proved that it continues the history from before the server had an id.'

/** The record that something was compared with. */
type Seen = Pick<TrustRecord, 'id' | 'firstContact'>

/** The records of trusted states, one for each database of each server; see `TrustStore`. */
export class TrustedStates {
  readonly #late: FallbackTrustStore
  readonly #channel = new TrustChannel()

  constructor(open = openTrustStore, timeout = trustStoreTimeout) {
    const tell = () => this.#channel.announceAll()
    this.#late = new FallbackTrustStore(open(tell), timeout, tell)
  }

  get #records(): Promise<RecordStore> {
    return this.#late.store.then((store) => new RecordStore(store))
  }

  /** Whether records outlive the page. */
  keeping(): Promise<Persistence> {
    return this.#late.keeping()
  }

  /** Calls back when another tab or a late storage changed something; returns what stops it. */
  onChange(changed: () => void): () => void {
    return this.#channel.onChange(changed)
  }

  /** Reads again what other tabs may have changed while this page did not run. */
  catchUp(): void {
    this.#channel.announceAll()
  }

  /** @throws NewerRecord */
  async read(id: DatabaseId): Promise<TrustRecord | null> {
    return (await this.#records).read('points', keyOf(id))
  }

  /** All that can be read. */
  async all(): Promise<TrustRecord[]> {
    return valuesOf(await this.#records, 'points')
  }

  /** What else is kept, of all servers and databases. */
  async others(): Promise<Omit<Records, 'records' | 'log' | 'keeping'>> {
    const store = await this.#records
    const [keys, servers, incidents, witnesses, sightings, unreadable] = await Promise.all([
      store.all('keys'),
      store.all('servers'),
      valuesOf(store, 'incidents'),
      valuesOf(store, 'witnesses'),
      valuesOf(store, 'sightings'),
      store.unreadable(),
    ])
    const { isOfNewer } = this.#late
    const maps = { keys: new Map(keys), servers: new Map(servers) }
    return { ...maps, incidents, witnesses, sightings, unreadable, isOfNewer }
  }

  /**
   * Advances the trusted state if it still is `from`, in one transaction. Resolves with the record
   * and whether this call moved it; if not, the proof must start again from there.
   */
  async move(
    id: DatabaseId,
    from: TrustedState | null,
    to: TrustedState & Pick<StateChange, 'lags'>,
    how: TrustOrigin,
  ): Promise<{ record: TrustRecord | null; isMoved: boolean }> {
    let isMoved = false
    const record = await this.#change(id, (known) => {
      const next = movedRecord(id, known, from, { ...to, at: Date.now(), how })
      isMoved = next !== null
      return next ?? undefined
    })
    return { record, isMoved }
  }

  /** Notes that a state agreed with the trusted one; does nothing when that has changed. */
  noteChecked(id: DatabaseId, point: TrustedState): Promise<TrustRecord | null> {
    return this.#change(id, (known) =>
      known && isSameState(known.point, point) ? { ...known, checked: Date.now() } : undefined,
    )
  }

  /** Notes that a proof held, unless `seen`, the compared record, was forgotten. */
  noteProven(seen: TrustRecord): Promise<TrustRecord | null> {
    return this.#change(seen.id, (known) =>
      known && isSameContact(seen, known) ? { ...known, provenAt: Date.now() } : undefined,
    )
  }

  /** Notes that a linear advance proof held, unless `seen` was forgotten. */
  noteAdvance(seen: TrustRecord): Promise<TrustRecord | null> {
    return this.#change(seen.id, (known) =>
      known && isSameContact(seen, known) ? { ...known, hasAdvance: true } : undefined,
    )
  }

  /**
   * Adds a finding about the trusted state; see `withFinding`. Does nothing and resolves with false
   * when the trusted state has changed.
   */
  async noteBreak(
    id: DatabaseId,
    point: TrustedState,
    found: Break,
  ): Promise<{ record: TrustRecord | null; isNoted: boolean }> {
    let isNoted = false
    const record = await this.#change(id, (known) => {
      if (!known || !isSameState(known.point, point)) return undefined
      isNoted = true
      return withFinding(known, found)
    })
    return { record, isNoted }
  }

  /**
   * Adds a finding about an object or an audit. Does nothing and resolves with false when `seen`,
   * the compared record, was forgotten.
   */
  async noteFinding(
    id: DatabaseId,
    seen: TrustRecord | null,
    found: Break,
  ): Promise<{ record: TrustRecord | null; isNoted: boolean }> {
    let isNoted = false
    const record = await this.#change(id, (known) => {
      isNoted = seen === null || (known !== null && isSameContact(seen, known))
      return isNoted && known ? withFinding(known, found) : undefined
    })
    return { record, isNoted }
  }

  /**
   * Keeps the trusted state and notes that the operator has seen the finding. Does nothing when
   * another finding than that of the time `at` is now shown.
   */
  async acknowledge(id: DatabaseId, reason: string, at?: number): Promise<TrustRecord | null> {
    const acknowledgedAt = Date.now()
    let isSeen = true
    const record = await this.#change(id, (known) => {
      if (!known?.break) return undefined
      isSeen = at === undefined || known.break.at === at
      return isSeen ? { ...known, break: { ...known.break, acknowledgedAt } } : undefined
    })
    if (isSeen) await this.note(id, 'acknowledged', reason, record?.point ?? null)
    return record
  }

  /**
   * Removes the finding shown in `seen`, because the server shows the recorded history again. Does
   * nothing when another finding is now shown.
   */
  async matchedAgain(
    id: DatabaseId,
    seen: TrustRecord,
    reason: string,
  ): Promise<TrustRecord | null> {
    let isEnded = false
    const record = await this.#change(id, (known) => {
      const next = known && withoutFinding(known, seen)
      isEnded = Boolean(next)
      return next ? { ...next, checked: Date.now() } : undefined
    })
    if (isEnded) await this.note(id, 'matched-again', reason, record?.point ?? null)
    return record
  }

  /** Forgets the trusted state and its pins; a line of the log stays. */
  async forget(id: DatabaseId, reason: string): Promise<void> {
    const seen = await this.read(id)
    await this.note(id, 'forgotten', reason, seen?.point ?? null)
    await this.#change(id, () => null)
    // What it was adopted from would come back with the next state.
    const isSame = (known: TrustRecord | null) => known && seen && isSameContact(seen, known)
    const unnamed = { ...id, server: '' }
    if (id.server !== '') await this.#change(unnamed, (known) => (isSame(known) ? null : undefined))
    await this.dropAudit(id)
    await this.dropAudit(id, 'arrivals')
  }

  /** Imports a trusted state where there is none; false when there is one now. */
  async import(id: DatabaseId, point: TrustedState): Promise<boolean> {
    const { isMoved } = await this.move(id, null, point, 'import')
    if (isMoved) await this.note(id, 'imported', '', point)
    return isMoved
  }

  /** What operators did, the newest last. */
  async log(): Promise<LogLine[]> {
    return linesOf(await this.#records)
  }

  /** Notes an incident; it stays even when the history is forgotten. */
  async noteIncident(id: DatabaseId, incident: Incident): Promise<void> {
    const store = await this.#records
    await store.change('incidents', keyOf(id), (known) => withIncident(id, known, incident))
  }

  /** The key that must have signed all states of a server, base64; null for none. @throws UnreadRecord */
  async pinnedKey(origin: string, server: string): Promise<string | null> {
    const found = await (await this.#records).find('keys', JSON.stringify([origin, server]))
    if (found.kind === 'damaged') throw new DamagedKey()
    return valueOrNull(found)
  }

  /** Pins a key, or unpins it for null. Rejects while the pinned key cannot be read. */
  async pinKey(origin: string, server: string, publicKey: string | null): Promise<void> {
    if ((await this.keeping()) === 'late') throw new Error(late.why)
    await (await this.#records).change('keys', JSON.stringify([origin, server]), () => publicKey)
    const id = { origin, server, database: '' }
    await this.note(id, publicKey === null ? 'key-removed' : 'key-pinned', publicKey ?? '', null)
    this.#channel.announce()
  }

  /** Changes records that another file of this room reads and writes, such as those of witnesses. */
  async change(change: (store: RecordStore) => Promise<unknown>): Promise<void> {
    await change(await this.#records)
    this.#channel.announce()
  }

  /** Servers that may answer at an address. */
  async servers(origin: string): Promise<readonly KnownServer[]> {
    return (await listedServers(await this.#records, origin))?.servers ?? []
  }

  /** Whether a server may answer at an address. Where nothing is known of it, any may. */
  async isAccepted(origin: string, server: string): Promise<boolean> {
    const known = await listedServers(await this.#records, origin)
    return !known || isKnown(known, server)
  }

  /** Lets a server answer at an address; without `reason` only when it is the first one there. */
  async acceptServer(origin: string, server: string, reason?: string): Promise<boolean> {
    const isAccepted = await acceptIn(await this.#records, origin, server, reason)
    if (reason !== undefined) {
      await this.note({ origin, server, database: '' }, 'server-accepted', reason, null)
      this.#channel.announce()
    }
    return isAccepted
  }

  /**
   * Keeps what was recorded of a server without an id for the id that it has by now, with the key
   * that was pinned. It has just proven that its history goes on from there.
   */
  async adopt(unnamed: TrustRecord, id: DatabaseId): Promise<void> {
    const { origin, server } = id
    const key = await this.pinnedKey(origin, unnamed.id.server)
    if (key && !(await this.pinnedKey(origin, server))) await this.pinKey(origin, server, key)
    await this.acceptServer(origin, server, continuesUnnamed)
    await this.#change(id, (known) => (known ? undefined : { ...unnamed, id }))
  }

  /** Revokes a server, unless it is the last: then any server would count as the first. */
  async revokeServer(origin: string, server: string, reason: string): Promise<void> {
    if (!(await revokeIn(await this.#records, origin, server))) return
    await this.note({ origin, server, database: '' }, 'server-revoked', reason, null)
    this.#channel.announce()
  }

  /** Notes which of the known servers answers; resolves with the one that did so before, or null. */
  async noteAnswering(origin: string, server: string): Promise<string | null> {
    return noteAnsweringIn(await this.#records, origin, server)
  }

  /**
   * Pins the present description of a table, which the operator accepts. False when its record was
   * forgotten.
   */
  pinSchema(seen: Seen, schema: Schema): Promise<boolean> {
    return this.#pin(seen, ({ schemas, spans }) => ({
      schemas: new Map(schemas).set(schema.table, schema),
      spans: withoutSpan(spans, { table: schema.table }),
    }))
  }

  /** Pins the number of a collection, which an operator accepts; see `pinSchema`. */
  pinCollection(seen: Seen, name: string, number: number): Promise<boolean> {
    return this.#pin(seen, ({ collections, spans }) => ({
      collections: new Map(collections).set(name, number),
      spans: withoutSpan(spans, { collection: name }),
    }))
  }

  async #pin(seen: Seen, pins: (known: Pins) => Partial<Pins>): Promise<boolean> {
    let isThere = false
    await this.#change(seen.id, (known) => {
      isThere = known !== null && isSameContact(seen, known)
      return isThere && known ? { ...known, ...pins(known) } : undefined
    })
    return isThere
  }

  /** Pins what is not pinned yet, unless `seen` was forgotten; resolves with what is there then. */
  pinFirst(seen: TrustRecord, pins: Pins): Promise<TrustRecord | null> {
    return this.#change(seen.id, (known) =>
      known && isSameContact(seen, known) ? firstPinned(known, pins) : undefined,
    )
  }

  /**
   * Pins what an audit found: tables in the place of what was pinned, numbers of collections only
   * where none is. Resolves with the record, or null when `seen` was forgotten meanwhile.
   */
  async pinAudited(seen: TrustRecord, found: Audited): Promise<TrustRecord | null> {
    const record = await this.#change(seen.id, (known) =>
      known && isSameContact(seen, known)
        ? { ...(auditedRecord(known, found) ?? known), provenAt: Date.now() }
        : undefined,
    )
    return record && isSameContact(seen, record) ? record : null
  }

  /** How far an audit is, as it is stored; null when there is none. */
  async readAudit(id: DatabaseId, which?: AuditPart): Promise<unknown> {
    return (await this.#records).readRaw('audits', auditKey(id, which))
  }

  /** A number that differs after each change of an audit, in any tab. */
  get auditChanges(): number {
    return this.#channel.auditChanges
  }

  /** @throws NewerRecord */
  async writeAudit(id: DatabaseId, progress: unknown, which?: AuditPart): Promise<void> {
    const written = progress as StoredAudit // its owner reads it again as what it is
    const store = await this.#records
    await store
      .change('audits', auditKey(id, which), () => written)
      .finally(() => this.#channel.announceAudit())
  }

  async dropAudit(id: DatabaseId, which?: AuditPart): Promise<void> {
    const store = await this.#records
    await store.drop('audits', auditKey(id, which)).finally(() => this.#channel.announceAudit())
  }

  /** Moves a damaged audit aside. */
  async setAuditAside(id: DatabaseId, which?: AuditPart): Promise<void> {
    const store = await this.#records
    await store.setAside('audits', auditKey(id, which)).finally(() => this.#channel.announceAudit())
    this.#channel.announce()
  }

  /** Removes a record that was set aside, as the operator decided. Changes nothing else. */
  async removeAside({ store, key, at }: Unreadable): Promise<void> {
    if (at === null) return
    await (await this.#records).drop('aside', asideKey({ store, key, at }))
    this.#channel.announce()
  }

  async #change(
    id: DatabaseId,
    change: (known: TrustRecord | null) => TrustRecord | null | undefined,
  ): Promise<TrustRecord | null> {
    let isChanged = false
    const record = await (await this.#records).change('points', keyOf(id), (known) => {
      const next = change(known)
      isChanged = next !== undefined && next !== known
      return next
    })
    if (isChanged) this.#channel.announce()
    return record
  }

  /** Adds a line to the log. */
  async note(id: DatabaseId, what: LogLine['what'], reason: string, point: TrustedState | null) {
    const at = Date.now()
    const line: LogLine = { at, id, what, reason, point }
    const key = `${at} ${crypto.getRandomValues(new Uint32Array(2)).join('')}`
    await (await this.#records).change('log', key, () => line)
  }
}

let opened: TrustedStates | null = null

/** Opened on first use; one for all users of this browser. */
function ours(): TrustedStates {
  opened ??= new TrustedStates()
  return opened
}

const otherPointsAtom = atom<TrustedStates | null>(null)

/** The trusted states of this browser; tests replace them. */
export const trustedStatesAtom = atom(
  (get) => get(otherPointsAtom) ?? ours(),
  (_get, set, points: TrustedStates) => set(otherPointsAtom, points),
)

const name = 'webconsole-trust'

/** Changes of an audit only, which come every few seconds and which no list shows. */
const ofAudit = 'audit'

/** The channel on which tabs announce changes of trusted states. */
export class TrustChannel {
  readonly #watchers = new Set<() => void>()
  readonly #channel = joinChannel(name, (heard) => {
    this.#auditChanges += 1
    if (heard !== ofAudit) this.#tell()
  })
  #auditChanges = 0

  /** A number that differs after each change of an audit, in any tab. */
  get auditChanges(): number {
    return this.#auditChanges
  }

  /** Calls back when another tab or a late storage changed something; returns what stops it. */
  onChange(changed: () => void): () => void {
    this.#watchers.add(changed)
    return () => this.#watchers.delete(changed)
  }

  /** Tells other tabs. */
  announce(): void {
    this.#channel.tell('changed')
  }

  /** Tells other tabs, and readers of audits in this one. */
  announceAudit(): void {
    this.#auditChanges += 1
    this.#channel.tell(ofAudit)
  }

  /** Tells other tabs, and this one. */
  announceAll(): void {
    this.#auditChanges += 1
    this.announce()
    this.#tell()
  }

  #tell(): void {
    for (const changed of this.#watchers) changed()
  }
}

const recordsAtom = atom<Records | null>(null)

/**
 * All trusted states of this browser; null until they are read. Writing this atom reads them again.
 * It loads when first used and then follows every change.
 */
export const trustRecordsAtom = atom(
  (get) => get(recordsAtom),
  async (get, set): Promise<Records> => {
    const records = await listRecords(get)
    set(recordsAtom, records)
    return records
  },
)

trustRecordsAtom.onMount = (read) => void read()

/** Reads the trusted states again if they are in use. */
export function outdateRecords({ get, set }: Io) {
  if (get(recordsAtom) !== null) void set(trustRecordsAtom)
}

/** How many incidents of the open database there are, and of the address it is at. */
export const incidentCountAtom = atom((get) => {
  const id = get(databaseIdAtom)(get(databaseAtom) ?? '')
  const own = [id, { ...id, database: '' }].map(keyOf)
  return (get(recordsAtom)?.incidents ?? [])
    .filter((log) => own.includes(keyOf(log.id)))
    .reduce((count, { incidents, dropped }) => count + incidents.length + dropped, 0)
})

export async function listRecords(get: Getter): Promise<Records> {
  const points = get(trustedStatesAtom)
  const [records, log, keeping, others] = await Promise.all([
    points.all(),
    points.log(),
    points.keeping(),
    points.others(),
  ])
  return { records, log, keeping, ...others }
}
