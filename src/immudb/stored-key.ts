import { decodeUtf8, hexToBytes } from '~/lib/bytes'

/** The kind of an entry, by its stored key; see pkg/database/meta.go of immudb. */
export type StoredKey = {
  kind: 'key' | 'sorted set' | 'row' | 'catalogue' | 'document' | 'other'
  /** The key's bytes as text, or a description of it. */
  text: string
}

/**
 * @param digits the stored key in hex digits, with its prefix
 */
export function storedKey(digits: string): StoredKey {
  const bytes = hexToBytes(digits) ?? new Uint8Array()
  const rest = bytes.subarray(1)
  switch (bytes[0]) {
    case 0:
      return { kind: 'key', text: decodeUtf8(rest) ?? `hex ${digits.slice(2)}` }
    case 1:
      return { kind: 'sorted set', text: setName(rest) }
    case 2:
      return ofTable(rest, 'row', 'table')
    case 3:
      return ofTable(rest, 'document', 'collection')
  }
  return { kind: 'other', text: `hex ${digits}` }
}

/** `u64(length) name …`. */
function setName(bytes: Uint8Array): string {
  const length = bytes.length < 8 ? 0 : Number(viewOf(bytes).getBigUint64(0))
  return decodeUtf8(bytes.subarray(8, 8 + length)) ?? 'hex'
}

/** `R. u32(database) u32(table) u32(index) …`, or `CTL.…`. */
function ofTable(bytes: Uint8Array, kind: 'row' | 'document', of: string): StoredKey {
  const start = String.fromCharCode(...bytes.subarray(0, 4))
  if (start.startsWith('R.') && bytes.length >= 14) {
    return { kind, text: `${of} number ${viewOf(bytes).getUint32(6)}` }
  }
  if (start === 'CTL.') {
    const end = bytes.indexOf(0)
    const name = String.fromCharCode(...bytes.subarray(4, end < 0 ? undefined : end))
    return { kind: 'catalogue', text: name.replace(/\.$/, '').toLowerCase() }
  }
  return { kind: 'other', text: `of a ${of}` }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
