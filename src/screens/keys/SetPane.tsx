// biome-ignore-all lint/a11y/useFocusableInteractive: rows of a table are read, not focused.
// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot be virtualised.
import { useAtomValue, useSetAtom } from 'jotai'
import { type FormEvent, useState } from 'react'
import type { SetEntry } from '~/api/sorted-sets'
import { asOfTxAtom } from '~/atoms/history/as-of'
import { operationsAtom } from '~/atoms/keys/drafts'
import { keepOperationsAtom } from '~/atoms/keys/keep-operations'
import { additionAtom } from '~/atoms/keys/list'
import { newOperation } from '~/atoms/keys/operation-drafts'
import {
  additionOfSet,
  addSetEntriesAtom,
  inOrder,
  type SetPage,
  sortedSetsAtom,
} from '~/atoms/keys/sets'
import { failureWords, sentence } from '~/atoms/session/failure'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { isEditableAs, parseBytes, writeBytes } from '~/lib/byte-formats'
import { base64ToBytes, bytesToBase64, bytesToHex, decodeUtf8 } from '~/lib/bytes'
import { counted, formatTx } from '~/lib/text'
import { beginning } from '~/lib/visible-text'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { EmptyState } from '~/ui/EmptyState'
import { Link } from '~/ui/Link'
import { useChangeSearch } from '~/ui/location'
import { SafeText } from '~/ui/SafeText'
import { Unanswered } from '~/ui/Unanswered'
import { useNarrow } from '~/ui/use-narrow'
import { WindowedRows } from '~/ui/WindowedRows'
import { useKeysAddress } from './address'
import { KeyName, keyLabel } from './KeyName'
import { type Typed, TypedField } from './TypedField'

/** A sorted set with its scores, or the question for the name of one. */
export function SetPane() {
  const { key } = useKeysAddress()
  const tx = useAtomValue(asOfTxAtom)
  if (key === null) return <SetName />
  return (
    <div className="flex min-h-60 grow flex-col">
      <header className="grid shrink-0 gap-2 border-line border-b p-4">
        <h2 className="flex flex-wrap items-center gap-2 break-words font-mono text-lg [overflow-wrap:anywhere]">
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

/** Sets are not listed by the server, so one is asked for by its name. */
function SetName() {
  const { go } = useKeysAddress()
  const [typed, setTyped] = useState<Typed>({ text: '', format: 'text' })
  const [isTried, setTried] = useState(false)
  const parsed = parseBytes(typed.text, typed.format)
  const bytes = 'bytes' in parsed && parsed.bytes.length > 0 ? parsed.bytes : null
  const error = 'error' in parsed ? parsed.error : 'Enter the name of the set.'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (bytes) go({ key: bytesToBase64(bytes), isSet: true, revision: '' })
  }
  return (
    <form className="mx-auto grid max-w-[640px] gap-3 p-4" noValidate onSubmit={submit}>
      <h2 className="text-lg">Open a sorted set</h2>
      <p className="text-muted text-sm">
        The server does not list the sets of a database. Their names stand in the transactions that
        added to them.
      </p>
      <TypedField
        error={bytes === null && (isTried || 'error' in parsed) ? error : null}
        formatLabel="Format of the name of the set"
        label="Name of the set"
        onChange={setTyped}
        typed={typed}
      />
      <div className="flex justify-end gap-2">
        <Button onClick={() => go({ key: null, isSet: false })}>Cancel</Button>
        <Button type="submit" variant="primary">
          Open
        </Button>
      </div>
    </form>
  )
}

function AddButton({ set }: { set: string }) {
  const refusal = useAtomValue(writeRefusalAtom)
  const drafts = useAtomValue(operationsAtom)
  const keep = useSetAtom(keepOperationsAtom)
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
      <Button disabledReason={refusal} onClick={begin} size="small">
        Add to the set…
      </Button>
    </div>
  )
}

