import { isOddItself, tablesGapOf } from '~/atoms/audit/before'
import type { AuditReport } from '~/atoms/audit/record'
import { WarningIcon } from '~/ui/Icon'
import { upTo } from './BeforeList'

/** Why somebody should look into a report although the history is whole. */
export function Oddities({ report }: { report: AuditReport }) {
  return oddWords(report).map((text) => (
    <p className="flex gap-2" key={text}>
      <span className="flex h-5 shrink-0 items-center text-warning">
        <WarningIcon />
      </span>
      {text}
    </p>
  ))
}

function oddWords(report: AuditReport): string[] {
  const gap = tablesGapOf(report)
  const isOdd = isOddItself(report)
  const words = [
    isOdd &&
      'Not everything that belongs to these transactions could be read, or agrees with what the server says of it. See below.',
    gap !== null &&
      gap !== 'unread' &&
      'The tables could not be compared with what the server says of them. See below.',
    report.before?.isOdd &&
      `The audits that this one goes on from, up to transaction ${upTo(report)}, left something to be looked into, which this one did not look at again. See below.`,
  ]
  return words.filter((text) => typeof text === 'string')
}
