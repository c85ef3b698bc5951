import { useAtomValue } from 'jotai'
import { describeRows, openRowProof, verifyRows } from '~/atoms/rows/proofs'
import {
  type Besides,
  type ResultProofs,
  rowProofsAtom,
  stopRows,
  summaryVerdictAtom,
} from '~/atoms/rows/row-marks'
import { useAct } from '~/core/act'
import type { RowSet } from '~/core/row-set'
import { keysOf } from '~/lib/shortcuts'
import { formatCount } from '~/lib/text'
import { toneOf } from '~/proof/verdict'
import { rowSource } from '~/sql/row-source'
import { isDescriptionOpen } from '~/trust/object-verdict'
import { Button } from '~/ui/Button'
import { InfoIcon, ShieldIcon } from '~/ui/Icon'
import { Kbd } from '~/ui/Kbd'
import { Sentence } from '~/ui/Sentence'
import { ReadDescription } from '../proof/ReadDescription'
import { VerdictIcon } from '../proof/VerdictNote'

type Props = {
  rowSet: RowSet
  selected: ReadonlySet<number>
}

/** Why no row of a result can be verified, as far as its statement tells. */
export function rowRefusal({ sql, rows }: RowSet) {
  if (rows.rowCount === 0) return 'There are no rows.'
  const found = rowSource(sql)
  return 'why' in found ? found.why : undefined
}

/** Verifies the chosen rows of a result, or all of them. */
export function VerifyBar({ rowSet, selected }: Props) {
  const { refusal, run } = useAtomValue(rowProofsAtom)(rowSet.number)
  const verify = useAct(verifyRows)
  const open = useAct(openRowProof)
  const reason = refusal ?? rowRefusal(rowSet)
  const chosen = [...selected].filter((row) => row < rowSet.rows.rowCount).sort((a, b) => a - b)
  const [only] = chosen
  const start = () => {
    if (chosen.length === 1 && only !== undefined) return open(rowSet, only)
    return verify(
      rowSet,
      chosen.length > 0 ? chosen : Array.from({ length: rowSet.rows.rowCount }, (_, row) => row),
    )
  }
  return (
    <>
      {/* Stays while it works, or the keyboard focus would be lost. */}
      <Button
        aria-label={`${words(chosen.length)}${chosen.length === 1 ? '' : ' rows'} of result ${rowSet.number}`}
        busy={run !== null}
        disabledReason={reason}
        icon={<ShieldIcon />}
        onClick={() => void start()}
        size="small"
        variant="quiet"
      >
        {words(chosen.length)}
      </Button>
      {run && <Running number={rowSet.number} run={run} />}
    </>
  )
}

/** What came of the last run over several rows, and how one is verified. */
export function VerifySummary({ rowSet, besides }: Pick<Props, 'rowSet'> & { besides?: Besides }) {
  const { refusal, run, summary, marks } = useAtomValue(rowProofsAtom)(rowSet.number)
  const describe = useAct(describeRows)
  const isUndescribed = [...marks.values()].some(
    (mark) => mark.cause === 'open' && isDescriptionOpen(mark.known),
  )
  const verdictOf = useAtomValue(summaryVerdictAtom)
  const { judged, isBroken, isForgotten, isBesideOpen } = verdictOf(rowSet, besides)
  const isRefused = refusal !== null || rowRefusal(rowSet) !== undefined
  return (
    <>
      <p aria-live="polite" className="flex items-center gap-1.5 text-sm empty:hidden">
        {refusal !== null ? (
          <>
            <InfoIcon className="shrink-0 text-muted" />
            <Sentence text={refusal} />
          </>
        ) : summary ? (
          <>
            <span className="flex h-5 items-center self-start">
              <VerdictIcon tone={toneOf(judged)} />
            </span>
            <Sentence text={summary.text} />
            {isBesideOpen && ' What stands beside them is not all proven.'}
            {isBroken && ' This history is broken.'}
            {isForgotten && ' This history was forgotten since: verify again.'}
          </>
        ) : (
          !run &&
          !isRefused && (
            <span className="hidden text-muted xs:inline">
              <Kbd keys={keysOf('grid', 'verify')} /> verifies the row you are on
            </span>
          )
        )}
      </p>
      {summary && isUndescribed && (
        <ReadDescription database={rowSet.database} read={() => describe(rowSet, summary.rows)} />
      )}
    </>
  )
}

/** Without the number of all rows, which the result says already. */
function words(chosen: number): string {
  if (chosen === 0) return 'Verify all'
  return chosen === 1 ? 'Verify the chosen row' : `Verify ${formatCount(chosen)} chosen`
}

type RunningProps = { number: number; run: NonNullable<ResultProofs['run']> }

function Running({ number, run: { done, total } }: RunningProps) {
  const stop = useAct(stopRows)
  return (
    <>
      <span className="text-muted text-sm tabular-nums">
        Verifying: {formatCount(done)} of {formatCount(total)} rows
      </span>
      <Button onClick={() => stop(number)} size="small">
        Stop
      </Button>
    </>
  )
}
