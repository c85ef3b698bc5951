import { metricsPort } from '~/lib/constants'

/** Where a page is, as far as it matters for an address. */
export type PagePlace = { readonly protocol: string; readonly hostname: string }

/** Where immudb serves its metrics unless told otherwise: the same host, port 9497. */
export function usualMetricsAddress({ protocol, hostname }: PagePlace): string {
  const scheme = protocol === 'https:' ? 'https:' : 'http:'
  return `${scheme}//${hostname}:${metricsPort}/metrics`
}

/**
 * Whether the policy of the page lets it ask an address; without a policy nothing stands against
 * it. Our own handler allows its own origin alone, a plain file server the metrics port of any host.
 */
export function mayAsk(address: string, policy: string | null): boolean {
  if (policy === null) return true
  const { protocol, host, origin } = new URL(address)
  const anyHost = `${protocol}//*:${host.replace(/^.*:/, '')}`
  const directive = policy.split(';').find((part) => part.trim().startsWith('connect-src '))
  const sources = directive?.trim().split(/\s+/) ?? []
  return sources.includes(anyHost) || sources.includes(origin)
}

export type MetricsAddress = { address: string } | { error: string }

/**
 * Reads what an operator typed as a metrics address: a host, or a URL of port 9497, the only one
 * to which the page's policy lets a request through. Without a scheme it is that of the page.
 */
export function readMetricsAddress(typed: string, page: PagePlace): MetricsAddress {
  const text = typed.trim()
  const scheme = page.protocol === 'https:' ? 'https' : 'http'
  const url = parseAddress(/^https?:\/\//i.test(text) ? text : `${scheme}://${text}`)
  if (!url || text === '') return { error: 'This is no host name or address.' }
  if (url.username || url.password) return { error: 'The address must not hold a password.' }
  if (portOf(url, text) !== String(metricsPort)) {
    return {
      error: `Only port ${metricsPort} can be asked: the policy of this page allows no other.`,
    }
  }
  if (page.protocol === 'https:' && url.protocol === 'http:') {
    return { error: 'A page opened over https cannot ask an address over http.' }
  }
  return { address: `${url.protocol}//${url.hostname}:${metricsPort}/metrics` }
}

/** A host alone means the usual port; a URL without a port means that of its scheme. */
function portOf(url: URL, text: string): string {
  if (url.port !== '') return url.port
  const isHostOnly = !/^https?:\/\//i.test(text) && !/:\d+(?:\/|$)/.test(text)
  return isHostOnly ? String(metricsPort) : ''
}

function parseAddress(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}
