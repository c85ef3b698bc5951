import { type FormEvent, useEffect, useRef, useState } from 'react'
import { validationDebounce } from '~/lib/constants'
import { type LoginErrors, type LoginFields, loginErrors } from '~/lib/login-rules'
import { visibleText } from '~/lib/visible-text'
import { Button } from '~/ui/Button'
import { Checkbox } from '~/ui/Checkbox'
import { Field } from '~/ui/Field'
import { PasswordField } from '~/ui/PasswordField'

type Props = {
  firstUser: string
  isStoredFirst: boolean
  isBusy: boolean
  failure: string | null
  /** Milliseconds that must pass before the next try, which is not sent meanwhile. */
  pause?: number
  onSubmit: (user: string, password: string, isStored: boolean) => void
  /** Sent without a word in it, as one does where no login is needed. */
  onEmpty?: () => void
}

type Name = keyof LoginFields

/**
 * User and password. A field is checked 300 ms after typing in it or leaving it, and forgets its
 * error when it is entered again; nothing is sent before both pass.
 */
export function LoginForm(props: Props) {
  const { firstUser, isStoredFirst, isBusy, failure, pause = 0, onSubmit, onEmpty } = props
  const [fields, setFields] = useState<LoginFields>({ user: firstUser, password: '' })
  const [errors, setErrors] = useState<LoginErrors>({})
  const [isStored, setStored] = useState(isStoredFirst)
  const boxes = { user: useRef<HTMLInputElement>(null), password: useRef<HTMLInputElement>(null) }
  const latest = useRef(fields)
  // The form empties the password when it is sent; only a field the user left empty lacks something.
  const isEmptied = useRef(false)
  const later = useDelayed()

  const check = (name: Name) => {
    if (name === 'password' && isEmptied.current) return
    later.run(name, () =>
      setErrors((before) => only(before, name, loginErrors(latest.current)[name])),
    )
  }
  const change = (name: Name, value: string) => {
    if (name === 'password') isEmptied.current = false
    latest.current = { ...latest.current, [name]: value }
    setFields(latest.current)
    check(name)
  }
  const enter = (name: Name) => {
    later.forget(name)
    setErrors((before) => only(before, name, undefined))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || pause > 0) return
    const found = loginErrors(fields)
    const first: Name | null = found.user ? 'user' : found.password ? 'password' : null
    // Entering a field takes its error away, so the errors come after the focus.
    if (first) boxes[first].current?.focus()
    setErrors(found)
    if (found.user && found.password) onEmpty?.()
    if (first) return
    onSubmit(fields.user, fields.password, isStored)
    later.forget('password')
    isEmptied.current = true
    // From here on nobody needs it; a refused one has to be typed again anyway.
    latest.current = { ...fields, password: '' }
    setFields(latest.current)
  }
  const field = (name: Name) => ({
    ref: boxes[name],
    value: fields[name],
    error: errors[name],
    onChange: (value: string) => change(name, value),
    onBlur: () => check(name),
    onFocus: () => enter(name),
  })
  // It stays in the order of the keyboard and says why it waits.
  const wait = pause > 0 ? `Wait ${pause / 1_000} s before the next try.` : undefined
  return (
    <form className="grid gap-1" noValidate onSubmit={submit}>
      <Field
        {...field('user')}
        autoCapitalize="none"
        autoComplete="username"
        autoFocus={!firstUser}
        label="User"
        spellCheck={false}
      />
      <PasswordField
        {...field('password')}
        autoComplete="current-password"
        autoFocus={!!firstUser}
        label="Password"
      />
      <Checkbox
        checked={isStored}
        hint="Otherwise only this tab is signed in."
        label="Stay signed in"
        onChange={setStored}
      />
      {failure && !errors.user && !errors.password && (
        <p className="max-h-60 overflow-auto text-error [overflow-wrap:anywhere]" role="alert">
          <bdi>{visibleText(wait ? `${failure} ${wait}` : failure)}</bdi>
        </p>
      )}
      <div className="pt-3">
        <Button
          busy={isBusy}
          disabledReason={wait}
          size="large"
          type="submit"
          variant="primary"
          wide
        >
          Log in
        </Button>
      </div>
    </form>
  )
}

function only(errors: LoginErrors, name: Name, error: string | undefined): LoginErrors {
  const { [name]: _gone, ...others } = errors
  return error === undefined ? others : { ...others, [name]: error }
}

/** Runs the newest work of each name a little later; forgets all of it with the form. */
function useDelayed() {
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>())
  useEffect(() => {
    const pending = timers.current
    return () => {
      for (const timer of pending.values()) clearTimeout(timer)
    }
  }, [])
  const forget = (name: string) => clearTimeout(timers.current.get(name))
  const run = (name: string, work: () => void) => {
    forget(name)
    timers.current.set(name, setTimeout(work, validationDebounce))
  }
  return { run, forget }
}
