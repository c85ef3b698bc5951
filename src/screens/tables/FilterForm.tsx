import { useAtomValue } from 'jotai'
import { type FormEvent, useState } from 'react'
import { filterDraftAtom, keepFilterDraft, type TypedCondition } from '~/atoms/tables/filter-drafts'
import { useAct } from '~/core/act'
import { isSameTyped } from '~/core/drafts'
import { lackingAtom } from '~/core/session/server-version'
import { inputText, isValue, readInput } from '~/sql/cell-input'
import { shownStatement } from '~/sql/names'
import {
  type Condition,
  featureOf,
  keyOrder,
  type Operator,
  operators,
  operatorsFor,
  type RowFilter,
  valuesTaken,
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
import { TextArea } from '~/ui/TextArea'
import { useRowQuery } from './address'
import { operatorWords } from './operator-words'
import type { RowList } from './use-rows'

type Props = { of: RowList; onClose: () => void }

/** Conditions on the rows by column and type, with the statement that they make on demand. */
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
  const keep = useAct(keepFilterDraft)
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
        conditions: conditions.map((one) => (one.id === id ? changed(one, change) : one)),
      }),
  }
}

/** What was applied holds no longer once something is typed. */
function changed(
  { values: _, ...before }: TypedCondition,
  change: Partial<TypedCondition>,
): TypedCondition {
  return { ...before, ...change }
}

type Typed = { readonly isAny: boolean; readonly conditions: readonly TypedCondition[] }

/** The applied filter as it was typed, or one condition to begin with. */
function typedFilter(
  { isAny, conditions }: RowFilter,
  typeOf: (column: string) => string,
  first: TypedCondition,
): Typed {
  const typed = conditions.map(({ column, operator, values }, id): TypedCondition => {
    const type = ofText.has(operator) ? 'VARCHAR' : typeOf(column)
    const [text = '', ...more] = values.map((value) => inputText(type, value, 'text'))
    const common = { id, column, operator, values: [...values] }
    if (operator === 'BETWEEN') return { ...common, text, to: more[0] ?? '' }
    return { ...common, text: [text, ...more].join('\n') }
  })
  return { isAny, conditions: typed.length > 0 ? typed : [first] }
}

/** Their value is a part of a text, whatever the column is. */
const ofText: ReadonlySet<Operator> = new Set(['CONTAINS', 'STARTS WITH', 'LIKE', 'NOT LIKE'])

/** The conditions that can be read, and what is wrong with the others. */
function readDrafts(
  drafts: readonly TypedCondition[],
  isAny: boolean,
  typeOf: (column: string) => string,
): { filter: RowFilter; errors: ReadonlyMap<number, string> } {
  const conditions: Condition[] = []
  const errors = new Map<number, string>()
  for (const draft of drafts) {
    const read = draft.values ? { values: draft.values } : readValues(draft, typeOf(draft.column))
    if ('error' in read) errors.set(draft.id, read.error)
    else conditions.push({ column: draft.column, operator: draft.operator, values: read.values })
  }
  return { filter: { isAny, conditions }, errors }
}

