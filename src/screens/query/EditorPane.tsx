import { useAtomValue, useSetAtom } from 'jotai'
import { type ComponentProps, Suspense, useDeferredValue, useMemo, useRef, useState } from 'react'
import { editorTextAtom, setEditorTextAtom } from '~/atoms/editor'
import { editorLinkAtom, keepLinkAtom } from '~/atoms/editor-link'
import { sentence } from '~/atoms/failure'
import { momentAtom } from '~/atoms/moment'
import { markersAtom, runAtom } from '~/atoms/run'
import { databaseAtom } from '~/atoms/session'
import { confirmDangerAtom, editorLookAtom } from '~/atoms/settings'
import { schemaAtom, tablesAtom } from '~/atoms/tables'
import { largeTextLength } from '~/lib/constants'
import type { Danger } from '~/sql/danger'
import { type Statement, splitStatements } from '~/sql/statements'
import { fetchedLater } from '~/ui/fetched-later'
import { loadOrReload } from '~/ui/load-chunk'
import { showToast } from '~/ui/toast'
import { useDesk } from './desk'
import { EditorBar } from './EditorBar'

const loadDanger = () => import('~/sql/danger')

// What looks for danger and what remembers come with the editor: a run must not wait for them when
// the server is away.
const SqlEditor = fetchedLater(() =>
  Promise.all([import('~/ui/SqlEditor'), loadDanger(), import('~/atoms/history')]).then(
    ([module]) => module.default,
  ),
)

const TravelStrip = fetchedLater(() =>
  import('./EditorExtras').then((module) => module.TravelStrip),
)
const LinkNote = fetchedLater(() => import('./LinkNote').then((module) => module.LinkNote))
const DangerDialog = fetchedLater(() =>
  import('./DangerDialog').then((module) => module.DangerDialog),
)

/** The editor and what runs from it. */
export function EditorPane() {
  const text = useAtomValue(editorTextAtom)
  const setText = useSetAtom(setEditorTextAtom)
  const markers = useMarkers()
  const schema = useSchema()
  const look = useAtomValue(editorLookAtom)
  const link = useAtomValue(editorLinkAtom)
  const isTravelling = useAtomValue(momentAtom) !== null
  const { editor } = useDesk()
  const { start, question } = useRun()
  const count = useStatementCount(text ?? '')
  if (text === null) return null
  return (
    <section aria-label="Editor" className="flex h-full flex-col bg-panel">
      <EditorBar count={count} onRun={() => start('here')} onRunAll={() => start('all')} />
      <Suspense fallback={null}>
        {isTravelling && <TravelStrip />}
        {link.before !== null && <LinkNote />}
        {question && <DangerDialog {...question} />}
      </Suspense>
      <div className="min-h-0 grow">
        <Suspense fallback={<p className="p-3 text-muted">Opening the editor…</p>}>
          <SqlEditor
            key={link.number}
            look={look}
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

/** Statements in the text; undefined when counting them would hold up the typing. */
function useStatementCount(text: string): number | undefined {
  const isLarge = text.length > largeTextLength
  const seen = useDeferredValue(isLarge ? '' : text)
  const count = useMemo(() => splitStatements(seen).length, [seen])
  return isLarge ? undefined : count
}

type Question = ComponentProps<typeof DangerDialog>

/** Runs what is chosen; what destroys much is asked about first. */
function useRun() {
  const { editor, show } = useDesk()
  const database = useAtomValue(databaseAtom)
  const mustAsk = useAtomValue(confirmDangerAtom)
  const run = useSetAtom(runAtom)
  const keepLink = useSetAtom(keepLinkAtom)
  const [question, ask] = useState<Question | null>(null)
  // What is asked for while a long text is still read would be run twice.
  const isReading = useRef(false)

  const start = async (which: 'here' | 'all') => {
    if (!editor.current) return
    const source = editor.current.getText()
    const statements = await editor.current.readStatements(which)
    if (statements.length === 0) return
    const onRun = () => {
      keepLink()
      show('output')
      void run(source, statements)
    }
    const dangers = mustAsk ? await dangersIn(statements) : []
    if (dangers.length === 0) return onRun()
    const count = statements.length
    ask({ database: database ?? '', count, dangers, onRun, onClose: () => ask(null) })
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

/** Words without which nothing destroys much; most statements are sent without a further look. */
const destroying = /\b(?:DROP|TRUNCATE|DELETE|UPDATE)\b/i

async function dangersIn(statements: readonly Statement[]): Promise<readonly Danger[]> {
  const writing = statements.filter(({ kind, text }) => kind === 'exec' && destroying.test(text))
  if (writing.length === 0) return []
  const { dangersOfAll } = await loadOrReload(loadDanger)
  return dangersOfAll(writing)
}

const noColumns: [] = []

/**
 * The tables with their columns; those whose columns nobody may read, or that are not known yet, by
 * name. The editor compares: a new schema closes an open list of completions.
 */
function useSchema() {
  const { data: known } = useAtomValue(schemaAtom)
  const { data: listed } = useAtomValue(tablesAtom)
  return useMemo(() => {
    const tables = (known ?? []).map(({ table: name, columns }) => ({ name, columns }))
    const names = new Set(tables.map(({ name }) => name))
    const others = (listed ?? []).filter((name) => !names.has(name))
    return { tables: [...tables, ...others.map((name) => ({ name, columns: noColumns }))] }
  }, [known, listed])
}

function useMarkers() {
  const markers = useAtomValue(markersAtom)
  return useMemo(
    () => markers.map((marker) => ({ ...marker, severity: 'error' as const })),
    [markers],
  )
}
