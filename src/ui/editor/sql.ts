import { autocompletion } from '@codemirror/autocomplete'
import { historyField, isolateHistory } from '@codemirror/commands'
import { Compartment, EditorState, type Extension, type StateEffect } from '@codemirror/state'
import { Decoration } from '@codemirror/view'
import { EditorView } from 'codemirror'
import { keysOf, shownKeys } from '~/lib/shortcuts'
import { inSlices } from '~/lib/work-in-slices'
import {
  keywordCompletion,
  type Schema,
  schemaCompletion,
  statementAtCursor,
} from '~/sql/completion'
import { immudbSql } from '~/sql/dialect'
import { type Statement, statementAt, statementSteps } from '~/sql/statements'
import { base, toldChanges } from './base'
import { keys, type RunActions } from './keys'
import { type Marker, markers, setMarkers } from './markers'
import { statementTint } from './statement-tint'
import { adoptStyleSheets } from './theme'

/** The selection, empty at a caret, and the statement it is in. Offsets are UTF-16. */
export type EditorSelection = {
  readonly from: number
  readonly to: number
  readonly statement: Statement | undefined
}

/** Pixels of the letters, and whether long lines are wrapped. */
export type EditorLook = { readonly fontSize: number; readonly wrap: boolean }

/** What can be done with the editor from outside. */
export type SqlEditorHandle = {
  getText(): string
  getSelection(): EditorSelection
  /** All statements, or those in the selection, or the one that the caret is in. */
  readStatements(which: 'all' | 'here'): Promise<readonly Statement[]>
  /** Replaces the whole text, as one step that can be undone. */
  setText(text: string): void
  /** Puts text in place of the selection, or at the caret, and focuses the editor. */
  insert(text: string): void
  focus(): void
  /** Selects a range, scrolls to it and focuses the editor. */
  select(from: number, to: number): void
}

/** What an editor had when it was left: its caret, the steps that can be undone and its scroll. */
export type EditorSnapshot = { readonly json: unknown; readonly scroll: StateEffect<unknown> }

export type EditorOptions = RunActions & {
  readonly text: string
  /** Taken where the text is still the same. */
  readonly before?: EditorSnapshot | undefined
  readonly onChange: (text: string) => void
  readonly onSelectionChange: (selection: EditorSelection) => void
}

export type MountedEditor = SqlEditorHandle & {
  readonly view: EditorView
  setSchema(schema: Schema): void
  setReadOnly(isReadOnly: boolean): void
  setLook(look: EditorLook): void
  setMarkers(markers: readonly Marker[]): void
  snapshot(): EditorSnapshot
  destroy(): void
}

const withHistory = { history: historyField }

/** Puts a new editor into an element. */
export function mountEditor(parent: HTMLElement, options: EditorOptions): MountedEditor {
  adoptStyleSheets()
  const completion = new Compartment()
  const readOnly = new Compartment()
  const look = new Compartment()
  const told = toldChanges(options.onChange)
  let schema: Schema = { tables: [] }
  let given: readonly Marker[] = []
  const extensions = [
    ...fixedExtensions(options, told.change),
    completion.of(completionOf(schema)),
    readOnly.of([]),
    look.of(EditorView.lineWrapping),
  ]
  const { text, before } = options
  const isSame = Object(before?.json).doc === text
  const view = new EditorView({
    parent,
    state: isSame
      ? EditorState.fromJSON(before?.json, { extensions }, withHistory)
      : EditorState.create({ doc: text, extensions }),
    ...(isSame && before && { scrollTo: before.scroll }),
  })
  return {
    view,
    ...handleOf(view),
    setSchema: (next) => {
      // Reconfiguring closes an open list, so a parent may pass an equal schema at each render.
      if (isSameSchema(schema, next)) return
      schema = next
      view.dispatch({ effects: completion.reconfigure(completionOf(next)) })
    },
    setReadOnly: (isReadOnly) =>
      view.dispatch({ effects: readOnly.reconfigure(EditorState.readOnly.of(isReadOnly)) }),
    setLook: ({ fontSize, wrap }) => {
      if (view.dom.style.fontSize === `${fontSize}px` && view.lineWrapping === wrap) return
      view.dom.style.fontSize = `${fontSize}px`
      view.dispatch({ effects: look.reconfigure(wrap ? EditorView.lineWrapping : []) })
    },
    setMarkers: (next) => {
      // Equal markers given again would bring back those that an edit has removed.
      if (isSameMarkers(given, next)) return
      given = next
      view.dispatch({ effects: setMarkers.of(next) })
    },
    snapshot: () => ({ json: view.state.toJSON(withHistory), scroll: view.scrollSnapshot() }),
    destroy: () => {
      told.flush()
      view.destroy()
    },
  }
}

