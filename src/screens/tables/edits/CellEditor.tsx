import { useAtomValue } from 'jotai'
import { type FocusEvent, type KeyboardEvent, type MouseEvent, useId, useState } from 'react'
import { timezoneAtom } from '~/core/page-view'
import { editableSize } from '~/lib/constants'
import { actionOf } from '~/lib/shortcuts'
import { counted } from '~/lib/text'
import { visibleText } from '~/lib/visible-text'
import {
  type CellInput,
  formatFor,
  type InputFormat,
  indentedJson,
  inputText,
  isValue,
  readInput,
  roundsNumbers,
  zoneTitle,
} from '~/sql/cell-input'
import { nullInput, nullRefusal } from '~/sql/cell-paste'
import { type EditColumn, editOf, shownInput } from '~/sql/row-edits'
import { Button } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { Field } from '~/ui/Field'
import { keepInGrid } from '~/ui/grid/keep-in-grid'
import { lostReturns, lostReturnsNote, TextArea } from '~/ui/TextArea'
import { TextEditor } from '~/ui/TextEditor'
import type { OpenCell, RowEdits } from './use-row-edits'

/** Where the grid goes on when a field is left. */
export type Leave = 'stay' | 'up' | 'down' | 'next' | 'previous' | 'commit'

type Props = {
  edits: RowEdits
  cell: OpenCell
  onLeave: (to: Leave) => void
  /** Opens the field of the drawer instead; undefined where this is it, with room for a long text. */
  onWiden?: () => void
}

/** The field for a value, in the place of its cell. Everything typed is staged at once. */
export function CellEditor(props: Props) {
  const { edits, cell } = props
  const column = edits.table.columns.find(({ name }) => name === cell.column)
  return column ? <Editor {...props} column={column} /> : null
}

type Typed = { text: string; format: InputFormat; isTooLarge: boolean }

type EditorProps = Props & { column: EditColumn }

function Editor({ edits, cell, column, onLeave, onWiden }: EditorProps) {
  const isWide = onWiden === undefined
  const zone = useAtomValue(timezoneAtom)
  const now = shownInput(editOf(edits.state.edits, cell.id), cell.before, column.name)
  const [typed, setTyped] = useState(() => typedOf(column.type, now, isWide, zone, cell.typed))
  // As it was opened: typing must not change the kind of the field.
  const [isLarge] = useState(() => isWide && needsEditor(column.type, typed.text))
  const isNew = cell.before === null
  const change = (text: string) => {
    setTyped({ ...typed, text })
    const isNone = text.trim() === '' && !takesEmpty(column.type)
    const none = isNone ? nullInput(column, isNew) : undefined
    const isNull = none === null || (none && isValue(none))
    edits.stage(cell, isNull ? none : readInput(column, text, typed.format, zone))
  }
  const choose = (input: CellInput | null) => {
    edits.stage(cell, input)
    onLeave('stay')
  }
  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    const action = actionOf('cell', event)
    if (action === 'giveUp') {
      edits.giveUp(cell)
      onLeave('stay')
    } else if (event.target instanceof HTMLButtonElement) return
    else if (isWide) {
      const isDone = action === 'stay' || (action === 'down' && !isLong(column.type))
      if (!isDone) return
      onLeave('stay')
    } else {
      const isPlain = cell.typed !== undefined && !typed.text.includes('\n')
      const to = leaveOf(event, isPlain)
      if (to) onLeave(to)
      else if (action === 'line' && event.target instanceof HTMLTextAreaElement) {
        const { selectionStart, selectionEnd } = event.target
        event.target.setRangeText('\n', selectionStart, selectionEnd, 'end')
        change(event.target.value)
      } else if (action !== 'line') return
    }
    event.preventDefault()
    event.stopPropagation()
  }
  const leave = ({ currentTarget, relatedTarget }: FocusEvent) => {
    // A window that is left keeps its field.
    const isGone = !currentTarget.contains(relatedTarget) && document.hasFocus()
    if (!isWide && isGone) edits.close(cell)
  }
  const error = now && !isValue(now) && now.error !== '' ? now.error : undefined
  const shared = {
    column,
    error,
    hint: hintFor(column, typed, zone),
    isSelected: isWide || cell.isSelected === true,
    onChange: change,
    typed,
  }
  const buttons = (
    <>
      {column.type === 'BOOLEAN' &&
        ['true', 'false'].map((value) => (
          <Button key={value} onClick={() => choose({ value })} size="small">
            {value}
          </Button>
        ))}
      <Button
        disabledReason={column.isNullable ? undefined : nullRefusal}
        onClick={() => choose({ value: null })}
        size="small"
      >
        NULL
      </Button>
      {takesEmpty(column.type) && typed.text === '' && (
        <Button onClick={() => choose({ value: '' })} size="small">
          Empty
        </Button>
      )}
      {isNew && column.isAutoIncrement && (
        <Button onClick={() => choose(null)} size="small">
          Let immudb count
        </Button>
      )}
      {onWiden && isLong(column.type) && (
        <Button onClick={onWiden} size="small" title="Edit it in the drawer of its row">
          Large
        </Button>
      )}
      <Button onClick={() => onLeave('stay')} size="small" variant="primary">
        Done
      </Button>
    </>
  )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of the fields in it end the edit.
    <div
      className={cx(
        isWide
          ? 'grid gap-1 rounded border border-primary bg-raised p-2'
          : 'absolute top-0 left-0 cursor-auto whitespace-normal text-start font-sans leading-normal',
      )}
      data-editor=""
      data-escape=""
      onBlur={leave}
      onKeyDown={press}
      onMouseDown={isWide ? undefined : keepFocus}
      ref={isWide ? null : keepInGrid}
      style={isWide ? undefined : { width: wishedWidth(typed.text) }}
    >
      {isWide ? <WideField {...shared} isLarge={isLarge} /> : <SmallField {...shared} />}
      {isWide ? (
        <div className="flex flex-wrap items-center gap-1">
          {buttons}
          <span className="ms-auto hidden px-1 text-muted text-xs xs:inline">
            {typeName(column)}
          </span>
        </div>
      ) : (
        // Only the buttons themselves are in the way of a press on what is below.
        <div
          className="pointer-events-none absolute flex w-max items-center gap-0.5 *:pointer-events-auto *:shadow-float"
          data-buttons=""
        >
          {buttons}
        </div>
      )}
    </div>
  )
}

