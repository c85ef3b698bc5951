import { concat, encodeUtf8, f64, u8, u32, u64 } from './bytes'

/** Keys and values as they are stored, VERIFY.md 3.2; pkg/database/meta.go and embedded/sql. */

export function plainKey(key: Uint8Array): Uint8Array {
  return concat(u8(0), key)
}

export function plainValue(value: Uint8Array): Uint8Array {
  return concat(u8(0), value)
}

/** @param atTx the transaction the reference is bound to; 0 for none */
export function referenceValue(referencedKey: Uint8Array, atTx: bigint): Uint8Array {
  return concat(u8(1), u64(atTx), plainKey(referencedKey))
}

export function sortedSetKey(
  set: Uint8Array,
  score: number,
  key: Uint8Array,
  atTx: bigint,
): Uint8Array {
  const member = plainKey(key)
  const name = concat(u64(BigInt(set.length)), set)
  return concat(u8(1), name, f64(score), u64(BigInt(member.length)), member, u64(atTx))
}

const sqlPrefix = 2
export const documentPrefix = 3

/** A row's key by its encoded primary key, VERIFY.md 7.6: database 1, primary index 0. */
export function rowKey(tableId: number, primaryKey: Uint8Array, prefix = sqlPrefix): Uint8Array {
  return concat(u8(prefix), encodeUtf8('R.'), u32(1), u32(tableId), u32(0), primaryKey)
}

/** A document's key, VERIFY.md 7.7: the key of a row whose primary key is a BLOB[32]. */
export function documentKey(collectionId: number, id: Uint8Array): Uint8Array {
  return rowKey(collectionId, fixedKey(id, documentIdSize), documentPrefix)
}

export const documentIdSize = 32

/** A VARCHAR or BLOB in a key: filled up with zeros, then its length. */
export function fixedKey(value: Uint8Array, maxLen: number): Uint8Array {
  return concat(u8(0x80), value, new Uint8Array(maxLen - value.length), u32(value.length))
}
