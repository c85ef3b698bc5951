import { useAtomValue } from 'jotai'
import { keepOperations, operationsAtom } from '~/atoms/keys/keep-operations'
import { setExport } from '~/atoms/keys/key-export'
import { newOperation } from '~/atoms/keys/operation-drafts'
import { whyOperationsFixedAtom } from '~/atoms/keys/send-operations'
import { inOrder, type SetPage, sortedSets } from '~/atoms/keys/sets'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { useAct } from '~/core/act'
import { useExport } from '~/core/files/use-export'
import { asOfTxAtom } from '~/core/history/as-of'
import type { List } from '~/core/pages'
import { failureWords, sentence } from '~/core/session/failure-words'
import { isEditableAs, writeBytes } from '~/lib/byte-formats'
import { base64ToBytes } from '~/lib/bytes'
import { counted, formatTx } from '~/lib/text'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { ExportBar, lineFormats } from '~/ui/ExportBar'
import { useChangeSearch } from '~/ui/location'
import { Sentence } from '~/ui/Sentence'
import { Unanswered } from '~/ui/Unanswered'
import { useKeysAddress } from './address'
import { KeyName, keyLabel } from './KeyName'
import { SetName } from './SetName'
import { SetRows } from './SetRows'
import type { Typed } from './TypedField'

/** A sorted set with its scores, or the question for the name of one. */
export function SetPane() {
  const { database, key } = useKeysAddress()
  const tx = useAtomValue(asOfTxAtom)
  if (key === null) return <SetName key={database} />
  return (
    <div className="flex min-h-60 grow flex-col">
      <header className="grid shrink-0 gap-2 border-line border-b p-4">
        <h2 className="flex flex-wrap items-center gap-2 font-mono text-lg [overflow-wrap:anywhere]">
          <KeyName of={key} /> <Badge tone="info">Sorted set</Badge>
        </h2>
        {tx !== null && (
          <p className="text-sm text-warning" role="status">
            These are the entries of now: the server does not read sorted sets of the past. The
            transactions list what was added until tx {formatTx(tx)}.
          </p>
        )}
        <AddButton set={key} />
      </header>
      <Entries set={key} />
    </div>
  )
}

function AddButton({ set }: { set: string }) {
  const refusal = useAtomValue(writeRefusalAtom)
  const fixed = useAtomValue(whyOperationsFixedAtom)
  const drafts = useAtomValue(operationsAtom)
  const keep = useAct(keepOperations)
  const change = useChangeSearch()
  const begin = () => {
    const bytes = base64ToBytes(set)
    const format = isEditableAs(bytes, 'text') ? 'text' : 'hex'
    const name: Typed = { text: writeBytes(bytes, format) ?? '', format }
    keep([...drafts, newOperation({ kind: 'zadd', set: name })])
    change({ dialog: 'operations' })
  }
  return (
    <div>
      <Button
        disabledReason={refusal ?? (fixed && `Other operations are collected. ${fixed}`)}
        onClick={begin}
        size="small"
      >
        Add to the set…
      </Button>
    </div>
  )
}

function Entries({ set }: { set: string }) {
  const { database } = useKeysAddress()
  const asked = useAtomValue(useAtomValue(sortedSets.listsAtom)(database, set))
  const { data, error } = asked
  if (!data) {
    return (
      <div className="p-4">
        <Unanswered asked={asked} lines={5} words={failureWords} />
      </div>
    )
  }
  return (
    <>
      {error && (
        <p className="px-4 pt-3 text-sm text-warning" role="status">
          These are the entries as last read. <Sentence text={sentence(error)} />
        </p>
      )}
      {data.entries.length === 0 && data.next === null && data.hidden === 0 ? (
        <EmptyState text="No set of this name has an entry whose key is live." title="No entries" />
      ) : (
        <>
          <div className="min-h-0 grow">
            <SetRows entries={inOrder(data)} name={keyLabel(set)} />
          </div>
          <Rest list={asked} page={data} set={set} />
        </>
      )}
    </>
  )
}

type RestProps = { list: List<SetPage>; page: SetPage; set: string }

function Rest({ list: { isAdding, problem }, page: { entries, hidden, next }, set }: RestProps) {
  const { database } = useKeysAddress()
  const more = useAct(sortedSets.more)
  return (
    <footer className="flex min-h-10 shrink-0 flex-wrap items-center gap-2 border-line border-t px-4 py-1 text-muted text-sm">
      <span role="status">
        {counted(entries.length, 'entry', 'entries')}
        {next !== null && ', more exist: until all are read, negative scores stand last'}
      </span>
      {hidden > 0 && (
        <span className="text-warning">
          {counted(hidden, 'entry', 'entries')} passed over: a value over 4 MiB or one that is gone
          cannot be read.
        </span>
      )}
      {problem !== null && (
        <span className="text-error">
          <Sentence text={sentence(problem)} />
        </span>
      )}
      <span className="ms-auto flex flex-wrap items-center gap-2">
        {next !== null && (
          <Button busy={isAdding} onClick={() => void more(database, set)} size="small">
            Show more
          </Button>
        )}
        <ExportBar
          {...useExport(setExport({ database, set }))}
          formats={lineFormats}
          label="Export the set"
          title="Every entry of this set with its score and value, as NDJSON"
        />
      </span>
    </footer>
  )
}
