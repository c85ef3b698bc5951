import { useAtomValue } from 'jotai'
import type { FormEvent, KeyboardEvent } from 'react'
import {
  areValuesMissingAtom,
  type ParameterRow,
  parameterRowsAtom,
  typeParameters,
} from '~/atoms/query/parameters'
import { useAct } from '~/core/act'
import { timezoneAtom } from '~/core/page-view'
import { lackingAtom } from '~/core/session/server-version'
import { columnTypes, neededFor } from '~/immudb/column-types'
import { actionOf } from '~/lib/shortcuts'
import { visibleText } from '~/lib/visible-text'
import { zoneTitle } from '~/sql/cell-input'
import { Button } from '~/ui/Button'
import { Select } from '~/ui/Select'
import { TextArea } from '~/ui/TextArea'
import { LinkMenu } from './LinkMenu'

// Outside React: the focus.

type Props = { onRun: () => void; onRunAll: () => void }

const formId = 'parameters'

/** Puts the focus into the first field that keeps a run from being sent. */
export function focusFirstProblem() {
  // The fields say what is wrong with the next drawing.
  requestAnimationFrame(() => {
    document.getElementById(formId)?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  })
}

/** A field for each `@name` in the text of the editor; nothing while there is none. */
export function ParameterForm({ onRun, onRunAll }: Props) {
  const rows = useAtomValue(parameterRowsAtom)
  const isHeld = useAtomValue(areValuesMissingAtom)
  if (rows.length === 0) return null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onRun()
  }
  const press = (event: KeyboardEvent) => {
    const action = actionOf('editor', event)
    if (action !== 'run' && action !== 'runAll') return
    event.preventDefault()
    if (action === 'run') onRun()
    else onRunAll()
  }
  return (
    <form
      aria-label="Parameters"
      className="max-h-1/2 shrink-0 scroll-pt-24 overflow-y-auto border-line border-t bg-panel px-3 pb-2 @lg:max-h-none @lg:w-72 @lg:border-t-0 @lg:border-s"
      id={formId}
      noValidate
      onKeyDown={press}
      onSubmit={submit}
    >
      <header className="sticky top-0 z-sticky bg-panel pb-1 has-aria-expanded:static">
        <div className="flex min-h-9 items-center">
          <h2 className="me-auto font-medium text-sm">Parameters</h2>
          <LinkMenu />
        </div>
        <div className="empty:hidden" role="alert">
          {isHeld && (
            <p className="text-error text-sm">Nothing was run. A value is missing or wrong.</p>
          )}
        </div>
      </header>
      <div className="grid gap-y-2">
        {rows.map((row) => (
          <ParameterField key={row.name} row={row} />
        ))}
      </div>
      {/* Enter in a field runs only a form with such a button. */}
      <button className="hidden" tabIndex={-1} type="submit" />
    </form>
  )
}

function ParameterField({ row }: { row: ParameterRow }) {
  const { name, type, isChosen, error } = row
  const put = useAct(typeParameters)
  const zone = useAtomValue(timezoneAtom)
  const isNull = row.text === null
  const chosen = isChosen ? type : null
  const label = `@${name}`
  const text = row.text ?? ''
  const shared = {
    label,
    bare: true,
    mono: true,
    disabled: isNull,
    error,
    onChange: (typed: string) => put([{ name, type: chosen, text: typed }]),
    placeholder: isNull ? 'NULL' : placeholderOf(row),
    value: text,
  }
  const hasLines = type === 'VARCHAR' || type === 'JSON'
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (hasLines || event.key !== 'Enter' || actionOf('editor', event) !== undefined) return
    event.preventDefault()
    event.currentTarget.form?.requestSubmit()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out like this everywhere.
    <div aria-label={label} className="min-w-0" role="group">
      <div className="mb-1 flex min-w-0 items-center gap-1">
        <code className="min-w-0 flex-1 truncate font-medium font-mono text-sm" translate="no">
          {label}
        </code>
        <TypeSelect row={row} />
        <Button
          aria-label={`${label} is NULL`}
          aria-pressed={isNull}
          onClick={() => put([{ name, type: chosen, text: isNull ? undefined : null }])}
          size="small"
          variant={isNull ? 'plain' : 'quiet'}
        >
          NULL
        </Button>
      </div>
      {/* One field for each type: another one would drop the focus when the column gets known. */}
      <TextArea
        {...shared}
        autoComplete="off"
        exact={hasLines}
        hint={type === 'TIMESTAMP' && row.other === null ? `In ${zoneTitle(zone)}.` : hintOf(row)}
        onKeyDown={press}
        rows={hasLines && text.includes('\n') ? 3 : 1}
      />
    </div>
  )
}

/** The type that a text is read as: that of the column it is used with, or another. */
function TypeSelect({ row }: { row: ParameterRow }) {
  const { name, type, column } = row
  const put = useAct(typeParameters)
  const lacks = useAtomValue(lackingAtom)
  const choose = (value: string) => {
    const chosen = columnTypes.find((one) => one === value)
    if (chosen) put([{ name, type: chosen, text: row.text }])
  }
  const offered = columnTypes.filter((one) => {
    const needed = neededFor(one)
    return needed === undefined || lacks(needed) === undefined || one === type
  })
  return (
    <Select
      label={`Type of @${name}`}
      onChange={choose}
      options={offered.map((one) => ({
        value: one,
        label: one,
        ...(one === type && !row.isChosen && column !== null ? { detail: `As ${column}` } : {}),
      }))}
      quiet
      size="small"
      value={type}
    />
  )
}

const examples: Readonly<Record<string, string>> = {
  INTEGER: 'Such as 42',
  FLOAT: 'Such as 1.5',
  BOOLEAN: 'true or false',
  TIMESTAMP: 'Such as 2026-11-21 09:00:00',
  UUID: '8-4-4-4-12 digits',
  BLOB: 'Hex digits',
  JSON: 'Such as {"a": 1}',
}

function placeholderOf({ type, text }: ParameterRow): string {
  return text === '' && type === 'VARCHAR' ? 'Empty text' : (examples[type] ?? 'Text')
}

/** What a field cannot show by itself: characters that are not seen, and an empty text. */
function hintOf({ text, type, column, other }: ParameterRow): string | undefined {
  if (text && visibleText(text) !== text) return `Holds unseen characters: ${visibleText(text)}`
  if (text === '' && type === 'VARCHAR') return 'An empty text is sent.'
  const as = column === null ? undefined : `As ${column}.`
  if (other === null) return as
  return `${as ?? `As ${type}.`} It is also used with ${other}: two names suit both.`
}