const typeName = ({ type, length }: EditColumn): string =>
  length === null ? type : `${type} (${counted(length, 'byte')})`

/** Pixels for the longest line of a text, within limits. */
function wishedWidth(text: string): number {
  const longest = Math.max(
    ...text
      .slice(0, 2_000)
      .split('\n')
      .map((line) => line.length),
  )
  return Math.min(360, longest * 9 + 32)
}

/** Where a key goes on; Arrow keys do so only where the value was begun by typing it. */
function leaveOf(event: KeyboardEvent, isPlain: boolean): Leave | undefined {
  const action = actionOf('cell', event)
  switch (action) {
    case 'up':
    case 'down':
    case 'next':
    case 'previous':
    case 'stay':
      return action
    case 'commit':
      return event.repeat ? undefined : action
    default: {
      const arrow = isPlain && actionOf('grid', event)
      return arrow === 'up' || arrow === 'down' ? arrow : undefined
    }
  }
}

/** A press on a button leaves the focus in the field, which would be closed without it. */
function keepFocus(event: MouseEvent) {
  if (event.target instanceof Element && event.target.closest('button')) event.preventDefault()
}

function typedOf(
  type: string,
  now: CellInput | null,
  isWide: boolean,
  zone: string,
  begun: string | undefined,
): Typed {
  if (begun !== undefined) return { text: begun, format: 'text', isTooLarge: false }
  if (now && !isValue(now)) return { text: now.text, format: 'text', isTooLarge: false }
  const value = now?.value ?? null
  const isTooLarge = !isWide && value !== null && value.length > editableSize
  const format = formatFor(type, isTooLarge ? null : value)
  const text = value === null || isTooLarge ? '' : inputText(type, value, format, zone)
  const isInLines = !isWide || type !== 'JSON' || text.includes('\n')
  return { text: isInLines ? text : indentedJson(text), format, isTooLarge }
}

const isLong = (type: string): boolean => type === 'VARCHAR' || type === 'JSON' || type === 'BLOB'

/** JSON and what does not fit into a small field. */
function needsEditor(type: string, text: string): boolean {
  return type === 'JSON' || (isLong(type) && (text.length > shortText || text.includes('\n')))
}

/** Characters that fit into a small field. */
const shortText = 200

