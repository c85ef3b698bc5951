import { areEqual, bytesToHex, concat, encodeUtf8, u32, u64 } from './bytes'
import type { Known, Point } from './context'
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