/** Stands in an empty editor; drawn by the style sheet, so that it is no part of the text. */
const hint = `Write SQL here. ${shownKeys(keysOf('editor', 'run'))} runs the statement at the caret.`

const hintLine = Decoration.set(Decoration.line({ attributes: { 'data-hint': hint } }).range(0))

const emptyHint = EditorView.decorations.compute(['doc'], ({ doc }) =>
  doc.length === 0 ? hintLine : Decoration.none,
)

function fixedExtensions(
  options: EditorOptions,
  onChange: (state: EditorState) => void,
): Extension[] {
  return [
    keys(options),
    EditorView.contentAttributes.of({ 'aria-label': 'SQL editor', 'aria-placeholder': hint }),
    emptyHint,
    immudbSql,
    statementTint,
    markers,
    base,
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onChange(update.state)
      if (update.docChanged || update.selectionSet)
        options.onSelectionChange(selectionOf(update.state))
    }),
  ]
}

function completionOf(schema: Schema): Extension {
  return autocompletion({
    override: [schemaCompletion(schema), keywordCompletion],
    selectOnOpen: false,
    defaultKeymap: false,
    icons: false,
  })
}

function isSameSchema(one: Schema, other: Schema): boolean {
  if (one.tables.length !== other.tables.length) return false
  return one.tables.every(({ name, columns }, at) => {
    const table = other.tables[at]
    return table?.name === name && table.columns === columns
  })
}

function isSameMarkers(one: readonly Marker[], other: readonly Marker[]): boolean {
  return one.length === other.length && JSON.stringify(one) === JSON.stringify(other)
}

function selectionOf(state: EditorState): EditorSelection {
  const { from, to } = state.selection.main
  // Read when it is asked for: in a long text finding it takes a moment.
  return {
    from,
    to,
    get statement() {
      return statementAtCursor(state)
    },
  }
}

async function readStatements(state: EditorState, which: 'all' | 'here') {
  const { from, to } = state.selection.main
  const isPart = which === 'here' && from < to
  const source = isPart ? state.sliceDoc(0, to) : state.doc.toString()
  const found = await inSlices(statementSteps(source, isPart ? from : 0))
  if (which === 'all' || isPart) return found
  const here = statementAt(found, from)
  return here ? [here] : []
}

function handleOf(view: EditorView): SqlEditorHandle {
  const clip = (offset: number) => Math.max(0, Math.min(offset, view.state.doc.length))
  return {
    getText: () => view.state.doc.toString(),
    getSelection: () => selectionOf(view.state),
    readStatements: (which) => readStatements(view.state, which),
    setText: (text) =>
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        annotations: isolateHistory.of('full'),
      }),
    insert: (text) => {
      view.dispatch(view.state.replaceSelection(text), { scrollIntoView: true })
      view.focus()
    },
    focus: () => view.focus(),
    select: (from, to) => {
      view.dispatch({ selection: { anchor: clip(from), head: clip(to) }, scrollIntoView: true })
      view.focus()
    },
  }
}
