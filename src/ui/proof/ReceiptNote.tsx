import { InfoIcon, ShieldIcon, WarningIcon } from '~/ui/Icon'
import { Spinner } from '~/ui/Spinner'

type Props =
  | { kind: 'checking' }
  | {
      kind: 'checked'
      tone: 'verified' | 'neutral' | 'warning' | 'error'
      text: string
      /** Shows the proof. */
      onOpen: () => void
    }
  | { kind: 'failed'; why: string; onRetry: () => void }

const look = 'inline-flex min-h-11 items-center gap-1.5 text-sm underline xs:min-h-0'

const looks = {
  verified: { text: 'text-verified', Icon: ShieldIcon },
  neutral: { text: 'text-muted', Icon: InfoIcon },
  warning: { text: 'text-warning', Icon: WarningIcon },
  error: { text: 'text-error', Icon: WarningIcon },
} as const

/** What this browser verified of a write just made. */
export function ReceiptNote(of: Props) {
  if (of.kind === 'checking') {
    return (
      <span className="late inline-flex items-center gap-1.5 text-muted text-sm">
        <Spinner size={16} /> Verifying…
      </span>
    )
  }
  if (of.kind === 'checked') {
    const { text, Icon } = looks[of.tone]
    return (
      <button className={`${look} ${text}`} onClick={of.onOpen} type="button">
        <Icon className="shrink-0" /> {of.text}
      </button>
    )
  }
  return (
    <span className="text-muted text-sm">
      Stored, not verified. {of.why}{' '}
      <button className={look} onClick={of.onRetry} type="button">
        Verify
      </button>
    </span>
  )
}
