import type { ReactNode } from 'react'
import { visibleText } from '~/lib/visible-text'
import { cx } from './cx'

type BadgeTone = 'neutral' | 'info' | 'warning' | 'error' | 'verified'

type BadgeProps = {
  /** `verified` is for what this browser has verified itself and for nothing else. */
  tone?: BadgeTone
  icon?: ReactNode
  title?: string
  /** A word: colour alone says nothing. */
  children: ReactNode
}

const tones: Record<BadgeTone, string> = {
  neutral: 'border-line text-muted',
  info: 'border-info/45 bg-info-tint text-info',
  warning: 'border-warning/45 bg-warning-tint text-warning',
  error: 'border-error/45 bg-error-tint text-error',
  verified: 'border-verified/45 bg-verified/8 text-verified',
}

/** A small mark of a state. */
export function Badge({ tone = 'neutral', icon, title, children }: BadgeProps) {
  return (
    <span
      className={cx(
        'inline-flex h-5 items-center gap-1 whitespace-nowrap rounded-full border px-2 font-medium text-xs',
        tones[tone],
      )}
      title={title === undefined ? undefined : visibleText(title)}
    >
      {icon}
      {children}
    </span>
  )
}
