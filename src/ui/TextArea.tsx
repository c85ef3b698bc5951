import { type ComponentProps, useId } from 'react'
import { join } from '~/ui/join'

type TextAreaProps = Omit<
  ComponentProps<'textarea'>,
  'className' | 'onChange' | 'value' | 'id' | 'aria-label' | 'aria-invalid'
> & {
  label: string
  value: string
  onChange: (value: string) => void
  /** Announced politely when it appears; the line for it is always reserved, so nothing jumps. */
  error?: string | undefined
  hint?: string | undefined
  /** Keys, values and code. */
  mono?: boolean
}

/** A labelled field for several lines. It turns carriage returns into line feeds, as all do. */
export function TextArea({ label, value, onChange, error, hint, mono, ...rest }: TextAreaProps) {
  const id = useId()
  const message = error ?? hint
  return (
    <div className="min-w-0">
      <label className="mb-1 block font-medium text-sm text-text" htmlFor={id}>
        {label}
      </label>
      <textarea
        spellCheck={false}
        {...rest}
        aria-describedby={message ? `${id}-message` : undefined}
        aria-invalid={error ? true : undefined}
        className={join(
          'block w-full min-w-0 resize-y rounded border px-2.5 py-1.5 text-lg outline-offset-1 transition-colors duration-100 xs:text-base',
          rest.disabled || rest.readOnly ? 'border-dashed bg-transparent' : 'bg-input',
          mono && 'font-mono',
          error ? 'border-error' : 'border-field',
        )}
        id={id}
        onChange={(event) => onChange(event.target.value)}
        value={value}
      />
      <p
        aria-live="polite"
        className={join('min-h-6 pt-1 text-xs', error ? 'text-error' : 'text-muted')}
        id={`${id}-message`}
      >
        {message}
      </p>
    </div>
  )
}
