import { createStore } from 'jotai'
import { connect, type Store } from '~/core/session/client'
import { onLogoutElsewhere } from '~/core/session/logout-channel'
import { listedAsAtom, phaseAtom } from '~/core/session/session'
import { followLogout, replaceStoreAtom, type StoreSeed } from '~/core/session/session-end'
import { beginSession, restoreSession } from '~/core/session/session-start'
import { openDriver } from '~/core/storage/driver'
import { noticeAtom } from '~/core/storage/notice'
import { pageAddressAtom } from '~/core/storage/places'
import {
  openStorage,
  type Storage,
  type StorageDriver,
  type StorageFailure,
} from '~/core/storage/storage'
import { storageAtom } from '~/core/storage/stored'
import { clearAddress, databaseInAddress, pageAddress } from './page-start'

/** A store and the number of the identity it serves; a new number means: forget everything. */
export type Identity = { number: number; store: Store }

export type Identities = {
  present(): Identity
  subscribe(changed: () => void): () => void
}

/** What a part that knows several servers gets from the owner of the stores. */
export type Owner = {
  readonly storage: Storage
  present(): Store
  /** Puts an empty store in the place of the present one; `begin` starts it. */
  renew(begin: (store: Store) => unknown): void
}

/** Joins a new store to a server and to what this browser keeps of it. */
export type Join = (store: Store) => void

/**
 * Owns the one store in use. When a user leaves, a new store takes its place. It starts with the
 * settings of this browser alone.
 * @param joining the part that chooses among several servers, where there is a list of them
 */
export function startIdentities(
  baseURL: string,
  driver: () => Promise<StorageDriver> = openDriver,
  joining?: (owner: Owner) => Join,
): Identities {
  const watchers = new Set<() => void>()
  let failure: StorageFailure | null = null
  const storage = openStorage(
    driver,
    (reason) => {
      failure = reason
      identity.store.set(noticeAtom, reason)
    },
    (isLate) => {
      failure = null
      identity.store.set(noticeAtom, null)
      if (isLate && mayRestore(identity.store))
        void restoreSession(identity.store, databaseInAddress())
    },
  )
  const open = () => {
    const store = createStore()
    store.set(noticeAtom, failure)
    join(store)
    store.set(replaceStoreAtom, { end: replace })
    store.set(pageAddressAtom, pageAddress)
    return store
  }
  const renew = (begin: (store: Store) => unknown) => {
    const store = open()
    identity = { number: identity.number + 1, store }
    begin(store)
    for (const tell of watchers) tell()
  }
  const replace = (seed: StoreSeed) => {
    clearAddress()
    renew((store) => void beginSession(store, seed))
  }
  const join =
    joining?.({ storage, present: () => identity.store, renew }) ??
    ((store: Store) => {
      connect(store, baseURL)
      store.set(storageAtom, storage)
    })
  let identity: Identity = { number: 0, store: open() }
  void restoreSession(identity.store, databaseInAddress())
  onLogoutElsewhere((logout) => {
    const { store } = identity
    if (logout.server === store.get(listedAsAtom)?.id) followLogout(store, logout)
  })
  return {
    present: () => identity,
    subscribe: (changed) => {
      watchers.add(changed)
      return () => watchers.delete(changed)
    },
  }
}

/** A session found late is opened as long as nobody has begun to log in. */
function mayRestore(store: Store): boolean {
  const isTyping = [...document.querySelectorAll('input')].some(
    (input) => input.type !== 'checkbox' && input.value !== '',
  )
  return store.get(phaseAtom) === 'signed-out' && !isTyping
}
