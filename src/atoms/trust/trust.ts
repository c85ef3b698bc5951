import { atom } from 'jotai'
import { databaseAtom, serverAtom } from '../session/session'
import type { Break, TrustRecord } from './record'
import { outdateRecordsAtom } from './records'

/** How far the history of a database is known to this browser. */
export type Trust =
  | ({ kind: 'unchecked' } & Why)
  | { kind: 'checking'; record: TrustRecord | null }
  /** Taken as it was; nothing was compared so far. */
  | ({ kind: 'first'; record: TrustRecord } & Why)
  | ({ kind: 'consistent'; record: TrustRecord } & Why)
  /** `record` is null when nothing was known that could be broken. */
  | ({ kind: 'broken'; record: TrustRecord | null; broken: Break } & Partial<Why>)

/** Why the newest state could not be checked, for instance because the server is away, in words. */
export type Why = {
  why: string | null
  /** Storage does not answer, or keeps nothing for this page; or an answer was refused once. */
  cause?: 'late' | 'memory' | 'refused' | undefined
}

/** A history with a state that later ones are compared with, and nothing wrong with it. */
export type Followed = Extract<Trust, { kind: 'first' | 'consistent' }>

export function isFollowed(trust: Trust | null | undefined): trust is Followed {
  return trust?.kind === 'first' || trust?.kind === 'consistent'
}

const unchecked: Trust = { kind: 'unchecked', why: null }

/** What was found out in this page, by the names of databases. */
export const trustsAtom = atom<ReadonlyMap<string, Trust>>(new Map<string, Trust>())

/** How far the history of the open database is known. */
export const trustAtom = atom((get) => get(trustsAtom).get(get(databaseAtom) ?? '') ?? unchecked)

/** Notes what was found out about a database. */
export const setTrustAtom = atom(null, (get, set, database: string, trust: Trust) => {
  set(trustsAtom, new Map(get(trustsAtom)).set(database, trust))
  set(outdateRecordsAtom)
})

/** Whether what is known of the open database is shown beside the screen. */
export const isTrustOpenAtom = atom(false)

/**
 * What is wrong with a database. Of another server nothing is known, whichever database was looked
 * at, as long as that one answers.
 */
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
