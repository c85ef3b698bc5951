import * as v from 'valibot'
import { base64ToText, textToBase64 } from '~/lib/bytes'
import type { Client } from './client'
import { filledList, flag, list, nothing, object, text } from './schemas'

const name = v.pipe(
  v.string(),
  v.transform((encoded) => {
    try {
      return base64ToText(encoded)
    } catch {
      return null
    }
  }),
  v.string(),
)

const users = object({
  // The server always lists the user who asks.
  users: filledList(
    object({
      user: name,
      permissions: list(object({ database: text, permission: v.optional(v.number(), 0) })),
      active: flag,
      createdby: text,
      createdat: text,
      sqlPrivileges: list(object({ database: text, privilege: text })),
    }),
  ),
})
/** A user as listed. `createdat` and `createdby` describe the last change, not the creation. */
export type User = v.InferOutput<typeof users>['users'][number]

/** `GET /user/list`: always contains the current user, and others that this user may see. */
export async function listUsers(
  client: Client,
  request: { database?: string; signal?: AbortSignal },
): Promise<User[]> {
  const answer = await client.call(users, {
    method: 'GET',
    path: '/user/list',
    ...(request.database === undefined ? {} : { database: request.database }),
    ...(request.signal ? { signal: request.signal } : {}),
  })
  return answer.users
}

type Action = 'GRANT' | 'REVOKE'

/** The level must be a valid one for REVOKE too. */
export type PermissionChange = {
  action: Action
  user: string
  database: string
  permission: number
}

/**
 * `POST /user/changepermission` (pkg/server/user.go, ChangePermission): the name goes as it is.
 * Replaces all SQL privileges of the user by the defaults of this one database.
 */
export async function changePermission(client: Client, change: PermissionChange): Promise<void> {
  const { action, user, database, permission } = change
  const body = { action, username: user, database, permission }
  await client.call(nothing, { method: 'POST', path: '/user/changepermission', body })
}

export type PrivilegeChange = {
  action: Action
  user: string
  database: string
  privileges: readonly string[]
}

/**
 * `POST /user/changesqlprivileges`: adds or removes only the named ones; the name is sent as it is.
 */
export async function changePrivileges(client: Client, change: PrivilegeChange): Promise<void> {
  const { action, user, database, privileges } = change
  const body = { action, username: user, database, privileges }
  await client.call(nothing, { method: 'POST', path: '/user/changesqlprivileges', body })
}

/** A name and a password travel as base64 of UTF-8, unchanged. */
export type NewUser = { user: string; password: string; database: string; permission: number }

/**
 * `POST /user` (pkg/server/user.go, CreateUser). Two at once may both succeed, so never send it
 * twice.
 */
export async function createUser(client: Client, request: NewUser): Promise<void> {
  const { user, password, database, permission } = request
  const body = {
    user: textToBase64(user),
    password: textToBase64(password),
    database,
    permission,
  }
  await client.call(nothing, { method: 'POST', path: '/user', body })
}

/** `POST /user/setactiveUser`: the name goes as it is here. Tokens given before may live on. */
export async function setActive(
  client: Client,
  request: { user: string; active: boolean },
): Promise<void> {
  const body = { username: request.user, active: request.active }
  await client.call(nothing, { method: 'POST', path: '/user/setactiveUser', body })
}

/** The server checks `oldPassword` only for the user immudb. */
export type PasswordChange = { user: string; oldPassword: string; newPassword: string }

/** `POST /user/password/change`: ends every token and session of the user at once. */
export async function changePassword(client: Client, request: PasswordChange): Promise<void> {
  const body = {
    user: textToBase64(request.user),
    oldPassword: textToBase64(request.oldPassword),
    newPassword: textToBase64(request.newPassword),
  }
  await client.call(nothing, { method: 'POST', path: '/user/password/change', body })
}
