import { useRef, useState } from 'react'
import { useAct } from '~/core/act'
import { counted, formatCount } from '~/lib/text'
import type { TableFinding } from '~/proof/compare-tables'
import type { AuditReport, TablesReport } from '~/trust/audit/audit-record'
import type { Renumbered } from '~/trust/audit/collections'
import { acceptCollection } from '~/trust/audit/deep-audit'
import { type TablesGap, tablesGapOf } from '~/trust/audit/earlier-audits'
import { Button } from '~/ui/Button'
import { InfoIcon, WarningIcon } from '~/ui/Icon'
import { SafeName, SafeText } from '~/ui/SafeText'
import { Section } from './Section'

const words: Record<TableFinding['kind'], string> = {
  agrees: 'agrees with the history',
  differs: 'differs from the history',
  missing: 'is in the history, but the server does not list it',
  surplus: 'is listed by the server, but is not in the history',
}

/** The tables as the history tells them, compared with what the server says. */
export function TableList({ report }: { report: AuditReport }) {
  const gap = tablesGapOf(report)
  return (
    <Section title="Tables derived from the history">
      {gap && <p className="text-sm">{gapWords[gap]}</p>}
      {report.tables && <Found tables={report.tables} />}
    </Section>
  )
}

const uncompared =
  'They were not compared with what the server says of them. A hidden or differently described table would not be noticed.'

const gapWords: Record<TablesGap, string> = {
  unseen: `They could not be derived: what was not seen (see above) may hold their definitions. ${uncompared}`,
  unread: `They could not be derived: an earlier audit, which this one continues, read no values. ${uncompared} An audit from the first transaction that reads the values compares them.`,
  lost: `They could not be derived. A part of their definitions was not seen or not readable, or they were too many to keep during a pause. ${uncompared} Audit from the first transaction, without a pause.`,
}

function Found({ tables: { counts, rows, list } }: { tables: TablesReport }) {
  const odd = list.filter(({ kind }) => kind !== 'agrees')
  const same = list.filter(({ kind }) => kind === 'agrees')
  const oddCount = counts.differs + counts.missing + counts.surplus
  const all = oddCount + counts.agrees
  if (all === 0)
    return <p className="text-sm">No tables: the history has none, and the server lists none.</p>
  return (
    <>
      <OddTables tables={odd} />
      <More count={oddCount - odd.length} what="that something is odd about" />
      <p className="text-sm">
        The server describes {formatCount(counts.agrees)} of {counted(all, 'table')} by the names,
        types, lengths and key columns that the history has. {rowWords(counts.agrees, rows)}
      </p>
      {same.length > 0 && (
        <p className="break-words text-muted text-sm">
          <SafeText text={same.map(({ table }) => table).join(', ')} />
          {counts.agrees > same.length && ` and ${formatCount(counts.agrees - same.length)} more`}
        </p>
      )}
      <p className="text-sm">Results of queries were not compared.</p>
    </>
  )
}

/** Tables, and what is odd about each. */
export function OddTables({ tables }: { tables: readonly TableFinding[] }) {
  return tables.map(({ table, kind, what }) => (
    <p className="flex gap-2 text-sm" key={`${kind} ${table}`}>
      <span className="flex h-5 shrink-0 items-center text-warning">
        <WarningIcon />
      </span>
      <span className="min-w-0 break-words">
        <b className="font-medium">
          <SafeName text={table} />
        </b>{' '}
        {words[kind]}
        {what && (
          <>
            : <SafeText text={what} />
          </>
        )}
      </span>
    </p>
  ))
}

function More({ count, what }: { count: number; what: string }) {
  if (count <= 0) return null
  return (
    <p className="text-sm">
      and {formatCount(count)} more {what}
    </p>
  )
}

/** Numbers of columns only come with the proof of a row. */
function rowWords(agree: number, { compared, refused }: TablesReport['rows']): string {
  const none = agree - compared - refused
  const parts = [
    agree > 0 && numberWords(agree, compared),
    none > 0 && `${counted(none, 'table')} without a row.`,
    refused > 0 && `${counted(refused, 'table')} without a proof of a row.`,
  ]
  return parts.filter(Boolean).join(' ')
}

function numberWords(agree: number, compared: number): string {
  const numbers = 'Column numbers'
  if (compared === 0) return `${numbers}: not compared.`
  if (compared === agree) return `${numbers}: compared with the proof of a row.`
  return `${numbers}: compared for ${formatCount(compared)} of them, with the proof of a row.`
}

/** Collections with another number than this browser recorded, which no proof covers. */
export function CollectionList({ report }: { report: AuditReport }) {
  const { collections = [] } = report
  if (collections.length === 0) return null
  return (
    <Section title="Collections with another number than before">
      <p className="text-sm">
        Proofs name a collection by its number; the name is the server’s word. Another number: it
        was deleted and created again, or the server uses its name for another one.
      </p>
      {collections.map((one) => (
        <Collection key={`${one.name} ${one.found}`} of={one} report={report} />
      ))}
    </Section>
  )
}

function Collection({ of, report }: { of: Renumbered; report: AuditReport }) {
  const { name, pinned, found, isAccepted = false } = of
  const text = useRef<HTMLParagraphElement>(null)
  return (
    <div className="flex gap-2 text-sm">
      <span className="flex h-5 shrink-0 items-center">
        {isAccepted ? <InfoIcon className="text-info" /> : <WarningIcon className="text-warning" />}
      </span>
      <div className="grid min-w-0 gap-2 break-words">
        <p ref={text} tabIndex={-1}>
          <b className="font-medium">
            <SafeName text={name} />
          </b>{' '}
          was number {pinned} before, and an audit found number {found}.{' '}
          {isAccepted
            ? 'You accepted the new number.'
            : `Its documents are still checked against number ${pinned}. If you know that it was created again, accept the new number. If not, ask the operator of the server.`}
        </p>
        {!isAccepted && <Accept of={of} onDone={() => text.current?.focus()} report={report} />}
      </div>
    </div>
  )
}

type AcceptProps = { of: Renumbered; report: AuditReport; onDone: () => void }

function Accept({ of, report, onDone }: AcceptProps) {
  const accept = useAct(acceptCollection)
  const [isBusy, setBusy] = useState(false)
  const [why, setWhy] = useState<string | null>(null)
  const take = async () => {
    setBusy(true)
    const refused = await accept(report, of)
    setWhy(refused)
    setBusy(false)
    if (refused === null) onDone()
  }
  return (
    <div className="print:hidden">
      <Button busy={isBusy} onClick={() => void take()} size="small">
        Accept number {of.found}
      </Button>
      {why && (
        <p className="mt-2 text-error" role="alert">
          {why}
        </p>
      )}
    </div>
  )
}
