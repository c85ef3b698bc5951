import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useRef } from 'react'
import { type DeepAuditState, deepAuditAtom, readDeepAuditAtom } from '~/atoms/audit/deep-audit'
import { databaseAtom } from '~/atoms/session'
import { EmptyState } from '~/ui/EmptyState'
import { SafeName } from '~/ui/SafeName'
import { Skeleton } from '~/ui/Skeleton'
import { ArrivalsPart } from './ArrivalsPart'
import { AuditBroken } from './AuditBroken'
import { AuditFailed } from './AuditFailed'
import { AuditForm } from './AuditForm'
import { AuditReportView } from './AuditReportView'
import { Elsewhere } from './Elsewhere'
import { Paused } from './Paused'
import { Running } from './Running'

/** The audit of the whole open database: how far it is, and what the last one found out. */
export function AuditPane() {
  const database = useAtomValue(databaseAtom)
  const { state, report } = useAtomValue(deepAuditAtom)
  const read = useSetAtom(readDeepAuditAtom)
  const isUnread = state.kind === 'unread'
  useEffect(() => {
    if (database !== null && isUnread) void read()
  }, [database, isUnread, read])
  const title = useKeptFocus(state.kind)
  if (database === null) {
    return <EmptyState text="Choose one in the bar above." title="No database is open" />
  }
  return (
    <div className="grid max-w-[760px] grid-cols-1 gap-5">
      <section aria-labelledby="audit-title" className="grid grid-cols-1 gap-3 print:hidden">
        <h2 className="break-words font-medium text-lg" id="audit-title" ref={title} tabIndex={-1}>
          Deep audit of <SafeName text={database} />
        </h2>
        <p className="text-muted">
          Reads every transaction from the first to the newest, computes all hashes again in this
          browser and compares the end with the trusted state. It works in the background of this
          tab, can be paused, and goes on after a reload.
        </p>
        {state.kind === 'unread' && <Skeleton lines={3} />}
        {state.kind === 'running' && <Running state={state} />}
        {state.kind === 'paused' && <Paused at={state.at} progress={state.progress} />}
        {state.kind === 'elsewhere' && <Elsewhere />}
        {state.kind === 'failed' && <AuditFailed state={state} />}
        {state.kind === 'broken' && <AuditBroken {...state} />}
        {(state.kind === 'idle' || state.kind === 'finished') && <AuditForm report={report} />}
      </section>
      <ArrivalsPart />
      {report && <AuditReportView report={report} />}
    </div>
  )
}

/** What was pressed is gone with the state it belonged to: the title takes the focus it had. */
function useKeptFocus(kind: DeepAuditState['kind']) {
  const title = useRef<HTMLHeadingElement>(null)
  const before = useRef(kind)
  useEffect(() => {
    const isOpened = before.current === 'unread'
    before.current = kind
    if (isOpened || document.activeElement !== document.body) return
    title.current?.focus({ preventScroll: true })
  }, [kind])
  return title
}
