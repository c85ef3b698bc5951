import { useAtomValue, useSetAtom } from 'jotai'
import { Suspense, useState } from 'react'
import { readHistoryAtom } from '~/atoms/history'
import { chooseMomentAtom, momentAtom } from '~/atoms/moment'
import { runAtom, runningAtom } from '~/atoms/run'
import { pastMomentAtom } from '~/atoms/state'
import { explained } from '~/sql/explain'
import { Button } from '~/ui/Button'
import { fetchedLater } from '~/ui/fetched-later'
import { HistoryIcon, MomentIcon } from '~/ui/QueryIcons'
import { useDesk } from './desk'
import { momentText } from './moment-text'
import { TravelSelect } from './TravelSelect'

const HistoryDialog = fetchedLater(() =>
  import('./HistoryDialog').then((module) => module.HistoryDialog),
)

/** What goes beyond running: the moment looked at, the plan of a query, and what was run before. */
export function EditorExtras({ hasStatement }: { hasStatement: boolean }) {
  const [isHistoryOpen, setHistoryOpen] = useState(false)
  const readHistory = useSetAtom(readHistoryAtom)
  const openHistory = () => {
    // Another tab may have added to it.
    void readHistory()
    setHistoryOpen(true)
  }
  return (
    <>
      <TravelSelect />
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
      {isHistoryOpen && (
        <Suspense fallback={null}>
          <HistoryDialog onClose={() => setHistoryOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

function ExplainButton({ hasStatement }: { hasStatement: boolean }) {
  const { editor, show } = useDesk()
  const run = useSetAtom(runAtom)
  const isRunning = useAtomValue(runningAtom) !== null
  const explain = () => {
    const statement = editor.current?.getSelection().statement
    const plan = statement && explained(statement)
    if (!plan) return
    show('output')
    void run(plan.text, [plan.statement])
  }
  const reason = isRunning
    ? 'Statements are running.'
    : hasStatement
      ? undefined
      : 'There is no statement to explain.'
  return (
    <Button
      disabledReason={reason}
      onClick={explain}
      size="small"
      title={reason ?? 'Show how the server would answer the query under the caret'}
      variant="quiet"
    >
      Explain
    </Button>
  )
}

/** Says all the time that something else than the present is shown, and leads back. */
export function TravelStrip() {
  const moment = useAtomValue(momentAtom)
  const isPast = useAtomValue(pastMomentAtom) !== null
  const choose = useSetAtom(chooseMomentAtom)
  if (!moment || !isPast) return null
  return (
    <p
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-warning/45 border-b bg-warningtint px-3 py-1 text-sm"
      role="status"
    >
      <MomentIcon className="shrink-0 text-warning" />
      <span className="min-w-0 flex-1 basis-56">
        Queries look at {momentText(moment)}. Nothing is written meanwhile.
      </span>
      <Button onClick={() => choose(null)} size="small">
        Back to the present
      </Button>
    </p>
  )
}
