import {
  columnTypes,
  type NewColumn,
  newColumn,
  type Schema,
  type SchemaChange,
  type SchemaProblem,
  takesLength,
} from '~/sql/schema-changes'
import { Button } from '~/ui/Button'
import { Checkbox } from '~/ui/Checkbox'
import { Field } from '~/ui/Field'
import { CloseIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { Select } from '~/ui/Select'

type Props = {
  change: SchemaChange
  onChange: (change: SchemaChange) => void
  problems: readonly SchemaProblem[]
  schema: Schema
}

/** The fields of a change of the schema; nothing for what is only confirmed. */
export function SchemaForm({ change, onChange, problems, schema }: Props) {
  const errorOf = (field: string) => problems.find((one) => one.field === field)?.text
  switch (change.kind) {
    case 'create-table':
      return <TableForm change={change} errorOf={errorOf} onChange={onChange} />
    case 'add-column':
      return (
        <ColumnFields
          column={change.column}
          errorOf={errorOf}
          onChange={(column) => onChange({ ...change, column })}
        />
      )
    case 'rename-column':
      return (
        <Field
          autoComplete="off"
          error={errorOf('name')}
          label="New name"
          mono
          onChange={(to) => onChange({ ...change, to })}
          spellCheck={false}
          value={change.to}
        />
      )
    case 'create-index':
      return <IndexForm change={change} errorOf={errorOf} onChange={onChange} schema={schema} />
    case 'drop-column':
      return <Refusal text={errorOf('column')} />
    case 'drop-index':
    case 'drop-table':
      return null
  }
}

function Refusal({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <p className="text-error" role="alert">
      {text}
    </p>
  )
}

type ErrorOf = (field: string) => string | undefined
type FormOf<Kind extends SchemaChange['kind']> = {
  change: Extract<SchemaChange, { kind: Kind }>
  onChange: (change: SchemaChange) => void
  errorOf: ErrorOf
}

function TableForm({ change, onChange, errorOf }: FormOf<'create-table'>) {
  const { columns } = change
  const setColumns = (next: readonly NewColumn[]) => onChange({ ...change, columns: next })
  return (
    <div className="grid gap-3">
      <Field
        autoComplete="off"
        error={errorOf('table')}
        hint="Letters, digits and underscores. immudb keeps names in lower case."
        label="Table name"
        mono
        onChange={(table) => onChange({ ...change, table })}
        spellCheck={false}
        value={change.table}
      />
      {columns.map((column, at) => (
        <fieldset
          className="grid gap-1 rounded border border-line p-3"
          // biome-ignore lint/suspicious/noArrayIndexKey: columns have no identity beyond their place.
          key={at}
        >
          <legend className="flex items-center gap-1 px-1 font-medium">
            Column {at + 1}
            <IconButton
              disabledReason={columns.length === 1 ? 'A table has at least one column.' : undefined}
              icon={<CloseIcon />}
              label={`Remove column ${at + 1}`}
              onClick={() => setColumns(columns.filter((_, other) => other !== at))}
              size="small"
            />
          </legend>
          <ColumnFields
            column={column}
            errorOf={(field) => errorOf(`column ${at + 1} ${field}`)}
            isOfTable
            onChange={(next) =>
              setColumns(columns.map((one, other) => (other === at ? next : one)))
            }
          />
        </fieldset>
      ))}
      <Refusal text={errorOf('key')} />
      <div>
        <Button onClick={() => setColumns([...columns, newColumn])} size="small">
          Add a column
        </Button>
      </div>
    </div>
  )
}

type ColumnProps = {
  column: NewColumn
  onChange: (column: NewColumn) => void
  errorOf: ErrorOf
  /** Of a new table: it may be part of the key, or take no NULL. */
  isOfTable?: boolean
}

const types = columnTypes.map((type) => ({ value: type, label: type }))

function ColumnFields({ column, onChange, errorOf, isOfTable = false }: ColumnProps) {
  const change = (part: Partial<NewColumn>) => onChange({ ...column, ...part })
  return (
    <>
      <div className="grid gap-x-3 xs:grid-cols-[1fr_10rem_10rem]">
        <Field
          autoComplete="off"
          error={errorOf('name')}
          label="Column name"
          mono
          onChange={(name) => change({ name })}
          spellCheck={false}
          value={column.name}
        />
        <Select
          label="Type"
          labelled
          onChange={(type) => change({ type })}
          options={types}
          value={column.type}
          wide
        />
        <Field
          autoComplete="off"
          disabled={!takesLength(column.type)}
          error={errorOf('length')}
          hint={takesLength(column.type) ? 'Bytes; empty for no limit.' : undefined}
          inputMode="numeric"
          label="Length"
          onChange={(length) => change({ length })}
          value={takesLength(column.type) ? column.length : ''}
        />
      </div>
      {isOfTable && (
        <div className="flex flex-wrap gap-x-6">
          <Checkbox
            checked={column.isPrimaryKey}
            label="Primary key"
            onChange={(isPrimaryKey) =>
              change({ isPrimaryKey, isAutoIncrement: isPrimaryKey && column.isAutoIncrement })
            }
          />
          <Checkbox
            checked={column.isAutoIncrement && column.isPrimaryKey}
            disabled={!column.isPrimaryKey}
            label="Counts up by itself"
            onChange={(isAutoIncrement) => change({ isAutoIncrement })}
          />
          <Checkbox
            checked={column.isNullable && !column.isPrimaryKey}
            disabled={column.isPrimaryKey}
            label="May be NULL"
            onChange={(isNullable) => change({ isNullable })}
          />
        </div>
      )}
      <Refusal text={errorOf('type')} />
    </>
  )
}

/** The order in which columns are chosen is their order in the index. */
function IndexForm({
  change,
  onChange,
  errorOf,
  schema,
}: FormOf<'create-index'> & { schema: Schema }) {
  const { columns, isUnique } = change
  const toggle = (name: string, isOn: boolean) =>
    onChange({
      ...change,
      columns: isOn ? [...columns, name] : columns.filter((one) => one !== name),
    })
  return (
    <div className="grid gap-2">
      <fieldset>
        <legend className="font-medium">Columns, in the order in which you choose them</legend>
        <div className="flex flex-wrap gap-x-6">
          {schema.columns.map(({ name, type }) => (
            <Checkbox
              checked={columns.includes(name)}
              hint={type}
              key={name}
              label={columns.includes(name) ? `${name} (${columns.indexOf(name) + 1})` : name}
              onChange={(isOn) => toggle(name, isOn)}
            />
          ))}
        </div>
      </fieldset>
      <Refusal text={errorOf('columns')} />
      <Checkbox
        checked={isUnique}
        hint="No two rows may have the same values. Only for a table without rows."
        label="Unique"
        onChange={(next) => onChange({ ...change, isUnique: next })}
      />
    </div>
  )
}
