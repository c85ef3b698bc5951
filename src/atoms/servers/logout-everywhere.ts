import { logout } from '~/api/auth'
import { readIdentity } from '~/api/server'
import { clientAtom, type Store } from '~/core/session/client'
import { announceLogout } from '~/core/session/logout-channel'
import { type Session, sessionAtom } from '~/core/session/session'
import { forgetSession, logOut } from '~/core/session/session-end'
import { readStored, storageAtom } from '~/core/storage/stored'
import { storageKey } from '~/lib/constants'
import type { Server } from '~/lib/servers'
import { hasSession } from './clients'

/** A session that only storage has, and the id of the server that issued its token. */
type Kept = { session: Session; issuer: string | null }

/** How many of the stores have a session, in this tab or in storage. */
export async function countSessions(stores: readonly Store[]): Promise<number> {
  const found = await Promise.all(stores.map(async (one) => hasSession(one) || (await keptIn(one))))
  return found.filter(Boolean).length
}

/**
 * Logs out of a server that is not shown, in every tab of this browser. The session ends here even
 * if the server does not answer. Without a session, other tabs of the user still end theirs.
 */
export async function logOutOf(store: Store, { id }: Server, user: string): Promise<void> {
  if (hasSession(store)) return logOut(store)
  const kept = await keptIn(store)
  if (!kept) return announceLogout(user, 'keep', id)
  store.set(sessionAtom, kept.session)
  forgetSession(store, { session: null, warning: null, notice: null, drafts: 'keep' })
  await tellServer(store, kept).catch(() => {
    // Its token ends with its expiry.
  })
}

async function keptIn(store: Store): Promise<Kept | null> {
  const { auth } = readStored(await store.get(storageAtom).read(storageKey))
  const { token, user, server: issuer } = auth
  if (!token || !user) return null
  const since = Date.now()
  return { session: { user, token, databaseTokens: new Map(), isStored: true, since }, issuer }
}

/** A token goes only to the server that issued it. */
async function tellServer(store: Store, { session, issuer }: Kept): Promise<void> {
  const { server } = await readIdentity(store.get(clientAtom))
  // Someone may have logged in again.
  if (server !== issuer || store.get(sessionAtom)) return
  store.set(sessionAtom, session)
  const told = logout(store.get(clientAtom))
  store.set(sessionAtom, null)
  await told
}
