import type { TableDescription } from '~/atoms/tables/description'
import { primaryKey } from '~/sql/keyset'
import { keyOrder, noFilter, type RowOrder } from '~/sql/row-filter'
import { pathOf, type RowPath } from '~/sql/table-rows'
import { ChevronDownIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { Select } from '~/ui/Select'
import type { SelectOption } from '~/ui/select/select'
import { useRowQuery } from './address'

type Props = { description: TableDescription; path: RowPath }

/** The order of the rows: that of the key or of an index, because the server sorts nothing else. */
export function OrderChoice({ description, path }: Props) {
  const [query, setQuery] = useRowQuery()
  if (description.kind !== 'table') return null
  const { filter, order } = query ?? { filter: noFilter, order: keyOrder }
  const set = (next: RowOrder) => setQuery({ filter, order: next })
  const isRefused = order.column !== null && pathOf(description, order) === null
  return (
    <>
      <Select
        label="Order of the rows"
        onChange={(value) => set({ ...order, column: value === '' ? null : value })}
        options={optionsOf(description)}
        quiet
        size="small"
        value={isRefused ? '' : (order.column ?? '')}
      />
      <IconButton
        icon={<ChevronDownIcon className={order.isDescending ? '' : 'rotate-180'} />}
        label={order.isDescending ? 'Show the first rows first' : 'Show the last rows first'}
        onClick={() => set({ ...order, isDescending: !order.isDescending })}
        pressed={order.isDescending}
        size="small"
      />
      {isRefused && (
        <span className="text-sm text-warning" role="status">
          No index begins with {order.column}, so the rows are in the order of the key{' '}
          {path.index.join(', ')}.
        </span>
      )}
    </>
  )
}

type Table = Extract<TableDescription, { kind: 'table' }>

function optionsOf(of: Table): SelectOption[] {
  const key = primaryKey(of).map(({ name }) => name)
  const others = of.columns
    .filter(({ name }) => name !== key[0])
    .map(({ name }): SelectOption & { path: RowPath | null } => {
      const path = pathOf(of, { column: name, isDescending: false })
      const detail = path ? `index (${path.index.join(', ')})` : 'No index begins with it'
      return { value: name, label: `By ${name}`, detail, disabled: path === null, path }
    })
    .sort((one, other) => Number(one.path === null) - Number(other.path === null))
  return [
    { value: '', label: `By ${key.join(', ')}`, detail: 'primary key' },
    ...others.map(({ path: _, ...option }) => option),
  ]
}
