import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { useAct } from '~/core/act'
import type { Upload, UploadRun } from '~/core/upload'
import { capital, committedText } from '~/core/upload-progress'
import type { UploadPlan } from '~/core/upload-records'
import { formatSize } from '~/lib/size'
import { counted, formatCount } from '~/lib/text'
import { formatElapsed } from '~/lib/time'
import { Button } from '~/ui/Button'
import { Dialog } from '~/ui/Dialog'
import { Fact, Facts } from '~/ui/Facts'
import { ProgressBar } from '~/ui/ProgressBar'
import { SafeName } from '~/ui/SafeText'
import { Receipt } from '../proof/Receipt'
import { StopNote } from './StopNote'

type Props = {
  upload: Upload
  run: UploadRun<UploadPlan, unknown>
  onClose: () => void
  /** What else is to be known of it. */
  children?: ReactNode
}

/** How far an import is: what is committed, and what to do when it stops. */
export function UploadDialog({ upload, run, onClose, children }: Props) {
  const { plan, progress, phase, stop, isKept } = run
  const isResting = phase === 'stopped' || phase === 'done'
  const last = progress.txs.at(-1)?.to
  const share = plan.items === 0 ? 1 : progress.item / plan.items
  const end = useAct(upload.end)
  const close = () => {
    if (phase === 'done') void end()
    onClose()
  }
  return (
    <Dialog
      description={
        <>
          <SafeName text={plan.file.name} /> into <SafeName text={plan.into} />
        </>
      }
      footer={<Actions onClose={close} run={run} upload={upload} />}
      onClose={close}
      open
      title={titles[phase]}
      width="wide"
    >
      <div className="space-y-4">
        <ProgressBar isResting={isResting} label={`Imported ${upload.words.many}`} share={share} />
        <Figures run={run} upload={upload} />
        <p role="status">{committedText(progress, upload.words)}</p>
        {isResting && last !== undefined && (
          <Receipt database={plan.database} of="import" tx={last} />
        )}
        {stop && <StopNote stop={stop} upload={upload} />}
        {children}
        {!isKept && phase !== 'done' && (
          <p className="text-sm text-warning">
            This browser stores nothing, so the import cannot continue after a reload.
          </p>
        )}
      </div>
    </Dialog>
  )
}

const titles = {
  running: 'Importing',
  stopping: 'Importing: stops after this transaction',
  checking: 'Importing: looking at what is there',
  stopped: 'Import stopped',
  done: 'Import complete',
} as const

/** What only closes stays the same button: who is about to press it when it stops gives nothing up. */
function Actions({ upload, run: { phase, stop }, onClose }: Omit<Props, 'children'>) {
  const pause = useAct(upload.pause)
  const goOn = useAct(upload.goOn)
  const end = useAct(upload.end)
  if (phase === 'done') {
    return (
      <Button key="leave" onClick={onClose} variant="primary">
        Close
      </Button>
    )
  }
  if (phase !== 'stopped') {
    return (
      <>
        <Button key="leave" onClick={onClose}>
          Hide
        </Button>
        <Button busy={phase !== 'running'} onClick={() => pause()}>
          Pause
        </Button>
      </>
    )
  }
  const mustDecide = stop?.kind === 'unknown' && stop.mustDecide
  return (
    <>
      <Button
        onClick={() => {
          void end()
          onClose()
        }}
      >
        Cancel import
      </Button>
      <Button key="leave" onClick={onClose}>
        Continue later
      </Button>
      {!mustDecide && (
        <Button onClick={() => void goOn()} variant="primary">
          Continue
        </Button>
      )}
    </>
  )
}

/** Items, bytes, rate and remaining time. */
function Figures({ upload, run }: Pick<Props, 'upload' | 'run'>) {
  const { plan, progress, bytes, since, took, phase } = run
  const isSlow = useAtomValue(upload.isSlowAtom)
  const { one, many } = upload.words
  const items = progress.item - since.item
  const ms = took ?? performance.now() - since.at
  const rate = ms > 0 ? items / (ms / 1_000) : 0
  const left = rate > 0 ? ((plan.items - progress.item) / rate) * 1_000 : null
  return (
    <Facts>
      <Fact name={capital(many)}>
        {formatCount(progress.item)} of {formatCount(plan.items)}
      </Fact>
      {bytes > 0 && (
        <Fact name="Read">
          {formatSize(bytes)} of {formatSize(plan.file.size)}
        </Fact>
      )}
      <Fact name="Rate">{items > 0 ? `${counted(Math.round(rate), one, many)}/s` : '–'}</Fact>
      {phase === 'running' && (
        <Fact name="Remaining">
          {isSlow
            ? 'The server has not finished the transaction yet.'
            : left === null
              ? '–'
              : `about ${formatElapsed(Math.ceil(left / 1_000) * 1_000)}`}
        </Fact>
      )}
      {took !== null && <Fact name="Time">{formatElapsed(took)}</Fact>}
    </Facts>
  )
}
