import { type KeyboardEvent, useState } from 'react'
import { Field, type FieldProps } from '~/ui/Field'

/** A password input whose text can be shown; what was typed is never trimmed. */
export function PasswordField(props: Omit<FieldProps, 'type' | 'trailing' | 'secret'>) {
  const [shown, setShown] = useState(false)
  const [isCapital, setCapital] = useState(false)
  const notice = (event: KeyboardEvent) => setCapital(event.getModifierState('CapsLock'))
  return (
    <Field
      autoCapitalize="none"
      spellCheck={false}
      {...props}
      hint={isCapital ? 'Caps Lock is on.' : props.hint}
      onKeyDown={notice}
      onKeyUp={notice}
      secret
      trailing={
        <button
          aria-label={shown ? 'Hide password' : 'Show password'}
          className="-my-px flex h-11 w-11 shrink-0 items-center justify-center rounded text-muted hover:text-text xs:h-8 xs:w-9"
          onClick={() => setShown(!shown)}
          title={shown ? 'Hide password' : 'Show password'}
          type="button"
        >
          <Eye open={shown} />
        </button>
      }
      type={shown ? 'text' : 'password'}
    />
  )
}

/** Drawn here because the login screen loads without the icon set. */
function Eye({ open }: { open: boolean }) {
  return (
    <svg
      aria-hidden="true"
      fill="none"
      height="16"
      stroke="currentColor"
      strokeLinecap="round"
      strokeLinejoin="round"
      strokeWidth="1.5"
      viewBox="0 0 16 16"
      width="16"
    >
      <path d="M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8Z" />
      <circle cx="8" cy="8" r="2" />
      {!open && <path d="m2.5 13.5 11-11" />}
    </svg>
  )
}
