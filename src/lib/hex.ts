import { base64ToBytes } from './base64'

const digits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Two lower-case digits for each byte, without anything between them. */
export function bytesToHex(bytes: Uint8Array): string {
  const parts: string[] = []
  for (const byte of bytes) parts.push(digits[byte] ?? '')
  return parts.join('')
}

/** The digits of bytes in base64; throws when it is not base64. */
export function base64ToHex(base64: string): string {
  return bytesToHex(base64ToBytes(base64))
}

/** Reads hex digits of either case, with white space between them; null when they are not that. */
export function hexToBytes(text: string): Uint8Array<ArrayBuffer> | null {
  const plain = text.replace(/\s/g, '')
  if (plain.length % 2 === 1 || /[^0-9a-f]/i.test(plain)) return null
  const bytes = new Uint8Array(plain.length / 2)
  for (let at = 0; at < bytes.length; at += 1) {
    bytes[at] = Number.parseInt(plain.slice(at * 2, at * 2 + 2), 16)
  }
  return bytes
}
