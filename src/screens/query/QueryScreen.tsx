import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useMemo, useRef, useState } from 'react'
import { keepDraftAtom, keepDraftForTabAtom, loadDraftAtom } from '~/atoms/query/editor'
import { openLinkAtom } from '~/atoms/query/editor-link'
import { outputAtom } from '~/atoms/query/output'
import { technicalDetails } from '~/atoms/session/failure'
import { paneSizesAtom, setPaneSizesAtom } from '~/atoms/settings/view'
import { beforeReload } from '~/ui/lazy-with-retry'
import { useSearchParam } from '~/ui/location'
import { Panes } from '~/ui/Panes'
import { SectionBoundary } from '~/ui/SectionBoundary'
import type { SqlEditorHandle } from '~/ui/SqlEditor'
import { Tabs } from '~/ui/Tabs'
import { useNarrow } from '~/ui/use-narrow'
import { AsOfStrip } from '../moments/AsOf'
import { EditorPane } from './EditorPane'
import { OutputPane } from './OutputPane'
import { type QueryPanes, QueryPanesContext } from './query-panes'
import { TablesPane } from './TablesPane'

/** Tables on the left, the editor above its output on the right; one at a time on a phone. */
export default function QueryScreen() {
  useKeptDraft()
  useLinkedText()
  const editor = useRef<SqlEditorHandle>(null)
  const [pane, setPane] = useState('editor')
  const panes: QueryPanes = useMemo(() => ({ editor, show: setPane }), [])
  return (
    <QueryPanesContext value={panes}>
      <h1 className="sr-only">Query</h1>
      <div className="flex h-full flex-col">
        <AsOfStrip hasPeriods />
        <div className="min-h-0 grow">
          {useNarrow() ? <NarrowQuery onPane={setPane} pane={pane} /> : <WideQuery />}
        </div>
      </div>
    </QueryPanesContext>
  )
}

const tables = (
  <SectionBoundary details={technicalDetails} isPane what="The tables">
    <TablesPane />
  </SectionBoundary>
)
const editor = (
  <SectionBoundary details={technicalDetails} isPane what="The editor">
    <EditorPane />
  </SectionBoundary>
)
const output = (
  <SectionBoundary details={technicalDetails} isPane what="The output">
    <OutputPane />
  </SectionBoundary>
)

function WideQuery() {
  const sizes = useAtomValue(paneSizesAtom)
  const setSizes = useSetAtom(setPaneSizesAtom)
  const right = (
    <Panes
      direction="vertical"
      onResized={({ query = sizes.query, output = sizes.output }) => setSizes({ query, output })}
      panes={[
        { id: 'query', label: 'editor', size: sizes.query, min: 20, content: editor },
        { id: 'output', label: 'output', size: sizes.output, min: 20, content: output },
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
        { id: 'tables', label: 'tables', size: sizes.tables, min: 12, content: tables },
        {
          id: 'examples',
          label: 'editor and output',
          size: sizes.examples,
          min: 40,
          content: right,
        },
      ]}
    />
  )
}

function NarrowQuery({ pane, onPane }: { pane: string; onPane: (pane: string) => void }) {
  const results = useAtomValue(outputAtom).length / 2
  return (
    <Tabs
      fill
      label="Query"
      onChange={onPane}
      tabs={[
        { id: 'tables', label: 'Tables', content: tables },
        { id: 'editor', label: 'Editor', content: editor },
        {
          id: 'output',
          label: 'Output',
          content: output,
          ...(results > 0 ? { mark: results } : {}),
        },
      ]}
      value={pane}
    />
  )
}

/** A text in the address fills the editor, once; the address is then what it was without it. */
function useLinkedText() {
  const [sql, setSql] = useSearchParam('sql')
  const open = useSetAtom(openLinkAtom)
  useEffect(() => {
    if (sql === undefined) return
    setSql(undefined, { replace: true })
    if (sql.trim() !== '') void open(sql)
  }, [sql, setSql, open])
}

/** What is typed survives a reload: it is stored when the page goes away for whatever reason. */
function useKeptDraft() {
  const load = useSetAtom(loadDraftAtom)
  const keep = useSetAtom(keepDraftAtom)
  const keepForTab = useSetAtom(keepDraftForTabAtom)
  useEffect(() => {
    void load()
    const onLeave = () => {
      void keep()
      keepForTab()
    }
    window.addEventListener('pagehide', onLeave)
    const forget = beforeReload(keep)
    return () => {
      window.removeEventListener('pagehide', onLeave)
      forget()
      onLeave()
    }
  }, [load, keep, keepForTab])
}
