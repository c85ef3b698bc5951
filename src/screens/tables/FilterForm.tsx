import { useAtomValue, useSetAtom } from 'jotai'
import { type FormEvent, useState } from 'react'
import { isSameTyped } from '~/atoms/storage/unapplied'
import {
  filterDraftAtom,
  keepFilterDraftAtom,
  type TypedCondition,
} from '~/atoms/tables/filter-drafts'
import { inputText, isValue, readInput } from '~/sql/cell-input'
import { shownStatement } from '~/sql/names'
import {
  type Condition,
  keyOrder,
  type Operator,
  operators,
  type RowFilter,
  takesValue,
} from '~/sql/row-filter'
import { shownSql, typesOf } from '~/sql/table-rows'
import { Button } from '~/ui/Button'
import { CopyButton } from '~/ui/CopyButton'
import { Field } from '~/ui/Field'
import { CloseIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { useChangeSearch } from '~/ui/location'
import { SafeText } from '~/ui/SafeText'
import { Select } from '~/ui/Select'
import { useRowQuery } from './address'
import type { RowList } from './use-rows'

type Props = { of: RowList; onClose: () => void }

const names: Readonly<Record<Operator, string>> = {
  '=': '=',
  '!=': '≠',
  '<': '<',
  '<=': '≤',
  '>': '>',
  '>=': '≥',
  LIKE: 'LIKE',
  'IS NULL': 'IS NULL',
  'IS NOT NULL': 'IS NOT NULL',
}

/** Conditions on the rows by column and type, with the statement that they make. */
export function FilterForm({ of, onClose }: Props) {
  const [query, setQuery] = useRowQuery()
  const typeOf = typesOf(of.columns)
  const form = useDrafts(of)
  const { filter, errors } = readDrafts(form.drafts, form.isAny, typeOf)
  const [isTold, tell] = useState(false)
  const order = query?.order ?? keyOrder
  const apply = (event: FormEvent) => {
    event.preventDefault()
    tell(errors.size > 0)
    if (errors.size > 0) return
    form.forget()
    setQuery({ filter, order })
  }
  return (
    <form
      aria-label="Filter"
      className="grid gap-2 border-line border-b bg-page px-3 py-2"
      onSubmit={apply}
    >
      {form.drafts.map((draft, at) => (
        <ConditionLine
          columns={of.columns}
          draft={draft}
          error={isTold ? errors.get(draft.id) : undefined}
          key={draft.id}
          number={at + 1}
          onChange={(change) => form.change(draft.id, change)}
          onRemove={() => form.remove(draft.id)}
          type={typeOf(draft.column)}
        />
      ))}
      <div className="flex flex-wrap items-center gap-2">
        <Button onClick={form.add} size="small" type="button">
          Add a condition
        </Button>
        {form.drafts.length > 1 && (
          <Select
            label="Which conditions must hold"
            onChange={(value) => form.setAny(value === 'any')}
            options={[
              { value: 'all', label: 'All must hold (AND)' },
              { value: 'any', label: 'Any must hold (OR)' },
            ]}
            size="small"
            value={form.isAny ? 'any' : 'all'}
          />
        )}
        <Button size="small" type="submit" variant="primary">
          Apply
        </Button>
        <Button
          onClick={() => {
            form.forget()
            setQuery({ filter: { isAny: false, conditions: [] }, order })
            onClose()
          }}
          size="small"
          type="button"
          variant="quiet"
        >
          Show all rows
        </Button>
      </div>
      <Statement filter={filter} of={of} />
    </form>
  )
}

/** What is typed, which stays in this tab until it is applied. */
function useDrafts({ database, table, filter, columns }: RowList) {
  const typeOf = typesOf(columns)
  const first = (id: number): TypedCondition => ({
    id,
    column: columns[0]?.name ?? '',
    operator: '=',
    text: '',
  })
  const applied = JSON.stringify(filter)
  const kept = useAtomValue(filterDraftAtom)
  const keep = useSetAtom(keepFilterDraftAtom)
  const begins = typedFilter(filter, typeOf, first(0))
  const [{ isAny, conditions }, set] = useState(() => kept(database, table, applied) ?? begins)
  const update = (change: Partial<Typed>) => {
    const next = { isAny, conditions, ...change }
    set(next)
    const isNone = next.conditions.length + filter.conditions.length === 0
    const typed = { applied, isAny: next.isAny, conditions: [...next.conditions] }
    keep(database, table, isNone || isSameTyped(next, begins) ? null : typed)
  }
  return {
    isAny,
    setAny: (isAny: boolean) => update({ isAny }),
    drafts: conditions,
    forget: () => keep(database, table, null),
    add: () =>
      update({
        conditions: [...conditions, first(Math.max(-1, ...conditions.map(({ id }) => id)) + 1)],
      }),
    remove: (id: number) => update({ conditions: conditions.filter((one) => one.id !== id) }),
    change: (id: number, change: Partial<TypedCondition>) =>
      update({
        conditions: conditions.map((one) => (one.id === id ? { ...one, ...change } : one)),
      }),
  }
}

type Typed = { readonly isAny: boolean; readonly conditions: readonly TypedCondition[] }

/** The applied filter as it was typed, or one condition to begin with. */
function typedFilter(
  { isAny, conditions }: RowFilter,
  typeOf: (column: string) => string,
  first: TypedCondition,
): Typed {
  const typed = conditions.map(({ column, operator, value }, id): TypedCondition => {
    const text = takesValue(operator) ? inputText(typeOf(column), value, 'text') : ''
    return { id, column, operator, text }
  })
  return { isAny, conditions: typed.length > 0 ? typed : [first] }
}

/** The conditions that can be read, and what is wrong with the others. */
function readDrafts(
  drafts: readonly TypedCondition[],
  isAny: boolean,
  typeOf: (column: string) => string,
): { filter: RowFilter; errors: ReadonlyMap<number, string> } {
  const conditions: Condition[] = []
  const errors = new Map<number, string>()
  for (const { id, column, operator, text } of drafts) {
    const input = takesValue(operator)
      ? readInput({ name: column, type: typeOf(column), length: null }, text)
      : { value: '' }
    if (isValue(input)) conditions.push({ column, operator, value: input.value ?? '' })
    else errors.set(id, input.error)
  }
  return { filter: { isAny, conditions }, errors }
}

/** The server finds no text by a pattern in other types, and compares no JSON with another. */
function operatorsOf(type: string): readonly Operator[] {
  if (type === 'JSON') return operators.filter((operator) => !takesValue(operator))
  return operators.filter((operator) => operator !== 'LIKE' || type === 'VARCHAR')
}

type LineProps = {
  columns: RowList['columns']
  draft: TypedCondition
  /** From one. */
  number: number
  type: string
  error: string | undefined
  onChange: (change: Partial<TypedCondition>) => void
  onRemove: () => void
}

function ConditionLine({ columns, draft, number, type, error, onChange, onRemove }: LineProps) {
  const { column, operator, text } = draft
  const typeOf = typesOf(columns)
  const choose = (name: string) => {
    const allowed = operatorsOf(typeOf(name))
    onChange({
      column: name,
      operator: allowed.includes(operator) ? operator : (allowed[0] ?? '='),
    })
  }
  return (
    <fieldset className="flex flex-wrap items-start gap-2">
      <legend className="sr-only">Condition {number}</legend>
      <Select
        label="Column"
        onChange={choose}
        options={columns.map((one) => ({ value: one.name, label: one.name, detail: one.type }))}
        size="small"
        value={column}
      />
      <Select
        label="Operator"
        onChange={(value) => onChange({ operator: operators.find((one) => one === value) ?? '=' })}
        options={operatorsOf(type).map((one) => ({ value: one, label: names[one] }))}
        size="small"
        value={operator}
      />
      {takesValue(operator) && (
        <div className="min-w-24 flex-1 basis-24">
          <Field
            aria-describedby={error === undefined ? undefined : `filter-error-${draft.id}`}
            autoComplete="off"
            bare
            label="Value"
            mono
            onChange={(value) => onChange({ text: value })}
            placeholder={placeholders[operator === 'LIKE' ? 'LIKE' : type]}
            spellCheck={false}
            value={text}
          />
          {error !== undefined && (
            <p className="pt-1 text-error text-sm" id={`filter-error-${draft.id}`} role="alert">
              {error}
            </p>
          )}
        </div>
      )}
      <IconButton
        icon={<CloseIcon />}
        label={`Remove condition ${number}`}
        onClick={onRemove}
        size="small"
        type="button"
      />
    </fieldset>
  )
}

const placeholders: Readonly<Record<string, string>> = {
  LIKE: 'abc% begins with abc',
  BOOLEAN: 'true or false',
  TIMESTAMP: '2026-11-21 09:00:00.123456 in UTC',
  BLOB: '00ff in hex',
  UUID: '8-4-4-4-12 hex digits',
}

const smallerThanAll: ReadonlySet<Operator> = new Set(['<', '<=', '!='])

/** The statement as it can be changed in the editor; what is sent has the values as parameters. */
function Statement({ of, filter }: { of: RowList; filter: RowFilter }) {
  const change = useChangeSearch()
  const sql = shownStatement(() => shownSql({ ...of, filter }, typesOf(of.columns)))
  return (
    <>
      <div className="flex items-start gap-1 rounded-sm border border-line bg-panel">
        <pre
          translate="no"
          className="min-w-0 grow overflow-x-auto whitespace-pre-wrap break-words px-2 py-1.5 font-mono text-sm [overflow-wrap:anywhere]"
        >
          <SafeText lines text={sql} value />
        </pre>
        <CopyButton size="tiny" text={sql} what="the statement" />
        <Button
          onClick={() => change({ table: undefined, q: undefined, tab: undefined, sql })}
          size="small"
          type="button"
          variant="quiet"
        >
          Open in the editor
        </Button>
      </div>
      {filter.conditions.some(({ operator }) => smallerThanAll.has(operator)) && (
        <p className="text-muted text-sm">
          immudb takes NULL for smaller than every value, so these conditions let NULL through. Add
          IS NOT NULL to leave it out.
        </p>
      )}
    </>
  )
}
