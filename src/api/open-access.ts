import { openAnswer, pathPart } from './auth'
import type { Client } from './client'
import { isBecause } from './errors'

/**
 * What a server without login (`--auth=false`) lets everybody do, asked without a token: in
 * maintenance mode it hands one out to anybody, otherwise it says that it has none to give. Null
 * when the server wants a login, or has not said anything.
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
