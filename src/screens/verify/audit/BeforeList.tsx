import type { AuditReport } from '~/atoms/audit/record'
import { formatTx } from '~/lib/text'
import { Reasons } from './ExceptionList'
import { Section } from './Section'
import { OddTables } from './TableList'

/** What the audits before had found that this one goes on from. */
export function BeforeList({ report }: { report: AuditReport }) {
  const { before } = report
  if (!before) return null
  const { isOdd, exceptions, tables } = before
  const hasExceptions = Object.keys(exceptions.counts).length > 0
  if (!isOdd && !hasExceptions) return null
  return (
    <Section title={`From the audits before, up to transaction ${upTo(report)}`}>
      <p className="text-sm">
        This is what they had found then. An audit from the first transaction looks at all of it
        again.
      </p>
      {hasExceptions && <Reasons exceptions={exceptions} />}
      <OddTables tables={tables} />
      {isOdd && !hasExceptions && tables.length === 0 && (
        <p className="text-sm">
          The tables could not be compared with what the server said of them.
        </p>
      )}
    </Section>
  )
}

/** The last transaction that the audits before went to. */
export const upTo = ({ first }: AuditReport) => formatTx(String(BigInt(first) - 1n))
