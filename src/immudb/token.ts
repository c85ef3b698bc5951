import { base64ToBytes } from '~/lib/bytes'

/** Bytes of the signature after the payload of a `v2.public` token. */
const signatureLength = 64

/**
 * When a token ends, in milliseconds since 1970; null when it does not say. The payload of immudb's
 * tokens is readable (PASETO v2.public). The console uses nothing else of it.
 */
export function tokenExpiry(token: string): number | null {
  const [version, purpose, payload = ''] = token.split('.')
  if (version !== 'v2' || purpose !== 'public') return null
  try {
    const bytes = base64ToBytes(payload.replaceAll('-', '+').replaceAll('_', '/'))
    const found: unknown = JSON.parse(
      new TextDecoder().decode(bytes.subarray(0, bytes.length - signatureLength)),
    )
    const hasEnd = typeof found === 'object' && found !== null && 'exp' in found
    const end = hasEnd && typeof found.exp === 'string' ? Date.parse(found.exp) : Number.NaN
    return Number.isNaN(end) ? null : end
  } catch {
    return null
  }
}
