import type { ReactNode, Ref } from 'react'
import { type LimitRow, nearestOf } from '~/atoms/limits/limit-rows'
import { nearLimit } from '~/immudb/metrics'
import { exactSize } from '~/lib/size'
import { asSentence, formatCount } from '~/lib/text'
import { cx } from '~/ui/cx'
import { Fact, Facts } from '~/ui/Facts'
import { ProgressBar } from '~/ui/ProgressBar'

/** Which limit is nearest, as a sentence. */
export function nearestWords(rows: readonly LimitRow[]): string {
  const row = nearestOf(rows)
  if (!row) return 'It is not known how near any limit is.'
  const also = isNear(row) ? ' It is met soon.' : ''
  return `Nearest to its limit, of those that are measured: ${row.limit.name}, ${shareWords(row)}.${also}`
}

export const isNear = ({ share }: LimitRow) => share !== null && share >= nearLimit

/** How much of a limit is in use, in whole percent. */
export function shareWords({ share }: LimitRow): string {
  if (share === null) return 'not known'
  return share > 0 && share < 0.01 ? 'less than 1%' : `${Math.floor(share * 100)}%`
}

/** Limits with what happens at each and what moves it. */
export function LimitList({ title, rows }: { title: ReactNode; rows: readonly LimitRow[] }) {
  return (
    <section className="mt-4">
      <h3 className="font-medium text-sm">{title}</h3>
      <ul>
        {rows.map((row) => (
          <LimitLine key={row.limit.name} row={row} />
        ))}
      </ul>
    </section>
  )
}

/** With a `ref` it can take the focus. */
export function LimitLine({ row, ref }: { row: LimitRow; ref?: Ref<HTMLLIElement> }) {
  const { limit, most, used, share, moves } = row
  const isClose = isNear(row)
  const figure = limit.unit === 'bytes' ? exactSize : formatCount
  return (
    <li
      aria-label={limit.name}
      className={cx('border-line/55 border-t py-2', ref && 'outline-none')}
      ref={ref}
      tabIndex={ref ? -1 : undefined}
    >
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-medium">{limit.name}</span>
        <span className={cx('tabular-nums', isClose && 'text-warning')}>
          {'value' in used && `${figure(used.value)} of `}
          {'value' in most
            ? `${'value' in used ? '' : 'at most '}${figure(most.value)}`
            : 'not known'}
          {isClose && ' – near'}
        </span>
      </p>
      {share !== null && (
        <ProgressBar
          label={`${limit.name} in use`}
          share={Math.min(1, share)}
          isResting={!isClose}
        />
      )}
      <div className="mt-1">
        <Facts>
          <Told name="In use" text={wordsOf(used)} />
          <Told name="Limit" text={wordsOf(most)} />
          <Told name="At the limit" text={limit.happens} />
          <Told name="Change it" text={`${moves}. ${limit.remedy}`} />
        </Facts>
      </div>
    </li>
  )
}

/** What a figure does not say, or why it is not known. */
const wordsOf = (figure: LimitRow['used']) =>
  'why' in figure ? `Not known. ${figure.why}` : figure.note

/** A fact as a sentence; none where there is nothing to say. */
function Told({ name, text }: { name: string; text: string }) {
  if (text === '') return null
  return (
    <Fact name={name}>
      <Whole text={asSentence(text)} />
    </Fact>
  )
}

/** Flags are never broken over lines. */
function Whole({ text }: { text: string }) {
  return text.split(/(--[a-z-]+)/).map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place.
      <span className="whitespace-nowrap" key={at} translate="no">
        {part}
      </span>
    ),
  )
}