function readValues(
  { column, operator, text, to = '' }: TypedCondition,
  columnType: string,
): { values: string[] } | { error: string } {
  const taken = valuesTaken(operator)
  if (taken === 0) return { values: [] }
  const type = ofText.has(operator) ? 'VARCHAR' : columnType
  const lines = text.split('\n').filter((line) => line !== '')
  const texts = taken === 2 ? [text, to] : taken === 'list' ? lines : [text]
  if (texts.length === 0) return { error: 'Write one value in each line.' }
  const values: string[] = []
  for (const [at, one] of texts.entries()) {
    const input = readInput({ name: column, type, length: null }, one)
    if (isValue(input)) values.push(input.value ?? '')
    else return { error: taken === 'list' ? `Value ${at + 1}: ${input.error}` : input.error }
  }
  return { values }
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
  const { column, operator } = draft
  const typeOf = typesOf(columns)
  const lacks = useAtomValue(lackingAtom)
  const choose = (name: string) => {
    const allowed = operatorsFor(typeOf(name))
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
        options={operatorsFor(type).map((one) => {
          const feature = featureOf(one)
          const detail = feature && lacks(feature)
          const why = detail === undefined ? {} : { detail, disabled: true }
          return { value: one, label: operatorWords[one], ...why }
        })}
        size="small"
        value={operator}
      />
      <div className="min-w-24 flex-1 basis-24">
        <Values draft={draft} hasError={error !== undefined} onChange={onChange} type={type} />
        {error !== undefined && (
          <p className="pt-1 text-error text-sm" id={`filter-error-${draft.id}`} role="alert">
            {error}
          </p>
        )}
      </div>
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

type ValuesProps = Pick<LineProps, 'draft' | 'type' | 'onChange'> & { hasError: boolean }

/** One field, two for a range, or a field of several lines for a list. */
function Values({ draft, type, onChange, hasError }: ValuesProps) {
  const { operator, text, to = '' } = draft
  const taken = valuesTaken(operator)
  const described = hasError ? `filter-error-${draft.id}` : undefined
  if (taken === 0) return null
  if (taken === 'list') {
    return (
      <TextArea
        aria-describedby={described}
        autoComplete="off"
        bare
        exact
        label="Values, one in each line"
        mono
        onChange={(value) => onChange({ text: value })}
        placeholder="one value in each line"
        rows={2}
        value={text}
      />
    )
  }
  const field = (label: string, value: string, change: (value: string) => void) => (
    <Field
      aria-describedby={described}
      autoComplete="off"
      bare
      label={label}
      mono
      onChange={change}
      placeholder={placeholders[ofText.has(operator) ? operator : type]}
      spellCheck={false}
      value={value}
    />
  )
  if (taken === 1) return field('Value', text, (value) => onChange({ text: value }))
  return (
    <div className="grid grid-cols-[1fr_auto_1fr] items-center gap-2">
      {field('From', text, (value) => onChange({ text: value }))}
      <span className="text-muted text-sm">and</span>
      {field('To', to, (value) => onChange({ to: value }))}
    </div>
  )
}

const placeholders: Readonly<Record<string, string>> = {
  LIKE: 'a%_b: % any letters, _ one, \\ takes the next as it is',
  'NOT LIKE': 'a%_b: % any letters, _ one, \\ takes the next as it is',
  BOOLEAN: 'true or false',
  TIMESTAMP: '2026-11-21 09:00:00.123456 in UTC',
  BLOB: '00ff in hex',
  UUID: '8-4-4-4-12 hex digits',
}

const withNull: ReadonlySet<Operator> = new Set(['<', '<=', '!=', 'NOT LIKE'])
const patterns: ReadonlySet<Operator> = new Set(['LIKE', 'NOT LIKE'])

type StatementProps = { of: RowList; filter: RowFilter }

/** The statement as it can be changed in the editor; what is sent has the values as parameters. */
function Statement({ of, filter }: StatementProps) {
  const change = useChangeSearch()
  const sql = shownStatement(() => shownSql({ ...of, filter }, typesOf(of.columns)))
  const has = (some: ReadonlySet<Operator>) =>
    filter.conditions.some(({ operator }) => some.has(operator))
  return (
    <>
      {has(withNull) && (
        <p className="text-muted text-sm">
          NULL passes, as immudb takes it for smaller than every value. Add “is not NULL” to leave
          it out.
        </p>
      )}
      {has(patterns) && (
        <p className="text-muted text-sm">
          % and _ stand for no line break. “contains” finds text across lines.
        </p>
      )}
      <details>
        <summary className="w-max rounded-sm py-3 text-muted text-sm hover:text-text xs:py-0">
          SQL
        </summary>
        <div className="mt-1 flex items-start gap-1 rounded-sm border border-line bg-panel">
          <pre
            className="min-w-0 grow overflow-x-auto whitespace-pre-wrap px-2 py-1.5 font-mono text-sm [overflow-wrap:anywhere]"
            translate="no"
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
      </details>
    </>
  )
}
