import { useAtom, useAtomValue, useStore } from 'jotai'
import { type ComponentProps, useDeferredValue, useMemo, useRef, useState } from 'react'
import {
  type Editor,
  editorTextAtom,
  isMissingAtom,
  setEditorText,
  shownEditorAtom,
} from '~/atoms/query/editor'
import { keepLinked } from '~/atoms/query/editors'
import { editorKey } from '~/atoms/query/output'
import { shownParametersAtom, valuesFor } from '~/atoms/query/parameters'
import { cancelRun, markersAtom, runModeAtom, runningAtom, runStatements } from '~/atoms/query/run'
import { readColumns, tablesAtom } from '~/atoms/tables/table-list'
import { useAct } from '~/core/act'
import { sentence } from '~/core/session/failure-words'
import { databaseAtom } from '~/core/session/session'
import { confirmDangerAtom, editorLookAtom } from '~/core/settings'
import { largeTextLength } from '~/lib/constants'
import { keysOf } from '~/lib/shortcuts'
import { type Danger, dangersOfAll } from '~/sql/destructive-statements'
import { type Statement, splitStatements } from '~/sql/statements'
import { Button } from '~/ui/Button'
import { InfoIcon, RunIcon, StopIcon } from '~/ui/Icon'
import { Kbd } from '~/ui/Kbd'
import { lazyWithRetry } from '~/ui/lazy-with-retry'
import { Select } from '~/ui/Select'
import { showToast } from '~/ui/toast'
import { DangerDialog } from './DangerDialog'
import { EditorExtras } from './EditorExtras'
import { focusFirstProblem, ParameterForm } from './ParameterForm'
import { QueryNote } from './queries/QueryNote'
import { useSaveShown } from './queries/use-save-shown'
import { useQueryPanes } from './query-panes'
import { useEditors } from './use-editors'

const SqlEditor = lazyWithRetry(
  () => import('~/ui/editors').then(({ editors }) => editors.SqlEditor),
  { meanwhile: <p className="p-3 text-muted">Opening the editor…</p> },
)

/** The shown editor and what runs from it. */
export function EditorPane() {
  const shown = useAtomValue(shownEditorAtom)
  const text = useAtomValue(editorTextAtom)
  if (text === null) return null
  // A question, a caret and the steps that can be undone belong to one editor.
  return <OneEditor editor={shown} key={editorKey(shown)} text={text} />
}

function OneEditor({ editor: of, text }: { editor: Editor; text: string }) {
  const setText = useAct(setEditorText)
  const markers = useMarkers()
  const schema = useSchema()
  const look = useAtomValue(editorLookAtom)
  const { editor, left } = useQueryPanes()
  const { start, question } = useRun(of)
  const save = useSaveShown()
  const key = editorKey(of)
  const isMissing = useAtomValue(isMissingAtom)
  const count = useStatementCount(text)
  return (
    <section aria-label="Editor" className="@container flex h-full flex-col bg-panel">
      <EditorBar count={count} onRun={() => start('here')} onRunAll={() => start('all')} />

      {of.isLinked && <LinkNote editor={of} />}
      <QueryNote />
      {isMissing && (
        <p
          className="shrink-0 border-info/45 border-b bg-info-tint px-3 py-1 text-sm"
          role="status"
        >
          This browser does not have the editor of this address. It is kept in another browser, or
          was forgotten. This one is empty.
        </p>
      )}
      {question && <DangerDialog {...question} />}

      <div className="@container min-h-0 grow">
        <div className="flex h-full flex-col @lg:flex-row">
          <div className="min-h-0 min-w-0 grow basis-0">
            <SqlEditor
              before={left.get(key)}
              look={look}
              markers={markers}
              onChange={(next) => setText(next, of)}
              onLeave={(snapshot) => left.set(key, snapshot)}
              onRun={() => start('here')}
              onRunAll={() => start('all')}
              onSave={save}
              ref={editor}
              schema={schema}
              value={text}
            />
          </div>
          <ParameterForm onRun={() => start('here')} onRunAll={() => start('all')} />
        </div>
      </div>
    </section>
  )
}

/** Statements in the text; undefined when counting them would hold up the typing. */
function useStatementCount(text: string): number | undefined {
  const isLarge = text.length > largeTextLength
  const seen = useDeferredValue(isLarge ? '' : text)
  const count = useMemo(() => splitStatements(seen).length, [seen])
  return isLarge ? undefined : count
}

type Question = ComponentProps<typeof DangerDialog>

/** Runs what is chosen; what destroys much is asked about first. */
function useRun(of: Editor) {
  const { editor, show } = useQueryPanes()
  const { database } = of
  const mustAsk = useAtomValue(confirmDangerAtom)
  const run = useAct(runStatements)
  const values = useAct(valuesFor)
  const keepLink = useAct(keepLinked)
  const [question, ask] = useState<Question | null>(null)
  // What is asked for while a long text is still read would be run twice.
  const isReading = useRef(false)
  const store = useStore()

  const start = async (which: 'here' | 'all') => {
    if (!editor.current) return
    const source = editor.current.getText()
    const statements = await editor.current.readStatements(which)
    if (statements.length === 0) return
    const given = await values(statements, of)
    const dangers = given && mustAsk ? await dangersIn(statements) : []
    // The moment that is looked at by now is that of the other one.
    if (editorKey(store.get(shownEditorAtom)) !== editorKey(of)) {
      return showToast({ kind: 'error', text: leftTooEarly })
    }
    if (given === null) {
      show('editor')
      return focusFirstProblem()
    }
    const onRun = () => {
      keepLink(of)
      show('output')
      void run(source, statements, of, given)
    }
    if (dangers.length === 0) return onRun()
    const count = statements.length
    ask({ database, count, dangers, onRun, onClose: () => ask(null) })
  }
  const tell = (error: unknown) =>
    showToast({ kind: 'error', text: `Nothing was run. ${sentence(error)}` })
  const once = (which: 'here' | 'all') => {
    if (isReading.current) return
    isReading.current = true
    void start(which)
      .catch(tell)
      .finally(() => {
        isReading.current = false
      })
  }
  return { start: once, question }
}

