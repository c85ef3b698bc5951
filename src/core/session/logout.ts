import { atom } from 'jotai'
import { logout } from '~/api/auth'
import type { Io } from '~/core/act'
import { draftStorageKey, storageKey } from '~/lib/constants'
import { samplesStorageKey } from '~/lib/storage-keys'
import { endDrafts, eraseDrafts, hasDraftsInTab } from '../drafts'
import { leftAddressAtom, pageAddressAtom } from '../storage/places'
import {
  readStored,
  type Stored,
  storageAtom,
  storedAtom,
  withoutIdentity,
} from '../storage/stored'
import { clearTab } from '../storage/tab'
import { clientAtom, endSessionLoss } from './client'
import { forgetStored } from './leaving'
import { announceLogout, type Logout } from './logout-channel'
import {
  isTokenOf,
  lastUserAtom,
  listedAsAtom,
  type Session,
  serverPlaceAtom,
  sessionAtom,
} from './session'

/**
 * What outlives a store: the device's settings, and the next user, if any. `wanted` is a database.
 */
export type StoreSeed = {
  stored: Stored
  session: Session | null
  notice: string | null
  wanted?: string | null
}

/** The next session with the server's warning, or a notice for the login form. */
export type NextUser = { session: Session | null; warning: string | null; notice: string | null }

/**
 * Set by the owner of the stores: replaces this store by an empty one that starts from the seed.
 */
export const replaceStoreAtom = atom<{ end: (seed: StoreSeed) => void }>({ end: () => {} })

/** Starts over with an empty store; this one ends. */
function endStore(io: Io, { warning, ...next }: NextUser) {
  endSessionLoss(io, false)
  // Late writes of this store, such as a delayed draft, must not find a user.
  io.set(sessionAtom, null)
  clearTab(samplesStorageKey)
  io.get(replaceStoreAtom).end({ stored: withoutIdentity(io.get(storedAtom), warning), ...next })
}

/** Whether logout keeps or erases drafts. Kept ones are shown only to the same user. */
export type DraftsAtLogout = 'keep' | 'erase'

/**
 * Forgets the identity here, in storage and, through a message, in the other tabs of the user.
 * Drafts stay for the same user unless they are to be erased.
 */
export function forgetSession(io: Io, { drafts, ...next }: Forgotten) {
  const { get } = io
  const user = get(sessionAtom)?.user ?? get(storedAtom).auth.user
  noteLeft(io, drafts)
  const leaving = {
    user,
    forgets: 'identity',
    drafts: drafts === 'erase' ? endDrafts(io) : null,
  } as const
  void forgetStored(get(storageAtom), get(serverPlaceAtom), leaving, next.warning)
  if (user !== null) announceLogout(user, drafts, get(listedAsAtom)?.id)
  endStore(io, next)
}

/** Where this tab is, for the next login of the same user. */
function noteLeft({ get, set }: Io, drafts: DraftsAtLogout) {
  const address = get(pageAddressAtom).read()
  if (drafts === 'keep' && address.includes('?')) set(leftAddressAtom, address)
}

type Forgotten = NextUser & { drafts: DraftsAtLogout }

/** Logs out. The server is told, but the console does not wait for its answer. */
export function logOut(io: Io, drafts: DraftsAtLogout = 'keep') {
  if (!io.get(sessionAtom)) return
  logout(io.get(clientAtom)).catch(() => {
    // The session is over here even if the server fails; its token ends with its expiry.
  })
  const words = describeDrafts(io, drafts)
  const notice = words && `You are logged out. ${words}`
  forgetSession(io, { session: null, warning: null, notice, drafts })
}

/** A sentence about the drafts of this tab, or null when there are none. */
function describeDrafts(io: Io, drafts: DraftsAtLogout): string | null {
  if (drafts === 'erase') return 'Your drafts were erased.'
  return hasDraftsInTab(io) ? 'Your drafts are kept: log in again to continue.' : null
}

/**
 * Another tab of this origin logged this user out and cleared storage. The message may be late: a
 * session that began after it continues, and only its own later writes to storage are removed. A
 * locked tab still has the user's data in memory. One that is logged out or another user's may keep
 * what this user typed, under names that end with the user.
 */
export function followLogout(io: Io, { user, at, drafts }: Logout) {
  const { get } = io
  const session = get(sessionAtom)
  const isOwn = (session?.user ?? get(lastUserAtom)) === user
  if (isOwn && session && session.since > at) return
  if (drafts === 'erase')
    clearTab(draftStorageKey, JSON.stringify([get(serverPlaceAtom), user]).slice(2))
  if (!isOwn) return
  noteLeft(io, drafts)
  void get(storageAtom).change(storageKey, (value) => {
    const stored = readStored(value)
    const isOurs = session !== null && isTokenOf(session, stored.auth.token)
    return isOurs ? withoutIdentity(stored, null) : stored
  })
  const words = describeDrafts(io, drafts)
  const notice = ['You were logged out in another tab.', words].filter(Boolean).join(' ')
  const erased = drafts === 'erase' && endDrafts(io)
  if (erased) eraseDrafts(get(storageAtom), erased)
  endStore(io, { session: null, warning: null, notice })
}
