import { type FormEvent, useId, useMemo, useState } from 'react'
import type { Collection } from '~/immudb/collection'
import {
  type DocumentQuery,
  everything,
  mostLimit,
  operators,
  queryFromAddress,
  queryJson,
  queryToAddress,
} from '~/immudb/document-query'
import { Button } from '~/ui/Button'
import { Checkbox } from '~/ui/Checkbox'
import { CopyButton } from '~/ui/CopyButton'
import { Field } from '~/ui/Field'
import { CloseIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { SafeText } from '~/ui/SafeText'
import { Select } from '~/ui/Select'
import { comparedValue, type TypedComparison, typedOf } from './comparison-value'

type Props = {
  of: Collection
  /** The shown search, by `queryToAddress`. */
  search: string
  onSearch: (search: string) => void
}

type Group = { id: number; lines: readonly TypedComparison[] }

/** Builds a search; its request is shown as it is sent. */
export function SearchForm({ of, search, onSearch }: Props) {
  const first = useMemo(() => queryFromAddress(search) ?? everything, [search])
  const [isOpen, setOpen] = useState(search !== '')
  const form = useSearch(of, first)
  const id = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typeof form.query !== 'string') onSearch(queryToAddress(form.query))
  }
  const count = first.groups.flat().length
  return (
    <div className="shrink-0 border-line border-b">
      <div className="flex flex-wrap items-center gap-2 px-3 py-2">
        <Button
          aria-controls={id}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          size="small"
        >
          {isOpen ? 'Hide search' : 'Search…'}
        </Button>
        <span className="text-muted text-sm">
          {search === ''
            ? 'All documents'
            : `Searched by ${count === 0 ? 'order or limit' : `${count} ${count === 1 ? 'comparison' : 'comparisons'}`}`}
        </span>
        {search !== '' && (
          <Button onClick={() => onSearch('')} size="small" variant="quiet">
            Show all documents
          </Button>
        )}
      </div>
      {isOpen && (
        <form
          aria-label="Search documents"
          className="grid max-h-[46vh] gap-3 overflow-auto px-3 pb-3"
          id={id}
          noValidate
          onSubmit={submit}
        >
          {form.groups.map((group, at) => (
            <GroupFields
              group={group}
              isAlone={form.groups.length === 1}
              key={group.id}
              number={at + 1}
              of={of}
              onChange={(lines) => form.setLines(group.id, lines)}
              onRemove={() => form.removeGroup(group.id)}
            />
          ))}
          <div className="flex flex-wrap items-end gap-3">
            <Button onClick={form.addGroup} size="small">
              {form.groups.length === 0 ? 'Add a comparison' : 'Or…'}
            </Button>
          </div>
          <div className="flex flex-wrap items-end gap-3">
            <Select
              label="Order by"
              labelled
              onChange={form.setOrder}
              options={[
                { value: '', label: 'the ids' },
                ...of.fields.map(({ name }) => ({ value: name, label: name })),
              ]}
              value={form.order}
            />
            <Checkbox
              checked={form.isDescending}
              disabled={form.order === ''}
              label="Descending"
              onChange={form.setDescending}
            />
            <div className="w-28">
              <Field
                autoComplete="off"
                inputMode="numeric"
                label="Limit"
                onChange={form.setLimit}
                placeholder="none"
                value={form.limit}
              />
            </div>
          </div>
          {typeof form.query === 'string' ? (
            <p className="text-error text-sm" role="status">
              {form.query}
            </p>
          ) : (
            <Request query={form.query} />
          )}
          <div className="flex gap-2">
            <Button
              disabledReason={typeof form.query === 'string' ? form.query : undefined}
              type="submit"
              variant="primary"
            >
              Search
            </Button>
          </div>
        </form>
      )}
    </div>
  )
}

/** The query as the request has it. */
function Request({ query }: { query: DocumentQuery }) {
  const text = `{\n  "query": ${queryJson(query, '  ')}\n}`
  return (
    <details>
      <summary className="w-max rounded-sm py-2 text-muted text-sm hover:text-text xs:py-1">
        Request
      </summary>
      <div className="flex items-start gap-1">
        <pre className="max-h-48 min-w-0 grow overflow-auto rounded-sm border border-line bg-panel px-2 py-1.5 font-mono text-sm">
          <SafeText lines text={text} />
        </pre>
        <CopyButton text={text} what="the request" />
      </div>
    </details>
  )
}

