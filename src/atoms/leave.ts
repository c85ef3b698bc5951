import { atom } from 'jotai'
import { logout } from '~/api/auth'
import { defaultDatabase, draftStorageKey, storageKey } from '~/lib/constants'
import { announceLogout } from './channel'
import { clientAtom, endSessionLossAtom } from './client'
import { type Session, sessionAtom } from './session'
import { readStored, type Stored, storageAtom, storedAtom } from './stored'

/** What outlives a store: the device's own settings, and who comes next, if anybody does. */
export type Seed = { stored: Stored; session: Session | null; notice: string | null }

/** Set by whoever owns the stores: replaces this store by an empty one that starts from the seed. */
export const endAtom = atom<{ end: (seed: Seed) => void }>({ end: () => {} })

/** Keeps theme, panes and the like; forgets token, user, permissions and the chosen database. */
function withoutIdentity(stored: Stored): Stored {
  return {
    ...stored,
    docker: { dockerToken: null },
    view: { ...stored.view, banner: { show: false, title: '' } },
    auth: { token: null, user: null, permission: null, server: null },
    database: { active: defaultDatabase },
  }
}

/** Forgets the identity in this tab and in storage, and starts over with an empty store. */
export const forgetAtom = atom(
  null,
  (get, set, next: { session: Session | null; notice: string | null }) => {
    set(endSessionLossAtom, false)
    // Whatever of this store still comes later, such as a delayed draft, finds nobody to keep it for.
    set(sessionAtom, null)
    const storage = get(storageAtom)
    void storage.change(storageKey, (value) => withoutIdentity(readStored(value)))
    void storage.remove(draftStorageKey)
    get(endAtom).end({ stored: withoutIdentity(get(storedAtom)), ...next })
  },
)

/**
 * Logs out: the server is told, but nothing waits for its answer. This tab and, through a message,
 * every other tab of the same user forget everything at once.
 */
export const logoutAtom = atom(null, (get, set) => {
  const session = get(sessionAtom)
  if (!session) return
  logout(get(clientAtom)).catch(() => {
    // Whatever the server says, the session is over here; its token dies with its expiry.
  })
  announceLogout(session.user)
  set(forgetAtom, { session: null, notice: null })
})

/** Another tab of this origin logged this user out. */
export const followLogoutAtom = atom(null, (get, set, user: string) => {
  if (get(sessionAtom)?.user !== user) return
  set(forgetAtom, { session: null, notice: 'You were logged out in another tab.' })
})
