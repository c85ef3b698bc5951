import { type Audit, auditTx, refusal, startAudit } from './audit'
import type { AuditFacts } from './facts'
import { ProofError } from './failure'
import { hex } from './hash'
import type { Check, Outcome } from './proven-tx'
import { fieldsOf, list } from './read'

/**
 * All transactions of a database, VERIFY.md 7.8: `{ txs }` from `/db/tx`, from the first up to the
 * trusted one. A database of many pages is walked with `audit.ts` itself.
 */
export function verifyAudit(check: Check, response: unknown): Outcome<AuditFacts> {
  const txs = list(fieldsOf(response, 'answer', 'txs'), 'txs')
  const audit = startAudit()
  for (const tx of txs) auditTx(audit, tx)
  const firstUse = checkEnd(check, audit)
  const { txId, alh, entries } = audit
  return {
    facts: { txId: String(txId), alh: hex(alh), entries },
    next: { txId, txHash: alh },
    firstUse,
    signed: false,
  }
}

/** Only what ends at the trusted hash is the trusted history. */
function checkEnd({ known, ladder }: Check, audit: Audit): boolean {
  const { trusted, publicKey } = known
  const inputs = { trustedTxId: trusted ? String(trusted.txId) : '', txId: String(audit.txId) }
  ladder.add('entry', { transactions: String(audit.txId), entries: String(audit.entries) })
  if (!trusted) {
    if (publicKey) throw new ProofError('signature', 'signature', 'txs')
    ladder.add('link', inputs, { result: 'unchecked', computed: hex(audit.alh) })
    return true
  }
  if (audit.txId !== trusted.txId) throw refusal('txs', { inputs })
  ladder.match('link', inputs, [audit.alh, trusted.txHash], refusal, 'trusted')
  return false
}
