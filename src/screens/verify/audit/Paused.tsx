import { useAtomValue, useSetAtom } from 'jotai'
import { dropDeepAuditAtom, resumeDeepAuditAtom } from '~/atoms/audit/deep-audit'
import type { RestingProgress } from '~/atoms/audit/record'
import { timezoneAtom } from '~/atoms/view'
import { formatMoment, formatTx } from '~/lib/text'
import { Button } from '~/ui/Button'
import { RunIcon } from '~/ui/Icon'
import { Bar } from './Bar'

/** An audit that rests, and the two ways on from there. */
export function Paused({ progress, at }: { progress: RestingProgress; at: number }) {
  const zone = useAtomValue(timezoneAtom)
  return (
    <div className="grid grid-cols-1 gap-3 rounded-lg border border-line bg-panel px-4 py-3">
      <p className="font-medium">
        Paused at transaction {formatTx(progress.txId)} of {formatTx(progress.last)}
      </p>
      <Bar {...progress} isResting />
      <p className="text-muted text-sm">
        {progress.withValues ? 'With values' : 'Digests only'} · resting since{' '}
        {formatMoment(at, zone)}
      </p>
      <RestingActions />
    </div>
  )
}

export function RestingActions() {
  const resume = useSetAtom(resumeDeepAuditAtom)
  const drop = useSetAtom(dropDeepAuditAtom)
  return (
    <div className="flex flex-wrap gap-2">
      <Button icon={<RunIcon />} onClick={() => void resume()} variant="primary">
        Continue
      </Button>
      <Button onClick={() => void drop()}>Start over…</Button>
    </div>
  )
}
