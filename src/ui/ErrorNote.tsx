import type { ReactNode } from 'react'
import { Button } from '~/ui/Button'
import { ErrorIcon, WarningIcon } from '~/ui/Icon'
import { SafeText } from '~/ui/SafeText'
import { cx } from './cx'
import { Sentence } from './Sentence'

type ErrorNoteProps = {
  /** What happened, a sentence. */
  title: string
  /** What was therefore not done. */
  notDone?: string
  /** What to do about it. */
  advice?: ReactNode
  /** Codes and texts for a report; folded away. */
  details?: string
  /** A search has found something in the details, so they are shown. */
  areDetailsFound?: boolean
  onRetry?: () => void
  retryLabel?: string
  busy?: boolean
  /** `unknown` while it is not known whether it failed. */
  tone?: 'failed' | 'unknown'
}

const tones = {
  failed: { box: 'border-error/45 bg-error-tint', icon: 'text-error' },
  unknown: { box: 'border-warning/45 bg-warning-tint', icon: 'text-warning' },
}

/** A failure, where it happened. Announced at once. */
export function ErrorNote(props: ErrorNoteProps) {
  const { title, notDone, advice, details, onRetry, retryLabel = 'Try again', busy } = props
  const look = tones[props.tone ?? 'failed']
  return (
    <div
      className={cx('flex min-w-0 gap-3 rounded border px-3 py-2.5 text-text', look.box)}
      role="alert"
    >
      <span className={cx('flex h-5 shrink-0 items-center', look.icon)}>
        {props.tone === 'unknown' ? <WarningIcon /> : <ErrorIcon />}
      </span>
      <div className="min-w-0 flex-1 space-y-1">
        <p className="font-medium [overflow-wrap:anywhere]">
          <Sentence text={title} />
        </p>
        {notDone && (
          <p className="text-sm [overflow-wrap:anywhere]">
            <Sentence text={notDone} />
          </p>
        )}
        {advice && (
          <div className="break-words text-muted text-sm">
            {typeof advice === 'string' ? <Sentence text={advice} /> : advice}
          </div>
        )}
        {details && <Details isFound={props.areDetailsFound ?? false} text={details} />}
      </div>
      {onRetry && (
        <Button busy={busy ?? false} onClick={onRetry} size="small">
          {retryLabel}
        </Button>
      )}
    </div>
  )
}

function Details({ text, isFound }: { text: string; isFound: boolean }) {
  return (
    <details className="text-xs" open={isFound}>
      <summary className="w-max rounded-sm py-3.5 text-muted hover:text-text xs:py-1">
        Technical details
      </summary>
      <pre
        translate="no"
        className="mt-1 max-h-48 overflow-auto whitespace-pre-wrap rounded-sm bg-page [overflow-wrap:anywhere] px-2 py-1.5 font-mono"
      >
        <SafeText lines text={text} />
      </pre>
    </details>
  )
}
