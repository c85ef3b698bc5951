import type { ComponentProps, ReactNode } from 'react'
import { visibleText } from '~/lib/visible-text'
import { cx } from './cx'

export type CheckboxProps = Omit<
  ComponentProps<'input'>,
  'type' | 'className' | 'onChange' | 'checked' | 'aria-label'
> & {
  label: string
  /** A second, muted line. */
  hint?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  /** Below a title that says it: the label is only spoken, and shown on hover. */
  bare?: boolean
}

/** A native checkbox with its label; the whole line can be pressed. */
export function Checkbox({ label, hint, checked, onChange, bare, ...input }: CheckboxProps) {
  return (
    <label
      className={cx(
        'flex min-h-11 items-start gap-2.5 py-3 xs:min-h-0 xs:py-1',
        input.disabled && 'cursor-not-allowed text-muted',
      )}
      title={bare ? visibleText(label) : undefined}
    >
      <span className="relative mt-0.5 flex size-4 shrink-0">
        <input
          {...input}
          checked={checked}
          className="peer size-4 appearance-none rounded-sm border border-field bg-input fades checked:border-primary checked:bg-primary disabled:cursor-not-allowed disabled:border-dashed disabled:bg-transparent disabled:checked:border-muted disabled:checked:bg-muted"
          onChange={(event) => onChange(event.target.checked)}
          type="checkbox"
        />
        <svg
          aria-hidden="true"
          className="pointer-events-none absolute inset-0 text-on-primary opacity-0 peer-checked:opacity-100"
          fill="none"
          stroke="currentColor"
          strokeLinecap="round"
          strokeLinejoin="round"
          strokeWidth="2"
          viewBox="0 0 16 16"
        >
          <path d="m4 8.4 2.7 2.7L12 5.4" />
        </svg>
      </span>
      <span className={bare ? 'xs:sr-only' : 'min-w-0 [overflow-wrap:anywhere]'}>
        {visibleText(label)}
        {hint && (
          <span className="block text-muted text-xs">
            {typeof hint === 'string' ? visibleText(hint) : hint}
          </span>
        )}
      </span>
    </label>
  )
}
