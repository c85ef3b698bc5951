import { textToBase64 } from '~/lib/bytes'
import type { Client } from './client'
import { nothing } from './schemas'

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
