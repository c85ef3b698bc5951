import type { Column } from '~/api/tables'
import type { TableDescription } from '~/atoms/tables/description'
import { EmptyState } from '~/ui/EmptyState'
import { ColumnIcon } from '~/ui/Icon'
import { SafeName } from '~/ui/SafeText'

/** The columns of a table with what the server tells of them. */
export function StructurePart({ description }: { description: TableDescription }) {
  if (description.kind !== 'table') return <NoDescription />
  return (
    <div className="overflow-auto p-3">
      <table className="w-full text-sm">
        <caption className="sr-only">Columns</caption>
        <thead className="text-left text-muted">
          <tr>
            {['Column', 'Type', 'NULL', 'Key', 'Marks'].map((title) => (
              <th className="px-2 py-1 font-medium" key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {description.columns.map((column) => (
            <tr className="border-line/55 border-t" key={column.name}>
              <th className="px-2 py-1 text-left font-medium" scope="row">
                <SafeName text={column.name} />
              </th>
              <td className="px-2 py-1 font-mono">{column.type}</td>
              <td className="px-2 py-1">{column.isNullable ? 'allowed' : 'never'}</td>
              <td className="px-2 py-1">{column.isPrimaryKey ? 'primary key' : ''}</td>
              <td className="px-2 py-1">{marksOf(column)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function marksOf({ isAutoIncrement, isIndexed, isUnique, isPrimaryKey }: Column): string {
  return [
    isAutoIncrement ? 'counts up by itself' : '',
    isUnique && !isPrimaryKey ? 'unique' : '',
    isIndexed ? 'indexed' : '',
  ]
    .filter(Boolean)
    .join(', ')
}

/** The indexes of a table, the primary key first. */
export function IndexesPart({
  description,
  table,
}: {
  description: TableDescription
  table: string
}) {
  if (description.kind !== 'table') return <NoDescription />
  if (description.indexes === null) {
    return <EmptyState title={`The indexes of ${table} may not be read.`} />
  }
  return (
    <ul className="p-3 text-sm">
      {description.indexes.map(({ columns, isPrimary, isUnique }) => (
        <li className="py-1" key={columns.join(',')}>
          <code>({columns.join(', ')})</code>{' '}
          {isPrimary ? 'primary key' : isUnique ? 'unique index' : 'index'}
        </li>
      ))}
    </ul>
  )
}

function NoDescription() {
  return (
    <EmptyState
      icon={<ColumnIcon />}
      text="The server describes tables only."
      title="This is a view"
    />
  )
}
