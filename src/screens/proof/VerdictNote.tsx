import type { ReactNode } from 'react'
import type { Tone } from '~/proof/verdict'
import { cx } from '~/ui/cx'
import { ErrorIcon, InfoIcon, ShieldIcon, WarningIcon } from '~/ui/Icon'

/** The colour of a verdict; what draws a verdict takes it from here and never chooses. */
const looks: Readonly<Record<Tone, { box: string; text: string; Icon: typeof ShieldIcon }>> = {
  verified: { box: 'border-verified/45 bg-verified/8', text: 'text-verified', Icon: ShieldIcon },
  neutral: { box: 'border-line bg-panel', text: 'text-muted', Icon: InfoIcon },
  warning: { box: 'border-warning/45 bg-warning-tint', text: 'text-warning', Icon: WarningIcon },
  error: { box: 'border-error/45 bg-error-tint', text: 'text-error', Icon: ErrorIcon },
}

/** The colour of words about a verdict. */
export const verdictText = (tone: Tone) => looks[tone].text

/** The mark of a verdict; colour alone says nothing. */
export function VerdictIcon({ tone, size = 16 }: { tone: Tone; size?: 16 | 20 }) {
  const { text, Icon } = looks[tone]
  return <Icon className={cx('shrink-0', text)} size={size} />
}

type Props = {
  tone: Tone
  title: string
  /** The first thing on its page. */
  isLarge?: boolean
  /** Read out when it appears. */
  isLive?: boolean
  children: ReactNode
}

/** What came of a check, in one look. */
export function VerdictNote({ tone, title, isLarge = false, isLive = false, children }: Props) {
  return (
    <div
      className={cx(
        'flex gap-3 rounded border',
        isLarge ? 'px-4 py-3' : 'px-3 py-2.5',
        looks[tone].box,
      )}
      role={isLive ? 'status' : undefined}
    >
      <span className={cx('flex shrink-0 items-center', isLarge ? 'h-6' : 'h-5')}>
        <VerdictIcon size={20} tone={tone} />
      </span>
      <div className={cx('grid min-w-0', isLarge ? 'gap-1' : 'gap-0.5 text-sm')}>
        <p className={cx('font-medium', isLarge ? 'text-lg' : 'text-base')}>{title}</p>
        {children}
      </div>
    </div>
  )
}
