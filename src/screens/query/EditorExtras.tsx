import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import {
  chooseMomentAtom,
  chosenTxAtom,
  momentAtom,
  pastMomentAtom,
  presentTxAtom,
} from '~/atoms/history/state'
import { runAtom, runningAtom } from '~/atoms/query/run'
import { readHistoryAtom } from '~/atoms/query/statement-history'
import { formatTx } from '~/lib/text'
import { type Statement, splitStatements } from '~/sql/statements'
import type { Moment } from '~/sql/time-travel'
import { Button } from '~/ui/Button'
import { HistoryIcon, MomentIcon } from '~/ui/QueryIcons'
import { Select } from '~/ui/Select'
import { HistoryDialog } from './HistoryDialog'
import { momentLabel, momentText } from './moment-text'
import { useQueryPanes } from './query-panes'
import { TravelDialog } from './TravelDialog'

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
      {isHistoryOpen && <HistoryDialog onClose={() => setHistoryOpen(false)} />}
    </>
  )
}

function ExplainButton({ hasStatement }: { hasStatement: boolean }) {
  const { editor, show } = useQueryPanes()
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

/** Always says that queries do not show the present, and leads back to it. */
export function TravelStrip() {
  const moment = useAtomValue(momentAtom)
  const isPast = useAtomValue(pastMomentAtom) !== null
  const choose = useSetAtom(chooseMomentAtom)
  if (!moment || !isPast) return null
  return (
    <p
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-warning/45 border-b bg-warning-tint px-3 py-1 text-sm"
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

/** How many transactions are offered: as many as a user can scan without searching. */
const offered = 15

/** The transaction that queries look at: the present one until another is chosen. */
function TravelSelect() {
  const moment = useAtomValue(momentAtom)
  const present = useAtomValue(presentTxAtom)
  const chosen = useAtomValue(chosenTxAtom)
  const choose = useSetAtom(chooseMomentAtom)
  const [isOpen, setOpen] = useState(false)
  const isOther = moment !== null && (moment.bound !== 'UNTIL' || moment.at.kind !== 'tx')
  const ids = offeredIds(present, isOther ? present : chosen)
  const options = [
    {
      value: 'present',
      label: 'Present',
      detail: present === '0' ? 'Nothing was written yet' : `tx ${formatTx(present)}`,
    },
    ...(isOther ? [{ value: 'chosen', label: momentLabel(moment) }] : []),
    ...ids.map((id) => ({ value: `tx ${id}`, label: `tx ${formatTx(id)}` })),
    { value: 'other', label: 'Another moment…', detail: 'Until, before, since or after' },
  ]
  const pick = (value: string) => {
    if (value === 'present') choose(null)
    else if (value === 'other') setOpen(true)
    else if (value.startsWith('tx ')) choose(until(value.slice(3)))
  }
  const value = moment === null ? 'present' : isOther ? 'chosen' : `tx ${chosen}`
  return (
    <>
      <Select
        disabledReason={present === '0' ? 'Nothing was written to this database yet.' : undefined}
        icon={<MomentIcon className="shrink-0" />}
        label="Time travel"
        onChange={pick}
        options={options}
        quiet={moment === null}
        size="small"
        value={value}
      />
      {isOpen && <TravelDialog first={moment} newest={present} onClose={() => setOpen(false)} />}
    </>
  )
}

function until(id: string): Moment {
  return { bound: 'UNTIL', at: { kind: 'tx', id } }
}

/** The newest transactions, the chosen one and the first, newest first. */
function offeredIds(present: string, chosen: string): string[] {
  const newest = BigInt(present)
  const ids = new Set<bigint>()
  for (let id = newest; id >= 1n && ids.size < offered; id--) ids.add(id)
  if (newest > 0n) ids.add(BigInt(chosen)).add(1n)
  return [...ids].sort((a, b) => (a < b ? 1 : -1)).map(String)
}

/** The statement that shows the plan of another, which is not run; null when there is nothing to. */
export function explained(
  statement: Pick<Statement, 'text' | 'verb'>,
): { text: string; statement: Statement } | null {
  const text = statement.verb === 'EXPLAIN' ? statement.text : `EXPLAIN ${statement.text}`
  const [explain] = splitStatements(text)
  return explain ? { text, statement: explain } : null
}
