import { ed25519 } from '@noble/curves/ed25519.js'

/**
 * Ed25519 of RFC 8032, in plain JavaScript: browsers before Chromium 137 have none, and pages over
 * plain http have no Web Crypto. This file is its own chunk, loaded only when a witness is pinned.
 */

/** Whether 32 bytes are a point that only the holder of a key can sign for. */
export function isNoteKey(key: Uint8Array): boolean {
  try {
    return !ed25519.Point.fromBytes(key).isSmallOrder()
  } catch {
    return false
  }
}

/** Whether the signature of 64 bytes is one of the message by the holder of the key. */
export function isNoteSignature(
  signature: Uint8Array,
  message: Uint8Array,
  key: Uint8Array,
): boolean {
  try {
    return ed25519.verify(signature, message, key, { zip215: false })
  } catch {
    return false
  }
}
