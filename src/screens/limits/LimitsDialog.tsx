import { useAtomValue } from 'jotai'
import { type ReactNode, type Ref, useRef } from 'react'
import { type LimitRow, limitRowsAtom } from '~/atoms/limits/limit-rows'
import { databaseAtom } from '~/core/session/session'
import type { Limit } from '~/immudb/limits'
import { nearLimit } from '~/immudb/metrics'
import { pathTo } from '~/lib/paths'
import { exactSize } from '~/lib/size'
import { formatCount } from '~/lib/text'
import { cx } from '~/ui/cx'
import { Dialog } from '~/ui/Dialog'
import { Link } from '~/ui/Link'
import { ProgressBar } from '~/ui/ProgressBar'
import { SafeName } from '~/ui/SafeText'

type Props = {
  /** The limit that was asked for; any other text for none. */
  name: string
  onClose: () => void
}

/** Where each limit of the server stands, what happens at it and what moves it. */
export function LimitsDialog({ name, onClose }: Props) {
  const rows = useAtomValue(limitRowsAtom)
  const database = useAtomValue(databaseAtom)
  const asked = useRef<HTMLLIElement>(null)
  const first = rows.find(({ limit }) => limit.name === name)
  const of = (place: Limit['of']) => rows.filter((row) => row !== first && row.limit.of === place)
  return (
    <Dialog
      description={<Nearest rows={rows} />}
      initialFocus={asked}
      onClose={onClose}
      open
      title="Limits"
      width="wide"
    >
      {first && (
        <ul aria-label="The limit you came for">
          <Row row={first} ref={asked} />
        </ul>
      )}
      <List rows={of('server')} title="Of the server" />
      <List
        rows={of('database')}
        title={
          <>
            Of the database <SafeName text={database ?? ''} />
          </>
        }
      />
      <p className="mt-3 text-muted text-sm">
        Settings of a database are in{' '}
        <Link
          className="text-primary underline"
          to={pathTo('databases', database === null ? {} : { name: database })}
        >
          Databases
        </Link>
        . Flags of immudb take effect when it is started; the database inside of the program
        webconsole runs without them.
      </p>
    </Dialog>
  )
}

function Nearest({ rows }: { rows: readonly LimitRow[] }) {
  const [row] = rows
  if (!row || row.share === null) return 'How near any limit is, is not known.'
  const also = row.share < nearLimit ? '' : ' It is met soon.'
  return `Nearest to its limit, of those that are measured: ${row.limit.name}, ${percent(row.share)}.${also}`
}

const percent = (share: number) =>
  share > 0 && share < 0.01 ? 'less than 1%' : `${Math.floor(share * 100)}%`

function List({ title, rows }: { title: ReactNode; rows: readonly LimitRow[] }) {
  return (
    <section className="mt-4">
      <h3 className="font-medium text-sm">{title}</h3>
      <ul>
        {rows.map((row) => (
          <Row key={row.limit.name} row={row} />
        ))}
      </ul>
    </section>
  )
}

function Row({ row, ref }: { row: LimitRow; ref?: Ref<HTMLLIElement> }) {
  const { limit, most, used, share, moves } = row
  const isNear = share !== null && share >= nearLimit
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
        <span className={cx('tabular-nums', isNear && 'text-warning')}>
          {'value' in used && `${figure(used.value)} of `}
          {'value' in most
            ? `${'value' in used ? '' : 'at most '}${figure(most.value)}`
            : 'not known'}
          {isNear && ' – near'}
        </span>
      </p>
      {share !== null && (
        <ProgressBar
          label={`${limit.name} in use`}
          share={Math.min(1, share)}
          isResting={!isNear}
        />
      )}
      <p className="text-muted text-xs">
        <Whole text={figureNotes(row)} />
      </p>
      <p className="mt-0.5 text-sm">At the limit: {limit.happens}</p>
      <p className="text-muted text-sm">
        <Whole text={`Moved by ${moves}. ${limit.remedy}`} />
      </p>
    </li>
  )
}

/** What the two figures do not say, or why they are not known. */
function figureNotes({ most, used }: LimitRow): string {
  const ofMost = 'why' in most ? `At most: not known. ${most.why}` : most.note && `${most.note}.`
  const ofUse = 'why' in used ? `not known. ${used.why}` : `${used.note}.`
  return `${ofMost} In use: ${ofUse}`.trim()
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