function Entries({ set }: { set: string }) {
  const { database } = useKeysAddress()
  const asked = useAtomValue(useAtomValue(sortedSetsAtom)(database, set))
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
          These are the entries as last read. {sentence(error)}
        </p>
      )}
      {data.entries.length === 0 && data.next === null && data.hidden === 0 ? (
        <EmptyState text="No set of this name has an entry whose key is live." title="No entries" />
      ) : (
        <>
          <div className="min-h-0 grow">
            <Rows entries={inOrder(data)} name={keyLabel(set)} />
          </div>
          <Rest page={data} set={set} />
        </>
      )}
    </>
  )
}

const columns =
  'grid items-center gap-x-4 px-4 grid-cols-[minmax(80px,1fr)_minmax(0,3fr)_minmax(0,4fr)]'

function Rows({ entries, name }: { entries: readonly SetEntry[]; name: string }) {
  const height = useNarrow() ? 48 : 32
  return (
    <WindowedRows
      header={
        <div
          className={cx(columns, 'h-8 border-line border-b bg-raised text-muted text-xs')}
          role="presentation"
        >
          {['Score', 'Key', 'Value'].map((title) => (
            <span key={title} role="columnheader">
              {title}
            </span>
          ))}
        </div>
      }
      label={`Entries of ${name}`}
      row={(index) => {
        const entry = entries[index]
        return entry && <Row entry={entry} />
      }}
      rowCount={entries.length}
      rowHeight={height}
      rowKey={(index) => String(index)}
    />
  )
}

function Row({ entry: { score, key, atTx, entry } }: { entry: SetEntry }) {
  const { pathOf } = useKeysAddress()
  return (
    <div
      className={cx(columns, 'h-full border-line border-b text-sm hover:bg-hover')}
      role="presentation"
    >
      <span className="truncate font-mono tabular-nums" role="cell">
        {scoreText(score)}
      </span>
      <span className="flex min-w-0 items-center gap-2" role="cell">
        <Link
          className="truncate font-mono text-primary underline"
          to={pathOf({ key, isSet: false, revision: '' })}
        >
          <KeyName of={key} />
        </Link>
        {atTx !== '0' && <Badge>tx {formatTx(atTx)}</Badge>}
      </span>
      <span className="truncate text-muted" role="cell">
        <SafeText text={shownValue(entry.value)} />
      </span>
    </div>
  )
}

/** The score as it is: JavaScript writes −0 as 0. */
function scoreText(score: number): string {
  return Object.is(score, -0) ? '-0' : String(score)
}

const shownLength = 200

function shownValue(value: string): string {
  // Four characters of base64 are three bytes, so a cut at a multiple of four cuts no byte.
  const bytes = base64ToBytes(value.slice(0, shownLength * 4))
  const text = decodeUtf8(bytes)
  return beginning(text ?? `hex ${bytesToHex(bytes.subarray(0, shownLength / 2))}`, shownLength)
}

function Rest({ page, set }: { page: SetPage; set: string }) {
  const { entries, hidden, next } = page
  const add = useSetAtom(addSetEntriesAtom)
  const { to, isBusy, error } = useAtomValue(additionAtom)
  const isOurs = to === additionOfSet(set)
  return (
    <footer className="flex min-h-10 shrink-0 flex-wrap items-center gap-2 border-line border-t px-4 py-1 text-muted text-sm">
      <span role="status">
        {counted(entries.length, 'entry', 'entries')}
        {next !== null && ', more exist: until all are read, negative scores stand last'}
      </span>
      {hidden > 0 && (
        <span className="text-warning">
          {counted(hidden, 'entry', 'entries')} passed over: a value over 4 MiB cannot be read.
        </span>
      )}
      {isOurs && error !== null && <span className="text-error">{sentence(error)}</span>}
      {next !== null && (
        <span className="ms-auto">
          <Button busy={isOurs && isBusy} onClick={() => void add(set)} size="small">
            Show more
          </Button>
        </span>
      )}
    </footer>
  )
}
