import { atom } from 'jotai'
import type { TxEntries, TxEntry } from '~/api/transactions'
import { base64Of, base64ToBytes, base64ToHex, bytesToHex } from '~/lib/bytes'
import { hash } from '~/proof/kernel/hash'
import type { EntryFacts } from '~/proof/kernel/proven-facts'
import { provenFactsAtom } from '~/trust/proven-content'
import type { TxValues } from './transaction'

/** A transaction as it is proven, where it was; else as the server said. */
export const provenTransactionAtom = atom((get) => {
  const factsOf = get(provenFactsAtom)
  return (database: string, tx: TxEntries): TxEntries => {
    const facts = factsOf(database, 'tx', { tx: tx.header.id })
    if (!facts) return tx
    const { ts, nentries, prevAlh, entries } = facts
    const header = { ...tx.header, ts, nentries, prevAlh: base64Of(prevAlh) }
    if (!entries || tx.entries === null) return { ...tx, header }
    const known = new Map(tx.entries.map((entry) => [entry.key, entry]))
    return { header, entries: entries.map((entry) => entryOf(entry, known)) }
  }
})

function entryOf(
  { key, meta, valueHash }: EntryFacts,
  known: ReadonlyMap<string, TxEntry>,
): TxEntry {
  const stored = base64Of(key)
  return {
    key: stored,
    hValue: base64Of(valueHash),
    // Covered by no proof; the question for the transaction says so.
    vLen: known.get(stored)?.vLen ?? 0,
    isDeleted: meta.deleted,
    expiresAt: meta.expiresAt,
    isNonIndexable: meta.nonIndexable,
  }
}

/** The values of a proven transaction that fit their proven digests. */
export function fittingValues(values: TxValues, { entries }: TxEntries): TxValues {
  const digests = new Map((entries ?? []).map(({ key, hValue }) => [key, base64ToHex(hValue)]))
  const fits = ([key, value]: readonly [string, string]) =>
    bytesToHex(hash(base64ToBytes(value))) === digests.get(key)
  return { ...values, byKey: new Map([...values.byKey].filter(fits)) }
}

/** Whether the entries of a transaction are drawn from its proof. */
export const isTransactionProvenAtom = atom((get) => {
  const factsOf = get(provenFactsAtom)
  return (database: string, tx: string): boolean =>
    factsOf(database, 'tx', { tx })?.entries !== undefined
})
