import type { Client } from './client'
import { nothing } from './schemas'

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
