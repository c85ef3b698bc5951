import { areEqual, bytesToHex } from './bytes'
import { type EntryMetadata, readEntryMetadata } from './entry'
import { hash } from './hash'
import { checkIncluded } from './inclusion'
import { type GetFacts, metadataFacts } from './proven-facts'
import { type Check, openOfEntry, type Proven, proveTx, readVerifiableTx } from './proven-tx'
import { bytes, digest, type Fields, fieldsOf, flag, isMissing, uint64 } from './read'
import { answerMismatch, checkAtTx, inRequest, requestPart } from './request'
import { plainKey, plainValue, referenceValue } from './stored'

const answerFields = 'entry verifiableTx inclusionProof'
const entryFields = 'tx key value referencedBy metadata expired revision'
const hiddenFields = 'tx key valueHash metadata expired revision'
const referenceFields = 'tx key atTx metadata revision'

/** The part of an answer that the proof covers: the entry, or the reference that led to it. */
type Covered = {
  tx: bigint
  key: Uint8Array
  metadata: EntryMetadata
  hValue: Uint8Array
  content:
    | { kind: 'value'; value: string }
    | { kind: 'hidden'; valueHash: string }
    | { kind: 'reference'; referencedKey: string; referencedAtTx: string }
}

/**
 * One key, VERIFY.md 7.3: the answer of `/db/verifiable/get`. For a reference, only the reference
 * is proven. Its target needs a separate get, at `referencedAtTx` if that is not 0. The caller
 * decides by its clock whether an entry has expired. With `isIndexed` the request is about what the
 * index holds, also where it names the transaction.
 */
export function verifyGet(check: Check, response: unknown): Proven<GetFacts> {
  const { entry, verifiableTx, inclusionProof } = fieldsOf(response, 'answer', answerFields)
  const { tx, key, metadata, hValue, content } =
    check.request.hidesValue === true ? readHidden(entry) : readCovered(entry)
  checkRequested(check.request, { tx, key, metadata })
  const proven = proveTx(check, readVerifiableTx(verifiableTx), tx)
  const stored = { key: plainKey(key), metadata, hValue }
  const position = checkIncluded(inclusionProof, stored, proven.header, check.ladder)
  const facts: GetFacts = {
    key: bytesToHex(key),
    tx: String(tx),
    ts: String(proven.header.ts),
    position,
    meta: metadataFacts(metadata),
    ...content,
  }
  return { facts, ...proven.outcome, open: openOfEntry(proven) }
}

function readCovered(value: unknown): Covered {
  const fields = fieldsOf(value, 'entry', entryFields)
  const [key, content, metadata] = [
    bytes(fields, 'key'),
    bytes(fields, 'value'),
    readEntryMetadata(fields),
  ]
  const tx = uint64(fields, 'tx')
  uint64(fields, 'revision')
  flag(fields, 'expired')
  if (!isMissing(fields.referencedBy)) return readReference(fields.referencedBy, key)
  const hValue = hash(plainValue(content))
  return { tx, key, metadata, hValue, content: { kind: 'value', value: bytesToHex(content) } }
}

function readHidden(value: unknown): Covered {
  const fields = fieldsOf(value, 'entry', hiddenFields)
  const [key, hValue, metadata] = [
    bytes(fields, 'key'),
    digest(fields, 'valueHash'),
    readEntryMetadata(fields),
  ]
  uint64(fields, 'revision')
  flag(fields, 'expired')
  const content = { kind: 'hidden', valueHash: bytesToHex(hValue) } as const
  return { tx: uint64(fields, 'tx'), key, metadata, hValue, content }
}

function readReference(value: unknown, referencedKey: Uint8Array): Covered {
  const fields = fieldsOf(value, 'referencedBy', referenceFields)
  const atTx = uint64(fields, 'atTx')
  uint64(fields, 'revision')
  return {
    tx: uint64(fields, 'tx'),
    key: bytes(fields, 'key'),
    metadata: readEntryMetadata(fields),
    hValue: hash(referenceValue(referencedKey, atTx)),
    content: {
      kind: 'reference',
      referencedKey: bytesToHex(referencedKey),
      referencedAtTx: String(atTx),
    },
  }
}

function checkRequested(
  request: Fields,
  { tx, key, metadata }: Pick<Covered, 'tx' | 'key' | 'metadata'>,
): void {
  const asked = requestPart(request, 'keyRequest')
  const askedKey = inRequest(() => bytes(asked, 'key'))
  if (!areEqual(key, askedKey)) throw answerMismatch('key')
  const atTx = checkAtTx(asked, 'atTx', tx)
  // The index passes over entries that are not indexable (`indexSince` of embedded/store/indexer.go).
  // Only with a transaction immudb reads the entry itself (`getAtTx` of pkg/database/database.go).
  const isIndexed = atTx === 0n || request.isIndexed === true
  if (metadata.deleted || (isIndexed && metadata.nonIndexable)) throw answerMismatch('metadata')
}
