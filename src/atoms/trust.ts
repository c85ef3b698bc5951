import { atom } from 'jotai'
import type { TrustedPoint } from '~/proof/context'
import { apiAddressAtom, databaseAtom, serverAtom } from './session'
import type { Break, PointId, TrustRecord } from './trust-record'

/** How far the history of a database is known to this browser. */
export type Trust =
  | { kind: 'unchecked'; why: string | null }
  | { kind: 'checking'; record: TrustRecord | null }
  /** Taken as it was; nothing was compared so far. */
  | { kind: 'first'; record: TrustRecord; why: string | null }
  /** `why`: the newest state could not be checked, for instance because the server is away. */
  | { kind: 'consistent'; record: TrustRecord; why: string | null }
  /** `record` is null when nothing was known that could be broken. */
  | { kind: 'broken'; record: TrustRecord | null; broken: Break }

const unchecked: Trust = { kind: 'unchecked', why: null }

/** What was found out in this page, by the names of databases. */
export const trustsAtom = atom<ReadonlyMap<string, Trust>>(new Map<string, Trust>())

/** How far the history of the open database is known. */
export const trustAtom = atom((get) => get(trustsAtom).get(get(databaseAtom) ?? '') ?? unchecked)

/** Notes what was found out about a database. */
export const setTrustAtom = atom(null, (get, set, database: string, trust: Trust) =>
  set(trustsAtom, new Map(get(trustsAtom)).set(database, trust)),
)

/** Names a database of the server that answers, for whatever is kept about it. */
export const pointIdAtom = atom((get) => {
  const address = get(apiAddressAtom)
  const base = typeof location === 'undefined' ? 'http://localhost' : location.href
  const origin = new URL(address, base).href.replace(/\/(api\/?)?$/, '')
  const server = get(serverAtom) ?? ''
  return (database: string): PointId => ({ origin, server, database })
})

/** Everything that changes points is fetched when it is first used. */
const work = () => import('./trust-work')

/** Checks the open database's newest state, or that of a named one, now. */
export const checkTrustAtom = atom(null, async (get, set, database?: string): Promise<Trust> => {
  const { checkTrust } = await import('./trust-check')
  return checkTrust({ get, set }, database ?? get(databaseAtom) ?? '')
})

/** Counts changes of what is kept, by this tab or another. */
export const recordsVersionAtom = atom(0)

/** All trusted points of this browser, and whether they outlive the page. */
export const trustRecordsAtom = atom(async (get) => {
  get(recordsVersionAtom)
  return (await work()).listRecords(get)
})

/** Forgets the point of a database; a line of the log stays. */
export const forgetPointAtom = atom(null, async (get, set, id: PointId, reason: string) =>
  (await work()).forgetPoint({ get, set }, id, reason),
)

/** What came of comparing a point from elsewhere with what is known and answered here. */
export type Comparison =
  /** Nothing was known; it is the trusted point now. */
  | { kind: 'taken' }
  /** It belongs to the history that this browser knows. */
  | { kind: 'agrees' }
  /** The same transaction has another hash here. */
  | { kind: 'differs'; txId: string; expected: string; received: string }
  /** The server has no such transaction yet, or no more. */
  | { kind: 'ahead'; newest: string }
  | { kind: 'unknown'; why: string }

/** Takes over a point from elsewhere, or compares it with the one that is there. */
export const importPointAtom = atom(
  null,
  async (get, set, id: PointId, point: TrustedPoint): Promise<Comparison> =>
    (await work()).importPoint({ get, set }, id, point),
)

/** Pins the key that signs the states of a server, base64 of 65 bytes, or none for null. */
export const pinKeyAtom = atom(
  null,
  async (get, set, of: Pick<PointId, 'origin' | 'server'>, publicKey: string | null) =>
    (await work()).pinKey({ get, set }, of, publicKey),
)

/** Lets the server that answers now be known at this address. */
export const acceptServerAtom = atom(null, async (get, set, reason: string) =>
  (await work()).acceptServer({ get, set }, reason),
)

/** What to do about a finding: `keep` the point and go on, `forget` it, or `check` once more. */
export type Decision = 'keep' | 'forget' | 'check'

/** The operator has seen what is wrong with the open database. */
export const acknowledgeBreakAtom = atom(
  null,
  async (get, set, decision: Decision, reason: string): Promise<Trust> =>
    (await work()).acknowledge({ get, set }, decision, reason),
)
