import { base64, type Entry, signatureJson, type Tx } from './forger'
import { collections, documentId, type keyOf, type Liar, type Names, tableId } from './liar'

type Json = { [name: string]: unknown }

export const database = 'db'

/** What an answer is made of: whose content it shows, and where its proof starts. */
export type Built = {
  readonly tx: Tx
  readonly known: Tx
  /** Whether the other entries of the transaction are there. */
  readonly hasEntries: boolean
  /** Whether the value itself is. */
  readonly hasValue: boolean
}

type Found = { readonly entry: Entry; readonly inclusionProof: Json }

export type StoredKind = keyof typeof keyOf

export function getRequest(entry: Entry, atTx?: string): Json {
  return { keyRequest: { key: base64(entry.key.subarray(1)), ...(atTx ? { atTx } : {}) } }
}

export function getAnswer(liar: Liar, { tx, known, ...has }: Built, found: Found): Json {
  const key = base64(found.entry.key.subarray(1))
  const value = has.hasValue ? base64(found.entry.value.subarray(1)) : undefined
  return {
    entry: { tx: String(tx.id), key, value },
    verifiableTx: liar.proven(tx, known, has.hasEntries),
    inclusionProof: found.inclusionProof,
  }
}

export function rowRequest({ table }: Names, atTx?: string): Json {
  return { sqlGetRequest: { table, pkValues: [{ n: '1' }], ...(atTx ? { atTx } : {}) } }
}

/** A row of a table that is called and described in this way. */
export function rowAnswer(
  liar: Liar,
  { tx, known, ...has }: Built,
  found: Found,
  { table, column }: Names,
): Json {
  return {
    sqlEntry: {
      tx: String(tx.id),
      value: has.hasValue ? base64(found.entry.value) : undefined,
    },
    verifiableTx: liar.proven(tx, known, has.hasEntries),
    inclusionProof: found.inclusionProof,
    DatabaseId: 1,
    TableId: tableId,
    PKIDs: [1],
    MaxColId: 2,
    ColNamesById: { 1: 'id', 2: column },
    ColTypesById: { 1: 'INTEGER', 2: 'VARCHAR' },
    ColLenById: { 1: 8, 2: 0 },
    ColIdsByName: { [`(${table}.id)`]: 1, [`(${table}.${column})`]: 2 },
  }
}

export function documentRequest(collectionName: string, transactionId = '0'): Json {
  return { collectionName, documentId: documentId.toString('hex'), transactionId }
}

export function documentAnswer(
  liar: Liar,
  { tx, known, ...has }: Built,
  found: Found,
  kind: keyof typeof collections,
): Json {
  return {
    database,
    collectionId: collections[kind],
    documentIdFieldName: '_id',
    encodedDocument: has.hasValue ? base64(found.entry.value) : undefined,
    verifiableTx: liar.provenV2(tx, known, has.hasEntries),
  }
}

/** Whether documents could be proven between two transactions at all. */
export function canBeV2({ tx, known }: Built): boolean {
  return [tx, known].every(({ id, leaves }) => leaves.length === id - 1)
}

/** What was signed, as anyone who signed it would say. */
export type Signed = { readonly publicKey: string; readonly db: string; readonly tx: Tx }

/** Adds a signature, or a lie in its place, to an answer about the newer of two transactions. */
export function signed(liar: Liar, newer: Tx): { signature: Json | undefined; by: Signed | null } {
  const { right, other } = liar.signers
  if (liar.chance(0.06)) return { signature: undefined, by: null }
  const isOther = liar.chance(0.08) || !liar.maySign(newer)
  const db = liar.chance(0.06) ? 'another' : database
  const tx = liar.chance(0.06)
    ? (liar.one(liar.txs.filter((one) => liar.maySign(one))) ?? newer)
    : newer
  const signer = isOther && tx === newer && db === database ? other : right
  const by = { publicKey: signer.publicKey, db, tx }
  const signature = signatureJson(signer, db, tx)
  // The key that is named need not be the one that signed.
  const publicKey = liar.chance(0.1) ? right.publicKey : signer.publicKey
  return { signature: { ...signature, publicKey }, by }
}
