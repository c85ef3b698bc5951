import { useAtomValue } from 'jotai'
import type { KeyState } from '~/atoms/key-state'
import { timezoneAtom } from '~/atoms/view'
import { formatCount, formatMoment } from '~/lib/text'
import { Badge } from '~/ui/Badge'
import { Link } from '~/ui/Link'
import { ValueView } from '~/ui/ValueView'
import { useKeysAddress } from './address'
import { KeyActions } from './KeyActions'
import { KeyHeading } from './KeyHeading'
import { KeyName, keyLabel } from './KeyName'
import { Moment } from './Moment'
import { RevisionList } from './RevisionList'

/** One key: what stands under it, or why nothing does, and its revisions. */
export function OpenKey({ of, state }: { of: string; state: KeyState }) {
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
