import { type TxFacts, txFacts } from './facts'
import { malformed } from './failure'
import { type Check, type Outcome, proveTx, readVerifiableTx } from './proven-tx'
import { isMissing } from './read'
import { requestedId } from './request'

/**
 * A transaction with its entries, VERIFY.md 7.2: the answer of `/db/verifiable/tx/{tx}`. What a
 * server may leave out is the whole list of entries; `facts.entries` is absent then.
 */
export function verifyTx(check: Check, response: unknown): Outcome<TxFacts> {
  const x = requestedId(check.request, 'tx')
  const fields = readVerifiableTx(response)
  if (isMissing(fields.tx)) malformed('tx')
  const { header, alh, entries, outcome } = proveTx(check, fields, x)
  return { facts: txFacts(header, alh, entries), ...outcome }
}
