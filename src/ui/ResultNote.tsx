import type { ReactNode } from 'react'
import { CheckIcon, CloseIcon, InfoIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { cx } from './cx'

type Props = {
  /** True for something that was done, false for a note that nothing needed to be. */
  isDone: boolean
  onClose: () => void
  children: ReactNode
}

/** A result that is no failure, where it was asked for. */
export function ResultNote({ isDone, onClose, children }: Props) {
  return (
    <div
      className={cx(
        'flex items-start gap-2.5 rounded border py-1 ps-3 pe-1 text-sm',
        isDone ? 'border-success/45 bg-success-tint' : 'border-info/45 bg-info-tint',
      )}
      role="status"
    >
      <span className={cx('flex h-7 items-center', isDone ? 'text-success' : 'text-info')}>
        {isDone ? <CheckIcon /> : <InfoIcon />}
      </span>
      <p className="min-w-0 grow py-1 [overflow-wrap:anywhere]">{children}</p>
      <IconButton icon={<CloseIcon />} label="Dismiss" onClick={onClose} size="small" />
    </div>
  )
}
