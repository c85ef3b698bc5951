import { areEqual, bytesToBase64, bytesToHex, encodeUtf8 } from '~/lib/bytes'
import { concat, fromBase64, u32, u64 } from './bytes'
import { type Known, type Point, publicKeySize } from './context'
import { hash } from './hash'
import type { Ladder } from './ladder'
import { bytes, fieldsOf, isMissing } from './read'
import { malformed, ProofError } from './steps'

/** What `signature.ts` exports, given once it is loaded. */
export type Signatures = typeof import('./signature')

/** `signatures` is null when no key is pinned. */
type Signing = { known: Known; signatures: Signatures | null; ladder: Ladder }

/** The bytes that are signed, VERIFY.md section 5; `ToBytes` of pkg/api/schema/state.go. */
export function statePayload(db: string, { txId, txHash }: Point): Uint8Array {
  const name = encodeUtf8(db)
  return concat(u32(name.length), name, u64(txId), txHash)
}

const pemLines = /^-----BEGIN PUBLIC KEY-----\s+([A-Za-z0-9+/=\s]+?)\s+-----END PUBLIC KEY-----$/
/** `SEQUENCE { SEQUENCE { ecPublicKey, prime256v1 }, BIT STRING }` without the point. */
export const pemPrefix = '3059301306072a8648ce3d020106082a8648ce3d030107034200'

/** The point in a PEM file of a P-256 key, base64 as `Context` has it; null for any other text. */
export function publicKeyOfPem(pem: string): string | null {
  const der = fromBase64(pemLines.exec(pem.trim())?.[1]?.replace(/\s/g, '') ?? '')
  const start = (der?.length ?? 0) - publicKeySize
  if (!der || start < 0 || bytesToHex(der.subarray(0, start)) !== pemPrefix) return null
  return der[start] === 4 ? bytesToBase64(der.subarray(start)) : null
}

/**
 * Checks the signature of a state when a key is pinned. The key in the answer proves nothing and
 * must be the pinned one. Returns whether there was a signature to check.
 */
export function checkSignature(
  { known: { db, publicKey }, signatures, ladder }: Signing,
  value: unknown,
  point: Point,
): boolean {
  const given = readSignature(value)
  const payload = statePayload(db, point)
  const computed = bytesToHex(hash(payload))
  const inputs = {
    db,
    txId: String(point.txId),
    txHash: bytesToHex(point.txHash),
    publicKey: bytesToHex(publicKey ?? given?.publicKey ?? new Uint8Array()),
    signature: bytesToHex(given?.signature ?? new Uint8Array()),
  }
  if (!publicKey || !signatures) {
    ladder.add('signature', inputs, { result: 'unchecked', computed })
    return false
  }
  if (!signatures.isPublicKey(publicKey)) malformed('publicKey', 'context')
  const refuse = (part: string) =>
    new ProofError('signature', 'signature', part, { inputs, computed })
  if (!given) throw refuse('signature')
  if (!areEqual(given.publicKey, publicKey)) throw refuse('publicKey')
  if (!signatures.isSignature(given.signature, payload, publicKey)) {
    throw refuse('signature')
  }
  ladder.add('signature', inputs, { computed })
  return true
}

export function readSignature(
  value: unknown,
): { publicKey: Uint8Array; signature: Uint8Array } | null {
  if (isMissing(value)) return null
  const fields = fieldsOf(value, 'signature', 'publicKey signature')
  return { publicKey: bytes(fields, 'publicKey'), signature: bytes(fields, 'signature') }
}