/** What is typed, and the query that it makes: a sentence while it makes none. */
function useSearch(of: Collection, first: DocumentQuery) {
  const [groups, setGroups] = useState<readonly Group[]>(() =>
    first.groups.map((lines, id) => ({
      id,
      lines: lines.map((line, at) => typedOf(of, line, at)),
    })),
  )
  const [order, setOrder] = useState(first.orderBy[0]?.field ?? '')
  const [isDescending, setDescending] = useState(first.orderBy[0]?.isDescending ?? false)
  const [limit, setLimit] = useState(first.limit === 0 ? '' : String(first.limit))
  const [next, setNext] = useState(groups.length)
  const query = queryOf(of, { groups, order, isDescending, limit })
  return {
    groups,
    order,
    setOrder,
    isDescending,
    setDescending,
    limit,
    setLimit,
    query,
    addGroup: () => {
      setGroups([...groups, { id: next, lines: [newLine(of, 0)] }])
      setNext(next + 1)
    },
    removeGroup: (id: number) => setGroups(groups.filter((group) => group.id !== id)),
    setLines: (id: number, lines: readonly TypedComparison[]) =>
      setGroups(groups.map((group) => (group.id === id ? { id, lines } : group))),
  }
}

function newLine(of: Collection, id: number): TypedComparison {
  const field = of.fields[1]?.name ?? of.idField
  return { id, field, operator: 'EQ', text: '', isNull: false }
}

type Typed = { groups: readonly Group[]; order: string; isDescending: boolean; limit: string }

function queryOf(of: Collection, typed: Typed): DocumentQuery | string {
  const { groups, order, isDescending } = typed
  const limit = typed.limit.trim() === '' ? 0 : Number(typed.limit)
  if (!Number.isInteger(limit) || limit < 0 || limit > mostLimit) return 'The limit is a number.'
  const read: DocumentQuery['groups'][number][] = []
  for (const { lines } of groups) {
    const group = []
    for (const { field, operator, ...line } of lines) {
      const value = comparedValue(of, { field, operator, ...line })
      if ('problem' in value) return value.problem
      group.push({ field, operator, value: value.json })
    }
    if (group.length > 0) read.push(group)
  }
  return { groups: read, orderBy: order === '' ? [] : [{ field: order, isDescending }], limit }
}

type GroupProps = {
  of: Collection
  group: Group
  number: number
  isAlone: boolean
  onChange: (lines: readonly TypedComparison[]) => void
  onRemove: () => void
}

/** Comparisons that must all hold. */
function GroupFields({ of, group, number, isAlone, onChange, onRemove }: GroupProps) {
  const { lines } = group
  const [next, setNext] = useState(lines.length)
  const legend = number === 1 ? (isAlone ? 'Where' : 'Either') : 'Or'
  return (
    <fieldset className="grid gap-2 rounded border border-line px-3 pt-1 pb-3">
      <legend className="px-1 text-muted text-sm">{legend}</legend>
      {lines.map((line, at) => (
        <Line
          key={line.id}
          line={line}
          name={`${number}.${at + 1}`}
          of={of}
          onChange={(change) =>
            onChange(lines.map((one) => (one === line ? { ...one, ...change } : one)))
          }
          onRemove={() =>
            lines.length === 1 ? onRemove() : onChange(lines.filter((one) => one !== line))
          }
        />
      ))}
      <div>
        <Button
          onClick={() => {
            onChange([...lines, newLine(of, next)])
            setNext(next + 1)
          }}
          size="small"
          variant="quiet"
        >
          And…
        </Button>
      </div>
    </fieldset>
  )
}

type LineProps = {
  of: Collection
  line: TypedComparison
  name: string
  onChange: (change: Partial<TypedComparison>) => void
  onRemove: () => void
}

function Line({ of, line, name, onChange, onRemove }: LineProps) {
  const type = of.fields.find((field) => field.name === line.field)?.type ?? 'STRING'
  const value = comparedValue(of, line)
  return (
    <div className="flex flex-wrap items-start gap-2">
      <Select
        label={`Field ${name}`}
        onChange={(field) => onChange({ field })}
        options={of.fields.map((field) => ({ value: field.name, label: field.name }))}
        value={line.field}
      />
      <Select
        label={`Operator ${name}`}
        onChange={(next) => {
          const operator = operators.find((one) => one === next)
          if (operator) onChange({ operator })
        }}
        options={operators.map((one) => ({ value: one, label: one }))}
        value={line.operator}
      />
      <div className="min-w-32 grow">
        <Field
          autoComplete="off"
          bare
          disabled={line.isNull}
          error={line.text !== '' && 'problem' in value ? value.problem : undefined}
          label={`Value ${name}`}
          mono
          onChange={(text) => onChange({ text })}
          placeholder={line.isNull ? 'null' : hints[type]}
          spellCheck={false}
          value={line.isNull ? '' : line.text}
        />
      </div>
      <Checkbox checked={line.isNull} label="null" onChange={(isNull) => onChange({ isNull })} />
      <IconButton icon={<CloseIcon />} label={`Remove comparison ${name}`} onClick={onRemove} />
    </div>
  )
}

const hints = {
  STRING: 'text; % in LIKE',
  UUID: 'a UUID',
  INTEGER: '42',
  DOUBLE: '4.2',
  BOOLEAN: 'true or false',
}
