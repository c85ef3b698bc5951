import { useAtomValue, useSetAtom } from 'jotai'
import { Suspense, useDeferredValue, useMemo, useRef } from 'react'
import { editorTextAtom, setEditorTextAtom } from '~/atoms/editor'
import { markersAtom, runAtom } from '~/atoms/run'
import { schemaAtom } from '~/atoms/tables'
import { splitStatements, statementAt } from '~/sql/statements'
import { fetchedLater } from '~/ui/fetched-later'
import type { SqlEditorHandle } from '~/ui/SqlEditor'
import { EditorBar } from './EditorBar'

const SqlEditor = fetchedLater(() => import('~/ui/SqlEditor').then((module) => module.default))

/** The editor and what runs from it. */
export function EditorPane({ onRun }: { onRun?: () => void }) {
  const text = useAtomValue(editorTextAtom)
  const counted = useDeferredValue(text ?? '')
  const setText = useSetAtom(setEditorTextAtom)
  const markers = useMarkers()
  const schema = useSchema()
  const run = useSetAtom(runAtom)
  const editor = useRef<SqlEditorHandle>(null)

  const start = (which: 'here' | 'all') => {
    if (!editor.current) return
    const source = editor.current.getText()
    const statements =
      which === 'all' ? splitStatements(source) : chosen(source, editor.current.getSelection())
    if (statements.length > 0) onRun?.()
    void run(source, statements)
  }
  if (text === null) return null
  return (
    <section aria-label="Editor" className="flex h-full flex-col bg-panel">
      <EditorBar
        count={splitStatements(counted).length}
        onRun={() => start('here')}
        onRunAll={() => start('all')}
      />
      <div className="min-h-0 grow">
        <Suspense fallback={<p className="p-3 text-muted">Opening the editor…</p>}>
          <SqlEditor
            markers={markers}
            onChange={setText}
            onRun={() => start('here')}
            onRunAll={() => start('all')}
            ref={editor}
            schema={schema}
            value={text}
          />
        </Suspense>
      </div>
    </section>
  )
}

// The editor takes a new schema and new marks to heart whenever they are not the same objects.
function useSchema() {
  const { data } = useAtomValue(schemaAtom)
  return useMemo(
    () => ({ tables: (data ?? []).map(({ table: name, columns }) => ({ name, columns })) }),
    [data],
  )
}

function useMarkers() {
  const markers = useAtomValue(markersAtom)
  return useMemo(
    () => markers.map((marker) => ({ ...marker, severity: 'error' as const })),
    [markers],
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
