import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { queryDialogAtom } from '~/atoms/queries/query-saving'
import { shownEditorAtom } from '~/atoms/query/editor'
import { valuesFor } from '~/atoms/query/parameters'
import { runModeAtom, runningAtom, runStatements, statementAsSent } from '~/atoms/query/run'
import { readStatementHistory } from '~/atoms/query/statement-history'
import { useAct } from '~/core/act'
import { asOfAtom } from '~/core/history/as-of'
import { lackingAtom } from '~/core/session/server-version'
import { databaseAtom } from '~/core/session/session'
import { keysOf } from '~/lib/shortcuts'
import { refusalOf } from '~/sql/send'
import { type Statement, splitStatements } from '~/sql/statements'
import { Button } from '~/ui/Button'
import { HistoryIcon, LibraryIcon, SaveIcon } from '~/ui/QueryIcons'
import { showToast } from '~/ui/toast'
import { CodeButton } from '../code/CodeButton'
import { AsOfButton } from '../moments/AsOf'
import { ScriptButton } from '../scripts/ScriptButton'
import { HistoryDialog } from './HistoryDialog'
import { prepareLibrary } from './queries/QueryDialogs'
import { useSaveShown } from './queries/use-save-shown'
import { useQueryPanes } from './query-panes'

/** What goes beyond running: the moment looked at, the plan of a query, and what was run before. */
export function EditorExtras({ hasStatement }: { hasStatement: boolean }) {
  const [isHistoryOpen, setHistoryOpen] = useState(false)
  const readHistory = useAct(readStatementHistory)
  const openHistory = () => {
    // Another tab may have added to it.
    void readHistory()
    setHistoryOpen(true)
  }
  return (
    <>
      <AsOfButton hasPeriods isShort />
      <ExplainButton hasStatement={hasStatement} />
      <StatementCode hasStatement={hasStatement} />
      <Button
        aria-label="Code history"
        icon={<HistoryIcon />}
        onClick={openHistory}
        size="small"
        variant="quiet"
      >
        <Word>History</Word>
      </Button>
      <QueryButtons />
      <ScriptButton quiet />
      {isHistoryOpen && <HistoryDialog onClose={() => setHistoryOpen(false)} />}
    </>
  )
}

/** Beside an icon, where there is room for it. */
function Word({ children }: { children: string }) {
  return <span className="@max-4xl:sr-only">{children}</span>
}

/** Saves the text of the shown editor, and shows what is saved. */
function QueryButtons() {
  const save = useSaveShown()
  const setDialog = useSetAtom(queryDialogAtom)
  const hasDatabase = useAtomValue(databaseAtom) !== null
  return (
    <>
      <Button
        disabledReason={hasDatabase ? undefined : 'No database is open.'}
        icon={<SaveIcon />}
        onClick={save}
        onPointerEnter={() => void prepareLibrary()}
        size="small"
        title={`Save the text as a query (${keysOf('editor', 'save')})`}
        variant="quiet"
      >
        <Word>Save</Word>
      </Button>
      <Button
        aria-label="Saved queries"
        icon={<LibraryIcon />}
        onClick={() => setDialog({ kind: 'library' })}
        onPointerEnter={() => void prepareLibrary()}
        size="small"
        variant="quiet"
      >
        <Word>Queries</Word>
      </Button>
    </>
  )
}

const noUse = 'USE only chooses the database of this tab. A program names it when it logs in.'

/** The statement under the caret, with what is typed for its names. */
function StatementCode({ hasStatement }: { hasStatement: boolean }) {
  const { editor } = useQueryPanes()
  const values = useAct(valuesFor)
  const asSent = useAct(statementAsSent)
  const shown = useAtomValue(shownEditorAtom)
  const mode = useAtomValue(runModeAtom)
  const isPast = useAtomValue(asOfAtom).kind !== 'now'
  return (
    <CodeButton
      call={async () => {
        const statement = editor.current?.getSelection().statement
        if (!statement) return null
        const why = statement.kind === 'use' ? noUse : refusalOf(statement)
        if (why !== undefined) {
          showToast({ kind: 'error', text: why })
          return null
        }
        const given = await values([statement], shown)
        if (!given) return null
        const sent = await asSent(statement, given, shown.database)
        const kind = mode === 'automatic' ? statement.kind : mode
        return { kind: 'sql', ...sent, isQuery: kind === 'query' }
      }}
      disabledReason={
        !hasStatement
          ? 'There is no statement to show.'
          : isPast
            ? 'Go back to now: code runs the statement as it is written.'
            : undefined
      }
      isSmall
      what="the statement under the caret"
    />
  )
}

function ExplainButton({ hasStatement }: { hasStatement: boolean }) {
  const { editor, show } = useQueryPanes()
  const run = useAct(runStatements)
  const isRunning = useAtomValue(runningAtom) !== null
  const lacks = useAtomValue(lackingAtom)('explain')
  const values = useAct(valuesFor)
  const shown = useAtomValue(shownEditorAtom)
  const explain = async () => {
    const statement = editor.current?.getSelection().statement
    const plan = statement && explained(statement)
    if (!plan) return
    // A plan is made without values too.
    const given = (await values([plan.statement], shown)) ?? []
    show('output')
    void run(plan.text, [plan.statement], shown, given)
  }
  const reason = isRunning
    ? 'Statements are running.'
    : hasStatement
      ? lacks
      : 'There is no statement to explain.'
  return (
    <Button
      disabledReason={reason}
      onClick={() => void explain()}
      size="small"
      title={reason ?? 'Show how the server would answer the query under the caret'}
      variant="quiet"
    >
      Explain
    </Button>
  )
}

/** The statement that shows the plan of another, which is not run; null when there is nothing to. */
export function explained(
  statement: Pick<Statement, 'text' | 'verb'>,
): { text: string; statement: Statement } | null {
  const text = statement.verb === 'EXPLAIN' ? statement.text : `EXPLAIN ${statement.text}`
  const [explain] = splitStatements(text)
  return explain ? { text, statement: explain } : null
}
