import { useAtomValue } from 'jotai'
import {
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { openQueryLink } from '~/atoms/queries/open-query'
import {
  addressedEditorsAtom,
  editorDrafts,
  loadDraft,
  noteAddressedEditor,
  noteFact,
  shownEditorAtom,
} from '~/atoms/query/editor'
import { nameOf, openEmptyEditor, openLinked } from '~/atoms/query/editors'
import { outputAtom } from '~/atoms/query/output'
import { noteTable, tableTabsAtom } from '~/atoms/tables/table-tabs'
import { useAct } from '~/core/act'
import { paneSizesAtom, setPaneSizes } from '~/core/page-view'
import { technicalDetails } from '~/core/session/failure-words'
import { databaseAtom } from '~/core/session/session'
import { valuePrefix } from '~/lib/paths'
import { linkedValues } from '~/sql/parameter-values'
import { IconButton } from '~/ui/IconButton'
import { beforeReload } from '~/ui/lazy-with-retry'
import { useChangeSearch, useRawSearch, useSearchParam } from '~/ui/location'
import { Panes } from '~/ui/Panes'
import { AddIcon } from '~/ui/QueryIcons'
import { SectionBoundary } from '~/ui/SectionBoundary'
import type { SqlEditorHandle } from '~/ui/SqlEditor'
import { Tabs } from '~/ui/Tabs'
import { type Movable, useMovable } from '~/ui/use-movable'
import { useOneColumn } from '~/ui/use-narrow'
import { AsOfStrip } from '../moments/AsOf'
import { ScriptHost } from '../scripts/ScriptHost'
import { useScriptDrop } from '../scripts/use-script-drop'
import { useShownTable } from '../tables/address'
import { EditorPane } from './EditorPane'
import { OutputPane } from './OutputPane'
import { QueryDialogs } from './queries/QueryDialogs'
import { TablePane } from './query-doors'
import { type PaneName, type QueryPanes, QueryPanesContext, useQueryPanes } from './query-panes'
import { TablesPane } from './TablesPane'
import { useEditors } from './use-editors'

// Outside React: the end of the page, and the address.

/** Tables on the left, the editor above its output on the right; one at a time on a phone. */
export default function QueryScreen() {
  useKeptDraft()
  useAddressedEditor()
  useLinkedText()
  useLinkedQuery()
  const editor = useRef<SqlEditorHandle>(null)
  const [pane, setPane] = useState('editor')
  const panes: QueryPanes = useMemo(() => ({ editor, show: setPane }), [])
  const parts = useParts()
  const opened = useTableTabs()
  return (
    <QueryPanesContext value={panes}>
      <h1 className="sr-only">Query</h1>
      <div className="flex h-full flex-col" {...useScriptDrop()}>
        <AsOfStrip hasPeriods />
        <div className="min-h-0 grow">
          {useOneColumn() ? (
            <NarrowQuery onPane={setPane} opened={opened} pane={pane} parts={parts} />
          ) : (
            <WideQuery opened={opened} parts={parts} />
          )}
          {parts.tables.drawn}
          {parts.editor.drawn}
          {parts.output.drawn}
          {opened.drawn}
        </div>
        <ScriptHost />
      </div>
      <QueryDialogs />
    </QueryPanesContext>
  )
}

const contents = {
  tables: (
    <Part name="tables" what="The tables">
      <TablesPane />
    </Part>
  ),
  editor: (
    <Part name="editor" what="The editor">
      <EditorPane />
    </Part>
  ),
  output: (
    <Part name="output" what="The output">
      <OutputPane />
    </Part>
  ),
}

type PartProps = { name: PaneName; what: string; children: ReactNode }

/** The part that a key or the pointer was pressed in last is the one that a phone shows. */
function Part({ name, what, children }: PartProps) {
  const { show } = useQueryPanes()
  // Before what is pressed is done, which may show another part. Dialogs are elsewhere in the page.
  const use = ({ currentTarget, target }: SyntheticEvent) => {
    if (target instanceof Node && currentTarget.contains(target)) show(name)
  }
  return (
    <div className="h-full" onKeyDownCapture={use} onPointerDownCapture={use}>
      <SectionBoundary details={technicalDetails} isPane what={what}>
        {children}
      </SectionBoundary>
    </div>
  )
}

type Parts = Readonly<Record<PaneName, Movable>>

function useParts(): Parts {
  return {
    tables: useMovable(contents.tables),
    editor: useMovable(contents.editor),
    output: useMovable(contents.output),
  }
}

/** Of the editor or its output: a bar, and a few lines below it. */
const lowest = '144px'

type LayoutProps = { readonly parts: Parts; readonly opened: TableTabs }

function WideQuery({ parts, opened }: LayoutProps) {
  const sizes = useAtomValue(paneSizesAtom)
  const setSizes = useAct(setPaneSizes)
  const { tables, editor, output } = parts
  const work = (
    <Panes
      direction="vertical"
      onResized={({ query = sizes.query, output = sizes.output }) => setSizes({ query, output })}
      panes={[
        { id: 'query', label: 'editor', size: sizes.query, min: lowest, content: editor.here },
        { id: 'output', label: 'output', size: sizes.output, min: lowest, content: output.here },
      ]}
    />
  )
  return (
    <Panes
      direction="horizontal"
      onResized={({ tables = sizes.tables, examples = sizes.examples }) =>
        setSizes({ tables, examples })
      }
      panes={[
        { id: 'tables', label: 'tables', size: sizes.tables, min: 12, content: tables.here },
        {
          id: 'examples',
          label: 'editor and output',
          size: sizes.examples,
          min: 40,
          content: <WorkArea editor={work} opened={opened} />,
        },
      ]}
    />
  )
}

// An attribute lists ids by spaces.
const idOf = (table: string) => `table-${encodeURIComponent(table)}`
const editorTab = ({ id }: { id: string }) => `editor-${encodeURIComponent(id)}`

type TableTabs = ReturnType<typeof useTableTabs>

/** The opened tables as tabs; the shown one is in the address. */
function useTableTabs() {
  const { shown, show, close } = useShownTable()
  const note = useAct(noteTable)
  const open = useAtomValue(tableTabsAtom)
  const { table, q, tab } = shown ?? {}
  useEffect(() => {
    if (table === undefined) return
    note({ table, ...(q === undefined ? {} : { q }), ...(tab === undefined ? {} : { tab }) })
  }, [note, table, q, tab])
  const names = open.map((one) => one.table)
  if (table !== undefined && !names.includes(table)) names.push(table)
  const pane = useMovable(
    table !== undefined && (
      <SectionBoundary details={technicalDetails} isPane key={table} what={`The table ${table}`}>
        <TablePane onClose={() => close(table)} table={table} />
      </SectionBoundary>
    ),
  )
  const tabs = names.map((name) => ({
    id: idOf(name),
    label: name,
    onClose: () => close(name),
    content: name === table && pane.here,
  }))
  return {
    tabs,
    drawn: pane.drawn,
    shown: table === undefined ? null : idOf(table),
    /** Shows a tab of a table; answers whether it is one. */
    show: (id: string) => {
      const name = names.find((one) => idOf(one) === id) ?? null
      show(name)
      return name !== null
    },
  }
}

/** The editors with the output of the shown one, and beside them the opened tables. */
function WorkArea({ editor: content, opened }: { editor: ReactNode; opened: TableTabs }) {
  const { open, shown, show, close, showOpened } = useEditors()
  const add = useAct(openEmptyEditor)
  const choose = (id: string) => {
    const editor = open.find((one) => editorTab(one) === id)
    if (editor) show(editor)
    else opened.show(id)
  }
  const editors = open.map((one) => ({
    id: editorTab(one),
    label: nameOf(one),
    onClose: () => close(one),
    content: one.id === shown.id && content,
  }))
  return (
    <Tabs
      end={
        <IconButton
          icon={<AddIcon />}
          label="New editor"
          onClick={() => void add().then((found) => showOpened(found))}
          size="small"
        />
      }
      fill
      label="Editor and tables"
      onChange={choose}
      tabs={[...editors, ...opened.tabs]}
      value={opened.shown ?? editorTab(shown)}
    />
  )
}

type NarrowProps = LayoutProps & {
  readonly pane: string
  readonly onPane: (pane: string) => void
}

function NarrowQuery({ parts, opened, pane, onPane }: NarrowProps) {
  const results = useAtomValue(outputAtom).length / 2
  const { shown } = useEditors()
  const choose = (id: string) => {
    if (!opened.show(id)) onPane(id)
  }
  return (
    <Tabs
      fill
      label="Query"
      onChange={choose}
      tabs={[
        { id: 'tables', label: 'Tables', content: parts.tables.here },
        { id: 'editor', label: nameOf(shown), content: parts.editor.here },
        {
          id: 'output',
          label: 'Output',
          content: parts.output.here,
          ...(results > 0 ? { mark: results } : {}),
        },
        ...opened.tabs,
      ]}
      value={opened.shown ?? pane}
    />
  )
}

/** The database of the address, once it is open. */
function useAddressedDatabase(): string | null {
  const database = useAtomValue(databaseAtom)
  const [named] = useSearchParam('db')
  return named === undefined || named === '' || named === database ? database : null
}

/** The address names the editor that is shown, and the moment that this one is to show again. */
function useAddressedEditor() {
  const database = useAddressedDatabase()
  const [id] = useSearchParam('editor')
  const [at] = useSearchParam('at')
  const note = useAct(noteAddressedEditor)
  const noteOf = useAct(noteFact)
  const shown = useAtomValue(shownEditorAtom)
  // Before the next key is pressed, which is for the editor of the address.
  useLayoutEffect(() => {
    if (database !== null) note(database, id)
  }, [database, id, note])
  const noted = useAtomValue(addressedEditorsAtom).get(database ?? '')
  const isShown = shown.database === database && noted === (id || undefined)
  useEffect(() => {
    if (isShown) noteOf({ database: shown.database, id: shown.id }, 'at', at || null)
  }, [isShown, shown.database, shown.id, at, noteOf])
}

/**
 * A text in the address opens in an editor, once, with its values; the address is then what it was
 * without them. Values without a text would change what someone else's statement does.
 */
function useLinkedText() {
  const search = new URLSearchParams(useRawSearch())
  const change = useChangeSearch()
  const database = useAddressedDatabase()
  const open = useAct(openLinked)
  const { showOpened } = useEditors()
  const isLinked =
    search.has('sql') ||
    (!search.has('query') && [...search.keys()].some((name) => name.startsWith(valuePrefix)))
  const take = useEffectEvent(() => {
    const sql = search.get('sql') ?? ''
    const read = ['sql', ...search.keys()].filter(
      (name) => name === 'sql' || name.startsWith(valuePrefix),
    )
    change(Object.fromEntries(read.map((name) => [name, undefined])), { replace: true })
    if (sql.trim() === '') return
    void open(sql, linkedValues(search)).then((found) => showOpened(found, { replace: true }))
  })
  useEffect(() => {
    if (isLinked && database !== null) take()
  }, [isLinked, database])
}

/** A saved query in the address opens in an editor, once, with the values beside it. */
function useLinkedQuery() {
  const search = new URLSearchParams(useRawSearch())
  const change = useChangeSearch()
  const database = useAddressedDatabase()
  const open = useAct(openQueryLink)
  const { showOpened } = useEditors()
  const id = search.get('query')
  const take = useEffectEvent((of: string) => {
    const read = [...search.keys()].filter((name) => name.startsWith(valuePrefix))
    const gone = Object.fromEntries(['query', ...read].map((name) => [name, undefined]))
    change(gone, { replace: true })
    void open(of, linkedValues(search)).then(
      (found) => found && showOpened(found, { replace: true }),
    )
  })
  useEffect(() => {
    if (id !== null && database !== null) take(id)
  }, [id, database])
}

/** What is typed survives a reload: it is stored when the page goes away for whatever reason. */
function useKeptDraft() {
  const load = useAct(loadDraft)
  const keep = useAct(editorDrafts.keep)
  const database = useAtomValue(databaseAtom)
  const leave = useAct(editorDrafts.leave)
  // Each database has a draft of its own, which is the newest of any tab until it is shown here.
  useEffect(() => void load(database ?? ''), [load, database])
  useEffect(() => {
    window.addEventListener('pagehide', leave)
    const forget = beforeReload(keep)
    return () => {
      window.removeEventListener('pagehide', leave)
      forget()
      leave()
    }
  }, [keep, leave])
}
