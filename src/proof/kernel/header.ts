import { bytesToHex, concat, u8, u16, u32, u64 } from './bytes'
import { hash } from './hash'
import { bytes, count, digest, type Fields, fieldsOf, int64, isMissing, uint64 } from './read'
import { malformed } from './steps'

/** A transaction's header, VERIFY.md 3.1; `TxHeader` of embedded/store/tx.go. Hashes: 32 bytes. */
export type Header = {
  id: bigint
  prevAlh: Uint8Array
  /** Unix seconds. */
  ts: bigint
  version: number
  nentries: number
  eH: Uint8Array
  blTxId: bigint
  blRoot: Uint8Array
  truncatedTxID: bigint
  extra: Uint8Array
}

const headerFields = 'id prevAlh ts nentries eH blTxId blRoot version metadata'
const mostExtra = 256

export function readHeader(value: unknown, what = 'header'): Header {
  const fields = fieldsOf(value, what, headerFields)
  const header: Header = {
    id: uint64(fields, 'id'),
    prevAlh: digest(fields, 'prevAlh'),
    ts: int64(fields, 'ts'),
    version: count(fields, 'version'),
    nentries: count(fields, 'nentries'),
    eH: digest(fields, 'eH'),
    blTxId: uint64(fields, 'blTxId'),
    blRoot: digest(fields, 'blRoot'),
    ...readMetadata(fields),
  }
  const { id, version, nentries, blTxId, truncatedTxID } = header
  // In a database without tables, a truncation writes no entries.
  const isEmpty = nentries < 1 && truncatedTxID < 1n
  if (id < 1n || isEmpty || blTxId >= id) malformed(what)
  if (version > 1) malformed('version')
  const isPlain = truncatedTxID === 0n && header.extra.length === 0
  if (version === 0 && (!isPlain || nentries > 0xffff)) {
    malformed('version')
  }
  return header
}

function readMetadata({ metadata }: Fields): Pick<Header, 'truncatedTxID' | 'extra'> {
  if (isMissing(metadata)) return { truncatedTxID: 0n, extra: new Uint8Array() }
  const fields = fieldsOf(metadata, 'metadata', 'truncatedTxID extra')
  const extra = bytes(fields, 'extra')
  if (extra.length > mostExtra) malformed('extra')
  return { truncatedTxID: uint64(fields, 'truncatedTxID'), extra }
}

/** `MD` of VERIFY.md 3.1; embedded/store/tx_metadata.go. */
export function metadataBytes({ truncatedTxID, extra }: Header): Uint8Array {
  return concat(
    ...(truncatedTxID > 0n ? [u8(0), u64(truncatedTxID)] : []),
    ...(extra.length > 0 ? [u8(1), u16(extra.length), extra] : []),
  )
}

/** `inner` of VERIFY.md 3.1; `innerHash` of embedded/store/tx.go. */
export function innerHash(header: Header): Uint8Array {
  const { ts, version, nentries, eH, blTxId, blRoot } = header
  const start = concat(u64(ts), u16(version))
  if (version === 0) return hash(start, u16(nentries), eH, u64(blTxId), blRoot)
  const metadata = metadataBytes(header)
  return hash(start, u16(metadata.length), metadata, u32(nentries), eH, u64(blTxId), blRoot)
}

/** One link of the chain: the hash of transaction `id` from the one before and its inner hash. */
export function chained(id: bigint, prevAlh: Uint8Array, inner: Uint8Array): Uint8Array {
  return hash(u64(id), prevAlh, inner)
}

/** The accumulated hash (`alh`) of the transaction and all before it. */
export function alhOf(header: Header): Uint8Array {
  return chained(header.id, header.prevAlh, innerHash(header))
}

/** The inputs of the hash, for the proof's step. */
export function headerInputs(header: Header): Record<string, string> {
  return Object.fromEntries(
    Object.entries(header).map(([name, value]) => [
      name,
      value instanceof Uint8Array ? bytesToHex(value) : String(value),
    ]),
  )
}
