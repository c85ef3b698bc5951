import { p256 } from '@noble/curves/nist.js'

/**
 * ECDSA on P-256 over SHA-256, VERIFY.md section 5. This file is its own chunk, loaded only when a
 * key is pinned.
 */

/** Whether 65 bytes `04 || x || y` are a point of the curve. */
export function isPublicKey(key: Uint8Array): boolean {
  try {
    p256.Point.fromBytes(key)
    return true
  } catch {
    return false
  }
}

/**
 * Whether the signature, DER encoded, is one of the message by the holder of the key. immudb does
 * not normalise `s`, so the larger value is valid too.
 */
export function isSignature(signature: Uint8Array, message: Uint8Array, key: Uint8Array): boolean {
  try {
    return p256.verify(signature, message, key, { prehash: true, lowS: false, format: 'der' })
  } catch {
    return false
  }
}
