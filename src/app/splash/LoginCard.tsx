import { useAtomValue } from 'jotai'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useAct } from '~/core/act'
import { logIn, loginFailure, loginPauseAtom } from '~/core/session/login'
import { askIdentityEarly } from '~/core/session/server-identity'
import { lastUserAtom, loginNoticeAtom, sessionAtom, sessionLossAtom } from '~/core/session/session'
import { enterWithoutLogin } from '~/core/session/session-start'
import { storedAtom } from '~/core/storage/stored'
import { validationDebounce } from '~/lib/constants'
import { messages } from '~/lib/shared-sentences'
import { visibleText } from '~/lib/visible-text'
import { Button } from '~/ui/Button'
import { Checkbox } from '~/ui/Checkbox'
import { Field } from '~/ui/Field'
import { PasswordField } from '~/ui/PasswordField'
import { fetchBehindLogin, isForDocuments, startBehindLogin } from '../page-start'
import { besideLogin } from './beside-login'

// Outside React: time.

/** The login form with what it is shown for; over a lost session it says that the work is kept. */
export function LoginCard() {
  const login = useAct(logIn)
  const enterOpen = useAct(enterWithoutLogin)
  const askEarly = useAct(askIdentityEarly)
  const loss = useAtomValue(sessionLossAtom)
  const notice = useAtomValue(loginNoticeAtom)
  const session = useAtomValue(sessionAtom)
  const storedUser = useAtomValue(storedAtom).auth.user
  const lastUser = useAtomValue(lastUserAtom) ?? storedUser
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const pause = usePause(failure)
  const submit = async (user: string, password: string, isStored: boolean) => {
    setBusy(true)
    setFailure(null)
    // A little later, so that the scripts do not take all connections before the server is asked.
    setTimeout(startBehindLogin)
    try {
      await login({ user, password, isStored, isForDocuments: isForDocuments() })
      besideLogin.after?.({ user, password, isStored })
    } catch (error) {
      setFailure(loginFailure(error))
    } finally {
      setBusy(false)
    }
  }
  const reason = loss === 'docker-token' ? messages.dockerTokenExpired : 'Your session has ended.'
  const isForeign = loss === 'another-server'
  const lost = isForeign
    ? `${messages.anotherServer} Your work is kept.`
    : (notice?.text ?? `${reason} Log in again: your work is kept.`)
  return (
    <div className="w-full rounded-lg border border-line bg-panel p-5">
      <p
        className={isForeign ? 'mb-4 text-center text-warning' : 'mb-4 text-center text-muted'}
        role={isForeign ? 'alert' : undefined}
      >
        {loss === null ? 'Log in to continue' : lost}
      </p>
      {notice && loss === null && (
        <p
          className="mb-4 text-center text-warning"
          role={notice.kind === 'another-server' ? 'alert' : undefined}
        >
          {notice.text}
        </p>
      )}
      {loss === null && besideLogin.Server && <besideLogin.Server />}
      <LoginForm
        failure={failure}
        firstUser={session?.user ?? lastUser ?? ''}
        isBusy={isBusy}
        isStoredFirst={session?.isStored ?? true}
        onEmpty={() => void enterOpen()}
        onSubmit={submit}
        onTyping={() => {
          askEarly()
          fetchBehindLogin()
        }}
        pause={pause}
      />
      {loss === null && (
        <p className="mt-3 text-center text-muted text-sm">
          No login on this server? Press Log in.
        </p>
      )}
    </div>
  )
}

/** Milliseconds to wait since a failure appeared; 0 once they are over. */
function usePause(failure: string | null): number {
  const pause = useAtomValue(loginPauseAtom)
  const [isOver, setOver] = useState(true)
  useEffect(() => {
    if (failure === null || pause === 0) return
    setOver(false)
    const timer = setTimeout(() => setOver(true), pause)
    return () => {
      clearTimeout(timer)
      setOver(true)
    }
  }, [failure, pause])
  return isOver ? 0 : pause
}

type Props = {
  firstUser: string
  isStoredFirst: boolean
  isBusy: boolean
  failure: string | null
  /** Milliseconds that must pass before the next try, which is not sent meanwhile. */
  pause?: number
  onSubmit: (user: string, password: string, isStored: boolean) => void
  /** Sent with both fields empty, as for a server that needs no login. */
  onEmpty?: () => void
  /**
   * A key of the password was pressed, so more will follow. A password that a manager fills in may
   * be sent at once, and scripts would then take the connections that the login needs.
   */
  onTyping?: () => void
}

type Name = keyof LoginFields

/**
 * User and password. A field is checked 300 ms after typing in it or leaving it, and forgets its
 * error when it is entered again; nothing is sent before both pass.
 */
export function LoginForm(props: Props) {
  const {
    firstUser,
    isStoredFirst,
    isBusy,
    failure,
    pause = 0,
    onSubmit,
    onEmpty,
    onTyping,
  } = props
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
    // Nothing needs it from here on; a refused one has to be typed again anyway.
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
  // It keeps its place in the tab order and says why it waits.
  const wait = pause > 0 ? `Wait ${pause / 1_000} s before the next try.` : undefined
  return (
    <form
      className="grid gap-1"
      noValidate
      onKeyDown={({ key, target }) => {
        if (target === boxes.password.current && key.length === 1) onTyping?.()
      }}
      onSubmit={submit}
    >
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
        hint="Otherwise only this tab is logged in."
        label="Stay signed in"
        onChange={setStored}
      />
      {besideLogin.Choice && <besideLogin.Choice />}
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

type LoginFields = { user: string; password: string }
type LoginErrors = Partial<Record<keyof LoginFields, string>>

/** Both fields are required. Only the server can check more. */
export function loginErrors(fields: LoginFields): LoginErrors {
  const errors: LoginErrors = {}
  if (fields.user === '') errors.user = messages.required
  if (fields.password === '') errors.password = messages.required
  return errors
}
