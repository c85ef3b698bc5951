import type { SavedQuery } from '~/atoms/queries/open-query'
import type { FileQuery } from '~/atoms/queries/query-files'
import type { UnreadableKey } from '~/atoms/queries/shared-queries'
import { formatTx } from '~/lib/text'
import { Button } from '~/ui/Button'
import { Conflict } from '~/ui/Conflict'
import { SafeName, SafeText } from '~/ui/SafeText'
import { sendersUnknown } from '~/words/outcome'
import { ChangedLines, ChangedValue, isByLine } from '../../tables/ChangedValue'
import { QueryParts } from './QueryParts'

type Props = {
  /** What is stored now; null for nothing. */
  stored: SavedQuery | UnreadableKey | null
  yours: FileQuery
  /** Transactions that wrote yours before it was changed again; null when that is not known. */
  seenIn: readonly string[] | null
  isOfEditor: boolean
  refusal: string | undefined
  onTheirs: (query: SavedQuery) => void
  onCopy: () => void
  /** Saves over what is stored, whose mark is given; null where nothing is. */
  onOver: (mark: string | null) => void
}

/** The query was changed or deleted since it was opened: both versions, and what can be done. */
export function QueryConflict(props: Props) {
  const { stored, yours, seenIn, isOfEditor, refusal, onTheirs, onCopy, onOver } = props
  const theirs = stored !== null && 'place' in stored ? stored : null
  const unreadable = stored !== null && !('place' in stored) ? stored : null
  return (
    <Conflict
      buttons={
        <>
          {theirs && (
            <Button onClick={() => onTheirs(theirs)}>
              {isOfEditor ? 'Open the stored one' : 'Discard mine'}
            </Button>
          )}
          <Button disabledReason={refusal} onClick={onCopy}>
            Save mine as a new query…
          </Button>
          {!unreadable && (
            <Button disabledReason={refusal} onClick={() => onOver(theirs?.mark ?? null)}>
              {theirs ? 'Save mine over it' : 'Save mine again'}
            </Button>
          )}
        </>
      }
      isAlert
      title={titleOf(stored, seenIn)}
    >
      {seenIn !== null && seenIn.length > 0 && <p className="text-sm">{sendersUnknown}</p>}
      {unreadable && (
        <p className="text-sm">
          What is stored now cannot be read, and is not overwritten. {unreadable.why}
        </p>
      )}
      {theirs && (
        <div className="grid grid-cols-1 gap-3 text-sm">
          <About title="Stored now" {...theirs} />
          <About title="Yours" {...yours} />
          <Texts theirs={theirs.text} yours={yours.text} />
        </div>
      )}
    </Conflict>
  )
}

function titleOf(stored: Props['stored'], seenIn: Props['seenIn']): string {
  const why = stored === null ? 'it was deleted meanwhile' : 'it was changed meanwhile'
  if (seenIn === null) return `It is not known whether this was stored: ${why}`
  if (seenIn.length === 0) return `Nothing was saved: ${why}`
  return `${seenIn.map((tx) => `tx ${formatTx(tx)}`).join(', ')} stored yours, and then ${why}`
}

type AboutProps = { title: string } & Pick<
  FileQuery,
  'name' | 'folder' | 'description' | 'parameters' | 'chart'
>

function About({ title, name, folder, description, ...parts }: AboutProps) {
  return (
    <div className="grid gap-1 [overflow-wrap:anywhere]">
      <p>
        <span className="font-medium">{title}:</span>{' '}
        {folder !== '' && (
          <>
            <SafeName text={folder} />/
          </>
        )}
        <SafeName text={name} />
        {description !== '' && (
          <span className="text-muted">
            {' – '}
            <SafeText lines text={description} />
          </span>
        )}
      </p>
      <QueryParts {...parts} />
    </div>
  )
}

function Texts({ theirs, yours }: { theirs: string; yours: string }) {
  if (theirs === yours) return <p className="text-muted">The texts are the same.</p>
  if (isByLine(theirs, yours)) return <ChangedLines newer={yours} older={theirs} />
  return (
    <div className="grid gap-1">
      <p>
        Stored now: <ChangedValue text={theirs} />
      </p>
      <p>
        Yours: <ChangedValue isNew text={yours} />
      </p>
    </div>
  )
}
