import { useAtomValue, useSetAtom } from 'jotai'
import { type ReactNode, useEffect, useState } from 'react'
import { keepDraftAtom, keepDraftForTabAtom, loadDraftAtom } from '~/atoms/editor'
import { technicalDetails } from '~/atoms/failure'
import { paneSizesAtom, setPaneSizesAtom } from '~/atoms/view'
import { Boundary } from '~/ui/Boundary'
import { ErrorNote } from '~/ui/ErrorNote'
import { beforeReload } from '~/ui/load-chunk'
import { Panes } from '~/ui/Panes'
import { Tabs } from '~/ui/Tabs'
import { useNarrow } from '~/ui/use-narrow'
import { EditorPane } from './EditorPane'
import { OutputPane } from './OutputPane'
import { TablesPane } from './TablesPane'

/** Tables on the left, the editor above its output on the right; one at a time on a phone. */
export default function QueryScreen() {
  useKeptDraft()
  return (
    <>
      <h1 className="sr-only">Query</h1>
      {useNarrow() ? <NarrowQuery /> : <WideQuery />}
    </>
  )
}

/** Each pane fails for itself: the others, and what is in them, stay. */
function Pane({ what, children }: { what: string; children: ReactNode }) {
  const failed = (error: unknown, retry: () => void) => (
    <div className="p-3">
      <ErrorNote
        details={technicalDetails(error)}
        notDone="Nothing on the server was changed."
        onRetry={retry}
        title={`${what} could not be shown.`}
      />
    </div>
  )
  return <Boundary fallback={failed}>{children}</Boundary>
}

const tables = (
  <Pane what="The tables">
    <TablesPane />
  </Pane>
)
const editor = (
  <Pane what="The editor">
    <EditorPane />
  </Pane>
)
const output = (
  <Pane what="The output">
    <OutputPane />
  </Pane>
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

function NarrowQuery() {
  const [tab, setTab] = useState('editor')
  return (
    <Tabs
      fill
      label="Query"
      onChange={setTab}
      tabs={[
        { id: 'tables', label: 'Tables', content: tables },
        {
          id: 'editor',
          label: 'Editor',
          content: (
            <Pane what="The editor">
              <EditorPane onRun={() => setTab('output')} />
            </Pane>
          ),
        },
        { id: 'output', label: 'Output', content: output },
      ]}
      value={tab}
    />
  )
}

/** What is typed survives a reload: it is stored when the page goes away for whatever reason. */
function useKeptDraft() {
  const load = useSetAtom(loadDraftAtom)
  const keep = useSetAtom(keepDraftAtom)
  const keepForTab = useSetAtom(keepDraftForTabAtom)
  useEffect(() => {
    void load()
    const onLeave = () => {
      keepForTab()
      void keep()
    }
    window.addEventListener('pagehide', onLeave)
    const forget = beforeReload(keep)
    return () => {
      window.removeEventListener('pagehide', onLeave)
      forget()
      void keep()
    }
  }, [load, keep, keepForTab])
}
