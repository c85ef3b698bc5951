import { atom } from 'jotai'
import { type Health, readIdentity } from '~/api/server'
import { storedAtom } from '../storage/stored'
import { clientAtom } from './client'
import { serverAtom, sessionAtom, sessionLossAtom } from './session'
import { anotherServer, loginNoticeAtom } from './start'

/** The server shown since the last login; null: it gives no id, undefined: none was shown. */
export const namedAtom = atom<string | null | undefined>(undefined)

/**
 * Checks which server answers right before a password is sent, because it may have been replaced
 * while the form was open. Null when it differs from the last login; the form then says so. Typing
 * the password again accepts that server. Rejects with `ApiError`.
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
