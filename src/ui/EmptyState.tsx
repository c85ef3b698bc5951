import type { ReactNode } from 'react'
import { SafeText } from '~/ui/SafeText'
import { Sentence } from './Sentence'

type EmptyStateProps = {
  icon?: ReactNode
  title: string
  /** One sentence: why there is nothing. */
  text?: ReactNode
  /** One thing to do about it; of several the first is the usual one. */
  action?: ReactNode
  /** Why it cannot be done, which is read without a pointer over the button. */
  refusal?: string | undefined
}

/** Why a place is empty and what to do next. */
export function EmptyState({ icon, title, text, action, refusal }: EmptyStateProps) {
  return (
    <div
      className="flex flex-col items-center justify-center gap-1 px-6 py-10 text-center"
      data-empty=""
    >
      {icon && (
        <span className="mb-2 flex size-10 items-center justify-center rounded-full border border-line text-muted">
          {icon}
        </span>
      )}
      <p className="max-w-full font-medium [overflow-wrap:anywhere]">
        <SafeText text={title} />
      </p>
      {text && (
        <p className="max-w-[44ch] break-words text-muted text-sm">
          {typeof text === 'string' ? <Sentence text={text} /> : text}
        </p>
      )}
      {action && <div className="mt-3">{action}</div>}
      {action && refusal !== undefined && (
        <p className="mt-1 max-w-[44ch] text-muted text-sm">
          <SafeText text={refusal} />
        </p>
      )}
    </div>
  )
}
