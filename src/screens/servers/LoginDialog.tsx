import { useAtomValue } from 'jotai'
import { type FormEvent, useId, useState } from 'react'
import { logInElsewhere } from '~/atoms/servers/other-logins'
import type { Fleet } from '~/core/session/fleet'
import { sessionAtom } from '~/core/session/session'
import type { Server } from '~/lib/servers'
import { counted } from '~/lib/text'
import { Button } from '~/ui/Button'
import { Checkbox } from '~/ui/Checkbox'
import { Dialog } from '~/ui/Dialog'
import { Field } from '~/ui/Field'
import { PasswordField } from '~/ui/PasswordField'
import { SafeText } from '~/ui/SafeText'

type Props = { fleet: Fleet; servers: readonly Server[]; onClose: () => void }

/** What one server said; null: it took the login. */
type Results = ReadonlyMap<string, string | null>

/** One name and password for all servers that someone chooses. The password is not kept. */
export function LoginDialog({ fleet, servers: open, onClose }: Props) {
  // Those that take the login leave the list of the page, not this one.
  const [servers] = useState(open)
  const session = useAtomValue(sessionAtom)
  const [user, setUser] = useState(session?.user ?? '')
  const [password, setPassword] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(open.map(({ id }) => id)))
  const [results, setResults] = useState<Results>(new Map())
  const [isBusy, setBusy] = useState(false)
  const form = useId()
  const left = servers.filter(({ id }) => chosen.has(id) && results.get(id) !== null)
  const isDone = servers.length > 0 && servers.every(({ id }) => results.get(id) === null)
  const problem =
    user === '' || password === ''
      ? 'Enter a user and a password.'
      : left.length === 0
        ? 'Choose a server.'
        : undefined
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (problem !== undefined || isBusy) return
    setBusy(true)
    const credentials = { user, password, isStored: session?.isStored ?? false }
    setPassword('')
    const found = await logInElsewhere(fleet, left, credentials)
    setResults((known) => new Map([...known, ...found]))
    setBusy(false)
  }
  const choose = (id: string, isChosen: boolean) => {
    const next = new Set(chosen)
    if (isChosen) next.add(id)
    else next.delete(id)
    setChosen(next)
  }
  return (
    <Dialog
      description="The name and password go to the servers that are ticked, and are not kept."
      footer={
        isDone ? (
          <Button onClick={onClose} variant="primary">
            Close
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>{results.size === 0 ? 'Cancel' : 'Close'}</Button>
            <Button
              busy={isBusy}
              disabledReason={problem}
              form={form}
              type="submit"
              variant="primary"
            >
              Log in to {counted(left.length, 'server')}
            </Button>
          </>
        )
      }
      onClose={onClose}
      open
      persistent={isBusy}
      title="Log in to several servers"
    >
      <form className="grid gap-3" id={form} onSubmit={(event) => void submit(event)}>
        <Field autoComplete="username" label="User" onChange={setUser} value={user} />
        <PasswordField
          autoComplete="current-password"
          label="Password"
          onChange={setPassword}
          value={password}
        />
        <fieldset className="grid gap-1">
          <legend className="mb-1 font-medium text-sm">Servers</legend>
          {servers.map(({ id, name, address }) => (
            <div key={id}>
              <Checkbox
                checked={chosen.has(id)}
                disabled={isBusy || results.get(id) === null}
                hint={address}
                label={name}
                onChange={(isChosen) => choose(id, isChosen)}
              />
              {results.has(id) && <Result name={name} reason={results.get(id) ?? null} />}
            </div>
          ))}
        </fieldset>
      </form>
    </Dialog>
  )
}

function Result({ name, reason }: { name: string; reason: string | null }) {
  return (
    <p className={`ps-6.5 text-sm ${reason === null ? 'text-muted' : 'text-error'}`} role="status">
      {reason === null ? `${name}: logged in.` : <SafeText text={`${name}: ${reason}`} />}
    </p>
  )
}
