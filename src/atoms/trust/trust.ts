import { atom } from 'jotai'
import { trustStoreTimeout } from '~/lib/constants'
import { pause } from '~/lib/retry'
import { databaseAtom, databaseIdAtom, serverAtom } from '../session/session'
import { type Break, keyOf, type Records, type TrustRecord } from './record'

/** How far the history of a database is known to this browser. */
export type Trust =
  | { kind: 'unchecked'; why: string | null }
  | { kind: 'checking'; record: TrustRecord | null }
  /** Taken as it was; nothing was compared so far. */
  | { kind: 'first'; record: TrustRecord; why: string | null }
  /** `why`: the newest state could not be checked, for instance because the server is away. */
  | { kind: 'consistent'; record: TrustRecord; why: string | null }
  /** `record` is null when nothing was known that could be broken; `why` as above. */
  | { kind: 'broken'; record: TrustRecord | null; broken: Break; why?: string | null }

/** A history with a state that later ones are compared with, and nothing wrong with it. */
export type Followed = Extract<Trust, { kind: 'first' | 'consistent' }>

export function isFollowed(trust: Trust | null | undefined): trust is Followed {
  return trust?.kind === 'first' || trust?.kind === 'consistent'
}

const unchecked: Trust = { kind: 'unchecked', why: null }

/** Everything that changes points is fetched when it is first used. */
const work = () => import('./actions')

const recordsAtom = atom<Records | null>(null)

/**
 * All trusted points of this browser, null until they were read; writing it reads them anew. They
 * are read when somebody begins to look, and follow every change from then on.
 */
export const trustRecordsAtom = atom(
  (get) => get(recordsAtom),
  async (get, set): Promise<Records> => {
    const records = await (await work()).listRecords(get)
    set(recordsAtom, records)
    return records
  },
)
trustRecordsAtom.onMount = (read) => void read()

/** Reads the points anew if anybody has looked at them. */
export const outdateRecordsAtom = atom(null, (get, set) => {
  if (get(recordsAtom) !== null) void set(trustRecordsAtom)
})

/** How many incidents of the open database there are, and of the address it is at. */
export const incidentCountAtom = atom((get) => {
  const id = get(databaseIdAtom)(get(databaseAtom) ?? '')
  const own = [id, { ...id, database: '' }].map(keyOf)
  return (get(recordsAtom)?.incidents ?? [])
    .filter((log) => own.includes(keyOf(log.id)))
    .reduce((count, { incidents, dropped }) => count + incidents.length + dropped, 0)
})

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

/** Databases with the findings in spite of which they may be written to. */
const releasedAtom = atom<ReadonlySet<string>>(new Set<string>())

/** The same for a finding as long as it is the same one. */
const releaseOf = (database: string, { kind, received, at }: Break) =>
  JSON.stringify([database, kind, kind === 'other-server' ? received : at])

/**
 * Why nothing is to be written to a database whose history is broken, as a sentence; undefined
 * when it is not, or when the operator has typed the database's name to do it all the same.
 */
export const writesHeldAtom = atom((get) => (database: string): string | undefined => {
  const released = get(releasedAtom)
  const isHeld = get(breaksAtom)(database).some((one) => !released.has(releaseOf(database, one)))
  if (!isHeld) return undefined
  return `The history of ${database} is broken. To write all the same, open it and choose “Write anyway” in the red bar.`
})

/**
 * What became of a write that is held, and therefore not sent; null when it may be. Asked before
 * anybody follows the history, it waits for what was found wrong before, but not for long.
 */
export const writeBlockAtom = atom(null, async (get, set, database: string) => {
  const kind = get(trustsAtom).get(database)?.kind
  if (kind !== 'first' && kind !== 'consistent') {
    const recall = import('./known-break').then((known) =>
      known.recallBreak({ get, set }, database),
    )
    // What cannot be looked up holds nobody.
    await Promise.race([recall.catch(() => {}), pause(trustStoreTimeout)])
  }
  const text = get(writesHeldAtom)(database)
  return text === undefined ? null : ({ kind: 'refused', text, details: 'not sent' } as const)
})

/** Lets this tab write to a database in spite of what is wrong with it now. */
export const releaseWritesAtom = atom(null, (get, set, database: string) => {
  const found = get(breaksAtom)(database).map((one) => releaseOf(database, one))
  set(releasedAtom, new Set([...get(releasedAtom), ...found]))
})
