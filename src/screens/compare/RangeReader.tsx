import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { readingAtom, readSpan, type Span, stopReading } from '~/atoms/compare/range'
import { useAct } from '~/core/act'
import type { RangeRead } from '~/core/history/transaction-reader'
import { counted, formatCount } from '~/lib/text'
import { Button } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { ErrorNote } from '~/ui/ErrorNote'
import { TransactionsIcon } from '~/ui/Icon'
import { Spinner } from '~/ui/Spinner'

type Props = {
  span: Span
  /** What the reading is for, such as “Keys”. */
  what: string
  children: (range: RangeRead) => ReactNode
}

/** Transactions that are read without being asked: a few requests. */
const few = 2_000n

/** Reads the transactions of a span, with progress, and shows what they wrote. */
export function Between({ span, what, children }: Props) {
  const { database, from, to } = span
  const count = to - from + 1n
  const auto = count <= few ? 'auto' : ''
  const reading = useAtomValue(useAtomValue(readingAtom)(database, `${from}`, `${to}`, auto))
  const read = useAct(readSpan)
  const stop = useAct(stopReading)
  if (reading?.range) return <Shown range={reading.range}>{children(reading.range)}</Shown>
  if (reading?.state === 'running') {
    const { read: done, of } = reading.progress
    return (
      <div className="flex flex-wrap items-center gap-2 p-4 text-sm">
        <Spinner />
        <span role="status">
          {formatCount(done)} of {counted(of, 'transaction')} read…
        </span>
        <Button onClick={() => stop(span)} size="small">
          Stop
        </Button>
      </div>
    )
  }
  if (reading?.state === 'failed') {
    return (
      <div className="p-4">
        <ErrorNote
          notDone={`${what} were not compared.`}
          onRetry={() => void read(span)}
          title={reading.problem ?? ''}
        />
      </div>
    )
  }
  return (
    <EmptyState
      action={
        <Button onClick={() => void read(span)} variant="primary">
          {reading ? 'Continue reading' : `Read ${counted(count, 'transaction')}`}
        </Button>
      }
      icon={<TransactionsIcon />}
      text={
        reading
          ? `Stopped after ${counted(reading.progress.read, 'transaction')}. What was read is remembered.`
          : `immudb cannot compare them itself, so this browser reads the ${counted(count, 'transaction')} in between.`
      }
      title={`${what} are not compared yet`}
    />
  )
}

/** The result with what it cannot know. */
function Shown({ range, children }: { range: RangeRead; children: ReactNode }) {
  return (
    <>
      {range.unlisted.length > 0 && (
        <p className="px-4 pt-3 text-sm text-warning">
          {counted(range.unlisted.length, 'transaction')} with more entries than one answer takes
          could not be read. What they wrote is missing here.
        </p>
      )}
      {range.truncatedTx !== null && (
        <p className="px-4 pt-3 text-sm text-warning">
          Values from before tx {formatCount(BigInt(range.truncatedTx))} were truncated. Those that
          are gone cannot be shown.
        </p>
      )}
      {children}
    </>
  )
}
