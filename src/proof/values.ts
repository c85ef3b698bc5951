import { type EntryFacts, entryFacts } from './facts'
import { ProofError } from './failure'
import { hex, isEqual } from './hash'
import { list } from './read'
import { checkValue, readTx, readTxEntry, type TxEntry, wrongEntries } from './transaction'

/**
 * Adds stored values to the proven entries of a transaction, VERIFY.md 7.2: a list with values
 * lacks the entries of documents and expired ones, so it cannot be proven by itself.
 * @param proven `facts.entries` of the transaction, or `entryFacts` of an audited one
 * @param tx the `Tx` of a second answer, with `RAW_VALUE`
 * @throws ProofError `value-mismatch` for a value that is not the stored one, `tx-mismatch` for an
 * entry that the transaction does not have
 */
export function withValues(proven: readonly EntryFacts[], tx: unknown): EntryFacts[] {
  const byKey = new Map(proven.map((entry) => [entry.key, entry]))
  for (const given of list(readTx(tx), 'entries')) {
    const entry = readTxEntry(given)
    checkValue(entry)
    const { key, valueHash, value } = entryFacts(entry)
    const known = byKey.get(key)
    if (known?.valueHash !== valueHash) throw new ProofError('tx-mismatch', 'entry', 'entries')
    if (value !== undefined) byKey.set(key, { ...known, value })
  }
  return proven.map((entry) => byKey.get(entry.key) ?? entry)
}

/** The same for entries that are not made facts of, which it writes the values to. */
export function addValues(proven: readonly TxEntry[], tx: unknown): void {
  const found = new Map(proven.map((entry) => [hex(entry.key), entry]))
  for (const given of list(readTx(tx), 'entries')) {
    const entry = readTxEntry(given)
    checkValue(entry)
    const key = hex(entry.key)
    const known = found.get(key)
    if (!known || !isEqual(known.hValue, entry.hValue)) throw wrongEntries('entries')
    known.value = entry.value
  }
}
