import { useAtomValue } from 'jotai'
import type { TableDescription } from '~/atoms/tables/description'
import { pathFor } from '~/atoms/tables/table-rows'
import { lackingAtom } from '~/core/session/server-version'
import type { Feature } from '~/immudb/server-versions'
import { primaryKey } from '~/sql/keyset'
import { keyOrder, noFilter, type RowOrder } from '~/sql/row-filter'
import { isSortable, orderNeeds, typesOf } from '~/sql/table-rows'
import { ChevronDownIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { Select } from '~/ui/Select'
import type { SelectOption } from '~/ui/select/select'
import { useRowQuery } from './address'

type Props = { description: TableDescription }

/** The order of the rows: that of the key, or by any column. */
export function OrderChoice({ description }: Props) {
  const { order, set } = useRowOrder()
  const lacks = useAtomValue(lackingAtom)
  if (description.kind === 'missing') return null
  const isRefused =
    order.column !== null && orderRefusal(description, order.column, lacks) !== undefined
  const options = optionsOf(description, lacks)
  return (
    <>
      <Select
        label="Order of the rows"
        onChange={(value) => set({ ...order, column: value === '' ? null : value })}
        options={options}
        quiet
        size="small"
        value={isRefused ? '' : (order.column ?? '')}
      />
      {(description.kind === 'table' || order.column !== null) && (
        <IconButton
          icon={<ChevronDownIcon className={order.isDescending ? '' : 'rotate-180'} />}
          label={order.isDescending ? 'Show the first rows first' : 'Show the last rows first'}
          onClick={() => set({ ...order, isDescending: !order.isDescending })}
          pressed={order.isDescending}
          size="small"
        />
      )}
      {isRefused && (
        <span className="text-sm text-warning" role="status">
          There is no order by {order.column}.
        </span>
      )}
    </>
  )
}

/** The order in the address, and what changes it. */
export function useRowOrder() {
  const [query, setQuery] = useRowQuery()
  const { filter, order } = query ?? { filter: noFilter, order: keyOrder }
  return { order, set: (next: RowOrder) => setQuery({ filter, order: next }) }
}

/** Why rows cannot be in the order of a column; undefined where they can. */
export function orderRefusal(of: TableDescription, name: string, lacks: Lacks): string | undefined {
  const columns = of.kind === 'missing' ? [] : of.columns
  const column = columns.find((one) => one.name === name)
  if (!column) return 'The table has no such column.'
  if (!isSortable(column)) return 'immudb finds no order between JSON values.'
  const path = pathFor(of, { column: name, isDescending: false })
  if (path.index[0] !== name) return 'These rows cannot be put in order.'
  return orderNeeds(path, typesOf(columns)).flatMap((one) => lacks(one) ?? [])[0]
}

type Lacks = (feature: Feature) => string | undefined

type Described = Exclude<TableDescription, { kind: 'missing' }>

function optionsOf(of: Described, lacks: Lacks): SelectOption[] {
  const key = of.kind === 'table' ? primaryKey(of).map(({ name }) => name) : []
  const first =
    of.kind === 'table'
      ? { value: '', label: `By ${key.join(', ')}`, detail: 'primary key' }
      : { value: '', label: 'As the view has it' }
  const others = of.columns
    .filter(({ name }) => name !== key[0])
    .map(({ name }) => {
      const why = orderRefusal(of, name, lacks)
      const { index, isSorted = false } = pathFor(of, { column: name, isDescending: false })
      const detail = why ?? (isSorted ? 'sorted by the server' : `index (${index.join(', ')})`)
      return { value: name, label: `By ${name}`, detail, disabled: why !== undefined, isSorted }
    })
    .sort((one, other) => Number(one.isSorted) - Number(other.isSorted))
  return [first, ...others.map(({ isSorted: _, ...option }) => option)]
}
