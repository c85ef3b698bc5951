import * as v from 'valibot'
import { base64ToText } from '~/lib/bytes'
import type { Client } from './client'
import { filledList, flag, list, object, text } from './schemas'

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
