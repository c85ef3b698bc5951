import { atom } from 'jotai'
import type { Io } from '~/core/act'
import { tokenExpiry } from '~/immudb/token'
import { clientAtom, fetchDatabaseToken } from './client'
import { clockOffsetAtom, databaseAtom, sessionAtom, steadyOffsetAtom } from './session'
import { keepSession } from './session-start'

/** When the session of the open database ends, by the server's clock; null when that is not known. */
const endAtom = atom((get) => {
  const session = get(sessionAtom)
  if (!session) return null
  const own = session.databaseTokens.get(get(databaseAtom) ?? '')
  return tokenExpiry(own ?? session.token)
})

/** The same by this computer's clock, to be shown. */
export const expiryAtom = atom((get) => {
  const end = get(endAtom)
  return end === null ? null : end - get(clockOffsetAtom)
})

/** The same as `steadyNow` counts, to be waited for: the clock may be wrong and may be set. */
export const steadyExpiryAtom = atom((get) => {
  const end = get(endAtom)
  return end === null ? null : end - (get(steadyOffsetAtom) ?? 0)
})

/**
 * Gets a new token from the server. Only the open database keeps one; others get theirs when they
 * are opened again. Rejects with `ApiError` and leaves the session unchanged.
 */
export async function extendSession(io: Io) {
  const { get, set } = io
  const database = get(databaseAtom)
  if (database === null) return
  await fetchDatabaseToken(io, get(clientAtom), database)
  const session = get(sessionAtom)
  const token = session?.databaseTokens.get(database)
  if (!session || token === undefined) return
  set(sessionAtom, { ...session, databaseTokens: new Map([[database, token]]) })
  keepSession(io)
}
