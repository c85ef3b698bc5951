// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot be virtualised.
// biome-ignore-all lint/a11y/useFocusableInteractive: the button inside has the focus.
import { cx } from '~/ui/cx'
import type { Column, Order } from './order'

/** Widths of the cells; the less important ones go first when there is no room. */
export const cells = {
  name: 'min-w-0 flex-1 px-3',
  state: 'w-24 shrink-0 px-2 @max-[440px]:hidden',
  transactions: 'w-28 shrink-0 px-2 text-end @max-[520px]:hidden',
  size: 'w-24 shrink-0 px-2 text-end @max-[620px]:hidden',
  created: 'w-32 shrink-0 px-2 ps-5 @max-[960px]:hidden',
  permission: 'w-36 shrink-0 px-2 ps-5 @max-[780px]:hidden',
  use: 'w-24 shrink-0 px-3 text-end',
} as const

export const line = 'flex items-center border-line border-b'

type Props = { order: Order; onOrder: (order: Order) => void }

/** Titles of the columns; those with an order are buttons. */
export function ListHeader(props: Props) {
  return (
    <div className={cx(line, 'h-8 bg-raised text-muted text-xs')} role="presentation">
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
    </div>
  )
}

type SortableProps = Props & { column: Column; title: string; className: string }

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
