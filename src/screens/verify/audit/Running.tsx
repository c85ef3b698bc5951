import { useSetAtom } from 'jotai'
import { type DeepAuditState, pauseDeepAuditAtom, type Waiting } from '~/atoms/audit/deep-audit'
import { remainingWords } from '~/lib/audit-words'
import { formatUptime } from '~/lib/duration'
import { formatSize } from '~/lib/size'
import { counted, formatCount, formatTx } from '~/lib/text'
import type { AuditProgress } from '~/proof/audit-messages'
import { Button } from '~/ui/Button'
import { InfoIcon, WarningIcon } from '~/ui/Icon'
import { SafeText } from '~/ui/SafeText'
import { Fact } from '../Fact'
import { Bar } from './Bar'

type Props = { state: Extract<DeepAuditState, { kind: 'running' }> }

/** An audit at work. */
export function Running({ state: { progress, waiting } }: Props) {
  const pause = useSetAtom(pauseDeepAuditAtom)
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
      {progress && <Bar {...progress} />}
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
        {isToken ? 'The session is over. Sign in again and the audit goes on from here. ' : ''}
        <SafeText text={words} />
        {isToken ? '' : ' It is tried again until it answers.'}
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
      <Fact name="Entries">{formatCount(entries)}</Fact>
      {withValues && (
        <>
          <Fact name="Values read">
            {formatCount(counts.values)}, {formatSize(counts.bytes)}
          </Fact>
          <Fact name="Documents">{formatCount(counts.documents)}</Fact>
          <Fact name="By digest only">{formatCount(lacking)}</Fact>
        </>
      )}
      {!withValues && lacking > 0 && <Fact name="Not seen">{formatCount(lacking)}</Fact>}
    </dl>
  )
}
