import { counted, formatCount } from '~/lib/text'
import { Button } from '~/ui/Button'

type Props = {
  /** How many transactions are read, of how many; null while none are being read. */
  progress: { read: number; of: number } | null
  /** Why the reading failed; null when it did not. */
  failure: string | null
  /** What the button to begin says. */
  action: string
  onRead: () => unknown
  onCancel: () => unknown
}

/** What is missing from a list of now, and how to get the one of the moment that is looked at. */
export function IncompleteList({ progress, failure, action, onRead, onCancel }: Props) {
  return (
    <div className="grid shrink-0 gap-1 border-line border-b px-3 py-2 text-sm">
      <p role="status">Today’s list; what was deleted since is missing.</p>
      {failure !== null && <p className="text-warning">{failure}</p>}
      <p className="flex flex-wrap items-center gap-2 text-muted">
        {progress && (
          <>
            <progress
              aria-label="Transactions read"
              className="h-1.5 w-24"
              max={progress.of}
              value={progress.read}
            />
            <span className="tabular-nums">
              {formatCount(progress.read)} of {counted(progress.of, 'transaction')}
            </span>
          </>
        )}
        {progress ? (
          <Button onClick={() => onCancel()} size="small">
            Cancel
          </Button>
        ) : (
          <Button onClick={() => onRead()} size="small">
            {action}
          </Button>
        )}
      </p>
    </div>
  )
}
