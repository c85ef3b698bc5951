import * as v from 'valibot'
import { base64ToText } from '~/lib/base64'
import type { Client } from './client'
import { flag, list, text } from './schemas'

const name = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    try {
      return base64ToText(dataset.value)
    } catch {
      addIssue({ message: 'not base64 of UTF-8 text' })
      return NEVER
    }
  }),
)

const users = v.object({
  users: list(
    v.object({
      user: name,
      permissions: list(v.object({ database: text, permission: v.optional(v.number(), 0) })),
      active: flag,
      createdby: text,
      createdat: text,
      sqlPrivileges: list(v.object({ database: text, privilege: text })),
    }),
  ),
})
/** A user as listed; `createdat` and `createdby` are of the last change, not of the creation. */
export type User = v.InferOutput<typeof users>['users'][number]

/** `GET /user/list`: always contains the signed-in user, others as far as the server lets see. */
export async function listUsers(
  client: Client,
  request: { database: string; signal?: AbortSignal },
): Promise<User[]> {
  const answer = await client.call(users, {
    method: 'GET',
    path: '/user/list',
    database: request.database,
    ...(request.signal ? { signal: request.signal } : {}),
  })
  return answer.users
}
