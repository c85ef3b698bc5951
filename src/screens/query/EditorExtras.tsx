import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { shownEditorAtom } from '~/atoms/query/editor'
import { valuesFor } from '~/atoms/query/parameters'
import { runningAtom, runStatements } from '~/atoms/query/run'
import { readStatementHistory } from '~/atoms/query/statement-history'
import { useAct } from '~/core/act'
import { lackingAtom } from '~/core/session/server-version'
import { type Statement, splitStatements } from '~/sql/statements'
import { Button } from '~/ui/Button'
import { HistoryIcon } from '~/ui/QueryIcons'
import { AsOfButton } from '../moments/AsOf'
import { HistoryDialog } from './HistoryDialog'
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
      <AsOfButton hasPeriods />
      <ExplainButton hasStatement={hasStatement} />
      <Button
        aria-label="Code history"
        icon={<HistoryIcon />}
        onClick={openHistory}
        size="small"
        variant="quiet"
      >
        History
      </Button>
      {isHistoryOpen && <HistoryDialog onClose={() => setHistoryOpen(false)} />}
    </>
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