const leftTooEarly = 'Nothing was run: its editor was left before its text was read.'

/** Only a statement with one of these words can destroy much; others need no further check. */
const destroying = /\b(?:DROP|TRUNCATE|DELETE|UPDATE)\b/i

async function dangersIn(statements: readonly Statement[]): Promise<readonly Danger[]> {
  const writing = statements.filter(({ kind, text }) => kind === 'exec' && destroying.test(text))
  if (writing.length === 0) return []
  return dangersOfAll(writing)
}

/**
 * The tables by name; the columns of one are asked for when a statement names it. The editor
 * compares: a new schema closes an open list of completions.
 */
function useSchema() {
  const { data: listed } = useAtomValue(tablesAtom)
  const columnsOf = useAct(readColumns)
  return useMemo(
    () => ({ tables: (listed ?? []).map((name) => ({ name, columns: null })), columnsOf }),
    [listed, columnsOf],
  )
}

function useMarkers() {
  const markers = useAtomValue(markersAtom)
  return useMemo(
    () => markers.map((marker) => ({ ...marker, severity: 'error' as const })),
    [markers],
  )
}

const modes = [
  { value: 'automatic', label: 'Automatic', detail: 'By the first keyword' },
  { value: 'query', label: 'As query', detail: 'Reads, returns rows' },
  { value: 'exec', label: 'As exec', detail: 'Writes, makes a transaction' },
]

type Props = {
  /** Statements in the text; undefined when the text is too long to be read at each key. */
  count: number | undefined
  onRun: () => void
  onRunAll: () => void
}

/** Runs the selection, the statement under the caret, or everything; cancels what runs. */
function EditorBar({ count, onRun, onRunAll }: Props) {
  const running = useAtomValue(runningAtom)
  const cancel = useAct(cancelRun)
  const [mode, setMode] = useAtom(runModeAtom)
  const hasDatabase = useAtomValue(databaseAtom) !== null
  const reason = !hasDatabase
    ? 'No database is open.'
    : count === 0
      ? 'There is no statement to run.'
      : undefined
  return (
    <header className="flex min-h-10 shrink-0 flex-wrap items-center gap-2 border-line border-b px-2 py-1 @min-[38rem]:flex-nowrap xs:@max-4xl:gap-1">
      <Button
        busy={running !== null}
        disabledReason={reason}
        icon={<RunIcon />}
        onClick={onRun}
        size="small"
        title={`Run the selection, or the statement under the caret (${keysOf('editor', 'run')})`}
        variant="primary"
      >
        Run
      </Button>
      <Button
        disabledReason={running ? 'Statements are running.' : reason}
        onClick={onRunAll}
        size="small"
      >
        Run all
        {count !== undefined && count > 1 && (
          <span aria-hidden="true" className="text-muted">
            {count}
          </span>
        )}
      </Button>
      {running && (
        <Button icon={<StopIcon />} onClick={cancel} size="small" title="Cancel what runs">
          <span className="xs:@max-4xl:sr-only">Cancel</span>
        </Button>
      )}
      {running && running.total > 1 && (
        <span className="whitespace-nowrap text-muted text-sm" role="status">
          {running.done + 1} of {running.total}
        </span>
      )}
      {/* On a phone the choice stands beside the buttons, and the rest in a line of its own. */}
      <div className="order-2 flex flex-wrap items-center gap-1 @max-4xl:gap-0 @min-[38rem]:flex-nowrap xs:order-1 xs:ms-auto @max-4xl:[&_button]:px-2">
        <span className="hidden px-1 text-muted text-xs lg:inline">
          <Kbd keys={keysOf('editor', 'run')} />
        </span>
        <EditorExtras hasStatement={count !== 0} />
      </div>
      <div className="order-1 ms-auto min-w-0 xs:order-2 xs:ms-0">
        <Select
          label="Run as"
          onChange={(value) => setMode(value === 'query' || value === 'exec' ? value : 'automatic')}
          options={modes}
          quiet
          size="small"
          value={mode}
        />
      </div>
    </header>
  )
}

/** Says that someone else may have written what is in the editor. */
function LinkNote({ editor }: { editor: Editor }) {
  const { close, hasOthers } = useEditors()
  const keep = useAct(keepLinked)
  const hasValues = useAtomValue(shownParametersAtom).length > 0
  return (
    <p
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-info/45 border-b bg-info-tint px-3 py-1 text-sm"
      role="status"
    >
      <InfoIcon className="shrink-0 text-info" />
      <span className="min-w-0 flex-1 basis-56">
        {hasValues
          ? 'This text and its values came with a link. Nothing was run: read both before you do.'
          : 'This text came with a link. It was not run: read it before you do.'}
      </span>
      {hasOthers && (
        <Button onClick={() => close(editor)} size="small">
          Back to my text
        </Button>
      )}
      <Button onClick={() => keep(editor)} size="small">
        Keep it
      </Button>
    </p>
  )
}
