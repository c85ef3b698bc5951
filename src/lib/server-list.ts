import { parsedJson } from './parsed-json'
import type { ServerList } from './servers'

/** The list in a text of the host, or null for anything else. Unknown fields are dropped. */
export function readServers(text: string | undefined): ServerList | null {
  const { version, servers } = Object(parsedJson(text ?? ''))
  if (typeof version !== 'string' || !Array.isArray(servers) || !servers[0]) return null
  const read = servers.map((one) => {
    const { name, id, address } = Object(one)
    return { name, id, address }
  })
  const isText = (value: unknown) => typeof value === 'string'
  return read.every((one) => Object.values(one).every(isText)) ? { version, servers: read } : null
}
