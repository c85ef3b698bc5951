import { useAtomValue, useSetAtom } from 'jotai'
import {
  continueImportAtom,
  endImportAtom,
  isImportSlowAtom,
  pauseImportAtom,
} from '~/atoms/tables/import'
import { committedText } from '~/atoms/tables/import-progress'
import type { ImportRun } from '~/atoms/tables/import-state'
import { formatSize } from '~/lib/size'
import { counted, formatCount } from '~/lib/text'
import { formatElapsed } from '~/lib/time'
import { Button } from '~/ui/Button'
import { Dialog } from '~/ui/Dialog'
import { Fact, Facts } from '~/ui/Facts'
import { ProgressBar } from '~/ui/ProgressBar'
import { SafeName, SafeText } from '~/ui/SafeText'
import { Receipt } from '../../proof/Receipt'
import { StopNote } from './StopNote'

type Props = { run: ImportRun; onClose: () => void }

/** How far an import is: what is committed, and what to do when it stops. */
export function ImportRunDialog({ run, onClose }: Props) {
  const { plan, progress, phase, stop, isKept } = run
  const isUnderWay = phase === 'running' || phase === 'stopping' || phase === 'checking'
  const last = progress.txs.at(-1)?.to
  const share = plan.rows === 0 ? 1 : progress.row / plan.rows
  const end = useSetAtom(endImportAtom)
  const close = () => {
    if (phase === 'done') void end()
    onClose()
  }
  return (
    <Dialog
      description={
        <>
          <SafeName text={plan.file.name} /> into <SafeName text={plan.target.table} />
        </>
      }
      footer={<Actions onClose={close} run={run} />}
      onClose={close}
      open
      persistent={isUnderWay}
      title={titles[phase]}
      width="wide"
    >
      <div className="space-y-4">
        <ProgressBar isResting={!isUnderWay} label="Imported rows" share={share} />
        <Figures run={run} />
        <p role="status">{committedText(progress)}</p>
        {phase === 'done' && last !== undefined && (
          <Receipt database={plan.database} of="import" tx={last} />
        )}
        {stop && <StopNote stop={stop} />}
        <Names run={run} />
        {!isKept && phase !== 'done' && (
          <p className="text-sm text-warning">
            This browser stores nothing, so the import cannot continue after a reload.
          </p>
        )}
      </div>
    </Dialog>
  )
}

/** The columns that are not called as in the file, with both names. */
function Names({ run: { heads, plan } }: Pick<Props, 'run'>) {
  const others = plan.target.columns.filter(({ name, from }) => heads[from] && heads[from] !== name)
  if (others.length === 0) return null
  return (
    <details className="text-sm">
      <summary className="cursor-pointer">
        {counted(others.length, 'column has', 'columns have')} another name than in the file
      </summary>
      <ul aria-label="Names in the file and in the table" className="max-h-40 overflow-auto pt-1">
        {others.map(({ name, from }) => (
          <li className="[overflow-wrap:anywhere]" key={name}>
            <SafeText text={heads[from] ?? ''} /> → <SafeName text={name} />
          </li>
        ))}
      </ul>
    </details>
  )
}

const titles = {
  running: 'Importing',
  stopping: 'Importing: stops after this transaction',
  checking: 'Importing: looking at the table',
  stopped: 'Import stopped',
  done: 'Import complete',
} as const

function Actions({ run: { phase, stop }, onClose }: Props) {
  const pause = useSetAtom(pauseImportAtom)
  const goOn = useSetAtom(continueImportAtom)
  const end = useSetAtom(endImportAtom)
  if (phase === 'done') {
    return (
      <Button onClick={onClose} variant="primary">
        Close
      </Button>
    )
  }
  if (phase !== 'stopped') {
    const isStopping = phase !== 'running'
    return (
      <Button busy={isStopping} onClick={() => pause()}>
        Pause
      </Button>
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
      <Button onClick={onClose}>Continue later</Button>
      {!mustDecide && (
        <Button onClick={() => void goOn()} variant="primary">
          Continue
        </Button>
      )}
    </>
  )
}

/** Rows, bytes, rate and remaining time. */
function Figures({ run: { plan, progress, bytes, since, took, phase } }: Pick<Props, 'run'>) {
  const isSlow = useAtomValue(isImportSlowAtom)
  const rows = progress.row - since.row
  const ms = took ?? performance.now() - since.at
  const rate = ms > 0 ? rows / (ms / 1_000) : 0
  const left = rate > 0 ? ((plan.rows - progress.row) / rate) * 1_000 : null
  return (
    <Facts>
      <Fact name="Rows">
        {formatCount(progress.row)} of {formatCount(plan.rows)}
      </Fact>
      <Fact name="Read">
        {formatSize(bytes)} of {formatSize(plan.file.size)}
      </Fact>
      <Fact name="Rate">{rows > 0 ? `${counted(Math.round(rate), 'row')}/s` : '–'}</Fact>
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
