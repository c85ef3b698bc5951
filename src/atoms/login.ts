import { atom } from 'jotai'
import { login } from '~/api/auth'
import { clientAtom, endSessionLossAtom, keepDatabaseToken } from './client'
import { forgetAtom } from './leave'
import { databaseAtom, type Session, sessionAtom } from './session'
import { enterAtom, keepSessionAtom, loginNoticeAtom } from './start'
import { changeStoredAtom } from './stored'

export type Credentials = {
  user: string
  password: string
  /** False keeps the token in this tab's memory only. */
  isStored: boolean
}

/**
 * Signs in; rejects with `ApiError` and changes nothing then. The same user coming back to a lost
 * session finds everything as it was; another user starts with an empty console.
 */
export const loginAtom = atom(null, async (get, set, credentials: Credentials) => {
  const before = get(sessionAtom)
  const { token, warning } = await login(get(clientAtom), credentials.user, credentials.password)
  const session: Session = {
    user: credentials.user,
    token,
    databaseTokens: new Map(),
    isStored: credentials.isStored,
  }
  if (before && before.user !== session.user) {
    return set(forgetAtom, { session, notice: null })
  }
  set(sessionAtom, session)
  set(loginNoticeAtom, null)
  void set(changeStoredAtom, (stored) => ({
    ...stored,
    view: { ...stored.view, banner: { show: warning !== null, title: warning ?? '' } },
  }))
  await set(before ? resumeAtom : enterAtom, null)
})

/** Opens the same database again and lets the reads that waited go on. */
const resumeAtom = atom(null, async (get, set, _wanted: null) => {
  const name = get(databaseAtom)
  if (name !== null) await keepDatabaseToken({ get, set }, get(clientAtom), name)
  set(keepSessionAtom)
  set(endSessionLossAtom, true)
})
