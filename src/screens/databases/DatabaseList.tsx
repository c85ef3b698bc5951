// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot be virtualised.
// biome-ignore-all lint/a11y/useFocusableInteractive: what is in a cell has the focus.
// biome-ignore-all lint/a11y/useFocusableInteractive: the button inside has the focus.

import { useAtomValue } from 'jotai'
import type { Database } from '~/api/databases'
import { levelWordsAtom } from '~/atoms/users/viewer'
import { timezoneAtom } from '~/core/page-view'
import { codePoints, isUnusualName } from '~/immudb/database-name'
import { locale } from '~/lib/locale'
import { exactSize, formatSize } from '~/lib/size'
import { formatTx } from '~/lib/text'
import { mixedScriptsNote } from '~/lib/visible-parts'
import { visibleText } from '~/lib/visible-text'
import { Badge } from '~/ui/Badge'
import { cx } from '~/ui/cx'
import { useLinesInSight } from '~/ui/lines-in-sight'
import { Rows } from '~/ui/Rows'
import { SafeText } from '~/ui/SafeText'
import { useNarrow } from '~/ui/use-narrow'
import { formatDay, formatInstant } from './moments'
import { StateBadge } from './StateBadge'
import { UseButton } from './UseButton'

type Props = {
  databases: readonly Database[]
  chosen: string | undefined
  onChoose: (name: string | undefined) => void
  order: Order
  onOrder: (order: Order) => void
}

/** Databases in a table; only the visible rows are drawn. */
export function DatabaseList({ databases, chosen, onChoose, order, onOrder }: Props) {
  const sight = useLinesInSight(databases.length, useNarrow() ? 64 : 44)
  return (
    <Rows
      head={{
        cells: <Head onOrder={onOrder} order={order} />,
        height: 32,
        look: cx(line, 'bg-raised'),
      }}
      label="Databases"
      role="table"
      row={(index) => {
        const database = databases[index]
        if (!database) return null
        const isChosen = database.name === chosen
        return (
          <Cells
            database={database}
            isChosen={isChosen}
            onChoose={(name) => onChoose(isChosen ? undefined : name)}
          />
        )
      }}
      rowKey={(index) => databases[index]?.name ?? String(index)}
      rowLook={(index) =>
        cx(line, 'fades', databases[index]?.name === chosen ? 'bg-selected' : 'hover:bg-hover')
      }
      sight={sight}
    />
  )
}

type CellsProps = { database: Database; isChosen: boolean; onChoose: (name: string) => void }

/** One database; its name opens what can be done to it. */
function Cells({ database, isChosen, onChoose }: CellsProps) {
  const { name, loaded, numTransactions, diskSize, createdAt } = database
  const level = useAtomValue(levelWordsAtom)(name)
  const zone = useAtomValue(timezoneAtom)
  const transactions = loaded ? formatTx(numTransactions) || '–' : '–'
  const size = !loaded || diskSize === '' ? '–' : formatSize(Number(diskSize))
  return (
    <>
      <div className={cells.name} role="cell">
        {/* The button's area is the whole row, so that it can be pressed anywhere. */}
        <button
          aria-expanded={isChosen}
          className="block max-w-full rounded-sm text-start font-medium after:absolute after:inset-0"
          onClick={() => onChoose(name)}
          type="button"
        >
          <DatabaseName name={name} />
        </button>
        <p className="hidden truncate text-muted text-xs @max-[440px]:block">
          {loaded ? `${transactions} tx, ${size}` : <span className="text-warning">Unloaded</span>}
        </p>
      </div>
      <div className={cells.state} role="cell">
        <StateBadge database={database} />
      </div>
      <div className={cx(cells.transactions, 'tabular-nums')} role="cell">
        {transactions}
      </div>
      <div
        className={cx(cells.size, 'tabular-nums')}
        role="cell"
        title={size === '–' ? undefined : exactSize(Number(diskSize))}
      >
        {size}
      </div>
      <div
        className={cx(cells.created, 'text-muted')}
        role="cell"
        title={createdAt === null ? undefined : formatInstant(createdAt, zone)}
      >
        {createdAt === null ? '–' : formatDay(createdAt, zone)}
      </div>
      <div className={cells.permission} role="cell">
        {level}
      </div>
      <div className={cx(cells.use, 'relative')} role="cell">
        <UseButton database={database} isSmall />
      </div>
    </>
  )
}

