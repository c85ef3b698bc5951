import { atom } from 'jotai'
import type { TrustedState } from '~/proof/context'
import {
  acceptServer,
  acknowledge,
  type Decided,
  type Decision,
  forgetState,
  removeAside,
  revokeServer,
} from './actions'
import { type Comparison, importState } from './compared-state'
import type { DatabaseId } from './database-id'
import type { Unreadable } from './record'

/** Forgets the point of a database; a line of the log stays. */
export const forgetStateAtom = atom(null, async (get, set, id: DatabaseId, reason: string) =>
  forgetState({ get, set }, id, reason),
)

/** Takes over a point from elsewhere, or compares it with the one that is there. */
export const importStateAtom = atom(
  null,
  async (get, set, id: DatabaseId, point: TrustedState): Promise<Comparison> =>
    importState({ get, set }, id, point),
)

/** Lets the server that answers now be known at this address. */
export const acceptServerAtom = atom(null, async (get, set, reason: string) =>
  acceptServer({ get, set }, reason),
)

/** Lets a server be known at an address no more; what is recorded of it stays. */
export const revokeServerAtom = atom(
  null,
  async (get, set, origin: string, server: string, reason: string) =>
    revokeServer({ get, set }, origin, server, reason),
)

/** Removes a record that could not be read and was set aside; one that is where it was stays. */
export const removeAsideAtom = atom(null, async (get, set, record: Unreadable) =>
  removeAside({ get, set }, record),
)

/** The operator has seen what is wrong with the open database. */
export const acknowledgeBreakAtom = atom(
  null,
  async (get, set, decision: Decision, reason: string): Promise<Decided> =>
    acknowledge({ get, set }, decision, reason),
)
