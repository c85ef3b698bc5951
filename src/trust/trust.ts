import { atom } from 'jotai'
import type { Io } from '~/core/act'
import { databaseAtom, databaseIdAtom, serverAtom } from '~/core/session/session'
import { type Judged, type Known, verdictOf } from '~/proof/verdict'
import { late, type Persistence } from './store'
import { type Break, isProven, isSameId, type TrustRecord } from './trust-record'
import { outdateRecords } from './trusted-states'

/** What this browser knows about the history of a database. */
export type Trust =
  | ({ kind: 'unchecked' } & Why)
  | { kind: 'checking'; record: TrustRecord | null }
  /** First contact; nothing has been compared yet. */
  | ({ kind: 'first'; record: TrustRecord } & Why)
  | ({ kind: 'consistent'; record: TrustRecord } & Why)
  /** `record` is null when nothing was recorded before. */
  | ({ kind: 'broken'; record: TrustRecord | null; broken: Break } & Partial<Why>)

/** Why the newest state could not be checked, for instance because the server is away, in words. */
export type Why = {
  why: string | null
  /** Storage does not answer or stores nothing for this page, or an answer was refused once. */
  cause?: 'late' | 'memory' | 'refused' | undefined
}

/** A history with a state that later ones are compared with, and nothing wrong with it. */
export type Followed = Extract<Trust, { kind: 'first' | 'consistent' }>

export function isFollowed(trust: Trust | null | undefined): trust is Followed {
  return trust?.kind === 'first' || trust?.kind === 'consistent'
}

const unchecked: Trust = { kind: 'unchecked', why: null }

/** The trust that this page found, by database name. */
export const trustsAtom = atom<ReadonlyMap<string, Trust>>(new Map<string, Trust>())

/** How far the history of the open database is known. */
export const trustAtom = atom((get) => get(trustsAtom).get(get(databaseAtom) ?? '') ?? unchecked)

/** Notes what was found out about a database. */
export function setTrust(io: Io, database: string, trust: Trust) {
  io.set(trustsAtom, new Map(io.get(trustsAtom)).set(database, trust))
  outdateRecords(io)
}

/** Whether what is known of the open database is shown beside the screen. */
export const isTrustOpenAtom = atom(false)

/** What is wrong with a database. While another server answers, this applies to all databases. */
export const breaksAtom = atom((get) => {
  const answering = get(serverAtom) ?? ''
  return (database: string): readonly Break[] =>
    [...get(trustsAtom)].flatMap(([of, trust]) => {
      if (trust.kind !== 'broken') return []
      const { kind, received } = trust.broken
      const isOwn = of === database
      const concerns = kind === 'other-server' ? received === answering : isOwn
      const others = isOwn ? (trust.record?.others ?? []) : []
      return concerns ? [trust.broken, ...others] : others
    })
})

/** The reason when a history without storage stays a first contact. */
export const forgotten = {
  cause: 'memory',
  why: 'This browser keeps nothing for this page. The trusted state is in memory only, and the next visit begins with a first contact again.',
} as const

/**
 * The trust to show. Without storage, earlier records are unknown, so nothing counts as continued.
 * A broken history still shows as broken.
 */
export function withPersistence(trust: Trust, keeping: Persistence): Trust {
  if (keeping === 'kept' || (trust.kind !== 'first' && trust.kind !== 'consistent')) return trust
  const { record, why, cause } = trust
  if (keeping === 'late') return { kind: 'unchecked', ...(why === null ? late : { why, cause }) }
  return { kind: 'first', record, ...(why === null ? forgotten : { why, cause }) }
}

/** Whether proofs held for a record that is only called a first contact: the page keeps nothing. */
export function isOfPageAlone(record: TrustRecord): boolean {
  return isProven(record)
}

/** Whether the server has just proven that its state continues the trusted one, stored or not. */
export function isCurrent(trust: Trust): boolean {
  if (trust.kind === 'unchecked') return trust.cause === 'late'
  if (trust.kind !== 'first' && trust.kind !== 'consistent') return false
  return trust.why === null || trust.cause === 'memory'
}

/** What is known of a database of the server that answers, which may be another one than before. */
export function knownOf({ get }: Pick<Io, 'get'>, database: string): Trust | undefined {
  const known = get(trustsAtom).get(database)
  const id = get(databaseIdAtom)(database)
  if (!known || id.server === '') return known
  if (known.kind === 'broken' && known.broken.kind === 'other-server') {
    return known.broken.received === id.server ? known : undefined
  }
  const record = 'record' in known ? known.record : null
  if (record) return isSameId(record.id, id) ? known : undefined
  const server = known.kind === 'broken' ? known.broken.verification?.server : undefined
  return server === undefined || server === id.server ? known : undefined
}

/** What a record says by itself. */
export function trustOf(record: TrustRecord): Trust {
  if (record.break) return { kind: 'broken', record, broken: record.break }
  return { kind: isProven(record) ? 'consistent' : 'first', record, why: null }
}

/** The verdict on the history of a database. */
export function verdictOfTrust(trust: Trust): Judged {
  return verdictOf({ ...groundOf(trust), shown: [], isOdd: false, open: [] })
}

function groundOf(trust: Trust): Pick<Known, 'proof' | 'ground' | 'history'> {
  const followed = { proof: 'holds', history: 'followed' } as const
  switch (trust.kind) {
    case 'unchecked':
    case 'checking':
      return { ...followed, proof: 'none', ground: 'stale' }
    case 'first':
      return { ...followed, ground: 'first' }
    case 'consistent':
      return { ...followed, ground: trust.why === null ? 'recorded' : 'stale' }
    case 'broken':
      return { ...followed, ground: 'recorded', history: 'broken' }
  }
}

/**
 * The verdict on a database of a list.
 * @param trust what this page found, if anything; without it the record is unchecked
 */
export function verdictOfRecord(record: TrustRecord | null, trust: Trust | null): Judged {
  if (trust?.kind === 'broken') return verdictOfTrust(trust)
  if (!record) return verdictOfTrust(unchecked)
  // In a page without storage, a proof is no more than a first contact.
  if (trust?.kind === 'first') return verdictOfTrust(trust)
  const recorded = trustOf(record)
  if (recorded.kind !== 'consistent') return verdictOfTrust(recorded)
  return verdictOfTrust(trust?.kind === 'consistent' ? trust : { ...recorded, why: '' })
}
