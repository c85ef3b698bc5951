import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { useAct } from '~/core/act'
import { timezoneAtom } from '~/core/page-view'
import { formatTx } from '~/lib/text'
import { formatMoment, formatUptime } from '~/lib/time'
import type { RestingProgress } from '~/trust/audit/audit-record'
import { dropDeepAudit, resumeDeepAudit } from '~/trust/audit/deep-audit'
import { AskDialog } from '~/ui/AskDialog'
import { Button } from '~/ui/Button'
import { RunIcon } from '~/ui/Icon'
import { AuditBar } from '../../proof/AuditBar'

/** A paused audit: continue it, or start over. */
export function PausedAudit({ progress, at }: { progress: RestingProgress; at: number }) {
  const zone = useAtomValue(timezoneAtom)
  return (
    <div className="grid grid-cols-1 gap-3 rounded-lg border border-line bg-panel px-4 py-3">
      <p className="font-medium">
        Paused at transaction {formatTx(progress.txId)} of {formatTx(progress.last)}
      </p>
      <AuditBar {...progress} isResting />
      <p className="text-muted text-sm">
        {progress.withValues ? 'With values' : 'Digests only'} · paused since{' '}
        {formatMoment(at, zone)}
      </p>
      <RestingActions progress={progress} />
    </div>
  )
}

export function RestingActions({ progress }: { progress: RestingProgress }) {
  const resume = useAct(resumeDeepAudit)
  const [isAsked, setAsked] = useState(false)
  return (
    <div className="flex flex-wrap gap-2">
      <Button icon={<RunIcon />} onClick={() => void resume()} variant="primary">
        Continue
      </Button>
      <Button onClick={() => setAsked(true)}>Start over…</Button>
      {isAsked && <StartOverDialog onClose={() => setAsked(false)} progress={progress} />}
    </div>
  )
}

type Props = { progress: Pick<RestingProgress, 'txId' | 'active'>; onClose: () => void }

/** Asks before the work of a paused audit is lost. */
function StartOverDialog({ progress: { txId, active }, onClose }: Props) {
  const drop = useAct(dropDeepAudit)
  return (
    <AskDialog
      action="Give it up"
      description={`The audit got as far as transaction ${formatTx(txId)} in ${formatUptime(active)} of work and can continue from there. The next one starts over instead. The report of the last finished audit stays.`}
      failure={{
        title: 'This browser could not forget it.',
        notDone: 'The progress is still there.',
      }}
      isDanger
      onAction={drop}
      onClose={onClose}
      title="Give up the progress of this audit?"
    />
  )
}
