import { useAtomValue } from 'jotai'
import { keyStatesAtom, pastKeyStatesAtom } from '~/atoms/keys/key-list'
import type { PastKeyState } from '~/atoms/keys/key-state'
import { writtenAtom } from '~/atoms/keys/key-write'
import { provenKeyStateAtom } from '~/atoms/keys/proven-state'
import { asOfAtom, asOfTxAtom } from '~/core/history/as-of'
import { timezoneAtom } from '~/core/page-view'
import { failureWords, sentence, technicalDetails } from '~/core/session/failure-words'
import { sharedIdOf } from '~/immudb/saved-query'
import { pathTo } from '~/lib/paths'
import { formatCount, formatTx } from '~/lib/text'
import { formatMoment } from '~/lib/time'
import { Badge } from '~/ui/Badge'
import { Boundary } from '~/ui/Boundary'
import { Button } from '~/ui/Button'
import { CopyButton } from '~/ui/CopyButton'
import { cx } from '~/ui/cx'
import { EmptyState } from '~/ui/EmptyState'
import { CheckIcon, ChevronRightIcon, KeyIcon } from '~/ui/Icon'
import { Link } from '~/ui/Link'
import { SectionBoundary } from '~/ui/SectionBoundary'
import { Sentence } from '~/ui/Sentence'
import { Skeleton } from '~/ui/Skeleton'
import { TxText } from '~/ui/TxText'
import { Unanswered } from '~/ui/Unanswered'
import { useOneColumn } from '~/ui/use-narrow'
import { Receipt } from '../proof/Receipt'
import { useKeysAddress } from './address'
import { EntryForm } from './EntryForm'
import { KeyActions } from './KeyActions'
import { copiedKey, KeyName } from './KeyName'
import { Moment } from './Moment'
import { PastStanding, words } from './PastStanding'
import { RememberedValue } from './RememberedValue'
import { RevisionList } from './RevisionList'
import { SetPane } from './SetPane'
import { Unfinished, Unsent } from './Unfinished'
import { useDrafts } from './use-drafts'

/** The open key, or the form that writes one. */
export function EntryPane() {
  const { key, database, revision, isSet, go } = useKeysAddress()
  const { draft } = useDrafts()
  const isWritten = draft !== null && draft.key === key && !isSet
  return (
    <section
      aria-label="The open key"
      className={cx(
        'h-full overflow-auto bg-page outline-none',
        // A set scrolls by itself, below its name.
        isSet && 'flex flex-col',
      )}
      id="open-key"
      tabIndex={-1}
    >
      {useOneColumn() && (key !== null || isWritten || isSet) && (
        <div className="border-line border-b bg-panel px-2 py-1">
          <Button
            icon={<ChevronRightIcon className="rotate-180" />}
            onClick={() => go({ key: null, isSet: false, revision: '' })}
            size="small"
            variant="quiet"
          >
            All keys
          </Button>
        </div>
      )}
      {!isWritten && <Unfinished />}
      <Unsent />
      {!isWritten && !isSet && key !== null && <Written of={key} />}
      <SectionBoundary
        details={technicalDetails}
        isPane
        resetKey={`${database} ${key} ${revision} ${isSet}`}
        what="The key"
      >
        {isSet ? (
          <SetPane key={`${database} ${key}`} />
        ) : isWritten ? (
          <EntryForm key={`${database} ${key}`} />
        ) : key === null ? (
          <EmptyState
            icon={<KeyIcon />}
            text="The key that you choose, or get by its name, opens here."
            title="No key is open"
          />
        ) : (
          <Looked key={`${database} ${key} ${revision}`} of={key} />
        )}
      </SectionBoundary>
    </section>
  )
}

/** The key as it is, or as of the moment that is looked at. */
function Looked({ of }: { of: string }) {
  const { revision } = useKeysAddress()
  const { kind } = useAtomValue(asOfAtom)
  const tx = useAtomValue(asOfTxAtom)
  if (tx !== null && revision === '') return <AskedPast of={of} tx={tx} />
  if (tx !== null || kind === 'now' || kind === 'period') return <Asked of={of} />
  if (kind === 'finding') return <Waiting />
  return (
    <div className="mx-auto grid max-w-[1000px] gap-3 p-4">
      <KeyHeading of={of} />
      <p>The key is not shown, because this moment cannot be. The line at the top says why.</p>
    </div>
  )
}

function AskedPast({ of, tx }: { of: string; tx: string }) {
  const { database } = useKeysAddress()
  return <Answer asked={useAtomValue(useAtomValue(pastKeyStatesAtom)(database, of, tx))} of={of} />
}

function Asked({ of }: { of: string }) {
  const { database, revision } = useKeysAddress()
  return (
    <Answer asked={useAtomValue(useAtomValue(keyStatesAtom)(database, of, revision))} of={of} />
  )
}

type Asked = { data: PastKeyState | undefined; error: Error | null; refetch: () => unknown }

function Answer({ asked, of }: { asked: Asked; of: string }) {
  const { data, error } = asked
  const { database } = useKeysAddress()
  const drawn = useAtomValue(provenKeyStateAtom)
  if (data) {
    return (
      <>
        {error && (
          <p className="px-4 pt-3 text-sm text-warning" role="status">
            This is the key as last read. <Sentence text={sentence(error)} />
          </p>
        )}
        <OpenKey of={of} state={drawn(database, of, data)} />
      </>
    )
  }
  if (!error) return <Waiting />
  return (
    <div className="mx-auto grid max-w-[1000px] gap-3 p-4">
      <KeyHeading of={of} />
      <Unanswered asked={asked} lines={5} words={failureWords} />
    </div>
  )
}

