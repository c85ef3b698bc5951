import { atom } from 'jotai'
import type { TrustedState } from '~/proof/context'
import { databaseAtom } from '../session/session'
import type { DatabaseId } from './database-id'
import type { Unreadable } from './record'
import type { Trust } from './trust'
import type { Verification } from './verification'

const work = () => import('./actions')

/** Forgets the point of a database; a line of the log stays. */
export const forgetStateAtom = atom(null, async (get, set, id: DatabaseId, reason: string) =>
  (await work()).forgetState({ get, set }, id, reason),
)

/** What came of comparing a point from elsewhere with what is known and answered here. */
export type Comparison =
  /** Nothing was known; it is the trusted point now. `why`: the server was not checked against it. */
  | { kind: 'taken'; why: string | null }
  /** It is the trusted state, for which nothing was proven. */
  | { kind: 'same' }
  /** The server proved that it belongs to the history that this browser knows. */
  | { kind: 'agrees'; verification: Verification }
  /** The same transaction has another hash here. */
  | {
      kind: 'differs'
      txId: string
      expected: string
      received: string
      /** What showed it, if it was asked for. */
      verification: Verification | null
    }
  /** The server has just proven its newest transaction, and that is an older one. */
  | { kind: 'ahead'; newest: string }
  /** The proof of that transaction was refused, which is a finding of its own. */
  | { kind: 'refused'; verification: Verification }
  /** The server could not be asked, which says nothing about either history. */
  | { kind: 'unknown'; why: string }

/** Takes over a point from elsewhere, or compares it with the one that is there. */
export const importStateAtom = atom(
  null,
  async (get, set, id: DatabaseId, point: TrustedState): Promise<Comparison> =>
    (await import('./compared-state')).importState({ get, set }, id, point),
)

/** Pins the key that signs the states of a server, base64 of 65 bytes, or none for null. */
export const pinKeyAtom = atom(
  null,
  async (get, set, of: Pick<DatabaseId, 'origin' | 'server'>, publicKey: string | null) =>
    (await work()).pinKey({ get, set }, of, publicKey),
)

/** Lets the server that answers now be known at this address. */
export const acceptServerAtom = atom(null, async (get, set, reason: string) =>
  (await work()).acceptServer({ get, set }, reason),
)

/** Lets a server be known at an address no more; what is recorded of it stays. */
export const revokeServerAtom = atom(
  null,
  async (get, set, origin: string, server: string, reason: string) =>
    (await work()).revokeServer({ get, set }, origin, server, reason),
)

/** Removes a record that could not be read and was set aside; one that is where it was stays. */
export const removeAsideAtom = atom(null, async (get, set, record: Unreadable) =>
  (await work()).removeAside({ get, set }, record),
)

/**
 * What to do about a finding: `keep` the point and go on, `forget` it, `check` once more, or `end`
 * an alarm on one's word, of what cannot be checked by itself.
 */
export type Decision = 'keep' | 'forget' | 'check' | 'end'

/** What is known then, and why the object of an alarm could not be proven, if it was asked for. */
export type Decided = Trust & { unproven?: string }

/** The operator has seen what is wrong with the open database. */
export const acknowledgeBreakAtom = atom(
  null,
  async (get, set, decision: Decision, reason: string): Promise<Decided> =>
    (await work()).acknowledge({ get, set }, decision, reason),
)

/** Checks the open database's newest state, or that of a named one, now. */
export const verifyStateAtom = atom(null, async (get, set, database?: string): Promise<Trust> => {
  const { verifyState: checkTrust } = await import('./verify-state')
  return checkTrust({ get, set }, database ?? get(databaseAtom) ?? '')
})
