import { useAtomValue } from 'jotai'
import { type ReactNode, useRef, useState } from 'react'
import { type AuditList, auditListsAtom, eventsOf } from '~/atoms/auditlog/event-list'
import { isFiltered } from '~/atoms/auditlog/filter'
import { isAuditReaderAtom } from '~/atoms/auditlog/reader'
import { auditScans } from '~/atoms/auditlog/scan'
import { useAct } from '~/core/act'
import { sentence, technicalDetails } from '~/core/session/failure-words'
import { lackingAtom } from '~/core/session/server-version'
import type { AuditEvent } from '~/immudb/audit-event'
import { pageSizes } from '~/lib/constants'
import { Button } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { ErrorNote } from '~/ui/ErrorNote'
import { GuideLink } from '~/ui/GuideLink'
import { AuditIcon } from '~/ui/Icon'
import { SectionBoundary } from '~/ui/SectionBoundary'
import { Skeleton } from '~/ui/Skeleton'
import { AuditBar } from './AuditBar'
import { AuditGrid } from './AuditGrid'
import { useAuditAddress } from './address'
import { EventSheet } from './EventSheet'
import { ListFoot, ScanFoot } from './ListFoot'
import { People } from './People'

/** What the server noted about the calls that it took, newest first. */
export default function AuditLogScreen() {
  const isReader = useAtomValue(isAuditReaderAtom)
  const lacks = useAtomValue(lackingAtom)('auditLog')
  return (
    <section aria-label="Audit log of the server" className="flex h-full min-h-0 flex-col bg-panel">
      {lacks === undefined ? isReader ? <Log /> : <NoPermission /> : <NeverKept text={lacks} />}
    </section>
  )
}

function NeverKept({ text }: { text: string }) {
  return (
    <>
      <h1 className="sr-only">Audit log</h1>
      <EmptyState icon={<AuditIcon />} text={text} title="This server keeps no audit log" />
    </>
  )
}

function NoPermission() {
  return (
    <>
      <h1 className="sr-only">Audit log</h1>
      <EmptyState
        icon={<AuditIcon />}
        text="The audit log is in systemdb, next to the hashes of all passwords. You need a permission on systemdb, such as the user immudb has."
        title="You may not read the audit log"
      />
    </>
  )
}

function Log() {
  const { filter, range } = useAuditAddress()
  const name = JSON.stringify([filter, range])
  return (
    <SectionBoundary details={technicalDetails} isPane resetKey={name} what="The audit log">
      {isFiltered(filter) ? <Matches key={name} /> : <Whole key={name} />}
    </SectionBoundary>
  )
}

/** Every event of the range, as far as it is scrolled to. */
function Whole() {
  const { range } = useAuditAddress()
  const { listAtom, open, readRows } = useAtomValue(auditListsAtom)(
    String(range.from ?? ''),
    String(range.to ?? ''),
  )
  const list = useAtomValue(listAtom)
  const renew = useAct(open)
  const readSight = useAct(readRows)
  const sight = useRef({ first: 0, last: 0 })
  const read = () => void readSight(sight.current)
  const events = eventsOf(list)
  const isEverything = range.from === null && range.to === null
  if (list.state === 'open' && list.count === 0 && isEverything) return <NoLog onRenew={renew} />
  return (
    <Frame events={events} isBusy={list.state === 'reading'} onRenew={renew}>
      {list.state === 'reading' && <Reading />}
      {list.state === 'failed' && <Failed error={list.failure} onRetry={renew} />}
      {list.state === 'open' && list.count === 0 && <NothingThen />}
      {list.state === 'open' && list.count > 0 && (
        <>
          <EventGrid
            count={list.count}
            eventAt={(index) => eventIn(list, index)}
            events={events}
            isWhole={list.isWhole}
            onRange={(first, last) => {
              sight.current = { first, last }
              read()
            }}
          />
          <ListFoot list={list} onRetry={read} />
        </>
      )}
    </Frame>
  )
}