/** A name, marked when it has letters that can look like others. */
function DatabaseName({ name }: { name: string }) {
  const note = mixedScriptsNote(name)
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <span className="truncate" title={visibleText(name)}>
        <SafeText text={name} />
      </span>
      {isUnusualName(name) && (
        <Badge title={[note, codePoints(name)].filter(Boolean).join(' ')} tone="warning">
          {note ? 'mixed scripts' : 'not a–z'}
        </Badge>
      )}
    </span>
  )
}

/** Widths of the cells; the less important ones go first when there is no room. */
const cells = {
  name: 'min-w-0 flex-1 px-3',
  state: 'w-24 shrink-0 px-2 @max-[440px]:hidden',
  transactions: 'w-28 shrink-0 px-2 text-end @max-[520px]:hidden',
  size: 'w-24 shrink-0 px-2 text-end @max-[620px]:hidden',
  created: 'w-32 shrink-0 px-2 ps-5 @max-[960px]:hidden',
  permission: 'w-36 shrink-0 px-2 ps-5 @max-[780px]:hidden',
  use: 'w-24 shrink-0 px-3 text-end',
} as const

const line = 'flex items-center border-line border-b'

type HeadProps = { order: Order; onOrder: (order: Order) => void }

/** Titles of the columns; those with an order are buttons. */
function Head(props: HeadProps) {
  return (
    <>
      <Sortable {...props} className={cells.name} column="name" title="Name" />
      <div className={cells.state} role="columnheader">
        State
      </div>
      <Sortable
        {...props}
        className={cells.transactions}
        column="transactions"
        title="Transactions"
      />
      <Sortable {...props} className={cells.size} column="size" title="Size" />
      <Sortable {...props} className={cells.created} column="created" title="Created" />
      <div className={cells.permission} role="columnheader">
        Your permission
      </div>
      <div className={cells.use} role="columnheader">
        <span className="sr-only">Use</span>
      </div>
    </>
  )
}

type SortableProps = HeadProps & { column: Column; title: string; className: string }

function Sortable({ order, onOrder, column, title, className }: SortableProps) {
  const isOrdered = order.column === column
  const direction = order.isDescending ? 'descending' : 'ascending'
  return (
    <div aria-sort={isOrdered ? direction : 'none'} className={className} role="columnheader">
      <button
        className={cx(
          'min-h-8 whitespace-nowrap rounded-sm hover:text-text',
          isOrdered && 'text-text',
        )}
        onClick={() => onOrder({ column, isDescending: isOrdered && !order.isDescending })}
        type="button"
      >
        {title}
        {isOrdered && (
          <span aria-hidden="true" className="ms-1">
            {order.isDescending ? '↓' : '↑'}
          </span>
        )}
      </button>
    </div>
  )
}

type Column = 'name' | 'transactions' | 'size' | 'created'
export type Order = { column: Column; isDescending: boolean }

const collator = new Intl.Collator(locale, { numeric: true })

/** The databases whose name holds the filter, without regard to case, in the order asked for. */
export function shownDatabases(
  databases: readonly Database[],
  filter: string,
  { column, isDescending }: Order,
): Database[] {
  const wanted = filter.trim().toLowerCase()
  const sign = isDescending ? -1 : 1
  return databases
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .sort((a, b) => sign * compare(a, b, column) || collator.compare(a.name, b.name))
}

function compare(a: Database, b: Database, column: Column): number {
  switch (column) {
    case 'name':
      return collator.compare(a.name, b.name)
    case 'transactions':
      return compareCounts(a.numTransactions, b.numTransactions)
    case 'size':
      return compareCounts(a.diskSize, b.diskSize)
    case 'created':
      return (a.createdAt ?? 0) - (b.createdAt ?? 0)
  }
}

/** Whole numbers as text, exact at any length. */
function compareCounts(a: string, b: string): number {
  const difference = BigInt(a) - BigInt(b)
  return difference === 0n ? 0 : difference > 0n ? 1 : -1
}
