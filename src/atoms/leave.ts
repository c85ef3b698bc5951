import { atom } from 'jotai'
import { logout } from '~/api/auth'
import { defaultDatabase, storageKey } from '~/lib/constants'
import { announceLogout, type Logout } from './channel'
import { clientAtom, endSessionLossAtom } from './client'
import { isTokenOf, type Session, sessionAtom } from './session'
import { readStored, type Stored, storageAtom, storedAtom } from './stored'
import { forgetForTab } from './tab-draft'
import { forgetDraftAtom } from './trust/forget-draft'
import { bannerOf } from './warning-banner'

/** What outlives a store: the device's own settings, and who comes next, if anybody does. */
export type Seed = { stored: Stored; session: Session | null; notice: string | null }

/** Who comes next, with the server's warning for them, and what to say to nobody in particular. */
export type Next = { session: Session | null; warning: string | null; notice: string | null }

/** Set by whoever owns the stores: replaces this store by an empty one that starts from the seed. */
export const endAtom = atom<{ end: (seed: Seed) => void }>({ end: () => {} })

/** Keeps theme, panes, the known server and the like; forgets token, user, permissions and the chosen database. */
function withoutIdentity(stored: Stored, warning: string | null): Stored {
  return {
    ...stored,
    docker: { dockerToken: null },
    view: { ...stored.view, banner: bannerOf(warning) },
    auth: { token: null, user: null, permission: null, server: stored.auth.server },
    database: { active: defaultDatabase },
    visits: [],
  }
}

/** Starts over with an empty store; nothing of this one goes on. */
const endStoreAtom = atom(null, (get, set, { warning, ...next }: Next) => {
  set(endSessionLossAtom, false)
  // Whatever of this store still comes later, such as a delayed draft, finds nobody to keep it for.
  set(sessionAtom, null)
  get(endAtom).end({ stored: withoutIdentity(get(storedAtom), warning), ...next })
})

/** Forgets the identity here, in storage and, through a message, in the other tabs of the user. */
export const forgetAtom = atom(null, (get, set, next: Next) => {
  const user = get(sessionAtom)?.user ?? get(storedAtom).auth.user
  void get(storageAtom).change(storageKey, (value) => {
    const stored = readStored(value)
    // Storage holds the last session of any tab; somebody else's is not ours to end.
    const isAnothers = stored.auth.user !== null && stored.auth.user !== user
    return isAnothers ? stored : withoutIdentity(stored, next.warning)
  })
  void set(forgetDraftAtom, user)
  if (user !== null) announceLogout(user)
  set(endStoreAtom, next)
})

/** Logs out: the server is told, but nothing waits for its answer. */
export const logoutAtom = atom(null, (get, set) => {
  if (!get(sessionAtom)) return
  logout(get(clientAtom)).catch(() => {
    // Whatever the server says, the session is over here; its token dies with its expiry.
  })
  set(forgetAtom, { session: null, warning: null, notice: null })
})

/**
 * Another tab of this origin logged this user out and cleared storage. The message may come late:
 * a session that began after it goes on, and only what this very session may have written since is
 * removed.
 */
export const followLogoutAtom = atom(null, (get, set, { user, at }: Logout) => {
  const session = get(sessionAtom)
  if (session?.user !== user || session.since > at) return
  void get(storageAtom).change(storageKey, (value) => {
    const stored = readStored(value)
    return isTokenOf(session, stored.auth.token) ? withoutIdentity(stored, null) : stored
  })
  forgetForTab()
  const notice = 'You were logged out in another tab.'
  set(endStoreAtom, { session: null, warning: null, notice })
})
