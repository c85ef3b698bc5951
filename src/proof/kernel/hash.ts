import { _SHA256 } from '@noble/hashes/sha2.js'
import { areEqual, bytesToHex } from './bytes'
import type { Refusal, Step } from './steps'

/** Bytes in a SHA-256 digest; everything here is made of those. */
export const hashSize = 32

// Reusing one state saves a third of an audit's time, which makes millions of hashes.
const blank = new _SHA256()
const state = new _SHA256()

/** SHA-256 of the parts, one behind the other: VERIFY.md section 3, `H(a || b || …)`. */
export function hash(...parts: readonly Uint8Array[]): Uint8Array {
  blank._cloneInto(state)
  for (const part of parts) state.update(part)
  return state.digest()
}

/** `H("")`: the hash of an empty database, `prevAlh` of transaction 1, a deleted key's value. */
export const emptyHash = hash()

/** Stands for the root of a tree without leaves, and for a missing hash in a header. */
export const zeroHash = new Uint8Array(hashSize)

const leafPrefix = Uint8Array.of(0)
const nodePrefix = Uint8Array.of(1)

/** VERIFY.md 3.3; `LeafPrefix` of embedded/htree/htree.go and embedded/ahtree/ahtree.go. */
export function leaf(digest: Uint8Array): Uint8Array {
  return hash(leafPrefix, digest)
}

/** VERIFY.md 3.3; `NodePrefix` of the same. */
export function node(left: Uint8Array, right: Uint8Array): Uint8Array {
  return hash(nodePrefix, left, right)
}

/** Refuses a part of the answer when its hash is not the expected one. */
export function checkHash(
  computed: Uint8Array,
  expected: Uint8Array,
  refusal: Refusal,
  part: string,
  inputs: Step['inputs'] = {},
): void {
  if (areEqual(computed, expected)) return
  throw refusal(part, { inputs, computed: bytesToHex(computed), expected: bytesToHex(expected) })
}
