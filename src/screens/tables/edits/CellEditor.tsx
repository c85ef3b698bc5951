import { useSetAtom } from 'jotai'
import { type KeyboardEvent, useState } from 'react'
import { endStepAtom, stageAtom } from '~/atoms/tables/edits'
import { editableSize } from '~/lib/constants'
import { counted } from '~/lib/text'
import {
  type CellInput,
  formatFor,
  type InputFormat,
  indentedJson,
  inputText,
  isValue,
  readInput,
  roundsNumbers,
} from '~/sql/cell-input'
import { changeCell, changeNewCell, type EditColumn, editOf, shownInput } from '~/sql/row-edits'
import { Button } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { Field } from '~/ui/Field'
import { TextArea } from '~/ui/TextArea'
import { TextEditor } from '~/ui/TextEditor'
import type { OpenCell, RowEdits } from './use-row-edits'

type Props = {
  edits: RowEdits
  cell: OpenCell
  onClose: () => void
  /** Stands in the drawer of its row, with room for a long text. */
  isWide?: boolean
}

/** The field for a value, in the place of its cell. Everything typed is staged at once. */
export function CellEditor(props: Props) {
  const { edits, cell } = props
  const column = edits.table.columns.find(({ name }) => name === cell.column)
  return column ? <Editor {...props} column={column} /> : null
}

type Typed = { text: string; format: InputFormat; isTooLarge: boolean }

function Editor({ edits, cell, column, onClose, isWide }: Props & { column: EditColumn }) {
  const edit = editOf(edits.state.edits, cell.id)
  const now = shownInput(edit, cell.before, column.name)
  const [first] = useState(now)
  const [typed, setTyped] = useState(() => typedOf(column.type, now, isWide))
  // As it was opened: typing must not change the kind of the field.
  const [isLarge] = useState(() => isWide === true && needsEditor(column.type, typed.text))
  const stage = useStage(edits, cell)
  const change = (text: string, format = typed.format) => {
    setTyped({ ...typed, text, format })
    stage(readInput(column, text, format))
  }
  const close = (event: { currentTarget: Element }) => {
    // The grid continues where it was.
    event.currentTarget.closest<HTMLElement>('[role=grid]')?.focus()
    stage.end()
    onClose()
  }
  const choose = (input: CellInput | null, event: { currentTarget: Element }) => {
    stage(input)
    close(event)
  }
  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    const isDone = event.key === 'Enter' && (!isLong(column.type) || event.ctrlKey || event.metaKey)
    if (event.key !== 'Escape' && !isDone) return
    if (event.target instanceof HTMLButtonElement && isDone) return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') stage(first)
    close(event)
  }
  const error = now && !isValue(now) ? now.error : undefined
  const isNew = cell.before === null
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of the fields in it end the edit.
    <div
      className={cx(
        'grid gap-1 rounded border border-primary bg-raised p-2',
        !isWide &&
          'absolute top-0 left-0 w-[min(22rem,58vw)] min-w-full whitespace-normal text-start font-sans leading-normal shadow-float',
      )}
      data-escape=""
      onKeyDown={press}
    >
      {column.type === 'BOOLEAN' ? (
        <Booleans onChoose={choose} />
      ) : (
        <ValueField
          column={column}
          error={error}
          hint={hintFor(column, typed)}
          onChange={change}
          isLarge={isLarge}
          typed={typed}
        />
      )}
      <div className="flex flex-wrap items-center gap-1">
        <Button
          disabledReason={column.isNullable ? undefined : 'NULL is not allowed in this column.'}
          onClick={(event) => choose({ value: null }, event)}
          size="small"
        >
          NULL
        </Button>
        {takesEmpty(column.type) && typed.text === '' && (
          <Button onClick={(event) => choose({ value: '' }, event)} size="small">
            Empty
          </Button>
        )}
        {isNew && column.isAutoIncrement && (
          <Button onClick={(event) => choose(null, event)} size="small">
            Let immudb count
          </Button>
        )}
        <Button onClick={close} size="small" variant="primary">
          Done
        </Button>
        <span className="ms-auto hidden text-muted text-xs xs:inline">
          {column.type} {column.length === null ? '' : `(${counted(column.length, 'byte')})`}
        </span>
      </div>
    </div>
  )
}

/** Stages an input for the open cell; null leaves a new row's cell to the server. */
function useStage({ place, table }: RowEdits, { id, before, column }: OpenCell) {
  const stage = useSetAtom(stageAtom)
  const endStep = useSetAtom(endStepAtom)
  const change = (input: CellInput | null) =>
    stage(
      place,
      (all) =>
        before === null
          ? changeNewCell(all, id, column, input)
          : changeCell(all, table, before, column, input ?? { value: null }),
      `${id} ${column}`,
    )
  return Object.assign(change, { end: endStep })
}

function typedOf(type: string, now: CellInput | null, isWide = false): Typed {
  if (now && !isValue(now)) return { text: now.text, format: 'text', isTooLarge: false }
  const value = now?.value ?? null
  const isTooLarge = !isWide && value !== null && value.length > editableSize
  const format = formatFor(type, isTooLarge ? null : value)
  const text = value === null || isTooLarge ? '' : inputText(type, value, format)
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

function hintFor({ type }: EditColumn, { text, format, isTooLarge }: Typed): string | undefined {
  if (isTooLarge)
    return 'Too large for this field: what you type replaces it. Open the row to edit it.'
  if (type === 'TIMESTAMP') return 'UTC, up to six decimals.'
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
  /** Has an editor with lines and a search. */
  isLarge: boolean
}

function ValueField({ column, typed, error, hint, onChange, isLarge }: FieldProps) {
  const shared = { error, hint, label: column.name, onChange, value: typed.text }
  if (isLarge) {
    const language = column.type === 'JSON' ? 'json' : 'text'
    return <TextEditor {...shared} language={language} onMount={(focus) => focus()} />
  }
  const typing = { autoComplete: 'off', mono: column.type !== 'VARCHAR', spellCheck: false }
  if (isLong(column.type)) {
    return <TextArea {...shared} {...typing} exact ref={takeFocus} rows={3} />
  }
  return <Field {...shared} {...typing} ref={takeFocus} />
}

function Booleans({ onChoose }: { onChoose: (input: CellInput, event: Pressed) => void }) {
  return (
    <div className="flex gap-1">
      {['true', 'false'].map((value, at) => (
        <Button
          key={value}
          onClick={(event) => onChoose({ value }, event)}
          ref={at === 0 ? takeFocus : null}
          size="small"
        >
          {value}
        </Button>
      ))}
    </div>
  )
}

type Pressed = { currentTarget: Element }

/** The field that was just opened takes the focus, with its text chosen. */
function takeFocus(field: HTMLElement | null) {
  if (!field || field === document.activeElement) return
  field.focus()
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.select()
}
