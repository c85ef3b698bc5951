import { VerdictIcon, type VerdictTone, verdictText } from '~/ui/proof/VerdictNote'
import { Spinner } from '~/ui/Spinner'

type Props =
  | { kind: 'checking' }
  | {
      kind: 'checked'
      tone: VerdictTone
      text: string
      /** Shows the proof. */
      onOpen: () => void
    }
  | { kind: 'failed'; why: string; onRetry: () => void }

const look = 'inline-flex min-h-11 items-center text-start text-sm underline xs:min-h-0'

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
    return (
      <button className={`${look} ${verdictText(of.tone)}`} onClick={of.onOpen} type="button">
        <span className="flex items-start gap-1.5">
          <span className="flex h-5 items-center">
            <VerdictIcon tone={of.tone} />
          </span>
          {of.text}
        </span>
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
