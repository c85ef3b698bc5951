import { parsedJson } from './parsed-json'
import type { ServerList } from './servers'

/** The list in a text of the host, or null for anything else. Unknown fields are dropped. */
export function readServers(text: string | undefined): ServerList | null {
  const { version, servers } = Object(parsedJson(text ?? ''))
  if (typeof version !== 'string' || !Array.isArray(servers) || !servers[0]) return null
  return {
    version,
    servers: servers.map(({ name, id, address }) => ({
      name: String(name),
      id: String(id),
      address: String(address),
    })),
  }
}
