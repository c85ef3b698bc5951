import { type Audit, auditTx, refusal, resumeAudit, startAudit } from './audit'
import { bytesToHex } from './bytes'
import type { AuditFacts } from './proven-facts'
import type { Check, Proven } from './proven-tx'
import { fieldsOf, isMissing, list } from './read'
import { malformed, ProofError } from './steps'
import { addValues } from './values'

/**
 * All transactions of a database, VERIFY.md 7.8: `{ txs }` from `/db/tx`, from the first up to the
 * trusted one. A database of many pages is walked with `audit.ts` itself. A page of such a walk can
 * be checked again when the request says what the walk was before it (`after`, a `SavedAudit`).
 * Second answers hold the values (`values`, one or null for each transaction).
 */
export function verifyAudit(check: Check, response: unknown): Proven<AuditFacts> {
  const fields = fieldsOf(response, 'answer', 'txs values')
  const values = list(fields, 'values')
  const { after } = check.request
  const audit = isMissing(after) ? startAudit() : resumeAudit(after)
  // This answer does not cover what was read before.
  audit.entries = 0
  const txs = list(fields, 'txs')
  if (values.length > txs.length) malformed('values')
  for (const [at, tx] of txs.entries()) {
    const { entries } = auditTx(audit, tx)
    if (!isMissing(values[at])) addValues(entries, values[at])
  }
  const { txId, alh, entries } = audit
  check.ladder.add('entry', { entries: String(entries), transactions: String(txs.length) })
  const firstUse = checkEnd(check, audit)
  // An answer without transactions does not prove a walk that had already ended.
  if (!isMissing(after) && txs.length === 0) throw refusal('trusted')
  return {
    facts: { txId: String(txId), alh: bytesToHex(alh), entries },
    next: { txId, txHash: alh },
    firstUse,
    isTied: true,
    lags: false,
    signed: false,
    open: isMissing(after) ? [] : ['before'],
  }
}

/** Only a walk that ends at the trusted hash is the trusted history. */
function checkEnd({ known, ladder }: Check, audit: Audit): boolean {
  const { trusted, publicKey } = known
  const inputs = { trustedTxId: trusted ? String(trusted.txId) : '', txId: String(audit.txId) }
  if (!trusted) {
    if (publicKey) throw new ProofError('signature', 'signature', 'txs')
    ladder.add('link', inputs, { result: 'unchecked', computed: bytesToHex(audit.alh) })
    return true
  }
  if (audit.txId !== trusted.txId) throw refusal('txs', { inputs })
  ladder.match('link', inputs, [audit.alh, trusted.txHash], refusal, 'trusted')
  return false
}
