import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { cancelRunAtom, runModeAtom, runningAtom } from '~/atoms/run'
import { databaseAtom } from '~/atoms/session'
import { Button } from '~/ui/Button'
import { RunIcon, StopIcon } from '~/ui/Icon'
import { Kbd } from '~/ui/Kbd'
import { Select } from '~/ui/Select'

const modes = [
  { value: 'automatic', label: 'Automatic', detail: 'By the first keyword' },
  { value: 'query', label: 'As query', detail: 'Reads, returns rows' },
  { value: 'exec', label: 'As exec', detail: 'Writes, makes a transaction' },
]

type Props = {
  count: number
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
        title="Run the selection, or the statement under the caret"
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
        {count > 1 && (
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
      <div className="ms-auto flex items-center gap-2">
        <span className="hidden text-muted text-xs sm:inline">
          <Kbd keys="Ctrl+Enter" />
        </span>
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
