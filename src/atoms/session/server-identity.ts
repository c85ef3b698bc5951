import { atom } from 'jotai'
import { type Health, readIdentity } from '~/api/server'
import { storedAtom } from '../storage/stored'
import { clientAtom } from './client'
import { serverAtom, sessionAtom, sessionLossAtom } from './session'
import { anotherServer, loginNoticeAtom } from './start'

/** The server that was named since the last login; null says no name, undefined is none. */
export const namedAtom = atom<string | null | undefined>(undefined)

/**
 * Asks who answers right before a password is sent, because the server may have been replaced while
 * the form was there. Null when it is another one than was logged in to last, which is said then;
 * whoever types the password again wants that one. Rejects with `ApiError`.
 */
export const confirmServerIdentityAtom = atom(null, async (get, set): Promise<Health | null> => {
  const hasSession = get(sessionAtom) !== null
  const said = hasSession ? get(sessionLossAtom) : get(loginNoticeAtom)?.kind
  const before = get(serverAtom)
  const { health, server } = await readIdentity(get(clientAtom))
  const known = get(storedAtom).auth.server
  const isMeant = server === get(namedAtom) || (said === 'another-server' && server === before)
  if (known === null || server === known || isMeant) return health
  set(namedAtom, server)
  if (hasSession) set(sessionLossAtom, 'another-server')
  else set(loginNoticeAtom, anotherServer)
  return null
})
