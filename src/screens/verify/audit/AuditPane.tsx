import { useAtomValue } from 'jotai'
import { useEffect, useRef, useState } from 'react'
import { useAct } from '~/core/act'
import { timezoneAtom } from '~/core/page-view'
import { technicalDetails } from '~/core/session/failure-words'
import { databaseAtom } from '~/core/session/session'
import { formatSize } from '~/lib/size'
import { counted, formatCount, formatTx } from '~/lib/text'
import { formatMoment, formatUptime } from '~/lib/time'
import type { TimeZoneChoice } from '~/lib/time-zone'
import type { AuditProgress } from '~/proof/audit-messages'
import type { AuditReport } from '~/trust/audit/audit-record'
import {
  beginDeepAudit,
  type DeepAuditState,
  deepAuditAtom,
  leaveDeepAudit,
  pauseDeepAudit,
  readDeepAudit,
  type Waiting,
} from '~/trust/audit/deep-audit'
import { writeEvidenceFile } from '~/trust/evidence-file'
import { type Trust, trustAtom } from '~/trust/trust'
import type { Break } from '~/trust/trust-record'
import type { Verification } from '~/trust/verification'
import { Button } from '~/ui/Button'
import { Checkbox } from '~/ui/Checkbox'
import { EmptyState } from '~/ui/EmptyState'
import { ErrorNote } from '~/ui/ErrorNote'
import { FactLine } from '~/ui/Facts'
import { InfoIcon, RunIcon, WarningIcon } from '~/ui/Icon'
import { SafeName, SafeText } from '~/ui/SafeText'
import { SaveButton } from '~/ui/SaveButton'
import { Sentence } from '~/ui/Sentence'
import { Skeleton } from '~/ui/Skeleton'
import { remainingWords } from '~/words/audit'
import { AuditBar } from '../../proof/AuditBar'
import { RefusalNote } from '../../proof/RefusalNote'
import { VerifyPageOffer } from '../../proof/VerifyPageOffer'
import { ArrivalsPart } from './ArrivalsPart'
import { AuditReportView } from './AuditReportView'
import { PausedAudit, RestingActions } from './PausedAudit'

// Outside React: storage.

