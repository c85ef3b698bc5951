import { areEqual, bytesToHex } from './bytes'
import { type EntryFacts, entryFacts } from './proven-facts'
import { list } from './read'
import { checkValue, readTx, readTxEntry, type TxEntry, wrongEntries } from './transaction'

/**
 * Adds stored values to the proven entries of a transaction, VERIFY.md 7.2: a list with values
 * lacks entries of documents and expired ones, so it alone cannot be proven.
 * @param proven `facts.entries` of the transaction, or `entryFacts` of an audited one
 * @param tx the `Tx` of a second answer, with `RAW_VALUE`
 * @throws ProofError `value-mismatch` for a value that is not the stored one, `tx-mismatch` for an
 * entry that the transaction does not have at that place or that comes twice
 */
export function withValues(proven: readonly EntryFacts[], tx: unknown): EntryFacts[] {
  const found = [...proven]
  const places = new Places(proven.map(({ key }) => key))
  for (const given of givenEntries(tx)) {
    const { key, valueHash, value } = entryFacts(given)
    const at = places.next(key)
    const known = found[at]
    if (known?.valueHash !== valueHash) throw wrongEntries('entries')
    if (value !== undefined) found[at] = { ...known, value }
  }
  return found
}

/** The same for entries without facts; writes the values into them. */
export function addValues(proven: readonly TxEntry[], tx: unknown): void {
  const places = new Places(proven.map(({ key }) => bytesToHex(key)))
  for (const given of givenEntries(tx)) {
    const known = proven[places.next(bytesToHex(given.key))]
    if (!known || !areEqual(known.hValue, given.hValue)) throw wrongEntries('entries')
    known.value = given.value
  }
}

function givenEntries(tx: unknown): TxEntry[] {
  return list(readTx(tx), 'entries').map((given) => {
    const entry = readTxEntry(given)
    checkValue(entry)
    return entry
  })
}

/** The places of entries. A second list must have them in the same order and may leave some out. */
class Places {
  readonly #byKey: ReadonlyMap<string, number>
  #last = -1

  constructor(keys: readonly string[]) {
    this.#byKey = new Map(keys.map((key, at) => [key, at]))
  }

  next(key: string): number {
    const at = this.#byKey.get(key) ?? -1
    if (at <= this.#last) throw wrongEntries('entries')
    this.#last = at
    return at
  }
}
