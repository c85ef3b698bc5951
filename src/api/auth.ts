import { base64ToText, textToBase64 } from '~/lib/bytes'
import type { Call, Client } from './client'
import { ApiError, isBecause } from './errors'
import { nothing, object, text, token } from './schemas'

const loginAnswer = object({ token, warning: text })
const openAnswer = object({ token })

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

/**
 * `POST /logout`: ends this login on the server; other logins of the user may keep it alive. The
 * call outlives the page.
 */
export async function logout(client: Client): Promise<void> {
  await client.call(nothing, { method: 'POST', path: '/logout', body: {}, keepalive: true })
}

/**
 * `GET /db/use/{name}`: a token bound to that database. The old token stays valid. This call is
 * part of logging in, so it never waits for a login.
 */
export async function openDatabase(client: Client, name: string): Promise<string> {
  const call = { method: 'GET', path: `/db/use/${pathPart(name)}`, canWait: false } as const
  try {
    return (await client.call(openAnswer, call)).token
  } catch (error) {
    const isLost = error instanceof ApiError && error.kind === 'session'
    if (isLost && !client.takesOwnHeader()) await findPasswordProxy(client, call)
    throw error
  }
}

/**
 * Rejects when a proxy in front wants a password in the header of the token. The browser answers such
 * a proxy by itself, so the password arrives in place of the token and immudb misses a login.
 */
async function findPasswordProxy(client: Client, call: Call): Promise<void> {
  await client.call(openAnswer, { ...call, isBare: true }).catch((error: unknown) => {
    if (error instanceof ApiError && error.kind === 'proxy' && error.detail === 'password')
      throw error
  })
}

/** `GET /db/use/{name}` in a session of the server, whose calls are about that database then. */
export async function openInSession(client: Client, name: string, session: string): Promise<void> {
  const path = `/db/use/${pathPart(name)}`
  await client.call(openAnswer, { method: 'GET', path, session, isAnonymous: true })
}

/**
 * A name that cannot be part of an address, such as half a character or `..`, names no database.
 */
function pathPart(name: string): string {
  if (/^\.{0,2}$|\p{Surrogate}/u.test(name)) {
    throw new ApiError({ kind: 'refused', text: 'there is no database of this name' })
  }
  return encodeURIComponent(name)
}

/**
 * What a server without login (`--auth=false`) lets anyone do, asked without a token. In
 * maintenance mode it gives anyone a token, otherwise it says that it has none. Null when the
 * server requires a login or did not answer.
 */
export async function openAccess(
  client: Client,
  name: string,
): Promise<{ mode: 'open' | 'maintenance'; token: string } | null> {
  const path = `/db/use/${pathPart(name)}`
  const call = { method: 'GET', path, isAnonymous: true, isRead: false } as const
  try {
    return { mode: 'maintenance', token: (await client.call(openAnswer, call)).token }
  } catch (error) {
    return isBecause(error, 'login-only') ? { mode: 'open', token: '' } : null
  }
}
