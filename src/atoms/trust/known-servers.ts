import type { KnownServer, KnownServers } from './record'

/**
 * The list with one more accepted server, or undefined when it is already in it, or when it has no
 * reason and is not the first.
 */
export function withServer(
  known: KnownServers | null,
  server: string,
  reason?: string,
): KnownServers | undefined {
  const { servers, last } = known ?? { servers: [], last: null }
  const isFirst = servers.length === 0
  if (isKnown(known, server) || (reason === undefined && !isFirst)) return undefined
  const one: KnownServer = { server, at: Date.now(), ...(reason === undefined ? {} : { reason }) }
  // One is accepted while it answers.
  return { servers: [...servers, one], last: isFirst || reason !== undefined ? server : last }
}

/** Without one, or undefined when it is not there or the last one. */
export function withoutServer(
  known: KnownServers | null,
  server: string,
): KnownServers | undefined {
  if (!known || !isKnown(known, server) || known.servers.length === 1) return undefined
  return { ...known, servers: known.servers.filter((one) => one.server !== server) }
}

/**
 * The list with the server that answers now, or undefined when that is unknown or answered last.
 */
export function answeredBy(known: KnownServers | null, server: string): KnownServers | undefined {
  if (!known || !isKnown(known, server) || known.last === server) return undefined
  return { ...known, last: server }
}

export function isKnown(known: KnownServers | null, server: string): boolean {
  return known?.servers.some((one) => one.server === server) ?? false
}
