import { areEqual, bytesToHex } from './bytes'
import { historyChanged, type Known, type Point } from './context'
import { checkHash, emptyHash } from './hash'
import type { StateFacts } from './proven-facts'
import { type Check, linkTx, type Proven, readVerifiableTx } from './proven-tx'
import { bytes, digest, type Fields, fieldsOf, isMissing, text, uint64 } from './read'
import { checkSignature, readSignature } from './signed-state'
import { malformed, ProofError } from './steps'

export const stateFields = 'db txId txHash signature precommittedTxId precommittedTxHash'

/**
 * The state transition, VERIFY.md 7.1: `{ state, proof? }`, where `proof` is the answer of
 * `/db/verifiable/tx/{state.txId}?proveSinceTx={trusted.txId}` and needed when the state is newer
 * than a trusted state that is not of an empty database.
 */
export function verifyState(check: Check, response: unknown): Proven<StateFacts> {
  const { state, proof } = fieldsOf(response, 'answer', 'state proof')
  const fields = fieldsOf(state, 'state', stateFields)
  const point = readState(fields, check.known.db)
  const signed = checkSignature(check, fields.signature, point)
  if (point.txId === 0n && !areEqual(point.txHash, emptyHash)) {
    malformed('txHash')
  }
  const step = compare(check.known, point)
  if (step === 'newer' && isMissing(proof)) malformed('proof')
  const linked = isMissing(proof)
    ? linkNotGiven(check, point, step === 'same')
    : checkProof(check, proof, point)
  const { next, isTied, lags, advance = 'not-needed' } = linked
  const facts = { txId: String(point.txId), alh: bytesToHex(point.txHash) }
  return { facts, next, firstUse: step === 'first', isTied, lags, advance, signed, open: [] }
}

/** A state of this database as the server answers it. */
export function readState(fields: Fields, db: string): Point {
  if (text(fields, 'db') !== db) {
    throw new ProofError('wrong-database', 'request', 'db')
  }
  uint64(fields, 'precommittedTxId')
  bytes(fields, 'precommittedTxHash')
  return { txId: uint64(fields, 'txId'), txHash: digest(fields, 'txHash') }
}

/** `first` when no earlier state is known. */
function compare({ trusted, isEmpty }: Known, { txId, txHash }: Point): 'first' | 'same' | 'newer' {
  if (!trusted) return isEmpty && txId === 0n ? 'same' : 'first'
  const inputs = { trustedTxId: String(trusted.txId), txId: String(txId) }
  if (txId < trusted.txId) {
    throw new ProofError('rolled-back', 'link', 'txId', {
      inputs,
      computed: bytesToHex(txHash),
      expected: bytesToHex(trusted.txHash),
    })
  }
  if (txId > trusted.txId) return 'newer'
  checkHash(txHash, trusted.txHash, historyChanged, 'txHash', inputs)
  return 'same'
}

type Linked = Pick<Proven<never>, 'next' | 'isTied' | 'lags' | 'advance'>

/** A state that needs no proof: the trusted one, or the first. */
function linkNotGiven({ ladder }: Check, point: Point, isSame: boolean): Linked {
  const { txId, txHash } = point
  const computed = bytesToHex(txHash)
  const inputs = { trustedTxId: isSame ? String(txId) : '', txId: String(txId) }
  const found = isSame ? { expected: computed } : { result: 'unchecked' as const }
  ladder.add('link', inputs, { computed, ...found })
  return { next: point, isTied: true, lags: false }
}

/** The header step ends at the state's hash, which the proof must be about. */
function checkProof(check: Check, proof: unknown, point: Point): Linked {
  const fields = readVerifiableTx(proof)
  if (isMissing(fields.tx)) malformed('tx')
  // It signs the same bytes as the state's own signature, which is already checked.
  readSignature(fields.signature)
  const { alh, ...linked } = linkTx(check, fields, point.txId)
  checkHash(alh, point.txHash, historyChanged, 'txHash')
  return linked
}
