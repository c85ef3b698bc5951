import { type KeyboardEvent, useState } from 'react'
import { columnTypes, takesLength } from '~/immudb/column-types'
import {
  type NewColumn,
  newColumn,
  type Schema,
  type SchemaChange,
  type SchemaProblem,
} from '~/sql/schema-changes'
import { Button } from '~/ui/Button'
import { Checkbox } from '~/ui/Checkbox'
import { cx } from '~/ui/cx'
import { Field } from '~/ui/Field'
import { CloseIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { Select } from '~/ui/Select'
import { useTypeOptions } from '../use-type-options'

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

/** Name, type, length, key, auto-increment, NULL and the button that removes the line. */
const lineLook =
  'grid grid-cols-[minmax(0,1fr)_minmax(0,1.2fr)_minmax(0,1fr)] items-center gap-x-2 xs:grid-cols-[minmax(0,1fr)_9rem_5rem_repeat(3,2.75rem)_1.75rem]'

/** A line for each column, as in a spreadsheet: Tab goes on, and Enter adds the next line. */
function TableForm({ change, onChange, errorOf }: FormOf<'create-table'>) {
  const { columns } = change
  // The line that was added last takes the focus.
  const [added, setAdded] = useState<number | null>(null)
  const setColumns = (next: readonly NewColumn[]) => onChange({ ...change, columns: next })
  const add = (at: number) => {
    setAdded(at)
    setColumns(columns.toSpliced(at, 0, newColumn))
  }
  const goOn = (from: HTMLElement, at: number) => {
    // The line that is there to be filled in; a second one would be left empty.
    const next = columns[at]?.name === '' ? from.nextElementSibling : null
    const name = next?.querySelector('input')
    if (name) name.focus()
    else add(at)
  }
  return (
    <div className="grid gap-2">
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
      <div aria-hidden="true" className={cx(lineLook, 'hidden text-muted text-xs xs:grid')}>
        {['Column', 'Type', 'Length', 'Key', 'Auto', 'NULL'].map((title) => (
          <span key={title}>{title}</span>
        ))}
      </div>
      {columns.map((column, at) => (
        <ColumnLine
          column={column}
          errorOf={(field) => errorOf(`column ${at + 1} ${field}`)}
          hasFocus={at === added}
          isOnly={columns.length === 1}
          // biome-ignore lint/suspicious/noArrayIndexKey: columns have no identity beyond their place.
          key={`${columns.length} ${at}`}
          number={at + 1}
          onEnter={(line) => goOn(line, at + 1)}
          onChange={(next) => setColumns(columns.map((one, other) => (other === at ? next : one)))}
          onRemove={() => setColumns(columns.filter((_, other) => other !== at))}
        />
      ))}
      <Refusal text={errorOf('key')} />
      <div className="flex items-center gap-3">
        <Button onClick={() => add(columns.length)} size="small">
          Add a column
        </Button>
        <span className="text-muted text-xs">or Enter in a line</span>
      </div>
    </div>
  )
}

type LineProps = {
  column: NewColumn
  /** From one. */
  number: number
  isOnly: boolean
  hasFocus: boolean
  errorOf: ErrorOf
  onChange: (column: NewColumn) => void
  /** Enter was pressed in a field of the line. */
  onEnter: (line: HTMLElement) => void
  onRemove: () => void
}

function ColumnLine(props: LineProps) {
  const { column, number, isOnly, hasFocus, errorOf, onChange, onEnter, onRemove } = props
  const change = (part: Partial<NewColumn>) => onChange({ ...column, ...part })
  const { isPrimaryKey } = column
  const types = useTypeOptions(columnTypes)
  const hasLength = takesLength(column.type)
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const isField = event.target instanceof HTMLInputElement
    if (event.key !== 'Enter' || !isField || event.nativeEvent.isComposing) return
    event.preventDefault()
    onEnter(event.currentTarget)
  }
  const errors = ['name', 'type', 'length'].flatMap((field) => errorOf(field) ?? [])
  return (
    <fieldset onKeyDown={press}>
      <legend className="sr-only">Column {number}</legend>
      <div className={lineLook}>
        <div className="col-span-2 xs:col-span-1">
          <Field
            autoComplete="off"
            autoFocus={hasFocus}
            bare
            label="Column name"
            mono
            onChange={(name) => change({ name })}
            spellCheck={false}
            value={column.name}
          />
        </div>
        {/* Beside the name on a phone, where a column takes three lines. */}
        <div className="justify-self-end xs:order-last xs:justify-self-auto">
          <IconButton
            disabledReason={isOnly ? 'A table has at least one column.' : undefined}
            icon={<CloseIcon />}
            label={`Remove column ${number}`}
            onClick={onRemove}
            size="small"
            tabIndex={-1}
          />
        </div>
        <div className="col-span-2 py-1 xs:col-span-1 xs:py-0">
          <Select
            label="Type"
            onChange={(type) => change({ type })}
            options={types}
            value={column.type}
            wide
          />
        </div>
        <Field
          autoComplete="off"
          bare
          disabled={!hasLength}
          inputMode="numeric"
          label="Length"
          onChange={(length) => change({ length })}
          placeholder={hasLength ? 'bytes' : undefined}
          title="Bytes; empty for no limit"
          value={hasLength ? column.length : ''}
        />
        <Checkbox
          bare
          checked={isPrimaryKey}
          label="Primary key"
          onChange={(isKey) =>
            change({ isPrimaryKey: isKey, isAutoIncrement: isKey && column.isAutoIncrement })
          }
        />
        <Checkbox
          bare
          checked={column.isAutoIncrement && isPrimaryKey}
          disabled={!isPrimaryKey}
          label="Auto-increment"
          onChange={(isAutoIncrement) => change({ isAutoIncrement })}
        />
        <Checkbox
          bare
          checked={column.isNullable && !isPrimaryKey}
          disabled={isPrimaryKey}
          label="May be NULL"
          onChange={(isNullable) => change({ isNullable })}
        />
      </div>
      {errors.map((text) => (
        <Refusal key={text} text={text} />
      ))}
    </fieldset>
  )
}

type ColumnProps = {
  column: NewColumn
  onChange: (column: NewColumn) => void
  errorOf: ErrorOf
}

function ColumnFields({ column, onChange, errorOf }: ColumnProps) {
  const change = (part: Partial<NewColumn>) => onChange({ ...column, ...part })
  const types = useTypeOptions(columnTypes)
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
    <div className="grid grid-cols-1 gap-2">
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
