import { useAtomValue } from 'jotai'
import type { PastKeyState } from '~/atoms/keys/key-state'
import { asOfTimeOfTxAtom } from '~/core/history/as-of'
import { timezoneAtom } from '~/core/page-view'
import { formatTx } from '~/lib/text'
import { formatMoment } from '~/lib/time'
import { Link } from '~/ui/Link'
import { TxLink } from '~/ui/TxLink'
import { useKeysAddress } from './address'

/** Why a key has no value that is shown. */
export const words = {
  absent: 'The server reports no such key and no revision of it.',
  deleted: 'This key was deleted: it is no longer listed or found. Its revisions stay below.',
  expired: 'This value has expired: the server no longer returns it. Its revision stays below.',
  dangling: 'This key refers to another one that was deleted or has expired.',
  'too-large': 'This value is larger than 4 MiB, which cannot be read over HTTP.',
  gone: 'The server no longer has this value. A truncation may have removed it.',
  hidden:
    'Which revision this was is not known. One near it is larger than 4 MiB or its value is gone, so its transaction cannot be read.',
}

type PastProps = { state: Exclude<PastKeyState, { kind: 'live' }>; tx: string }

/** Why a key had no value as of a transaction, or why the value is not known. */
export function PastStanding({ state, tx }: PastProps) {
  const { database, pathOf } = useKeysAddress()
  const timezone = useAtomValue(timezoneAtom)
  const committed = useAtomValue(asOfTimeOfTxAtom)
  const then = `tx ${formatTx(tx)}`
  switch (state.kind) {
    case 'not-yet':
      return (
        <p>
          This key did not exist yet at {then}. It was first set in{' '}
          <TxLink database={database} id={state.first} />.
        </p>
      )
    case 'deleted':
      return (
        <p>
          At {then} this key was deleted: <TxLink database={database} id={state.entry.tx} /> had
          deleted it.
        </p>
      )
    case 'expired': {
      const { expiresAt } = state.entry
      const time = expiresAt === null ? '' : formatMoment(Number(expiresAt) * 1_000, timezone)
      return <p>{expiryWords(then, time, expiresAt, committed)}</p>
    }
    case 'unresolved':
      return (
        <p>
          At {then} this key was a reference, and its value then cannot be shown:{' '}
          {whyUnresolved(state.target)}{' '}
          {state.entry.target && (
            <Link
              className="text-primary underline"
              to={pathOf({ key: state.entry.target.key, revision: '' })}
            >
              Show that key
            </Link>
          )}
        </p>
      )
    default:
      return <p>{words[state.kind]}</p>
  }
}

/** A value expires by the clock, so it may have lived at a transaction and be gone today. */
function expiryWords(
  then: string,
  time: string,
  expiresAt: string | null,
  committed: string | null,
): string {
  const gone = 'The server no longer returns it.'
  if (expiresAt === null || committed === null) return `This value has expired. ${gone}`
  return BigInt(expiresAt) <= BigInt(committed)
    ? `At ${then} this value had already expired, at ${time}. ${gone}`
    : `At ${then} this key had a value. It expired later, at ${time}. ${gone}`
}

function whyUnresolved(target: PastKeyState | null): string {
  switch (target?.kind) {
    case 'not-yet':
      return 'the key that it refers to did not exist yet.'
    case 'deleted':
      return 'the key that it refers to was deleted then.'
    case 'expired':
      return 'the value of the key that it refers to has expired.'
    case 'absent':
      return 'the server reports no key that it refers to.'
    default:
      return 'the key that it refers to cannot be read.'
  }
}
