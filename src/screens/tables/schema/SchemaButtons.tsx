import type { TableDescription } from '~/atoms/tables/description'
import { newColumn } from '~/sql/schema-changes'
import { SchemaButton } from './SchemaButton'

type Props = {
  database: string
  table: string
  description: Extract<TableDescription, { kind: 'table' }>
}

export function AddColumn({ database, table, description }: Props) {
  return (
    <SchemaButton
      database={database}
      label="Add column"
      of={description}
      privilege="ALTER"
      start={{ kind: 'add-column', table, column: newColumn }}
    >
      Add column
    </SchemaButton>
  )
}

/** Renames and drops a column. */
export function ChangeColumn({ database, table, description, column }: Props & { column: string }) {
  const shared = { database, of: description }
  return (
    <span className="flex gap-1">
      <SchemaButton
        {...shared}
        label={`Rename column ${column}`}
        privilege="ALTER"
        start={{ kind: 'rename-column', table, column, to: '' }}
      >
        Rename
      </SchemaButton>
      <SchemaButton
        {...shared}
        label={`Drop column ${column}`}
        privilege="DROP"
        start={{ kind: 'drop-column', table, column }}
      >
        Drop
      </SchemaButton>
    </span>
  )
}

export function DropTable({ database, table, description }: Props) {
  return (
    <SchemaButton
      database={database}
      label="Drop table"
      of={description}
      privilege="DROP"
      start={{ kind: 'drop-table', table }}
    >
      Drop table
    </SchemaButton>
  )
}

export function CreateIndex({ database, table, description }: Props) {
  return (
    <SchemaButton
      database={database}
      label="Create index"
      of={description}
      privilege="CREATE"
      start={{ kind: 'create-index', table, columns: [], isUnique: false }}
    >
      Create index
    </SchemaButton>
  )
}

export function DropIndex({
  database,
  table,
  description,
  columns,
}: Props & { columns: readonly string[] }) {
  return (
    <SchemaButton
      database={database}
      label={`Drop index (${columns.join(', ')})`}
      of={description}
      privilege="DROP"
      start={{ kind: 'drop-index', table, columns }}
    >
      Drop
    </SchemaButton>
  )
}
