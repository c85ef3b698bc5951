import { bytesToBase64, bytesToHex } from '~/lib/bytes'
import { concat, fromBase64 } from './kernel/bytes'
import { publicKeySize } from './kernel/context'
import { hash } from './kernel/hash'

const pemLines = /^-----BEGIN PUBLIC KEY-----\s+([A-Za-z0-9+/=\s]+?)\s+-----END PUBLIC KEY-----$/
/** `SEQUENCE { SEQUENCE { ecPublicKey, prime256v1 }, BIT STRING }` without the point. */
const pemPrefix = '3059301306072a8648ce3d020106082a8648ce3d030107034200'

/** The point in a PEM file of a P-256 key, base64 as `Context` has it; null for any other text. */
export function publicKeyOfPem(pem: string): string | null {
  const der = fromBase64(pemLines.exec(pem.trim())?.[1]?.replace(/\s/g, '') ?? '')
  const start = (der?.length ?? 0) - publicKeySize
  if (!der || start < 0 || bytesToHex(der.subarray(0, start)) !== pemPrefix) return null
  return der[start] === 4 ? bytesToBase64(der.subarray(start)) : null
}

const prefix = Uint8Array.from(pemPrefix.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

/** Why a text is not a key that can sign states. */
export type NoKey = 'nothing' | 'private' | 'other-pem' | 'not-a-key' | 'not-on-curve'

/**
 * Reads a P-256 public key as a PEM file, or base64 of what is in one or of the 65 bytes of the
 * point alone, as answers of the server have it.
 * @returns base64 of the point as `Context` has it, or why there is none
 */
export async function readPublicKey(text: string): Promise<{ key: string } | { none: NoKey }> {
  const plain = text.trim()
  if (plain === '') return { none: 'nothing' }
  if (plain.includes('PRIVATE KEY')) return { none: 'private' }
  const isPem = plain.startsWith('-----')
  const key = isPem ? publicKeyOfPem(plain) : keyOfBase64(plain.replace(/\s/g, ''))
  if (key === null) return { none: isPem ? 'other-pem' : 'not-a-key' }
  const { isPublicKey } = await import('./kernel/signature')
  return isPublicKey(fromBase64(key) ?? prefix) ? { key } : { none: 'not-on-curve' }
}

function keyOfBase64(text: string): string | null {
  const bytes = fromBase64(text)
  if (bytes?.length === publicKeySize) return bytes[0] === 4 ? text : null
  return publicKeyOfPem(pemOf(text))
}

function pemOf(base64: string): string {
  const lines = base64.match(/.{1,64}/g) ?? []
  return ['-----BEGIN PUBLIC KEY-----', ...lines, '-----END PUBLIC KEY-----', ''].join('\n')
}

/** The file that holds a key, as OpenSSL writes it. */
export function publicKeyPem(key: string): string {
  return pemOf(bytesToBase64(encoded(key)))
}

/**
 * SHA-256 of the key as its file encodes it, in hex digits; what
 * `openssl pkey -pubin -in FILE -outform DER | sha256sum` prints.
 */
export function fingerprintOf(key: string): string {
  return bytesToHex(hash(encoded(key)))
}

/** `SubjectPublicKeyInfo` of RFC 5280, which is what PEM files hold. */
function encoded(key: string): Uint8Array {
  return concat(prefix, fromBase64(key) ?? new Uint8Array())
}
