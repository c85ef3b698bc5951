import { type Anchored, anchor } from './anchor'
import type { Known } from './context'
import { checkDualProof, type Pair } from './dual-proof'
import { checkDualProofV2 } from './dual-proof-v2'
import { hex } from './hash'
import { headerInputs } from './header'
import type { Ladder } from './ladder'
import { type Fields, fieldsOf, isMissing } from './read'
import { checkSignature, type Signatures } from './signed-state'
import { checkTx, readTx, type TxEntry } from './transaction'

/** What every procedure has to hand. */
export type Check = {
  known: Known
  request: Fields
  ladder: Ladder
  /** Null when no key is pinned. */
  signatures: Signatures | null
}

/** What every procedure finds out. */
export type Outcome<Facts> = Pick<Anchored, 'next' | 'firstUse'> & {
  facts: Facts
  signed: boolean
}

/** A transaction of the trusted history. */
export type LinkedTx = Anchored & {
  pair: Pair
  /** Null when the answer lists none. */
  entries: TxEntry[] | null
}

export type ProvenTx = Pick<LinkedTx, 'header' | 'alh' | 'entries'> & {
  /** What goes with the facts. */
  outcome: Omit<Outcome<never>, 'facts'>
}

/** A `VerifiableTx` or `VerifiableTxV2`. */
export function readVerifiableTx(value: unknown): Fields {
  return fieldsOf(value, 'verifiableTx', 'tx dualProof signature')
}

/**
 * What all answers but a bare state have in common: the proof that transaction `x` and the trusted
 * one are in one history, and the transaction itself.
 * @param isV2 the proof is the one that documents have
 */
export function linkTx(
  { known, ladder }: Check,
  { tx, dualProof }: Fields,
  x: bigint,
  isV2 = false,
): LinkedTx {
  const pair = isV2 ? checkDualProofV2(dualProof) : checkDualProof(dualProof)
  const anchored = anchor(pair, x, known.trusted, ladder, isV2)
  if (!isMissing(tx)) {
    return { ...anchored, pair, entries: checkTx(readTx(tx), anchored, ladder) }
  }
  const hashes = { computed: hex(anchored.alh), expected: hex(anchored.alh) }
  ladder.add('header', headerInputs(anchored.header), hashes)
  return { ...anchored, pair, entries: null }
}

/** The same, and the signature, which all answers but a state have of the newer transaction. */
export function proveTx(check: Check, fields: Fields, x: bigint, isV2 = false): ProvenTx {
  const { header, alh, entries, pair, next, firstUse } = linkTx(check, fields, x, isV2)
  const newest = { txId: pair.target.id, txHash: pair.targetAlh }
  const signed = checkSignature(check, fields.signature, newest)
  return { header, alh, entries, outcome: { next, firstUse, signed } }
}