/** The audit of the whole open database: how far it is, and what the last one found out. */
export function AuditPane() {
  const database = useAtomValue(databaseAtom)
  const { state, report } = useAtomValue(deepAuditAtom)
  const read = useAct(readDeepAudit)
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
          Reads every transaction and calculates all hashes again. The end must be the trusted
          state. Can be paused, and continues after a reload.
        </p>
        {state.kind === 'unread' && <Skeleton lines={3} />}
        {state.kind === 'running' && <Running state={state} />}
        {state.kind === 'paused' && <PausedAudit at={state.at} progress={state.progress} />}
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

/** What the audit, or something before it, found wrong; the trusted state's record has it, too. */
function AuditBroken({ broken, isBefore }: { broken: Break; isBefore: boolean }) {
  const { reason, step, part, expected, received, what, verification } = broken
  return (
    <>
      <RefusalNote
        expected={expected || null}
        part={part}
        reason={reason}
        received={received || null}
        step={step}
      />
      <p>
        Found in <SafeText text={what} />.{' '}
        {isBefore
          ? 'No audit was begun: it would have to end at a trusted state that is in doubt. Choose “Resolve…” in the red bar first.'
          : 'The trusted state stays where it was, and every screen says that this history is broken until the alarm ends.'}
      </p>
      <div className="flex flex-wrap gap-2">
        {verification && <SaveProof proof={verification} />}
        <Back />
      </div>
    </>
  )
}

/** Saves a verification as one file that can be checked elsewhere. */
function SaveProof({ proof }: { proof: Verification }) {
  const write = useAct(writeEvidenceFile)
  return (
    <div className="flex flex-wrap gap-2">
      <SaveButton
        details={technicalDetails}
        saved={<VerifyPageOffer />}
        text="Save evidence"
        write={async () => [await write(proof)]}
      />
    </div>
  )
}

/** An audit that could not continue; nothing was found wrong with the history. */
function AuditFailed({ state }: { state: Extract<DeepAuditState, { kind: 'failed' }> }) {
  const { words, advice, details, progress } = state
  return (
    <>
      <ErrorNote
        advice={
          progress
            ? `It got as far as transaction ${formatTx(progress.txId)} and can continue from there.`
            : advice || undefined
        }
        notDone="The audit stopped. This says nothing about the history."
        title={words}
        {...(details && { details })}
      />
      {progress ? <RestingActions progress={progress} /> : <Back />}
    </>
  )
}

/** What to audit, and the start of it. */
function AuditForm({ report }: { report: AuditReport | null }) {
  const start = useAct(beginDeepAudit)
  const [withValues, setWithValues] = useState(true)
  const [isSince, setSince] = useState(false)
  const trust = useAtomValue(trustAtom)
  const zone = useAtomValue(timezoneAtom)
  const from = report && isSince ? 'last' : 'start'
  return (
    <div className="grid grid-cols-1 justify-items-start gap-2 rounded-lg border border-line bg-panel px-4 py-3">
      <Checkbox
        checked={withValues}
        hint="Quicker without: digests and definitions of tables only."
        label="Read the values, too"
        onChange={setWithValues}
      />
      {report && (
        <Checkbox
          checked={isSince}
          hint={newWords(report, newestOf(trust), zone)}
          label="Check only what is new"
          onChange={setSince}
        />
      )}
      <div className="mt-1">
        <Button
          icon={<RunIcon />}
          onClick={() => void start({ withValues, from })}
          variant="primary"
        >
          Start the audit
        </Button>
      </div>
    </div>
  )
}

const newestOf = (trust: Trust) => ('record' in trust ? (trust.record?.point.txId ?? null) : null)

/** What such an audit reads, and what it leaves to the one before. */
function newWords({ point, finishedAt }: AuditReport, newest: string | null, zone: TimeZoneChoice) {
  const end = formatTx(point.txId)
  const count = newest === null ? null : BigInt(newest) - BigInt(point.txId)
  const earlier = `Earlier audits, the last of ${formatMoment(finishedAt, zone)}, read the transactions before that.`
  if (count === null || count < 0n) return `Starts after transaction ${end}. ${earlier}`
  if (count === 0n) return `Nothing is new after transaction ${end}. ${earlier}`
  return `Reads ${counted(count, 'transaction')} after transaction ${end}. ${earlier}`
}

/** Another tab of this browser runs the audit; it says so when it ends. */
function Elsewhere() {
  const look = useAct(leaveDeepAudit)
  return (
    <div className="grid grid-cols-1 gap-3 rounded-lg border border-line bg-panel px-4 py-3">
      <p className="font-medium">This audit runs in another tab of this browser</p>
      <p className="text-muted text-sm">
        Pause it there to continue it here. Its report is shown here, too, once it has ended.
      </p>
      <div>
        <Button onClick={() => look()}>Look again</Button>
      </div>
    </div>
  )
}

type Props = { state: Extract<DeepAuditState, { kind: 'running' }> }

/** An audit at work. */
function Running({ state: { progress, waiting } }: Props) {
  const pause = useAct(pauseDeepAudit)
  return (
    <div className="grid grid-cols-1 gap-3 rounded-lg border border-line bg-panel px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <p className="font-medium">
          {progress ? <Place progress={progress} /> : 'Checking the newest state…'}
        </p>
        <span className="ms-auto">
          <Button onClick={() => void pause()} size="small">
            Pause
          </Button>
        </span>
      </div>
      {progress && <AuditBar {...progress} />}
      {progress && <Speed isWaiting={waiting !== null} progress={progress} />}
      {waiting && <WaitingNote waiting={waiting} />}
      {progress && <Counts progress={progress} />}
    </div>
  )
}

function Place({ progress: { txId, last, step } }: { progress: AuditProgress }) {
  if (step === 'tables') return 'Comparing the tables with what the server says of them…'
  return `Transaction ${formatTx(txId)} of ${formatTx(last)}`
}

type SpeedProps = { progress: AuditProgress; isWaiting: boolean }

function Speed({ progress, isWaiting }: SpeedProps) {
  const { rate, active, last, txId, pending, step } = progress
  // What waits for the server has no speed, and nobody knows when it ends.
  const isMoving = step === 'transactions' && !isWaiting
  const left = Number(BigInt(last) - BigInt(txId))
  const parts = [
    isMoving && rate > 0 && `${formatCount(Math.round(rate))} transactions/s`,
    isMoving && remainingWords(left, rate),
    pending > 0 && `${counted(pending, 'proof')} still to be asked for`,
    `running for ${formatUptime(active)}`,
  ]
  return <p className="text-muted text-sm">{parts.filter(Boolean).join(' · ')}</p>
}

function WaitingNote({ waiting: { why, words } }: { waiting: Waiting }) {
  const isToken = why === 'token'
  return (
    <p className="flex gap-2 text-sm" role="status">
      <span className="flex h-5 shrink-0 items-center text-warning">
        {isToken ? <InfoIcon /> : <WarningIcon />}
      </span>
      <span>
        {isToken ? 'The session has ended. Log in again, and the audit continues from here. ' : ''}
        <Sentence text={words} />
        {isToken ? '' : ' The console tries again until it answers.'}
      </span>
    </p>
  )
}

function Counts({
  progress: { entries, counts, exceptions, withValues },
}: {
  progress: AuditProgress
}) {
  const lacking = Object.values(exceptions.counts).reduce((sum, count) => sum + count, 0)
  return (
    <dl className="grid gap-1 text-sm">
      <FactLine name="Entries">{formatCount(entries)}</FactLine>
      {withValues && (
        <>
          <FactLine name="Values read">
            {formatCount(counts.values)}, {formatSize(counts.bytes)}
          </FactLine>
          <FactLine name="Documents">{formatCount(counts.documents)}</FactLine>
          <FactLine name="Values not read">{formatCount(lacking)}</FactLine>
        </>
      )}
      {!withValues && lacking > 0 && <FactLine name="Not seen">{formatCount(lacking)}</FactLine>}
    </dl>
  )
}

/** Leads back to the start of an audit. */
function Back() {
  const leave = useAct(leaveDeepAudit)
  return (
    <div>
      <Button onClick={() => leave()}>Back</Button>
    </div>
  )
}
