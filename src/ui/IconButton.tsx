import { type ComponentProps, type MouseEvent, type ReactNode, useId } from 'react'
import { visibleText } from '~/lib/visible-text'
import { cx } from './cx'

export type IconButtonProps = Omit<
  ComponentProps<'button'>,
  'disabled' | 'className' | 'children' | 'aria-label' | 'title'
> & {
  /** The accessible name, also shown on hover. */
  label: string
  icon: ReactNode
  size?: 'tiny' | 'small' | 'normal'
  /** For a button that stays down. */
  pressed?: boolean
  disabledReason?: string | undefined
}

const sizes = {
  tiny: 'size-11 xs:size-6',
  small: 'size-11 xs:size-7',
  normal: 'size-11 xs:size-8',
}

/** A square button that shows only an icon and is named by its required label. */
export function IconButton({
  label: given,
  icon,
  size = 'normal',
  pressed,
  disabledReason,
  onClick,
  ...rest
}: IconButtonProps) {
  const label = visibleText(given)
  const reasonId = useId()
  const dead = disabledReason !== undefined
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (dead) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      {...(dead && { 'aria-describedby': reasonId })}
      {...rest}
      aria-disabled={dead || undefined}
      aria-label={label}
      aria-pressed={pressed}
      className={cx(
        'inline-flex shrink-0 items-center justify-center rounded fades',
        pressed ? 'bg-selected text-primary' : 'text-muted',
        dead ? 'opacity-55' : 'hover:bg-hover hover:text-text',
        sizes[size],
      )}
      onClick={press}
      title={dead ? `${label}: ${visibleText(disabledReason)}` : label}
      type="button"
    >
      {icon}
      {dead && (
        <span hidden id={reasonId}>
          {visibleText(disabledReason)}
        </span>
      )}
    </button>
  )
}
