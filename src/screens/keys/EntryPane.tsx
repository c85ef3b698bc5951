import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import type { Entry } from '~/api/keys'
import { keyStatesAtom } from '~/atoms/keys/list'
import type { KeyState } from '~/atoms/keys/pages'
import { resetDeletionAtom, writtenAtom } from '~/atoms/keys/write'
import { timezoneAtom } from '~/atoms/settings/view'
import { sentence, technicalDetails } from '~/atoms/storage/failure'
import { openKeyProofAtom } from '~/atoms/trust/object-proofs'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { formatCount, formatMoment, formatTx } from '~/lib/text'
import { Badge } from '~/ui/Badge'
import { Boundary } from '~/ui/Boundary'
import { Button } from '~/ui/Button'
import { CopyButton } from '~/ui/CopyButton'
import { cx } from '~/ui/cx'
import { EmptyState } from '~/ui/EmptyState'
import { ErrorNote } from '~/ui/ErrorNote'
import { CheckIcon, ChevronRightIcon, KeyIcon, ShieldIcon } from '~/ui/Icon'
import { Link } from '~/ui/Link'
import { SectionBoundary } from '~/ui/SectionBoundary'
import { Skeleton } from '~/ui/Skeleton'
import { useNarrow } from '~/ui/use-narrow'
import { ValueView } from '~/ui/ValueView'
import { Receipt } from '../proof/Receipt'
import { useKeysAddress } from './address'
import { DeleteKey } from './DeleteKey'
import { EntryForm } from './EntryForm'
import { copiedKey, KeyName, keyLabel } from './KeyName'
import { Moment } from './Moment'
import { RevisionList } from './RevisionList'
import { useDrafts } from './use-drafts'

/** The open key, or the form that writes one. */
export function EntryPane() {
  const { key, database, revision, go } = useKeysAddress()
  const { draft } = useDrafts()
  const isWritten = draft !== null && draft.key === key
  return (
    <section
      aria-label="The open key"
      className="h-full overflow-auto bg-page outline-none"
      id="open-key"
      tabIndex={-1}
    >
      {useNarrow() && (key !== null || isWritten) && (
        <div className="border-line border-b bg-panel px-2 py-1">
          <Button
            icon={<ChevronRightIcon className="rotate-180" />}
            onClick={() => go({ key: null, revision: '' })}
            size="small"
            variant="quiet"
          >
            All keys
          </Button>
        </div>
      )}
      {!isWritten && <Unfinished />}
      {!isWritten && key !== null && <Written of={key} />}
      <SectionBoundary
        details={technicalDetails}
        isPane
        resetKey={`${database} ${key} ${revision}`}
        what="The key"
      >
        {isWritten ? (
          <EntryForm key={`${database} ${key}`} />
        ) : key === null ? (
          <EmptyState
            icon={<KeyIcon />}
            text="Choose one from the list, or get one by its name."
            title="No key is open"
          />
        ) : (
          <Asked key={`${database} ${key} ${revision}`} of={key} />
        )}
      </SectionBoundary>
    </section>
  )
}

function Asked({ of }: { of: string }) {
  const { database, revision } = useKeysAddress()
  const { data, error, refetch, isFetching } = useAtomValue(
    useAtomValue(keyStatesAtom)(database, of, revision),
  )
  if (data) {
    return (
      <>
        {error && (
          <p className="px-4 pt-3 text-sm text-warning" role="status">
            This is the key as last read. {sentence(error)}
          </p>
        )}
        <OpenKey of={of} state={data} />
      </>
    )
  }
  if (!error) return <Waiting />
  return (
    <div className="mx-auto grid max-w-[1000px] gap-3 p-4">
      <KeyHeading of={of} />
      <ErrorNote
        busy={isFetching}
        details={technicalDetails(error)}
        onRetry={() => void refetch()}
        title={sentence(error)}
      />
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

/** Something is being written elsewhere; it is kept until it is saved or discarded. */
function Unfinished() {
  const { draft, resume, discard, reasonAgainstDiscard } = useDrafts()
  if (!draft) return null
  return (
    <div
      className="flex flex-wrap items-center gap-2 border-warning/45 border-b bg-warning-tint px-4 py-2 text-sm"
      role="status"
    >
      <span className="min-w-0 grow break-words">
        {draft.key === null ? (
          'A new key is not saved yet.'
        ) : (
          <>
            A value for <KeyName of={draft.key} /> is not saved yet.
          </>
        )}
      </span>
      <Button onClick={resume} size="small">
        Continue
      </Button>
      <Button disabledReason={reasonAgainstDiscard} onClick={discard} size="small" variant="quiet">
        Discard
      </Button>
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
            {written.text}
          </>
        )}
      </p>
      {isIts && written.tx !== null && (
        <Boundary fallback={() => null}>
          {written.isReference ? (
            <Receipt
              database={database}
              says={`Transaction ${formatTx(written.tx)} is in the history`}
              tx={written.tx}
            />
          ) : (
            <Receipt database={database} storedKey={written.key} tx={written.tx} />
          )}
        </Boundary>
      )}
    </div>
  )
}

