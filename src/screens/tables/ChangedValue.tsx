import { useMemo } from 'react'
import { lineDiff } from '~/lib/line-diff'
import { counted, formatCount } from '~/lib/text'
import { beginning } from '~/lib/visible-text'
import { cx } from '~/ui/cx'
import { SafeText } from '~/ui/SafeText'

/** Characters of a value that are shown. */
const shownLength = 2_000

type ValueProps = {
  /** Null is NULL. */
  text: string | null
  /** What stands for null. */
  none?: string
  isStruck?: boolean
  isNew?: boolean
}

/** A value of a row, a key or a document as it was or is to be. */
export function ChangedValue({ text, none = 'NULL', isStruck = false, isNew = false }: ValueProps) {
  if (text === null) return <span className="null">{none}</span>
  if (text === '') return <span className="font-mono text-muted">''</span>
  return (
    <span
      className={cx(
        'whitespace-pre-wrap font-mono [overflow-wrap:anywhere]',
        isStruck && 'text-muted',
        isNew && 'font-semibold',
      )}
    >
      <Shortened lines text={text} />
    </span>
  )
}

/** The beginning of a text from outside, and how long it is. */
function Shortened({ text, lines = false }: { text: string; lines?: boolean }) {
  return (
    <>
      <SafeText lines={lines} text={beginning(text, shownLength)} />
      {text.length > shownLength && `… (${formatCount(BigInt(text.length))} characters)`}
    </>
  )
}

/** Shortest text that is compared by its lines. */
const longEnough = 120
/** Longest one, because each line is drawn. */
const mostDrawn = 200_000

/** Whether two texts are better compared by their lines. */
export function isByLine(older: string, newer: string): boolean {
  if (older.length + newer.length > mostDrawn) return false
  return /\n/.test(older + newer) || older.length > longEnough || newer.length > longEnough
}

/** Lines around a change that are shown with it. */
const around = 3
/** Lines that are drawn. */
const mostLines = 2_000

/** The lines that two texts differ in, and some around them. */
export function ChangedLines({ older, newer }: { older: string; newer: string }) {
  const lines = useMemo(() => lineDiff(older, newer), [older, newer])
  const shown = lines.slice(0, mostLines)
  const near = shown.map((_, at) =>
    lines.slice(Math.max(0, at - around), at + around + 1).some(({ kind }) => kind !== 'same'),
  )
  const more = lines.length - shown.length
  const signs = { same: ' ', added: '+', removed: '−' }
  return (
    <div className="overflow-x-auto rounded border border-line bg-page py-1 font-mono text-xs">
      {shown.map((line, at) =>
        near[at] ? (
          <div
            className={cx(
              'flex whitespace-pre-wrap px-2 [overflow-wrap:anywhere]',
              line.kind === 'added' && 'bg-info-tint',
              line.kind === 'removed' && 'bg-error-tint',
            )}
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text have only their place.
            key={at}
          >
            <span className="w-4 shrink-0 select-none text-muted">
              {signs[line.kind]}
              <span className="sr-only">{line.kind === 'same' ? '' : line.kind}</span>
            </span>
            <span className="min-w-0">
              <Shortened text={line.text} />
            </span>
          </div>
        ) : (
          (near[at - 1] ?? at === 0) && (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above.
            <div className="px-2 text-muted" key={at}>
              …
            </div>
          )
        ),
      )}
      {more > 0 && <div className="px-2 text-muted">… ({counted(more, 'more line')})</div>}
    </div>
  )
}
