import { atom } from 'jotai'
import { logout } from '~/api/auth'
import { defaultDatabase, historyStorageKey, samplesStorageKey, storageKey } from '~/lib/constants'
import { eraseDraftsAtom, hasDraftsInTabAtom } from '../storage/drafts'
import { readStored, type Stored, storageAtom, storedAtom } from '../storage/stored'
import { clearTab } from '../storage/tab'
import { clientAtom, endSessionLossAtom } from './client'
import { announceLogout, type Logout } from './logout-channel'
import { isTokenOf, lastUserAtom, type Session, sessionAtom } from './session'
import { bannerOf } from './warning-banner'

/** What outlives a store: the device's own settings, and who comes next, if anybody does. */
export type StoreSeed = { stored: Stored; session: Session | null; notice: string | null }

/** Who comes next, with the server's warning for them, and what to say to nobody in particular. */
export type NextUser = { session: Session | null; warning: string | null; notice: string | null }

/** Set by whoever owns the stores: replaces this store by an empty one that starts from the seed. */
export const replaceStoreAtom = atom<{ end: (seed: StoreSeed) => void }>({ end: () => {} })

/** Keeps theme, panes, the known server and the like; forgets token, user, permissions and the chosen database. */
function withoutIdentity(stored: Stored, warning: string | null): Stored {
  return {
    ...stored,
    docker: { dockerToken: null },
    view: { ...stored.view, banner: bannerOf(warning) },
    auth: { token: null, user: null, permission: null, server: stored.auth.server },
    database: { active: defaultDatabase, chosen: false },
    visits: [],
  }
}

/** Starts over with an empty store; nothing of this one goes on. */
const endStoreAtom = atom(null, (get, set, { warning, ...next }: NextUser) => {
  set(endSessionLossAtom, false)
  // Whatever of this store still comes later, such as a delayed draft, finds nobody to keep it for.
  set(sessionAtom, null)
  clearTab(samplesStorageKey)
  get(replaceStoreAtom).end({ stored: withoutIdentity(get(storedAtom), warning), ...next })
})

/** What becomes of the drafts of a user who leaves; kept ones are shown to that user alone. */
export type DraftsAtLogout = 'keep' | 'erase'

/**
 * Forgets the identity here, in storage and, through a message, in the other tabs of the user.
 * Drafts stay for the same user unless they are to be erased.
 */
export const forgetAtom = atom(null, (get, set, { drafts, ...next }: Forgotten) => {
  const user = get(sessionAtom)?.user ?? get(storedAtom).auth.user
  void get(storageAtom).change(storageKey, (value) => {
    const stored = readStored(value)
    // Storage holds the last session of any tab; somebody else's is not ours to end.
    const isAnothers = stored.auth.user !== null && stored.auth.user !== user
    return isAnothers ? stored : withoutIdentity(stored, next.warning)
  })
  void get(storageAtom).change(historyStorageKey, (value) => {
    const owner: unknown = Object(value).user
    return typeof owner === 'string' && owner !== user ? value : null
  })
  if (drafts === 'erase') set(eraseDraftsAtom)
  if (user !== null) announceLogout(user, drafts)
  set(endStoreAtom, next)
})

type Forgotten = NextUser & { drafts: DraftsAtLogout }

/** Logs out: the server is told, but nothing waits for its answer. */
export const logoutAtom = atom(null, (get, set, drafts: DraftsAtLogout = 'keep') => {
  if (!get(sessionAtom)) return
  logout(get(clientAtom)).catch(() => {
    // Whatever the server says, the session is over here; its token dies with its expiry.
  })
  const words = set(wordsOnDraftsAtom, drafts)
  const notice = words && `You are logged out. ${words}`
  set(forgetAtom, { session: null, warning: null, notice, drafts })
})

/** What becomes of the drafts of this tab, or null when there are none. */
const wordsOnDraftsAtom = atom(null, (_get, set, drafts: DraftsAtLogout): string | null => {
  if (drafts === 'erase') return 'Your drafts were erased.'
  return set(hasDraftsInTabAtom) ? 'Your drafts are kept: log in again to continue.' : null
})

/**
 * Another tab of this origin logged this user out and cleared storage. The message may come late:
 * a session that began after it goes on, and only what this very session may have written since is
 * removed. A locked tab still holds what the user had read.
 */
export const followLogoutAtom = atom(null, (get, set, { user, at, drafts }: Logout) => {
  const session = get(sessionAtom)
  const isConcerned = session
    ? session.user === user && session.since <= at
    : get(lastUserAtom) === user
  if (!isConcerned) return
  void get(storageAtom).change(storageKey, (value) => {
    const stored = readStored(value)
    const isOwn = session !== null && isTokenOf(session, stored.auth.token)
    return isOwn ? withoutIdentity(stored, null) : stored
  })
  const words = set(wordsOnDraftsAtom, drafts)
  const notice = ['You were logged out in another tab.', words].filter(Boolean).join(' ')
  if (drafts === 'erase') set(eraseDraftsAtom)
  set(endStoreAtom, { session: null, warning: null, notice })
})
