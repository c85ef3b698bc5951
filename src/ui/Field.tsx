import { type ComponentProps, type ReactNode, useId } from 'react'
import { visibleText } from '~/lib/visible-text'
import { cx } from './cx'

export type FieldProps = Omit<
  ComponentProps<'input'>,
  'className' | 'onChange' | 'value' | 'id' | 'aria-label' | 'aria-invalid' | 'size'
> & {
  label: string
  value: string
  onChange: (value: string) => void
  /** Announced politely when it appears; the line for it is always reserved, so nothing jumps. */
  error?: ReactNode
  hint?: ReactNode
  /** Sits inside the box at its end: a unit, a button. */
  trailing?: ReactNode
  /** For toolbars: the label is only spoken and no line is kept for messages. */
  bare?: boolean
  /** Keys, hashes and code. */
  mono?: boolean
  /** The text stays out of the document's attributes, where scripts and saved pages would find it. */
  secret?: boolean
}

/** A labelled one-line input; give it a `ref` to focus it. */
export function Field({
  label,
  value,
  onChange,
  error,
  hint,
  trailing,
  bare,
  mono,
  secret,
  ref,
  ...input
}: FieldProps) {
  const id = useId()
  // React writes a controlled value into the attribute as well; a property alone is not seen there.
  const hold = (box: HTMLInputElement | null) => {
    if (box && box.value !== value) box.value = value
    if (typeof ref === 'function') ref(box)
    else if (ref) ref.current = box
  }
  const message = error ?? hint
  return (
    <div className="min-w-0">
      <label
        className={
          bare
            ? 'sr-only'
            : cx('mb-1 block font-medium text-sm', input.disabled ? 'text-muted' : 'text-text')
        }
        htmlFor={id}
      >
        {label}
      </label>
      <div
        className={cx(
          'flex h-11 items-center rounded border outline-offset-1 fades xs:h-8 has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-primary',
          error ? 'border-error' : 'border-field',
          // A field that takes no input has a dashed border and the colour of the page.
          input.disabled || input.readOnly ? 'border-dashed bg-transparent' : 'bg-input',
          input.disabled && 'text-muted',
        )}
      >
        <input
          {...input}
          aria-describedby={message ? `${id}-message` : undefined}
          aria-invalid={error ? true : undefined}
          className={cx(
            'h-full w-full min-w-0 flex-1 bg-transparent px-2.5 text-lg outline-none disabled:cursor-not-allowed xs:text-base',
            mono && 'font-mono',
          )}
          id={id}
          onChange={(event) => onChange(event.target.value)}
          {...(secret ? { ref: hold } : { ref, value })}
        />
        {trailing}
      </div>
      <FieldMessage bare={bare} error={error} id={`${id}-message`} text={message} />
    </div>
  )
}

type FieldMessageProps = {
  id: string
  bare: boolean | undefined
  error: ReactNode
  text: ReactNode
}

/** The region stays in the document, since one that appears with its text is often not announced. */
function FieldMessage({ id, bare, error, text }: FieldMessageProps) {
  return (
    <p
      aria-live="polite"
      className={cx(
        'break-words text-xs',
        bare ? 'empty:hidden' : 'min-h-6 pt-1',
        error ? 'text-error' : 'text-muted',
      )}
      id={id}
    >
      {typeof text === 'string' ? visibleText(text) : text}
    </p>
  )
}
