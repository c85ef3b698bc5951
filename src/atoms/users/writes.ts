import { atom } from 'jotai'
import {
  type NewUser,
  type PasswordChange,
  changePassword as sendChangePassword,
  createUser as sendCreateUser,
  setActive,
  type User,
} from '~/api/users'
import type { Io } from '~/core/act'
import { clientAtom } from '~/core/session/client'
import {
  databaseAtom,
  isTokenOf,
  loginNoticeAtom,
  sessionAtom,
  sessionLossAtom,
} from '~/core/session/session'
import { changeStoredPart, withoutToken } from '~/core/storage/stored'
import { failedCheck, placeIn } from '~/core/write'
import { type Grant, levelName } from '~/immudb/privileges'
import { idle, type Settled, type Write } from '~/lib/write-state'
import { runWrite, type WritePlan } from '~/trust/write'
import { readUser, refreshUsers, usersAtom } from './user-list'

/** The message after success; null when a report says more. */
export type Said = string | null

const writingAtom = atom<Write<Said>>(idle)

/**
 * Runs one user change at a time, because the server does not isolate them and would even create
 * the same user twice. Then it always fetches the list again.
 */
export async function writeUser(io: Io, plan: WritePlan<Said>): Promise<Settled<Said>> {
  const ended = await runWrite<Said>(io, placeIn(io, writingAtom), plan)
  if (ended === null) {
    const text = 'Another change is still in progress. This one was not sent.'
    return { kind: 'refused', text, details: 'one at a time' }
  }
  void refreshUsers(io)
  return ended
}

/** Adds a user. */
export function createUser(io: Io, user: NewUser) {
  const wasFree = !io.get(usersAtom).data?.some((one) => one.user === user.user)
  return writeUser(io, {
    database: user.database,
    send: async () => {
      await sendCreateUser(io.get(clientAtom), user)
      return `${user.user} was added with the permission “${levelName(user.permission)}” on ${user.database}.`
    },
    secondReasons: wasFree ? ['exists'] : [],
  })
}

/** Activates or deactivates a user; deactivating leaves live tokens, which is reported. */
export function changeActive(io: Io, request: { user: string; active: boolean }) {
  return writeUser(io, {
    database: io.get(databaseAtom) ?? '',
    send: async () => {
      const { user, active } = request
      await setActive(io.get(clientAtom), request)
      if (active) return `${user} is active and can log in again.`
      addUserReport(io, {
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
  })
}

/**
 * Changes a password, which ends every session of that user at once. For the current user, the
 * login form then appears over the intact screen.
 */
export function changePassword(io: Io, change: PasswordChange) {
  const isOwn = change.user === io.get(sessionAtom)?.user
  return writeUser(io, {
    database: io.get(databaseAtom) ?? '',
    send: async () => {
      await sendChangePassword(io.get(clientAtom), change)
      settleSessions(io, change.user)
      if (!isOwn) {
        return `The password of ${change.user} was changed. All sessions of the user have ended.`
      }
      endOwnSession(io)
      return null
    },
    // Changing the own password ends the session, so a repeat is refused as not logged in.
    secondReasons: isOwn ? ['not-logged-in'] : [],
  })
}

/** The token ended with the old password: the login form says so, and the work stays. */
function endOwnSession(io: Io) {
  const session = io.get(sessionAtom)
  if (!session) return
  io.set(loginNoticeAtom, {
    text: 'Your password was changed. Log in with the new one to continue: your work is kept.',
  })
  io.set(sessionLossAtom, 'password-changed')
  void changeStoredPart(io, (stored) =>
    isTokenOf(session, stored.auth.token) ? withoutToken(stored) : stored,
  )
}

/**
 * Checks the outcome of a change without an answer: reads the user and lets `judge` describe it.
 * Only reads.
 */
export async function checkUser(
  io: Io,
  name: string,
  judge: (user: User | null) => string,
): Promise<string> {
  try {
    return judge(await readUser(io, name))
  } catch (error) {
    return failedCheck(error)
  }
}

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
export function addUserReport({ get, set }: Io, report: Omit<UserReport, 'id'>) {
  const id = get(countAtom) + 1
  set(countAtom, id)
  const kept = get(allReportsAtom).filter(
    ({ user, isWarning }) => isWarning || user !== report.user,
  )
  set(allReportsAtom, [{ ...report, id }, ...kept])
}

export function dismissUserReport({ get, set }: Io, id: number) {
  return set(
    allReportsAtom,
    get(allReportsAtom).filter((report) => report.id !== id),
  )
}

/** Dismisses all reports about a user. */
export function dismissUserReports({ get, set }: Io, user: string) {
  return set(
    allReportsAtom,
    get(allReportsAtom).filter((report) => report.user !== user),
  )
}

/** A new password has ended all sessions, so no warning about them is left. */
function settleSessions({ get, set }: Io, user: string) {
  return set(
    allReportsAtom,
    get(allReportsAtom).filter((report) => report.user !== user || !report.offersPassword),
  )
}
