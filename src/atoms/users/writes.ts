import { atom, type Getter, type Setter } from 'jotai'
import type { Client } from '~/api/client'
import {
  changePassword,
  createUser,
  type NewUser,
  type PasswordChange,
  setActive,
  type User,
} from '~/api/users'
import { levelName } from '~/immudb/privileges'
import { clientAtom } from '../session/client'
import { databaseAtom, isTokenOf, sessionAtom, sessionLossAtom } from '../session/session'
import { loginNoticeAtom } from '../session/start'
import { sentence } from '../storage/failure'
import { type Outcome, outcomeOf } from '../storage/outcome'
import { changeStoredAtom, withoutToken } from '../storage/stored'
import { writeBlockAtom } from '../trust/write-block'
import { readUserAtom, refreshUsersAtom, usersAtom } from './list'
import { addReportAtom, settleSessionsAtom } from './reports'

/** What is to be said once it is done; null when a report says more. */
export type Said = string | null

const isWritingAtom = atom(false)

/**
 * Does one change of users at a time: the server keeps none of them apart and would even create the
 * same user twice. Whatever happened, the list is asked for anew.
 */
export async function exclusively<T>(
  get: Getter,
  set: Setter,
  write: (client: Client) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  if (get(isWritingAtom)) {
    const text = 'Another change is still under way. This one was not sent.'
    return { kind: 'refused', text, details: 'one at a time' }
  }
  set(isWritingAtom, true)
  try {
    return await write(get(clientAtom))
  } finally {
    set(isWritingAtom, false)
    void set(refreshUsersAtom)
  }
}

/** Adds a user. */
export const createUserAtom = atom(null, (get, set, user: NewUser) => {
  const wasFree = !get(usersAtom).data?.some((one) => one.user === user.user)
  return exclusively(
    get,
    set,
    async (client) =>
      (await set(writeBlockAtom, user.database)) ??
      outcomeOf<Said>(
        createUser(client, user).then(
          () =>
            `${user.user} was added with the permission “${levelName(user.permission)}” on ${user.database}.`,
        ),
        wasFree ? ['exists'] : [],
      ),
  )
})

/** Activates or deactivates a user; deactivating leaves live tokens, which is reported. */
export const setActiveAtom = atom(null, (get, set, request: { user: string; active: boolean }) =>
  exclusively(get, set, async (client): Promise<Outcome<Said>> => {
    const { user, active } = request
    const held = await set(writeBlockAtom, get(databaseAtom) ?? '')
    if (held) return held
    const outcome = await outcomeOf(setActive(client, request))
    if (outcome.kind !== 'done') return outcome
    if (active) return { kind: 'done', value: `${user} is active and can log in again.` }
    set(addReportAtom, {
      user,
      text: `${user} was deactivated and cannot log in any more.`,
      lines: [
        'immudb does not end every session with it. Someone who logged in more than once can continue until the token expires. A new password ends all sessions at once.',
      ],
      isWarning: true,
      offersPassword: true,
      lost: [],
    })
    return { kind: 'done', value: null }
  }),
)

/**
 * Changes a password, which ends every session of that user at once. After the own one the login
 * form comes up over the intact screen.
 */
export const changePasswordAtom = atom(null, (get, set, change: PasswordChange) =>
  exclusively(get, set, async (client): Promise<Outcome<Said>> => {
    const held = await set(writeBlockAtom, get(databaseAtom) ?? '')
    if (held) return held
    // A change of the own password ends the session that a second one would need.
    const isOwn = change.user === get(sessionAtom)?.user
    const second = isOwn ? (['not-logged-in'] as const) : []
    const outcome = await outcomeOf(changePassword(client, change), second)
    if (outcome.kind !== 'done') return outcome
    set(settleSessionsAtom, change.user)
    if (isOwn) {
      set(endOwnSessionAtom)
      return { kind: 'done', value: null }
    }
    const text = `The password of ${change.user} was changed. All sessions of the user have ended.`
    return { kind: 'done', value: text }
  }),
)

/** The own token died with the old password: the login form says so, and the work stays. */
const endOwnSessionAtom = atom(null, (get, set) => {
  const session = get(sessionAtom)
  if (!session) return
  set(loginNoticeAtom, {
    text: 'Your password was changed. Log in with the new one to go on: your work is kept.',
  })
  set(sessionLossAtom, 'password-changed')
  void set(changeStoredAtom, (stored) =>
    isTokenOf(session, stored.auth.token) ? withoutToken(stored) : stored,
  )
})

/**
 * Finds out what became of a change whose answer never came: reads the user, and says in the words
 * of `judge` what that means. Only reads.
 */
export const checkUserAtom = atom(
  null,
  async (_get, set, name: string, judge: (user: User | null) => string): Promise<string> => {
    try {
      return judge(await set(readUserAtom, name))
    } catch (error) {
      return `The check itself failed. ${sentence(error)} Nothing more is known.`
    }
  },
)
