// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot be virtualised.
// biome-ignore-all lint/a11y/useFocusableInteractive: what is in a cell has the focus.

import { useAtomValue } from 'jotai'
import type { Database } from '~/api/databases'
import { timezoneAtom } from '~/atoms/settings/view'
import { levelWordsAtom } from '~/atoms/users/levels'
import { codePoints, isUnusualName } from '~/immudb/database-name'
import { mixedScriptsNote } from '~/lib/mixed-scripts'
import { exactSize, formatSize } from '~/lib/size'
import { formatTx } from '~/lib/text'
import { visibleText } from '~/lib/visible-text'
import { Badge } from '~/ui/Badge'
import { cx } from '~/ui/cx'
import { SafeText } from '~/ui/SafeText'
import { useNarrow } from '~/ui/use-narrow'
import { WindowedRows } from '~/ui/WindowedRows'
import { cells, ListHeader, line } from './ListHeader'
import { formatDay, formatInstant } from './moments'
import type { Order } from './order'
import { StateBadge } from './StateBadge'
import { UseButton } from './UseButton'

type Props = {
  databases: readonly Database[]
  chosen: string | undefined
  onChoose: (name: string | undefined) => void
  order: Order
  onOrder: (order: Order) => void
}

/** Databases in a table of which only the visible rows are drawn. */
export function DatabaseList({ databases, chosen, onChoose, order, onOrder }: Props) {
  const rowHeight = useNarrow() ? 64 : 44
  return (
    <WindowedRows
      header={<ListHeader onOrder={onOrder} order={order} />}
      label="Databases"
      row={(index) => {
        const database = databases[index]
        if (!database) return null
        const isChosen = database.name === chosen
        return (
          <DatabaseRow
            database={database}
            isChosen={isChosen}
            onChoose={(name) => onChoose(isChosen ? undefined : name)}
          />
        )
      }}
      rowCount={databases.length}
      rowHeight={rowHeight}
      rowKey={(index) => databases[index]?.name ?? String(index)}
    />
  )
}

type DatabaseRowProps = { database: Database; isChosen: boolean; onChoose: (name: string) => void }

/** One database; its name opens what can be done to it. */
function DatabaseRow({ database, isChosen, onChoose }: DatabaseRowProps) {
  const { name, loaded, numTransactions, diskSize, createdAt } = database
  const level = useAtomValue(levelWordsAtom)(name)
  const zone = useAtomValue(timezoneAtom)
  const transactions = loaded ? formatTx(numTransactions) || '–' : '–'
  const size = !loaded || diskSize === '' ? '–' : formatSize(Number(diskSize))
  return (
    <div
      className={cx(
        line,
        'relative h-full transition-colors duration-100',
        isChosen ? 'bg-selected' : 'hover:bg-hover',
      )}
      role="presentation"
    >
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
    </div>
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
