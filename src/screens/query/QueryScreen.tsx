import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useState } from 'react'
import { keepDraftAtom, keepDraftForTabAtom, loadDraftAtom } from '~/atoms/editor'
import { paneSizesAtom, setPaneSizesAtom } from '~/atoms/view'
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

function WideQuery() {
  const sizes = useAtomValue(paneSizesAtom)
  const setSizes = useSetAtom(setPaneSizesAtom)
  const right = (
    <Panes
      direction="vertical"
      onResized={({ query = sizes.query, output = sizes.output }) => setSizes({ query, output })}
      panes={[
        { id: 'query', label: 'editor', size: sizes.query, min: 20, content: <EditorPane /> },
        { id: 'output', label: 'output', size: sizes.output, min: 20, content: <OutputPane /> },
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
        { id: 'tables', label: 'tables', size: sizes.tables, min: 12, content: <TablesPane /> },
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
        { id: 'tables', label: 'Tables', content: <TablesPane /> },
        { id: 'editor', label: 'Editor', content: <EditorPane onRun={() => setTab('output')} /> },
        { id: 'output', label: 'Output', content: <OutputPane /> },
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
