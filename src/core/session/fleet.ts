import { atom } from 'jotai'
import type { Server, ServerList } from '~/lib/servers'
import type { Storage } from '../storage/storage'
import type { Store } from './client'

/**
 * The servers of a console that has a list. Each has a store of its own, so nothing of one is ever
 * sent to another. Only the shown one has screens; of the others there is at most a session.
 */
export type Fleet = {
  /** Holds what outlives a change of the shown server. */
  readonly store: Store
  /** What this browser keeps of all servers. */
  readonly storage: Storage
  /** Shows another server, with nothing of the last one. */
  show(server: Server): void
  /** The store of the shown server. */
  present(): Store
  /** The store that talks to a server, made when first asked for. */
  storeOf(server: Server): Store
  /** How many servers but the shown one have a session, in this tab or in storage. */
  othersSignedIn(): Promise<number>
  /** Logs out of all servers but the shown one, in every tab; settles once all have been told. */
  logOutOthers(): Promise<unknown>
  /** Forgets the sessions of all servers but the shown one, here and in storage. */
  lock(): void
}

/** Null where the console has no list of servers. */
export const fleetAtom = atom<Fleet | null>(null)

/** The list as last read; in the fleet's own store. */
export const serverListAtom = atom<ServerList>({ version: '', servers: [] })

/** Why a server took the name and password of another's login not, by its id; in the fleet's own store. */
export const loginRefusalsAtom = atom<ReadonlyMap<string, string>>(new Map())

/** The server that an address named and that is not on the list, or null; in the fleet's own store. */
export const unknownServerAtom = atom<string | null>(null)
