import { bytesToHex } from './bytes'
import { type Entry, entriesRoot, entryDigest, readEntryMetadata } from './entry'
import { checkHash, hash } from './hash'
import { alhOf, type Header, headerInputs, readHeader } from './header'
import type { Ladder } from './ladder'
import { bytes, count, digest, type Fields, fieldsOf, list } from './read'
import { malformed, ProofError, refusalOf } from './steps'

/** The entries listed are not all of a transaction. */
export const wrongEntries = refusalOf('tx-mismatch', 'entry')

/** An entry of a proven transaction; `value` as stored, when the answer has it. */
export type TxEntry = Entry & {
  value: Uint8Array | null
  /** Bytes of the value, as reported by the server; no proof covers it. */
  vLen: number
}

const txFields = 'header entries kvEntries zEntries'

/** A `Tx` whose content can be proven: resolved entries (`kvEntries`, `zEntries`) cannot. */
export function readTx(value: unknown): Fields {
  const fields = fieldsOf(value, 'tx', txFields)
  const resolved = [...list(fields, 'kvEntries'), ...list(fields, 'zEntries')]
  return resolved.length === 0 ? fields : malformed('kvEntries')
}

/**
 * Checks that a `Tx` is the proven one and, when it lists entries, that these are all of them, in
 * order: VERIFY.md 7.2. The Go client checks neither.
 * @returns the entries; null when none are listed
 */
export function checkTx(
  tx: Fields,
  proven: { header: Header; alh: Uint8Array },
  ladder: Ladder,
): TxEntry[] | null {
  const header = readHeader(tx.header, 'tx.header')
  ladder.match(
    'header',
    headerInputs(header),
    [alhOf(header), proven.alh],
    refusalOf('tx-mismatch', 'header'),
    'header',
  )
  return checkEntries(tx, header, ladder)
}

/** The same for the entries alone, under a header that is proven already. */
export function checkEntries(tx: Fields, header: Header, ladder?: Ladder): TxEntry[] | null {
  const given = list(tx, 'entries')
  if (given.length === 0 && header.nentries > 0) return null
  if (given.length !== header.nentries) {
    throw wrongEntries('entries')
  }
  const entries = given.map(readTxEntry)
  const root = entriesRoot(entries.map((entry) => entryDigest(header.version, entry)))
  const inputs = { entries: String(entries.length) }
  checkHash(root, header.eH, wrongEntries, 'entries', inputs)
  ladder?.add('entry', inputs, { computed: bytesToHex(root), expected: bytesToHex(header.eH) })
  // After the root check: only proven entries count against the server.
  checkKeys(entries)
  entries.forEach(checkValue)
  return entries
}

/**
 * Refuses two entries with one key, because either could pass for what the transaction wrote.
 * immudb writes no such transaction (`ErrDuplicatedKey` of embedded/store/tx.go).
 */
function checkKeys(entries: readonly Entry[]): void {
  const seen = new Set<string>()
  for (const { key } of entries) {
    const digits = bytesToHex(key)
    if (seen.has(digits)) {
      throw new ProofError('duplicate-key', 'entry', 'entries', { inputs: { key: digits } })
    }
    seen.add(digits)
  }
}

const txEntryFields = 'key hValue vLen metadata value'

export function readTxEntry(value: unknown): TxEntry {
  const fields = fieldsOf(value, 'entry', txEntryFields)
  const stored = bytes(fields, 'value')
  return {
    vLen: count(fields, 'vLen'),
    key: bytes(fields, 'key'),
    metadata: readEntryMetadata(fields),
    hValue: digest(fields, 'hValue'),
    value: stored.length > 0 ? stored : null,
  }
}

/** @throws ProofError `value-mismatch` when a value is given that is not the stored one */
export function checkValue({ key, value, hValue }: TxEntry): void {
  if (!value) return
  checkHash(hash(value), hValue, refusalOf('value-mismatch', 'value'), 'value', {
    key: bytesToHex(key),
  })
}
