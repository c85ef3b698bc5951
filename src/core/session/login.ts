import { atom } from 'jotai'
import { login } from '~/api/auth'
import { ApiError, isBecause, sentence } from '~/api/errors'
import type { Io } from '~/core/act'
import { freeLogins, loginPauses } from '~/lib/constants'
import { messages } from '~/lib/shared-sentences'
import { asSentence } from '~/lib/text'
import { bannerOf, changeStoredPart, storedAtom } from '../storage/stored'
import { clientAtom, endSessionLoss } from './client'
import { documentLoginAtom, handPassword } from './document-login'
import { confirmServerIdentity, namedAtom } from './server-identity'
import {
  askAgainAtom,
  databaseAtom,
  lastUserAtom,
  loginNoticeAtom,
  lostDatabaseAtom,
  noteNoAuthTab,
  type Session,
  serverPlaceAtom,
  sessionAtom,
} from './session'
import { endLeaving, forgetSession } from './session-end'
import {
  enterSession,
  enterWithoutLogin,
  healthAtom,
  keepSession,
  openFirst,
  returnToAddress,
} from './session-start'

export type Credentials = {
  user: string
  password: string
  /** False keeps the token in this tab's memory only. */
  isStored: boolean
  /** The screen that the login is for searches documents, which needs the password once more. */
  isForDocuments?: boolean
}

/** Wrong passwords in a row; other failures do not count. */
const wrongLoginsAtom = atom(0)

/** Milliseconds to wait after the last wrong password before the form sends the next. */
export const loginPauseAtom = atom((get) => loginPause(get(wrongLoginsAtom)))

/**
 * Logs in. Rejects with `ApiError` without any change. If another server answers, the form says so
 * before anything is sent. The same user finds a lost session as it was; another user starts with
 * an empty console.
 */
export async function logIn(io: Io, credentials: Credentials) {
  const { get, set } = io
  const before = get(sessionAtom)
  const { user, password } = credentials
  const health = await confirmServerIdentity(io)
  // A logout in another tab has ended this store in the meantime.
  if (!health || (before && !get(sessionAtom))) return
  const { token, warning } = await login(get(clientAtom), user, password).catch(
    (error: unknown) => {
      const isWrong = error instanceof ApiError && error.kind === 'credentials'
      if (isWrong) set(wrongLoginsAtom, (count) => count + 1)
      if (isBecause(error, 'login-off')) void goOnOpen(io)
      throw error
    },
  )
  set(wrongLoginsAtom, 0)
  set(namedAtom, undefined)
  if (before && !get(sessionAtom)) return
  const session: Session = {
    user: credentials.user,
    token,
    databaseTokens: new Map(),
    isStored: credentials.isStored,
    since: Date.now(),
  }
  const previous = before?.user ?? get(lastUserAtom) ?? get(storedAtom).auth.user
  if (previous !== null && previous !== session.user) {
    return forgetSession(io, { session, warning, notice: null, drafts: 'keep' })
  }
  set(sessionAtom, session)
  set(loginNoticeAtom, null)
  if (!before) handPassword(io, password, credentials.isForDocuments ?? false)
  if (!before) returnToAddress(io)
  void changeStoredPart(io, (stored) => ({
    ...stored,
    view: { ...stored.view, banner: bannerOf(warning) },
  }))
  set(healthAtom, health)
  await (before ? resumeLogin(io) : enterSession(io, health))
  if (before) get(documentLoginAtom)?.take(password)
}

/** The server was restarted without login: the work of one user must not be open to all. */
function goOnOpen(io: Io) {
  if (!io.get(sessionAtom)) return enterWithoutLogin(io)
  noteNoAuthTab(io, true)
  forgetSession(io, { session: null, warning: null, notice: null, drafts: 'keep' })
}

/** Opens the same database again, or another one, and refreshes the screen. */
async function resumeLogin(io: Io) {
  const { get, set } = io
  const name = get(databaseAtom)
  if (name !== null) {
    const opened = await openFirst(io, name)
    set(databaseAtom, opened)
    set(lostDatabaseAtom, opened === name ? null : name)
  }
  await keepSession(io)
  endLeaving(get(serverPlaceAtom))
  // First, so that reads with older answers are fetched again only once.
  get(askAgainAtom).ask()
  endSessionLoss(io, true)
}

/**
 * Milliseconds to wait after this many wrong logins in a row: none at first, then longer each time.
 * This spares the server's costly password check and never blocks a user for good.
 */
export function loginPause(failures: number): number {
  if (failures < freeLogins) return 0
  return loginPauses[Math.min(failures - freeLogins, loginPauses.length - 1)] ?? 0
}

/** The sentence under the login form. An unusable answer counts as “received no response”. */
export function loginFailure(error: unknown): string {
  if (error instanceof ApiError && error.kind === 'bad-answer') {
    return asSentence(messages.noLoginResponse)
  }
  return sentence(error)
}
