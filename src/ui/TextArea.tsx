import { type ComponentProps, useId, useState } from 'react'
import { counted } from '~/lib/text'
import { visibleText } from '~/lib/visible-text'
import { cx } from './cx'

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
  /** For forms of few words: the label is only spoken and no line is kept for messages. */
  bare?: boolean
  /** Says so when a paste or a drop loses carriage returns, which no such field can hold. */
  exact?: boolean
}

/** A labelled field for several lines. It turns carriage returns into line feeds, as all do. */
export function TextArea(props: TextAreaProps) {
  const { label, value, onChange, error, hint, mono, bare, exact = false, ...rest } = props
  const id = useId()
  const [lost, setLost] = useState(0)
  const count = (data: DataTransfer) => setLost(lostReturns(data))
  const note = exact && lost > 0 && value !== '' ? lostReturnsNote(lost) : undefined
  const message = error ?? ([hint, note].filter(Boolean).join(' · ') || undefined)
  return (
    <div className="min-w-0">
      <label className={bare ? 'sr-only' : 'mb-1 block font-medium text-sm text-text'} htmlFor={id}>
        {label}
      </label>
      <textarea
        spellCheck={false}
        {...rest}
        aria-describedby={message ? `${id}-message` : undefined}
        aria-invalid={error ? true : undefined}
        className={cx(
          'block w-full min-w-0 resize-y rounded border px-2.5 py-1.5 text-lg outline-offset-1 fades xs:text-base',
          rest.disabled || rest.readOnly ? 'border-dashed bg-transparent' : 'bg-input',
          mono && 'font-mono',
          error ? 'border-error' : 'border-field',
        )}
        id={id}
        onChange={(event) => onChange(event.target.value)}
        onDrop={(event) => count(event.dataTransfer)}
        onPaste={(event) => count(event.clipboardData)}
        value={value}
      />
      <p
        aria-live="polite"
        className={cx(
          'pt-1 text-xs',
          bare ? 'empty:hidden' : 'min-h-6',
          error ? 'text-error' : 'text-muted',
        )}
        id={`${id}-message`}
      >
        {message && visibleText(message)}
      </p>
    </div>
  )
}

/** The carriage returns in what is pasted, which no field for text can hold. */
export function lostReturns(data: DataTransfer): number {
  return data.getData('text/plain').split('\r').length - 1
}

export function lostReturnsNote(lost: number): string {
  return `${counted(lost, 'carriage return')} of the pasted text became line feeds. To store them, use hex or base64.`
}
