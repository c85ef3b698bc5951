import type { FormEvent } from 'react'
import type { Collection } from '~/immudb/collection'
import { type DocumentQuery, queryJson, queryToAddress } from '~/immudb/document-query'
import { Button } from '~/ui/Button'
import { Checkbox } from '~/ui/Checkbox'
import { CopyButton } from '~/ui/CopyButton'
import { cx } from '~/ui/cx'
import { Field } from '~/ui/Field'
import { SafeText } from '~/ui/SafeText'
import { Select } from '~/ui/Select'
import { GroupFields } from './SearchGroup'
import { useSearch } from './use-search-form'

type Props = {
  id: string
  of: Collection
  /** The shown search, by `queryToAddress`. */
  search: string
  /** What is typed stays. */
  isHidden: boolean
  onSearch: (search: string) => void
}

/** Builds a search; its request is shown as it is sent. */
export function SearchForm({ id, of, search, isHidden, onSearch }: Props) {
  const form = useSearch(of, search)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typeof form.query === 'string') return
    const next = queryToAddress(form.query)
    form.sent(next)
    onSearch(next)
  }
  return (
    <form
      aria-label="Search documents"
      className={cx('max-h-[46vh] grid-cols-1 gap-2 overflow-auto px-3 pb-3', !isHidden && 'grid')}
      hidden={isHidden}
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
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button onClick={form.addGroup} size="small">
          {form.groups.length === 0 ? 'Add a comparison' : 'Or…'}
        </Button>
        <div className="flex items-center gap-2">
          <span aria-hidden="true" className="text-sm">
            Order by
          </span>
          <Select
            label="Order by"
            onChange={(order) => form.update({ order })}
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
            onChange={(isDescending) => form.update({ isDescending })}
          />
        </div>
        <div className="flex items-center gap-2">
          <span aria-hidden="true" className="text-sm">
            Limit
          </span>
          <div className="w-24">
            <Field
              autoComplete="off"
              bare
              inputMode="numeric"
              label="Limit"
              onChange={(limit) => form.update({ limit })}
              placeholder="none"
              value={form.limit}
            />
          </div>
        </div>
      </div>
      <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
        <Button
          disabledReason={typeof form.query === 'string' ? form.query : undefined}
          type="submit"
          variant="primary"
        >
          Search
        </Button>
        {typeof form.query === 'string' ? (
          <p className="py-1.5 text-error text-sm" role="status">
            {form.query}
          </p>
        ) : (
          <Request query={form.query} />
        )}
      </div>
    </form>
  )
}

/** The query as the request has it. */
function Request({ query }: { query: DocumentQuery }) {
  const text = `{\n  "query": ${queryJson(query, '  ')}\n}`
  return (
    <details className="min-w-0 open:basis-full">
      <summary className="w-max rounded-sm py-2 text-muted text-sm hover:text-text xs:py-1">
        Request
      </summary>
      <div className="flex items-start gap-1">
        <pre
          translate="no"
          className="min-w-0 grow whitespace-pre-wrap rounded-sm border border-line bg-panel px-2 py-1.5 font-mono text-sm [overflow-wrap:anywhere]"
        >
          <SafeText lines text={text} />
        </pre>
        <CopyButton text={text} what="the request" />
      </div>
    </details>
  )
}
