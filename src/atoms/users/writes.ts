import { atom, type Getter, type Setter } from 'jotai'
import {
  changePassword,
  createUser,
  type NewUser,
  type PasswordChange,
  setActive,
} from '~/api/user-operations'
import type { User } from '~/api/users'
import { clientAtom } from '~/core/session/client'
import { databaseAtom, isTokenOf, sessionAtom, sessionLossAtom } from '~/core/session/session'
import { loginNoticeAtom } from '~/core/session/session-start'
import { changeStoredAtom, withoutToken } from '~/core/storage/stored'
import { failedCheck, placeIn } from '~/core/write'
import { type Grant, levelName } from '~/immudb/privileges'
import { idle, type Settled, type Write } from '~/lib/write-state'
import { runWrite, type WritePlan } from '~/trust/write'
import { readUserAtom, refreshUsersAtom, usersAtom } from './user-list'

/** The message after success; null when a report says more. */
export type Said = string | null

const writingAtom = atom<Write<Said>>(idle)

/**
 * Runs one user change at a time, because the server does not isolate them and would even create
 * the same user twice. Then it always fetches the list again.
 */
export async function writeUser(
  get: Getter,
  set: Setter,
  plan: WritePlan<Said>,
): Promise<Settled<Said>> {
  const ended = await runWrite<Said>(set, placeIn(get, set, writingAtom), plan)
  if (ended === null) {
    const text = 'Another change is still in progress. This one was not sent.'
    return { kind: 'refused', text, details: 'one at a time' }
  }
  void set(refreshUsersAtom)
  return ended
}

/** Adds a user. */
export const createUserAtom = atom(null, (get, set, user: NewUser) => {
  const wasFree = !get(usersAtom).data?.some((one) => one.user === user.user)
  return writeUser(get, set, {
    database: user.database,
    send: async () => {
      await createUser(get(clientAtom), user)
      return `${user.user} was added with the permission “${levelName(user.permission)}” on ${user.database}.`
    },
    secondReasons: wasFree ? ['exists'] : [],
  })
})

/** Activates or deactivates a user; deactivating leaves live tokens, which is reported. */
export const setActiveAtom = atom(null, (get, set, request: { user: string; active: boolean }) =>
  writeUser(get, set, {
    database: get(databaseAtom) ?? '',
    send: async () => {
      const { user, active } = request
      await setActive(get(clientAtom), request)
      if (active) return `${user} is active and can log in again.`
      set(addReportAtom, {
        user,
        text: `${user} was deactivated and can no longer log in.`,
        lines: [
          'immudb does not end every session with it. Someone who logged in more than once can continue until the token expires. A new password ends all sessions at once.',
        ],
        isWarning: true,
        offersPassword: true,
        lost: [],
      })
      return null
    },
  }),
)

/**
 * Changes a password, which ends every session of that user at once. For the current user, the
 * login form then appears over the intact screen.
 */
export const changePasswordAtom = atom(null, (get, set, change: PasswordChange) => {
  const isOwn = change.user === get(sessionAtom)?.user
  return writeUser(get, set, {
    database: get(databaseAtom) ?? '',
    send: async () => {
      await changePassword(get(clientAtom), change)
      set(settleSessionsAtom, change.user)
      if (!isOwn) {
        return `The password of ${change.user} was changed. All sessions of the user have ended.`
      }
      set(endOwnSessionAtom)
      return null
    },
    // Changing the own password ends the session, so a repeat is refused as not logged in.
    secondReasons: isOwn ? ['not-logged-in'] : [],
  })
})

/** The token ended with the old password: the login form says so, and the work stays. */
const endOwnSessionAtom = atom(null, (get, set) => {
  const session = get(sessionAtom)
  if (!session) return
  set(loginNoticeAtom, {
    text: 'Your password was changed. Log in with the new one to continue: your work is kept.',
  })
  set(sessionLossAtom, 'password-changed')
  void set(changeStoredAtom, (stored) =>
    isTokenOf(session, stored.auth.token) ? withoutToken(stored) : stored,
  )
})

/**
 * Checks the outcome of a change without an answer: reads the user and lets `judge` describe it.
 * Only reads.
 */
export const checkUserAtom = atom(
  null,
  async (_get, set, name: string, judge: (user: User | null) => string): Promise<string> => {
    try {
      return judge(await set(readUserAtom, name))
    } catch (error) {
      return failedCheck(error)
    }
  },
)

/** The report of a change of a user, kept until dismissed. */
export type UserReport = {
  readonly id: number
  readonly user: string
  /** What was done. */
  readonly text: string
  /** What the operator should know about it. */
  readonly lines: readonly string[]
  readonly isWarning: boolean
  /** Live tokens may remain, which only a new password ends for sure. */
  readonly offersPassword: boolean
  /** Lost privileges that can be restored. */
  readonly lost: readonly Grant[]
}

const allReportsAtom = atom<readonly UserReport[]>([])

export const userReportsAtom = atom((get) => get(allReportsAtom))

const countAtom = atom(0)

/** Adds a report; it replaces an older one about the same user that needs no attention. */
export const addReportAtom = atom(null, (get, set, report: Omit<UserReport, 'id'>) => {
  const id = get(countAtom) + 1
  set(countAtom, id)
  const kept = get(allReportsAtom).filter(
    ({ user, isWarning }) => isWarning || user !== report.user,
  )
  set(allReportsAtom, [{ ...report, id }, ...kept])
})

export const dismissReportAtom = atom(null, (get, set, id: number) =>
  set(
    allReportsAtom,
    get(allReportsAtom).filter((report) => report.id !== id),
  ),
)

/** Dismisses all reports about a user. */
export const dismissReportsAtom = atom(null, (get, set, user: string) =>
  set(
    allReportsAtom,
    get(allReportsAtom).filter((report) => report.user !== user),
  ),
)

/** A new password has ended all sessions, so no warning about them is left. */
const settleSessionsAtom = atom(null, (get, set, user: string) =>
  set(
    allReportsAtom,
    get(allReportsAtom).filter((report) => report.user !== user || !report.offersPassword),
  ),
)
