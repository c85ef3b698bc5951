import { useAtomValue, useSetAtom } from 'jotai'
import { lazy, Suspense, useRef, useState } from 'react'
import { editorTextAtom, setEditorTextAtom } from '~/atoms/editor'
import { markersAtom, runAtom } from '~/atoms/run'
import { schemaAtom } from '~/atoms/tables'
import { splitStatements, statementAt } from '~/sql/statements'
import { loadOrReload } from '~/ui/load-chunk'
import type { SqlEditorHandle } from '~/ui/SqlEditor'
import { EditorBar } from './EditorBar'

const SqlEditor = lazy(() => loadOrReload(() => import('~/ui/SqlEditor')))

const noColumns: readonly { table: string; columns: { name: string; type: string }[] }[] = []

/** The editor and what runs from it. */
export function EditorPane({ onRun }: { onRun?: () => void }) {
  const text = useAtomValue(editorTextAtom)
  const setText = useSetAtom(setEditorTextAtom)
  const markers = useAtomValue(markersAtom)
  const columns = useAtomValue(schemaAtom).data ?? noColumns
  const run = useSetAtom(runAtom)
  const editor = useRef<SqlEditorHandle>(null)
  const [selection, setSelection] = useState({ from: 0, to: 0 })

  const start = (which: 'here' | 'all') => {
    const source = editor.current?.getText() ?? ''
    const statements = which === 'all' ? splitStatements(source) : chosen(source, selection)
    if (statements.length > 0) onRun?.()
    void run(source, statements)
  }
  if (text === null) return null
  return (
    <section aria-label="Editor" className="flex h-full flex-col bg-panel">
      <EditorBar
        count={splitStatements(text).length}
        hasSelection={selection.from !== selection.to}
        onRun={() => start('here')}
        onRunAll={() => start('all')}
      />
      <div className="min-h-0 grow">
        <Suspense fallback={<p className="p-3 text-muted">Opening the editor…</p>}>
          <SqlEditor
            markers={markers.map((marker) => ({ ...marker, severity: 'error' }))}
            onChange={setText}
            onRun={() => start('here')}
            onRunAll={() => start('all')}
            onSelectionChange={setSelection}
            ref={editor}
            schema={{
              tables: columns.map(({ table, columns: of }) => ({ name: table, columns: of })),
            }}
            value={text}
          />
        </Suspense>
      </div>
    </section>
  )
}

/** The statements in the selection, or the one the caret is in. */
function chosen(source: string, { from, to }: { from: number; to: number }) {
  if (from === to) {
    const statement = statementAt(splitStatements(source), from)
    return statement ? [statement] : []
  }
  return splitStatements(source.slice(from, to)).map((statement) => ({
    ...statement,
    from: statement.from + from,
    to: statement.to + from,
    end: statement.end + from,
    reach: statement.reach + from,
  }))
}