/** One key: what stands under it, or why nothing does, and its revisions. */
function OpenKey({ of, state }: { of: string; state: KeyState }) {
  const { revision, pathOf } = useKeysAddress()
  return (
    <div className="mx-auto grid max-w-[1000px] grid-cols-1 gap-4 p-4">
      <header className="grid grid-cols-1 gap-2">
        <KeyHeading of={of} />
        <Facts state={state} />
        {revision !== '' && (
          <p className="text-sm">
            This is revision {formatCount(BigInt(revision))}.{' '}
            <Link className="text-primary underline" to={pathOf({ revision: '' })}>
              Show the newest
            </Link>
          </p>
        )}
        <KeyActions of={of} state={state} />
      </header>
      <Standing of={of} state={state} />
      <RevisionList of={of} />
    </div>
  )
}

function Facts({ state }: { state: KeyState }) {
  const { database } = useKeysAddress()
  const timezone = useAtomValue(timezoneAtom)
  if (!('entry' in state)) return null
  const { revision, tx, expiresAt, target } = state.entry
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-sm">
      {state.kind === 'deleted' && <Badge tone="warning">Deleted</Badge>}
      {state.kind === 'expired' && <Badge tone="warning">Expired</Badge>}
      {state.kind === 'dangling' && <Badge tone="warning">Refers to nothing</Badge>}
      {target !== null && <Badge tone="info">Reference</Badge>}
      {revision !== null && <span>revision {formatCount(BigInt(revision))}</span>}
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

const words = {
  deleted: 'This key was deleted: it is no longer listed or found. Its revisions stay below.',
  expired: 'This value has expired: the server no longer returns it. Its revision stays below.',
  dangling: 'This key refers to another one that was deleted or has expired.',
  'too-large': 'This value is larger than 4 MiB, which cannot be read over HTTP.',
}

function Standing({ of, state }: { of: string; state: KeyState }) {
  const { revision, pathOf } = useKeysAddress()
  if (state.kind === 'absent') {
    return (
      <p>
        {revision === ''
          ? 'The server reports no such key and no revision of it.'
          : 'The server reports no such revision of this key.'}
      </p>
    )
  }
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
          {target.isBound ? ', fixed to one of its revisions.' : ', as it is at present.'}
        </p>
      )}
      <ValueView name={`the value of ${keyLabel(of)}`} value={value} />
    </section>
  )
}

/** What can be done with the open key. */
function KeyActions({ of, state }: { of: string; state: KeyState }) {
  const { database, revision } = useKeysAddress()
  const [isDeleting, setDeleting] = useState(false)
  const reset = useSetAtom(resetDeletionAtom)
  const openProof = useSetAtom(openKeyProofAtom)
  const { startValue, reasonAgainst } = useDrafts()
  const isOld =
    revision !== '' ? 'An older revision cannot be changed: show the newest.' : undefined
  const refusal = useAtomValue(writeRefusalAtom) ?? isOld
  const isThere = state.kind === 'live' || state.kind === 'too-large' || state.kind === 'dangling'
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        disabledReason={refusal ?? reasonAgainst(of)}
        onClick={() => startValue(of, state)}
        size="small"
      >
        {state.kind === 'live' ? 'Change the value' : 'Set a value'}
      </Button>
      <Button
        disabledReason={'entry' in state ? undefined : unprovable[state.kind]}
        icon={<ShieldIcon />}
        onClick={() => {
          if ('entry' in state) void openProof(shownKey(database, of, state))
        }}
        size="small"
      >
        Verify
      </Button>
      <Button
        disabledReason={refusal ?? (isThere ? undefined : 'There is nothing to delete.')}
        onClick={() => {
          reset()
          setDeleting(true)
        }}
        size="small"
      >
        Delete…
      </Button>
      {isDeleting && <DeleteKey of={of} onClose={() => setDeleting(false)} />}
    </div>
  )
}

const unprovable = {
  absent: 'There is nothing to verify: that something is missing cannot be proven.',
  'too-large':
    'Its proof does not fit into the 4 MiB of an answer. Its transaction proves its hash.',
}

/** Longest name of a key in a title. */
const titleLength = 60

/** The key as it is shown here, for its proof. */
function shownKey(database: string, key: string, { kind, entry }: KeyState & { entry: Entry }) {
  const label = keyLabel(key)
  const name = label.length > titleLength ? `${label.slice(0, titleLength)}…` : label
  return {
    database,
    key,
    what: `key ${name}`,
    tx: entry.tx,
    value: kind === 'live' ? entry.value : null,
    targetTx: entry.target?.tx ?? null,
    isDeleted: entry.isDeleted,
    isDangling: kind === 'dangling',
  }
}

/** The name of the open key, to be read and copied. */
function KeyHeading({ of }: { of: string }) {
  return (
    <div className="flex items-start gap-1">
      <h2 className="line-clamp-6 min-w-0 break-words font-mono text-lg [overflow-wrap:anywhere]">
        <KeyName of={of} />
      </h2>
      <span className="-my-2.5 xs:my-0">
        <CopyButton size="tiny" text={copiedKey(of)} what="the key" />
      </span>
    </div>
  )
}
