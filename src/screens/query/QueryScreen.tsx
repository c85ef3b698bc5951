import { useAtomValue } from 'jotai'
import { type ReactNode, type SyntheticEvent, useEffect, useMemo, useRef, useState } from 'react'
import { editorDrafts, loadDraft } from '~/atoms/query/editor'
import { nameOf } from '~/atoms/query/editors'
import { outputAtom } from '~/atoms/query/output'
import { useAct } from '~/core/act'
import { paneSizesAtom, setPaneSizes } from '~/core/page-view'
import { technicalDetails } from '~/core/session/failure-words'
import { databaseAtom } from '~/core/session/session'
import { beforeReload } from '~/ui/lazy-with-retry'
import { Panes } from '~/ui/Panes'
import { SectionBoundary } from '~/ui/SectionBoundary'
import type { EditorSnapshot, SqlEditorHandle } from '~/ui/SqlEditor'
import { Tabs } from '~/ui/Tabs'
import { type Movable, useMovable } from '~/ui/use-movable'
import { useOneColumn } from '~/ui/use-narrow'
import { AsOfStrip } from '../moments/AsOf'
import { ScriptHost } from '../scripts/ScriptHost'
import { useScriptDrop } from '../scripts/use-script-drop'
import { EditorMenu } from './EditorMenu'
import { EditorPane } from './EditorPane'
import { EditorQuestions } from './EditorQuestions'
import { OnlyTable } from './OnlyTable'
import { OutputPane } from './OutputPane'
import { QueryDialogs } from './queries/QueryDialogs'
import {
  type EditorQuestion,
  type PaneName,
  type QueryPanes,
  QueryPanesContext,
  useQueryPanes,
} from './query-panes'
import { TabKeys, type TableTabs, useTableTabs, WorkArea } from './query-tabs'
import { TablesPane } from './TablesPane'
import { useEditors } from './use-editors'

// Outside React: the end of the page.

/** Tables on the left, the editor above its output on the right; one at a time on a phone. */
export default function QueryScreen() {
  useKeptDraft()
  const editor = useRef<SqlEditorHandle>(null)
  const focusFrom = useRef<string | null>(null)
  const [pane, setPane] = useState('editor')
  const [question, ask] = useState<EditorQuestion | null>(null)
  const [left] = useState(() => new Map<string, EditorSnapshot>())
  const panes: QueryPanes = useMemo(() => ({ editor, show: setPane, ask, left, focusFrom }), [left])
  const parts = useParts()
  const opened = useTableTabs()
  return (
    <QueryPanesContext value={panes}>
      <TabKeys opened={opened} />
      <h1 className="sr-only">Query</h1>
      <OnlyTable />
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
      {question && <EditorQuestions question={question} />}
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

/** A bar and some lines below it: of an editor those of a statement, of its output a few. */
const lowest = { editor: '176px', output: '144px' } as const

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
        {
          id: 'query',
          label: 'editor',
          size: sizes.query,
          min: lowest.editor,
          content: editor.here,
        },
        {
          id: 'output',
          label: 'output',
          size: sizes.output,
          min: lowest.output,
          content: output.here,
        },
      ]}
    />
  )
  // One and the same for all editors, which are tabs.
  const area = useMovable(work)
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
          content: (
            <>
              <WorkArea editor={area.here} opened={opened} />
              {area.drawn}
            </>
          ),
        },
      ]}
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
      end={<EditorMenu isNarrow />}
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
