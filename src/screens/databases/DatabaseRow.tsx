// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot be virtualised.
// biome-ignore-all lint/a11y/useFocusableInteractive: what is in a cell has the focus.
import { useAtomValue } from 'jotai'
import type { Database } from '~/api/databases'
import { levelWordsAtom } from '~/atoms/database-levels'
import { timezoneAtom } from '~/atoms/view'
import { exactSize, formatSize } from '~/lib/size'
import { formatTx } from '~/lib/text'
import { join } from '~/ui/join'
import { DatabaseName } from './DatabaseName'
import { cells, line } from './ListHeader'
import { formatDay, formatInstant } from './moments'
import { StateBadge } from './StateBadge'
import { UseButton } from './UseButton'

type Props = { database: Database; isChosen: boolean; onChoose: (name: string) => void }

/** One database; its name opens what can be done to it. */
export function DatabaseRow({ database, isChosen, onChoose }: Props) {
  const { name, loaded, numTransactions, diskSize, createdAt } = database
  const level = useAtomValue(levelWordsAtom)(name)
  const zone = useAtomValue(timezoneAtom)
  const transactions = loaded ? formatTx(numTransactions) || '–' : '–'
  const size = !loaded || diskSize === '' ? '–' : formatSize(Number(diskSize))
  return (
    <div
      className={join(
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
      <div className={join(cells.transactions, 'tabular-nums')} role="cell">
        {transactions}
      </div>
      <div
        className={join(cells.size, 'tabular-nums')}
        role="cell"
        title={size === '–' ? undefined : exactSize(Number(diskSize))}
      >
        {size}
      </div>
      <div
        className={join(cells.created, 'text-muted')}
        role="cell"
        title={createdAt === null ? undefined : formatInstant(createdAt, zone)}
      >
        {createdAt === null ? '–' : formatDay(createdAt, zone)}
      </div>
      <div className={cells.permission} role="cell">
        {level}
      </div>
      <div className={join(cells.use, 'relative')} role="cell">
        <UseButton database={database} isSmall />
      </div>
    </div>
  )
}