/** An empty field does not say whether it stands for NULL. */
const takesEmpty = (type: string): boolean => isLong(type) && type !== 'JSON'

function hintFor({ type }: EditColumn, typed: Typed, zone: string): string | undefined {
  const { text, format, isTooLarge } = typed
  if (isTooLarge)
    return 'Too large for this field: what you type replaces it. Open the row to edit it.'
  if (type === 'TIMESTAMP') return `${zoneTitle(zone)}, up to six decimals.`
  if (type === 'BLOB') return 'Bytes in hex.'
  if (type === 'JSON' && roundsNumbers(text)) {
    return 'immudb keeps numbers of JSON as doubles: some of these are rounded.'
  }
  if (format === 'hex') return 'In hex, because a text field would change it.'
  return undefined
}

type FieldProps = {
  column: EditColumn
  typed: Typed
  error: string | undefined
  hint: string | undefined
  onChange: (text: string) => void
  /** The whole text is selected at first, so that typing replaces it. */
  isSelected: boolean
}

/** Lines of a text that are seen at once. */
const mostLines = 8

/** As high as its cell, or as the lines of its value. */
function SmallField({ column, typed, error, hint, onChange, isSelected }: FieldProps) {
  const id = useId()
  const [lost, setLost] = useState(0)
  const message = error ?? (lost > 0 ? lostReturnsNote(lost) : hint)
  const field = {
    'aria-describedby': `${id}-message`,
    'aria-invalid': error ? true : undefined,
    autoComplete: 'off',
    className: cx(
      'block w-full min-w-0 resize-none rounded border-2 bg-input px-2.5 text-lg shadow-float outline-none xs:text-base',
      error ? 'border-error' : 'border-primary',
      column.type !== 'VARCHAR' && 'font-mono',
    ),
    enterKeyHint: 'done' as const,
    id,
    ref: isSelected ? takeFocusWhole : takeFocus,
    spellCheck: false,
    value: typed.text,
  }
  const lines = Math.min(mostLines, typed.text.split('\n').length)
  return (
    <>
      <label className="sr-only" htmlFor={id}>
        {visibleText(column.name, 'name')}
      </label>
      {isLong(column.type) ? (
        <textarea
          {...field}
          className={cx(field.className, 'whitespace-pre py-1.5 leading-5 xs:py-0.5')}
          onChange={(event) => onChange(event.target.value)}
          onPaste={(event) => setLost(lostReturns(event.clipboardData))}
          rows={lines}
        />
      ) : (
        <input
          {...field}
          className={cx(field.className, 'h-9 xs:h-7')}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      <p
        aria-live="polite"
        className={cx(
          'pointer-events-none absolute w-max max-w-80 rounded border border-line bg-raised px-2 py-0.5 text-xs shadow-float empty:hidden [overflow-wrap:anywhere]',
          error ? 'text-error' : 'text-muted',
        )}
        data-note=""
        id={`${id}-message`}
      >
        {message && visibleText(message)}
      </p>
    </>
  )
}

/** Has an editor with lines and a search where `isLarge`. */
function WideField({
  column,
  typed,
  error,
  hint,
  onChange,
  isLarge,
}: FieldProps & { isLarge: boolean }) {
  const shared = { error, hint, label: column.name, onChange, value: typed.text }
  if (isLarge) {
    const language = column.type === 'JSON' ? 'json' : 'text'
    return <TextEditor {...shared} language={language} onMount={(focus) => focus()} />
  }
  const typing = { autoComplete: 'off', mono: column.type !== 'VARCHAR', spellCheck: false }
  if (isLong(column.type)) {
    return <TextArea {...shared} {...typing} exact ref={takeFocusWhole} rows={3} />
  }
  return <Field {...shared} {...typing} ref={takeFocusWhole} />
}

/** The field that was just opened takes the focus, with the caret behind its text. */
function takeFocus(field: HTMLInputElement | HTMLTextAreaElement | null) {
  if (!field || field === document.activeElement) return
  // The grid brings the cell into sight itself.
  field.focus({ preventScroll: true })
  field.setSelectionRange(field.value.length, field.value.length)
}

/** With its text selected. */
function takeFocusWhole(field: HTMLInputElement | HTMLTextAreaElement | null) {
  if (!field || field === document.activeElement) return
  field.focus()
  field.select()
}
