import { atom } from 'jotai'
import { formatTx } from '~/lib/text'
import { evidenceFileAtom } from '../trust/evidence-file'
import { verifyInWorker } from '../trust/proof-worker'
import type { Verification } from '../trust/verification'
import type { AuditReport } from './record'

/**
 * The report of an audit as a file of evidence: what can be checked again without the server is the
 * last transaction, which must lead from where the walk was to the trusted state.
 */
export const auditEvidenceAtom = atom(null, async (_get, set, report: AuditReport) => {
  const { end, ...said } = report
  return set(evidenceFileAtom, await verificationOf(report), said)
})

async function verificationOf(report: AuditReport) {
  const { id, point, first, end, finishedAt, contact, keeping = 'kept' } = report
  const { database, server } = id
  const basis = { contact, keeping }
  const what = `the audit of transactions ${formatTx(first)} to ${formatTx(point.txId)}`
  const context = { db: database, trusted: point, publicKey: null }
  const about = { database, server, what, context, basis, at: finishedAt }
  const request = { initialTx: point.txId, limit: 1, ...(end ? { after: end.after } : {}) }
  if (!end) {
    const why =
      'The last transaction is not kept with the report: it has too many entries, or the audit rested after it had been read.'
    const outcome = { kind: 'unproven', why } as const
    const none: Verification = { ...about, kind: 'none', request, response: null, outcome }
    return none
  }
  const response = { txs: [end.tx] }
  const verified = await verifyInWorker('audit', context, request, response)
  const outcome = { kind: 'ok', verified } as const
  const proven: Verification = { ...about, kind: 'audit', request, response, outcome }
  return proven
}
