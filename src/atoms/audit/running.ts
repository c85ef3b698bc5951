import type { AuditOrder, AuditProgress } from '~/proof/audit-messages'
import type { StoreAccess } from '../storage/storage'
import type { DatabaseId } from '../trust/database-id'
import { isSameContact, keyOf, type TrustRecord } from '../trust/record'
import type { Persistence } from '../trust/store'
import { type TrustedStates, trustedStatesAtom } from '../trust/trusted-states'
import { setDeepAuditAtom, type Waiting } from './deep-audit'
import type { AuditRecord, RestingProgress } from './record'
import { openTabs, type Tabs } from './tabs'

/** An audit at work in a worker of this tab. */
export type Running = {
  worker: Worker
  io: StoreAccess
  id: DatabaseId
  /** The trusted history that it began with; it finds nothing about any other. */
  trust: TrustRecord
  /** Whether that was recorded when it began. */
  keeping: Persistence
  user: string
  /** Milliseconds of work before the audit rested. */
  before: number
  /** When it began here, in milliseconds since 1970. */
  since: number
  last: Last
}

/** What is known of an audit that runs. */
type Last = {
  record: AuditRecord
  progress: AuditProgress | null
  /** For what it waits, until it goes on; it tells how long it works all the while. */
  waiting: Waiting | null
}

/** One audit for each database, by their keys. */
const running = new Map<string, Running>()

export const runningOf = (id: DatabaseId) => running.get(keyOf(id))

export const send = ({ worker }: Running, order: AuditOrder) => worker.postMessage(order)

export function enter(audit: Running): void {
  running.set(keyOf(audit.id), audit)
  others().claim(claimOf(audit))
}

export function end({ worker, id }: Running): void {
  worker.terminate()
  running.delete(keyOf(id))
  others().free(keyOf(id))
}

type Followed = { io: StoreAccess; id: DatabaseId; trust: TrustRecord | null }

/** Databases whose audits this tab shows, by their keys, and those that another tab audits. */
const followed = new Map<string, Followed>()
const elsewhere = new Set<string>()
const watched = new WeakSet<TrustedStates>()

/** Learns what other tabs do about audits of a database, and about its trusted state. */
export function follow(io: StoreAccess, id: DatabaseId, trust: TrustRecord | null): void {
  followed.set(keyOf(id), { io, id, trust })
  others().ask(keyOf(id))
  const points = io.get(trustedStatesAtom)
  if (watched.has(points)) return
  watched.add(points)
  points.onChange(() => {
    for (const each of followed.values()) void endForgotten(each)
  })
}

async function endForgotten(followedThen: Followed): Promise<void> {
  const { io, id, trust } = followedThen
  if (!trust) return
  const record = await io
    .get(trustedStatesAtom)
    .read(id)
    .catch(() => trust)
  // Two changes may be told one right behind the other.
  if (followed.get(keyOf(id)) !== followedThen) return
  if (!record || !isSameContact(trust, record)) forgetAudit(io, id)
}

/** The trusted history is forgotten, and all that audits of it had found. */
export function forgetAudit(io: StoreAccess, id: DatabaseId): void {
  const audit = runningOf(id)
  if (audit) {
    endForgone(audit)
  } else {
    followed.delete(keyOf(id))
    io.set(setDeepAuditAtom, id, { state: { kind: 'unread' }, report: null })
  }
}

/** Ends an audit of a trusted history that was forgotten, and says so. */
export function endForgone(audit: Running): void {
  const { io, id } = audit
  followed.delete(keyOf(id))
  if (runningOf(id) === audit) end(audit)
  showForgotten(io, id)
}

let tabs: Tabs | null = null
const tab = Math.random()

function others(): Tabs {
  tabs ??= openTabChannel()
  return tabs
}

const claimOf = ({ id, since }: Running) => ({ key: keyOf(id), since, tab })

function openTabChannel(): Tabs {
  const found = openTabs({
    own: (key) => {
      const audit = running.get(key)
      return audit ? claimOf(audit) : null
    },
    taken: endTaken,
    freed,
  })
  addEventListener('pagehide', ({ persisted }) => {
    if (!persisted) for (const key of running.keys()) found.free(key)
  })
  return found
}

/** Two that walk the same way would each keep how far it is in the place of the other. */
function endTaken(key: string): void {
  const audit = running.get(key)
  audit?.worker.terminate()
  running.delete(key)
  const { io, id } = audit ?? followed.get(key) ?? {}
  if (!io || !id) return
  elsewhere.add(key)
  io.set(setDeepAuditAtom, id, { state: { kind: 'elsewhere' } })
}

function freed(key: string): void {
  const here = followed.get(key)
  if (elsewhere.delete(key) && here) {
    here.io.set(setDeepAuditAtom, here.id, { state: { kind: 'unread' } })
  }
}

export function showProgress(
  io: StoreAccess,
  id: DatabaseId,
  { progress, waiting = null }: { progress: AuditProgress | null; waiting?: Waiting | null },
): void {
  io.set(setDeepAuditAtom, id, { state: { kind: 'running', progress, waiting } })
}

/** An audit that cannot go on; `progress` when it rests where it was. */
export function showFailure(
  io: StoreAccess,
  id: DatabaseId,
  words: string,
  progress: RestingProgress | null,
  more: { advice?: string; details?: string } = {},
): void {
  const { advice = '', details = '' } = more
  io.set(setDeepAuditAtom, id, { state: { kind: 'failed', words, advice, details, progress } })
}

/** What an audit finds is about the history it began with, and about no other. */
function showForgotten(io: StoreAccess, id: DatabaseId): void {
  io.set(setDeepAuditAtom, id, { report: null })
  const advice = 'What the audit had found was dropped with it.'
  showFailure(io, id, 'The trusted state was forgotten while it was being audited.', null, {
    advice,
  })
}

/** Damage in this browser, for which no server is to blame. */
export function showDamaged(io: StoreAccess, id: DatabaseId): void {
  io.set(setDeepAuditAtom, id, { report: null })
  const advice =
    'It was changed or damaged in the storage of this browser. The record is kept aside: see Verify. Start again from the first transaction.'
  showFailure(io, id, 'The saved progress of this audit could not be read.', null, { advice })
}
