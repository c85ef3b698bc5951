import type { ReactNode } from 'react'
import { cx } from '~/ui/cx'

type Props = { icon: ReactNode; children: ReactNode; action?: ReactNode; isUrgent?: boolean }

/** One line above the footer about something that concerns every screen. */
export function NoticeLine({ icon, children, action, isUrgent }: Props) {
  return (
    <div
      className={cx(
        'flex items-center gap-2 border-t bg-panel px-3 py-1.5',
        isUrgent ? 'border-warning text-warning' : 'border-line',
      )}
    >
      <span className="shrink-0">{icon}</span>
      <p className="min-w-0 grow">{children}</p>
      {action}
    </div>
  )
}
