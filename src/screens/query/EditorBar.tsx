import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { Suspense } from 'react'
import { cancelRunAtom, runModeAtom, runningAtom } from '~/atoms/run'
import { databaseAtom } from '~/atoms/session'
import { keysOf } from '~/lib/shortcuts'
import { Button } from '~/ui/Button'
import { fetchedLater } from '~/ui/fetched-later'
import { RunIcon, StopIcon } from '~/ui/Icon'
import { Kbd } from '~/ui/Kbd'
import { Select } from '~/ui/Select'

const EditorExtras = fetchedLater(() =>
  import('./EditorExtras').then((module) => module.EditorExtras),
)

const modes = [
  { value: 'automatic', label: 'Automatic', detail: 'By the first keyword' },
  { value: 'query', label: 'As query', detail: 'Reads, returns rows' },
  { value: 'exec', label: 'As exec', detail: 'Writes, makes a transaction' },
]

type Props = {
  /** Statements in the text; undefined when the text is too long to be read at each key. */
  count: number | undefined
  onRun: () => void
  onRunAll: () => void
}

/** Runs the selection, the statement under the caret, or everything; cancels what runs. */
export function EditorBar({ count, onRun, onRunAll }: Props) {
  const running = useAtomValue(runningAtom)
  const cancel = useSetAtom(cancelRunAtom)
  const [mode, setMode] = useAtom(runModeAtom)
  const hasDatabase = useAtomValue(databaseAtom) !== null
  const reason = !hasDatabase
    ? 'No database is open.'
    : count === 0
      ? 'There is no statement to run.'
      : undefined
  return (
    <header className="flex min-h-10 shrink-0 flex-wrap items-center gap-2 border-line border-b px-2 py-1">
      <Button
        busy={running !== null}
        disabledReason={reason}
        icon={<RunIcon />}
        onClick={onRun}
        size="small"
        title={`Run the selection, or the statement under the caret (${keysOf('editor', 'run')})`}
        variant="primary"
      >
        Run
      </Button>
      <Button
        disabledReason={running ? 'Statements are running.' : reason}
        onClick={onRunAll}
        size="small"
      >
        Run all
        {count !== undefined && count > 1 && (
          <span aria-hidden="true" className="text-muted">
            {count}
          </span>
        )}
      </Button>
      {running && (
        <Button icon={<StopIcon />} onClick={cancel} size="small">
          Cancel
        </Button>
      )}
      {running && running.total > 1 && (
        <span className="text-muted text-sm" role="status">
          {running.done + 1} of {running.total}
        </span>
      )}
      {/* On a phone the choice stands beside the buttons, and the rest in a line of its own. */}
      <div className="order-2 flex items-center gap-1 xs:order-1 xs:ms-auto">
        <span className="hidden px-1 text-muted text-xs lg:inline">
          <Kbd keys={keysOf('editor', 'run')} />
        </span>
        <Suspense fallback={<span className="h-11 w-72 max-w-full xs:h-7" />}>
          <EditorExtras hasStatement={count !== 0} />
        </Suspense>
      </div>
      <div className="order-1 ms-auto xs:order-2 xs:ms-0">
        <Select
          label="Run as"
          onChange={(value) => setMode(value === 'query' || value === 'exec' ? value : 'automatic')}
          options={modes}
          quiet
          size="small"
          value={mode}
        />
      </div>
    </header>
  )
}
