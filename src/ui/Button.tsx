import { type ComponentProps, type MouseEvent, type ReactNode, useId } from 'react'
import { visibleText } from '~/lib/visible-text'
import { Spinner } from '~/ui/Spinner'
import { cx } from './cx'

type ButtonVariant = 'primary' | 'plain' | 'quiet' | 'danger'

export type ButtonProps = Omit<ComponentProps<'button'>, 'disabled' | 'className'> & {
  variant?: ButtonVariant
  size?: 'small' | 'normal' | 'large'
  /** Shown before the text; hidden from assistive technology by its maker. */
  icon?: ReactNode
  /** Takes the whole width of its container. */
  wide?: boolean
  /** Work started by this button is under way: it stays, says so, and cannot be pressed again. */
  busy?: boolean
  /** Why the button cannot be used now; it stays focusable so that the reason can be read. */
  disabledReason?: string | undefined
}

const variants: Record<ButtonVariant, string> = {
  primary: 'border-transparent bg-primary text-on-primary',
  plain: 'border-line bg-raised text-text',
  quiet: 'border-transparent bg-transparent text-text',
  danger: 'border-transparent bg-danger text-on-danger',
}

const variantsAlive: Record<ButtonVariant, string> = {
  primary: 'hover:bg-primary-hover',
  plain: 'hover:border-field',
  quiet: 'hover:bg-hover',
  danger: 'hover:bg-danger-hover',
}

const sizes = {
  small: 'h-11 xs:h-7 px-2.5 text-sm gap-1.5',
  normal: 'h-11 xs:h-8 px-3 text-base gap-2',
  large: 'h-11 xs:h-10 px-4 text-base gap-2',
}

/** A push button of type `button` unless told otherwise; refs and ARIA attributes pass through. */
export function Button({
  variant = 'plain',
  size = 'normal',
  icon,
  wide,
  busy,
  disabledReason,
  children,
  onClick,
  type = 'button',
  title: tip,
  'aria-label': label,
  ...rest
}: ButtonProps) {
  const reasonId = useId()
  const title = disabledReason ?? tip
  const dead = busy || disabledReason !== undefined
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    // A dead submit button must also stop the Enter key, which browsers turn into a click.
    if (dead) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      {...(disabledReason !== undefined && {
        'aria-describedby': reasonId,
      })}
      {...rest}
      // What is only spoken or shown on hover may hold names from outside, too.
      title={title && visibleText(title)}
      aria-label={label && visibleText(label)}
      aria-busy={busy || undefined}
      aria-disabled={dead || undefined}
      className={cx(
        'inline-flex shrink-0 select-none items-center justify-center whitespace-nowrap rounded border font-medium fades',
        variants[variant],
        sizes[size],
        wide && 'w-full',
        busy ? 'opacity-80' : dead ? 'opacity-55' : variantsAlive[variant],
      )}
      onClick={press}
      type={type}
    >
      {busy ? <Spinner size={16} /> : icon}
      {children}
      {disabledReason !== undefined && (
        <span hidden id={reasonId}>
          {visibleText(disabledReason)}
        </span>
      )}
    </button>
  )
}
