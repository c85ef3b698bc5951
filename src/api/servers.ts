import { apiTimeout } from '~/lib/constants'
import { readServers } from '~/lib/server-list'
import type { ServerList } from '~/lib/servers'
import type { Client } from './client'

/**
 * `GET /servers.json` of the console's own host: its list of servers, or null when the answer is
 * none. Rejects with `ApiError`.
 */
export async function listServers(client: Client): Promise<ServerList | null> {
  const { bytes } = await client.download({ address: '/servers.json', timeout: apiTimeout })
  return readServers(new TextDecoder().decode(bytes))
}
