import { bytesToHex } from './bytes'
import { type Entry, entryMetadataBytes, readEntryMetadata } from './entry'
import { emptyHash, hash } from './hash'
import { readHeader } from './header'
import { type TxFacts, txFacts } from './proven-facts'
import { type Check, type Proven, proveTx, readVerifiableTx } from './proven-tx'
import { anyFields, bytes, type Fields, isMissing, list } from './read'
import { answerMismatch, inRequest, optionalId, requestedId } from './request'
import { malformed, ProofError } from './steps'
import { plainKey, plainValue, referenceValue, sortedSetKey } from './stored'
import { readTx, wrongEntries } from './transaction'

/**
 * A write just made, VERIFY.md 7.4: the answer of `/db/verifiable/set`, `setreference` or `zadd`.
 * Even when the proof is refused, the write has usually happened.
 */
export function verifyWrite(check: Check, response: unknown): Proven<TxFacts> {
  const sent = inRequest(() => sentEntries(check.request))
  const fields = readVerifiableTx(response)
  const { id } = readHeader(readTx(fields.tx).header, 'tx.header')
  const { trusted } = check.known
  if (trusted && id <= trusted.txId) {
    throw new ProofError('not-anchored', 'link', 'id')
  }
  const { header, alh, entries, outcome } = proveTx(check, fields, id)
  if (!entries) throw wrongEntries('entries')
  const [asked, stored] = [sent.map(writeEntry).sort(), entries.map(writeEntry).sort()]
  if (asked.join() !== stored.join()) {
    throw answerMismatch('entries')
  }
  check.ladder.add('value', { sent: asked.join(' ') })
  return { facts: txFacts(header, alh, entries), ...outcome }
}

/** Key, metadata and hash of the value as one text, to be compared as a multiset. */
function writeEntry({ key, metadata, hValue }: Entry): string {
  return `${bytesToHex(key)}.${bytesToHex(entryMetadataBytes(metadata))}.${bytesToHex(hValue)}`
}

function sentEntries(request: Fields): Entry[] {
  const [set, reference, zAdd] = ['setRequest', 'referenceRequest', 'zAddRequest'].map((name) =>
    request[name] === undefined ? null : anyFields(request[name], name),
  )
  if (set) return list(set, 'KVs').map(sentPair)
  if (reference) return [sentReference(reference)]
  return [sentMember(zAdd ?? anyFields(null, 'setRequest'))]
}

const none = { deleted: false, expiresAt: null, nonIndexable: false }

function sentPair(value: unknown): Entry {
  const fields = anyFields(value, 'KVs')
  return {
    key: plainKey(bytes(fields, 'key')),
    metadata: readEntryMetadata(fields),
    hValue: hash(plainValue(bytes(fields, 'value'))),
  }
}

function sentReference(fields: Fields): Entry {
  const value = referenceValue(bytes(fields, 'referencedKey'), optionalId(fields, 'atTx'))
  return { key: plainKey(bytes(fields, 'key')), metadata: none, hValue: hash(value) }
}

function sentMember(fields: Fields): Entry {
  const score = fields.score ?? 0
  if (typeof score !== 'number') throw answerMismatch('score')
  const [set, key] = [bytes(fields, 'set'), bytes(fields, 'key')]
  const stored = sortedSetKey(set, score, key, optionalId(fields, 'atTx'))
  return { key: stored, metadata: none, hValue: emptyHash }
}

/**
 * A transaction with its entries, VERIFY.md 7.2: the answer of `/db/verifiable/tx/{tx}`. A server
 * may leave out the whole list of entries; then `facts.entries` is absent.
 */
export function verifyTx(check: Check, response: unknown): Proven<TxFacts> {
  const x = requestedId(check.request, 'tx')
  const fields = readVerifiableTx(response)
  if (isMissing(fields.tx)) malformed('tx')
  const { header, alh, entries, outcome } = proveTx(check, fields, x)
  return { facts: txFacts(header, alh, entries), ...outcome }
}
