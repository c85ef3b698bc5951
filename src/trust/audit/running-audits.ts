import type { Io } from '~/core/act'
import type { DatabaseId } from '~/core/session/database-id'
import type { AuditOrder, AuditProgress } from '~/proof/audit-messages'
import type { Persistence } from '../store'
import { isSameContact, keyOf, type TrustRecord } from '../trust-record'
import { type TrustedStates, trustedStatesAtom } from '../trusted-states'
import { openTabs, type Tabs } from './audit-claims'
import type { AuditRecord, RestingProgress } from './audit-record'
import { setDeepAudit, type Waiting } from './deep-audit'

/** An audit at work in a worker of this tab. */
export type Running = {
  worker: Worker
  io: Io
  id: DatabaseId
  /** The trusted history that it began with; its findings are about no other. */
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
  /** What it waits for; it keeps reporting its working time. */
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
  leave(keyOf(id))
  others().free(keyOf(id))
}

/** What waits for an audit of this tab to end, however it ends; by database key. */
const ends = new Map<string, (() => void)[]>()

/** Resolves once this tab runs no audit of the database, which may have ended, paused or failed. */
export function endOf(id: DatabaseId): Promise<void> {
  const key = keyOf(id)
  if (!running.has(key)) return Promise.resolve()
  return new Promise((resolve) => ends.set(key, [...(ends.get(key) ?? []), resolve]))
}

function leave(key: string): void {
  running.delete(key)
  const told = ends.get(key) ?? []
  ends.delete(key)
  for (const tell of told) tell()
}

type Followed = { io: Io; id: DatabaseId; trust: TrustRecord | null }

/** Databases whose audits this tab shows, by key, and those that another tab audits. */
const followed = new Map<string, Followed>()
const elsewhere = new Set<string>()
const watched = new WeakSet<TrustedStates>()

/** Listens to what other tabs do with the audits and the trusted state of a database. */
export function follow(io: Io, id: DatabaseId, trust: TrustRecord | null): void {
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
  // Two changes may arrive in quick succession.
  if (followed.get(keyOf(id)) !== followedThen) return
  if (!record || !isSameContact(trust, record)) forgetAudit(io, id)
}

/** Ends the audit of a forgotten history and drops its findings. */
export function forgetAudit(io: Io, id: DatabaseId): void {
  const audit = runningOf(id)
  if (audit) {
    endForgone(audit)
  } else {
    followed.delete(keyOf(id))
    setDeepAudit(io, id, { state: { kind: 'unread' }, report: null })
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

/** Two audits of one database would overwrite each other's progress. */
function endTaken(key: string): void {
  const audit = running.get(key)
  audit?.worker.terminate()
  leave(key)
  const { io, id } = audit ?? followed.get(key) ?? {}
  if (!io || !id) return
  elsewhere.add(key)
  setDeepAudit(io, id, { state: { kind: 'elsewhere' } })
}

function freed(key: string): void {
  const here = followed.get(key)
  if (elsewhere.delete(key) && here) {
    setDeepAudit(here.io, here.id, { state: { kind: 'unread' } })
  }
}

export function showProgress(
  io: Io,
  id: DatabaseId,
  { progress, waiting = null }: { progress: AuditProgress | null; waiting?: Waiting | null },
): void {
  setDeepAudit(io, id, { state: { kind: 'running', progress, waiting } })
}

/** Shows an audit that cannot continue; with `progress` when it is paused. */
export function showFailure(
  io: Io,
  id: DatabaseId,
  words: string,
  progress: RestingProgress | null,
  more: { advice?: string; details?: string } = {},
): void {
  const { advice = '', details = '' } = more
  setDeepAudit(io, id, { state: { kind: 'failed', words, advice, details, progress } })
}

/** Findings of an audit are only about the history that it began with. */
function showForgotten(io: Io, id: DatabaseId): void {
  setDeepAudit(io, id, { report: null })
  const advice = 'The findings of the audit were dropped with it.'
  showFailure(io, id, 'The trusted state was forgotten during the audit.', null, {
    advice,
  })
}

/** Damage in this browser, which is not the server's fault. */
export function showDamaged(io: Io, id: DatabaseId): void {
  setDeepAudit(io, id, { report: null })
  const advice =
    'It was changed or damaged in the storage of this browser. The console keeps the record aside: see Verify. Start again from the first transaction.'
  showFailure(io, id, 'The saved progress of this audit could not be read.', null, { advice })
}
