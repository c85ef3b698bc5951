import { base64ToBytes, bytesToBase64, decodeUtf8, encodeUtf8 } from '~/lib/bytes'
import { hasHidden } from '~/lib/visible-text'

const marker = 'b64:'

/**
 * A key in an address: its text when every character is visible, else `b64:` and URL-safe base64.
 * Everywhere else keys are standard base64.
 */
export function keyToAddress(key: string): string {
  const text = decodeUtf8(base64ToBytes(key))
  const isPlain =
    text !== null && text !== '' && !hasHidden(text) && !text.startsWith(marker) && isTrimmed(text)
  return isPlain ? text : `${marker}${toUrlSafe(key).replace(/=+$/, '')}`
}

/** The key in an address, as standard base64; null when there is none. */
export function keyFromAddress(address: string): string | null {
  if (!address.startsWith(marker)) return bytesToBase64(encodeUtf8(address))
  const plain = address.slice(marker.length).replaceAll('-', '+').replaceAll('_', '/')
  try {
    return bytesToBase64(base64ToBytes(plain))
  } catch {
    return null
  }
}

/** The URL-safe alphabet for paths. The padding stays, because the server requires it. */
export function toUrlSafe(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_')
}

/** Spaces at either end get lost when people share addresses. */
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