function eventIn({ pages }: AuditList, index: number): AuditEvent | undefined {
  return pages.get(Math.floor(index / pageSizes.events))?.[index % pageSizes.events]
}

/** Events that fit a filter, as far as was looked. */
function Matches() {
  const { filter, range } = useAuditAddress()
  const names = [JSON.stringify(filter), JSON.stringify(range)]
  const asked = useAtomValue(useAtomValue(auditScans.listsAtom)(...names))
  const more = useAct(auditScans.more)
  const stop = useAct(auditScans.stop)
  const { data: scan, error, problem, isFetching, isAdding } = asked
  const isFirst = isFetching && !scan
  const renew = () => void asked.refetch()
  const isRead = scan !== undefined && scan.looked > 0
  return (
    <Frame events={scan?.found ?? []} isBusy={isFirst} onRenew={renew}>
      {isFirst && <Reading />}
      {!scan && error && <Failed error={error} onRetry={renew} />}
      {scan && !isRead && scan.isWhole && <NothingThen />}
      {isRead && scan.found.length === 0 && (
        <div className="min-h-0 grow overflow-auto">
          <EmptyState
            icon={<AuditIcon />}
            text="None of the events looked at fits the filter."
            title="No such events so far"
          />
        </div>
      )}
      {isRead && scan.found.length > 0 && (
        <EventGrid
          count={scan.found.length}
          eventAt={(index) => scan.found[index]}
          events={scan.found}
          isWhole={scan.isWhole}
        />
      )}
      {isRead && (
        <ScanFoot
          failure={error ?? problem}
          isBusy={isFetching || isAdding}
          onFurther={() => void more(...names)}
          onStop={() => stop(...names)}
          scan={scan}
        />
      )}
    </Frame>
  )
}

type FrameProps = {
  events: readonly AuditEvent[]
  isBusy: boolean
  onRenew: () => void
  children: ReactNode
}

function Frame({ events, isBusy, onRenew, children }: FrameProps) {
  return (
    <>
      <AuditBar isBusy={isBusy} onRenew={onRenew} />
      {events.length > 0 && <People events={events} />}
      {children}
    </>
  )
}

type EventGridProps = Omit<Parameters<typeof AuditGrid>[0], 'onOpen'>

/** The grid, and the event that is opened from it. */
function EventGrid(props: EventGridProps) {
  const [opened, setOpened] = useState<AuditEvent | null>(null)
  return (
    <>
      <AuditGrid {...props} onOpen={setOpened} />
      {opened && <EventSheet event={opened} onClose={() => setOpened(null)} />}
    </>
  )
}

function Reading() {
  return (
    <div className="p-3">
      <Skeleton label="Reading the audit log" lines={8} />
    </div>
  )
}

function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div className="p-3">
      <ErrorNote
        details={technicalDetails(error)}
        notDone="The audit log could not be read."
        onRetry={onRetry}
        title={sentence(error)}
      />
    </div>
  )
}

function NothingThen() {
  return (
    <EmptyState
      icon={<AuditIcon />}
      text="The audit log has no event in this range."
      title="No events"
    />
  )
}

/** There is nothing to filter. */
function NoLog({ onRenew }: { onRenew: () => void }) {
  return (
    <>
      <h1 className="sr-only">Audit log</h1>
      <EmptyState
        action={
          <span className="flex flex-wrap items-center justify-center gap-4">
            <Button onClick={onRenew}>Look again</Button>
            <GuideLink to="operate-audit-log">The audit log in the guide</GuideLink>
          </span>
        }
        icon={<AuditIcon />}
        text={
          <>
            This server keeps no audit log. Start it with{' '}
            <code translate="no" className="font-mono xs:whitespace-nowrap">
              --audit-log
            </code>
            , such as{' '}
            <code translate="no" className="font-mono xs:whitespace-nowrap">
              immudb --audit-log
            </code>
            . It then records each call, but none from before.
          </>
        }
        title="No audit log"
      />
    </>
  )
}
