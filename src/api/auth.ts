import { base64ToText, textToBase64 } from '~/lib/base64'
import type { Client } from './client'
import { ApiError } from './errors'
import { nothing, object, text, token } from './schemas'

const loginAnswer = object({ token, warning: text })
export const openAnswer = object({ token })

export type Login = { token: string; warning: string | null }

/**
 * `POST /login`; user and password travel as base64 of UTF-8. `warning` is the server's notice,
 * such as the one about the default password, or null.
 */
export async function login(client: Client, user: string, password: string): Promise<Login> {
  const answer = await client.call(loginAnswer, {
    method: 'POST',
    path: '/login',
    body: { user: textToBase64(user), password: textToBase64(password) },
    isAnonymous: true,
  })
  return { token: answer.token, warning: readWarning(answer.warning) }
}

function readWarning(warning: string): string | null {
  if (!warning) return null
  try {
    return base64ToText(warning)
  } catch {
    return null
  }
}

/** `POST /logout`: ends this login on the server; other logins of the user may keep it alive. */
export async function logout(client: Client): Promise<void> {
  await client.call(nothing, { method: 'POST', path: '/logout', body: {} })
}

/**
 * `GET /db/use/{name}`: a token bound to that database. The old token stays valid. Part of signing
 * in, so it never waits for a sign-in.
 */
export async function openDatabase(client: Client, name: string): Promise<string> {
  const path = `/db/use/${pathPart(name)}`
  return (await client.call(openAnswer, { method: 'GET', path, canWait: false })).token
}

/** No database has a name that cannot stand in an address, such as half a character or `..`. */
export function pathPart(name: string): string {
  if (/^\.{0,2}$|\p{Surrogate}/u.test(name)) {
    throw new ApiError({ kind: 'refused', text: 'there is no database of this name' })
  }
  return encodeURIComponent(name)
}
