import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { type AuditList, eventsOf, mostRows } from '~/atoms/auditlog/event-list'
import { type AuditMatches, mostMatches } from '~/atoms/auditlog/scan'
import { timezoneAtom } from '~/core/page-view'
import { sentence } from '~/core/session/failure-words'
import { type AuditEvent, eventTime } from '~/immudb/audit-event'
import { counted, formatCount } from '~/lib/text'
import { formatMoment } from '~/lib/time'
import { Button } from '~/ui/Button'
import { Sentence } from '~/ui/Sentence'
import { useAuditAddress, writeTime } from './address'

/** How far the list was read. */
export function ListFoot({ list, onRetry }: { list: AuditList; onRetry: () => void }) {
  const { count, isWhole, failure } = list
  const { range } = useAuditAddress()
  const isFull = !isWhole && count >= mostRows
  const whole = range.from === null && range.to === null ? 'the whole log' : 'all of this range'
  return (
    <Foot
      actions={
        <>
          {failure !== null && (
            <Button onClick={onRetry} size="small">
              Try again
            </Button>
          )}
          {isFull && <Earlier after={eventsOf(list).at(-1)} />}
        </>
      }
      failure={failure}
    >
      {isWhole
        ? `${counted(count, 'event')}. That is ${whole}.`
        : `${formatCount(count)} events so far. More follow.`}
    </Foot>
  )
}

type ScanProps = {
  scan: AuditMatches
  isBusy: boolean
  /** Why it was not looked further; null for nothing. */
  failure: unknown
  onFurther: () => void
  onStop: () => void
}

/** How far was looked for events that fit. */
export function ScanFoot({ scan, isBusy, failure, onFurther, onStop }: ScanProps) {
  const zone = useAtomValue(timezoneAtom)
  const { found, looked, last, isWhole } = scan
  const time = last && eventTime(last)
  const isFull = found.length >= mostMatches
  return (
    <Foot
      actions={
        isBusy ? (
          <Button onClick={onStop} size="small">
            Stop
          </Button>
        ) : (
          !isWhole &&
          (isFull ? (
            <Earlier after={last ?? undefined} />
          ) : (
            <Button onClick={onFurther} size="small">
              Look further
            </Button>
          ))
        )
      }
      failure={failure}
    >
      {counted(found.length, 'match', 'matches')}. Looked at {counted(looked, 'event')}
      {typeof time === 'number' && `, back to ${formatMoment(time, zone)}`}.
      {isWhole && ' That is all of them.'}
      {isBusy && ' Looking further…'}
    </Foot>
  )
}

type FootProps = { children: ReactNode; failure: unknown; actions: ReactNode }

function Foot({ children, failure, actions }: FootProps) {
  return (
    <footer className="flex min-h-10 shrink-0 flex-wrap items-center gap-2 border-line border-t px-3 py-1 text-muted text-sm">
      <span role="status">{children}</span>
      {failure !== null && (
        <span className="text-error">
          <Sentence text={sentence(failure)} />
        </span>
      )}
      <span className="ms-auto flex gap-2">{actions}</span>
    </footer>
  )
}

/** Begins again with the last event that is shown, so that a list does not grow without end. */
function Earlier({ after }: { after: AuditEvent | undefined }) {
  const { set } = useAuditAddress()
  const time = after && eventTime(after)
  if (typeof time !== 'number') return null
  return (
    <Button onClick={() => set({ to: writeTime(time) })} size="small">
      Continue from here
    </Button>
  )
}
