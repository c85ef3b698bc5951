import { base64ToBytes, bytesToBase64, decodeUtf8, encodeUtf8 } from '~/lib/bytes'
import { hasHidden } from '~/lib/visible-text'

const marker = 'b64:'

/**
 * A key as it stands in an address: its text when every character of it can be seen, else `b64:`
 * and URL-safe base64. Keys are standard base64 everywhere else.
 */
export function keyToAddress(key: string): string {
  const text = decodeUtf8(base64ToBytes(key))
  const isPlain =
    text !== null && text !== '' && !hasHidden(text) && !text.startsWith(marker) && isTrimmed(text)
  return isPlain ? text : `${marker}${toUrlSafe(key).replace(/=+$/, '')}`
}

/** The key that an address names, as standard base64; null when it names none. */
export function keyFromAddress(address: string): string | null {
  if (!address.startsWith(marker)) return bytesToBase64(encodeUtf8(address))
  const plain = address.slice(marker.length).replaceAll('-', '+').replaceAll('_', '/')
  try {
    return bytesToBase64(base64ToBytes(plain))
  } catch {
    return null
  }
}

/** The alphabet that may stand in a path; the padding stays, which the server insists on. */
export function toUrlSafe(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_')
}

/** A space at an end is lost when people pass addresses on. */
function isTrimmed(text: string): boolean {
  return text === text.trim()
}

/** A value of a primary key as immudb's `SQLValue` has it in JSON. */
export type KeyValue =
  | { n: string }
  | { s: string }
  | { b: boolean }
  | { bs: string }
  | { ts: string }
  | { f: number }
