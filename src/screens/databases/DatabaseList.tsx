import type { Database } from '~/api/databases'
import { useNarrow } from '~/ui/use-narrow'
import { WindowedRows } from '~/ui/WindowedRows'
import { DatabaseRow } from './DatabaseRow'
import { ListHeader } from './ListHeader'
import type { Order } from './order'

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
