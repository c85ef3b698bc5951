import { type Judged, type Known, verdictOf } from '~/proof/verdict'
import { isOddReport } from './earlier-audits'
import type { AuditReport } from './record'
import type { Standing } from './standing'

/** The verdict on the report of an audit by what is known of the history now. */
export function verdictOfReport(report: AuditReport, standing: Standing): Judged {
  return verdictOf({
    proof: 'holds',
    ...basisOf(report, standing),
    content: isOddReport(report) ? 'odd' : 'same',
    // A digest alone says nothing about what was written.
    open: isRead(report) ? [] : ['content'],
  })
}

/** The same of its transactions alone, which are proven by their digests, whatever they hold. */
export function verdictOnChain(report: AuditReport, standing: Standing): Judged {
  return verdictOf({ proof: 'holds', ...basisOf(report, standing), content: 'same', open: [] })
}

function basisOf({ keeping }: AuditReport, standing: Standing): Pick<Known, 'ground' | 'history'> {
  switch (standing.kind) {
    case 'newest':
    case 'behind':
      return { history: 'followed', ground: standing.isRecorded ? 'recorded' : unrecorded(keeping) }
    case 'broken':
    case 'forgotten':
      return { history: standing.kind, ground: 'recorded' }
    case 'unchecked':
      return { history: 'followed', ground: 'stale' }
  }
}

const unrecorded = (keeping: AuditReport['keeping']) => (keeping === 'memory' ? 'memory' : 'first')

/** Whether all content was read, also by the audits that this one went on from. */
function isRead({ first, withValues, exceptions, before }: AuditReport): boolean {
  const counts = { ...before?.exceptions.counts, ...exceptions.counts }
  const isAllKnown = first === '1' || before?.isWhole === true
  return (
    isAllKnown && withValues && Object.keys(counts).length === 0 && before?.withValues !== false
  )
}
