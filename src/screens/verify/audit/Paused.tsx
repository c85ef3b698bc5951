import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { resumeDeepAuditAtom } from '~/atoms/audit/actions'
import type { RestingProgress } from '~/atoms/audit/record'
import { timezoneAtom } from '~/atoms/settings/view'
import { formatMoment, formatTx } from '~/lib/text'
import { Button } from '~/ui/Button'
import { RunIcon } from '~/ui/Icon'
import { Bar } from './Bar'
import { StartOverDialog } from './StartOverDialog'

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
      <RestingActions progress={progress} />
    </div>
  )
}

export function RestingActions({ progress }: { progress: RestingProgress }) {
  const resume = useSetAtom(resumeDeepAuditAtom)
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