function Waiting() {
  return (
    <div className="p-4">
      <Skeleton lines={5} />
    </div>
  )
}

/** What the last write did, as long as its key is open, whether it can be read and shown or not. */
function Written({ of }: { of: string }) {
  const { database } = useKeysAddress()
  const written = useAtomValue(writtenAtom)
  const isIts = written?.key === of && written.database === database
  return (
    <div
      className={cx(
        'mx-auto flex max-w-[1000px] flex-wrap items-center gap-x-4 gap-y-1 px-4',
        isIts && 'pt-4',
      )}
    >
      <p className="flex items-center gap-2 text-sm empty:hidden" role="status">
        {isIts && (
          <>
            <span className="text-success">
              <CheckIcon />
            </span>
            <span>
              <TxText database={database} text={written.text} />
            </span>
          </>
        )}
      </p>
      {isIts && written.tx !== null && (
        <Boundary fallback={() => null}>
          <Receipt database={database} of={`key ${written.key}`} tx={written.tx} />
        </Boundary>
      )}
    </div>
  )
}

/** One key: what stands under it, or why nothing does, and its revisions. */
function OpenKey({ of, state }: { of: string; state: PastKeyState }) {
  const { revision, pathOf } = useKeysAddress()
  const past = useAtomValue(asOfTxAtom)
  return (
    <div className="mx-auto grid max-w-[1000px] grid-cols-1 gap-4 p-4">
      <header className="grid grid-cols-1 gap-2">
        <KeyHeading of={of} />
        <Facts state={state} />
        {revision !== '' && (
          <p className="text-sm">
            This is revision {formatCount(BigInt(revision))}.{' '}
            <Link className="text-primary underline" to={pathOf({ revision: '' })}>
              {past === null ? 'Show the newest' : `Show that of tx ${formatTx(past)}`}
            </Link>
          </p>
        )}
        <TooNew state={state} />
        <SavedQueryNote of={of} />
        <KeyActions of={of} state={state} />
      </header>
      <Standing of={of} state={state} />
      <RevisionList of={of} />
    </div>
  )
}

/** A key of the console's own prefix is a query that is shared. */
function SavedQueryNote({ of }: { of: string }) {
  const { database } = useKeysAddress()
  const id = sharedIdOf(of)
  if (id === null) return null
  return (
    <p className="text-sm">
      The console keeps a shared query in this key.{' '}
      <Link className="text-primary underline" to={pathTo('query', { db: database, query: id })}>
        Open it in an editor
      </Link>
    </p>
  )
}

/** A revision that was opened by its number may be of later than what is looked at. */
function TooNew({ state }: { state: PastKeyState }) {
  const tx = useAtomValue(asOfTxAtom)
  if (tx === null || !('entry' in state) || BigInt(state.entry.tx) <= BigInt(tx)) return null
  return (
    <p className="text-sm text-warning" role="status">
      This revision is of tx {formatTx(state.entry.tx)}. It did not exist yet at tx {formatTx(tx)}.
    </p>
  )
}

function Facts({ state }: { state: PastKeyState }) {
  const { database } = useKeysAddress()
  const timezone = useAtomValue(timezoneAtom)
  if (!('entry' in state)) return null
  const { tx, expiresAt, target } = state.entry
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-sm">
      {state.kind === 'deleted' && <Badge tone="warning">Deleted</Badge>}
      {state.kind === 'expired' && <Badge tone="warning">Expired</Badge>}
      {state.kind === 'dangling' && <Badge tone="warning">Refers to nothing</Badge>}
      {target !== null && <Badge tone="info">Reference</Badge>}
      <Moment database={database} tx={tx} />
      {expiresAt !== null && (
        <span>
          {state.kind === 'expired' ? 'expired' : 'expires'}{' '}
          {formatMoment(Number(expiresAt) * 1_000, timezone)}
        </span>
      )}
    </div>
  )
}

function Standing({ of, state }: { of: string; state: PastKeyState }) {
  const { revision, pathOf } = useKeysAddress()
  const past = useAtomValue(asOfTxAtom)
  const isPast = past !== null && revision === ''
  if (state.kind === 'absent' && revision !== '') {
    return <p>The server reports no such revision of this key.</p>
  }
  if (isPast && state.kind !== 'live') return <PastStanding state={state} tx={past} />
  if (state.kind === 'not-yet' || state.kind === 'unresolved') return null
  if (state.kind !== 'live') return <p>{words[state.kind]}</p>
  const { value, target } = state.entry
  return (
    <section aria-label="Value" className="grid grid-cols-1 gap-2">
      {target !== null && (
        <p className="text-sm">
          The value is that of{' '}
          <Link
            className="font-mono text-primary underline"
            to={pathOf({
              key: target.key,
              revision: target.isBound ? (target.revision ?? '') : '',
            })}
          >
            <KeyName of={target.key} />
          </Link>
          {target.isBound
            ? ', fixed to one of its revisions.'
            : isPast
              ? ', as it was then.'
              : ', as it is at present.'}
        </p>
      )}
      <RememberedValue of={of} value={value} />
    </section>
  )
}

/** The name of the open key, to be read and copied. */
function KeyHeading({ of }: { of: string }) {
  return (
    <div className="flex items-start gap-1">
      <h2 className="line-clamp-6 min-w-0 font-mono text-lg [overflow-wrap:anywhere]">
        <KeyName of={of} />
      </h2>
      <span className="-my-2.5 xs:my-0">
        <CopyButton size="tiny" text={copiedKey(of)} what="the key" />
      </span>
    </div>
  )
}
