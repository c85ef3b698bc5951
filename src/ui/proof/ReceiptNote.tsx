import { formatTx } from '~/lib/text'
import { InfoIcon, ShieldIcon, WarningIcon } from '~/ui/Icon'
import { Spinner } from '~/ui/Spinner'

type Props = {
  tx: string
  kind: 'checking' | 'verified' | 'open' | 'failed'
  why?: string | undefined
  /** What became of the history it was proven in. */
  history: 'followed' | 'broken' | 'forgotten'
  /** What is verified; when it is not given, what was written in this transaction. */
  says?: string
  /** Shows the proof. */
  onOpen: () => void
  onRetry: () => void
}

const look = 'inline-flex min-h-11 items-center gap-1.5 text-sm underline xs:min-h-0'

/** What this browser verified of a write just made. */
export function ReceiptNote({ tx, kind: found, says, onOpen, onRetry, history, ...of }: Props) {
  if (history === 'forgotten' && found === 'verified') {
    return (
      <button className={`${look} text-muted`} onClick={onOpen} type="button">
        <InfoIcon className="shrink-0" /> Stored in a history that was forgotten
      </button>
    )
  }
  const isDoubted = history === 'broken' && found === 'verified'
  const kind = isDoubted ? 'open' : found
  const why = isDoubted ? 'this history is broken' : of.why
  if (kind === 'checking') {
    return (
      <span className="late inline-flex items-center gap-1.5 text-muted text-sm">
        <Spinner size={16} /> Verifying…
      </span>
    )
  }
  if (kind === 'verified') {
    return (
      <button className={`${look} text-verified`} onClick={onOpen} type="button">
        <ShieldIcon className="shrink-0" /> {says ?? `Verified at tx ${formatTx(tx)}`}
      </button>
    )
  }
  if (kind === 'open') {
    return (
      <button className={`${look} text-warning`} onClick={onOpen} type="button">
        <WarningIcon className="shrink-0" />{' '}
        {why ? `Not verified: ${why}` : 'Stored, not verified: see why'}
      </button>
    )
  }
  return (
    <span className="text-muted text-sm">
      Stored, not verified. {why}{' '}
      <button className={look} onClick={onRetry} type="button">
        Verify
      </button>
    </span>
  )
}
