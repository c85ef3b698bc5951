import { useAtomValue } from 'jotai'
import { Suspense } from 'react'
import type { KeyState } from '~/atoms/key-state'
import { writtenAtom } from '~/atoms/key-write'
import { timezoneAtom } from '~/atoms/view'
import { formatCount, formatMoment } from '~/lib/text'
import { Badge } from '~/ui/Badge'
import { Boundary } from '~/ui/Boundary'
import { CopyButton } from '~/ui/CopyButton'
import { fetchedLater } from '~/ui/fetched-later'
import { CheckIcon } from '~/ui/Icon'
import { Link } from '~/ui/Link'
import { ValueView } from '~/ui/ValueView'
import { useKeysAddress } from './address'
import { KeyActions } from './KeyActions'
import { copiedKey, KeyName, keyLabel } from './KeyName'
import { Moment } from './Moment'
import { RevisionList } from './RevisionList'

const KeyReceipt = fetchedLater(() => import('./KeyReceipt').then((module) => module.KeyReceipt))

/** One key: what stands under it, or why nothing does, and its revisions. */
export function OpenKey({ of, state }: { of: string; state: KeyState }) {
  const { revision, pathOf } = useKeysAddress()
  return (
    <div className="mx-auto grid max-w-[1000px] grid-cols-1 gap-4 p-4">
      <header className="grid grid-cols-1 gap-2">
        <div className="flex items-start gap-1">
          <h2 className="line-clamp-6 min-w-0 break-words font-mono text-lg [overflow-wrap:anywhere]">
            <KeyName of={of} />
          </h2>
          <span className="-my-2.5 xs:my-0">
            <CopyButton size="tiny" text={copiedKey(of)} what="the key" />
          </span>
        </div>
        <Facts state={state} />
        <Done of={of} />
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

/** What the last write did, as long as its key is open. */
function Done({ of }: { of: string }) {
  const { database } = useKeysAddress()
  const written = useAtomValue(writtenAtom)
  const isIts = written?.key === of && written.database === database
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 empty:hidden">
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
          <Suspense fallback={null}>
            <KeyReceipt database={database} tx={written.tx} />
          </Suspense>
        </Boundary>
      )}
    </div>
  )
}

const words = {
  deleted: 'This key was deleted: it is no longer listed or found. Its revisions stay below.',
  expired: 'This value has expired: the server no longer gives it out. Its revision stays below.',
  dangling: 'This key refers to another one that was deleted or has expired.',
  'too-large': 'This value is larger than 4 MiB, which cannot be read over HTTP.',
}

function Standing({ of, state }: { of: string; state: KeyState }) {
  const { revision, pathOf } = useKeysAddress()
  if (state.kind === 'absent') {
    return (
      <p>
        {revision === ''
          ? 'There is no such key, and there never was.'
          : 'There is no such revision of this key.'}
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
