import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { logInElsewhere } from '~/atoms/servers/other-logins'
import type { Fleet } from '~/core/session/fleet'
import { sessionAtom } from '~/core/session/session'
import type { Server } from '~/lib/servers'
import { counted } from '~/lib/text'
import { AskDialog } from '~/ui/AskDialog'
import { Checkbox } from '~/ui/Checkbox'
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
  const left = servers.filter(({ id }) => chosen.has(id) && results.get(id) !== null)
  const isDone = servers.length > 0 && servers.every(({ id }) => results.get(id) === null)
  const problem =
    user === '' || password === ''
      ? 'Enter a user and a password.'
      : left.length === 0
        ? 'Choose a server.'
        : undefined
  const logIn = async () => {
    setBusy(true)
    const credentials = { user, password, isStored: session?.isStored ?? false }
    setPassword('')
    const found = await logInElsewhere(fleet, left, credentials)
    setResults((known) => new Map([...known, ...found]))
    setBusy(false)
    return false
  }
  const choose = (id: string, isChosen: boolean) => {
    const next = new Set(chosen)
    if (isChosen) next.add(id)
    else next.delete(id)
    setChosen(next)
  }
  return (
    <AskDialog
      action={isDone ? undefined : `Log in to ${counted(left.length, 'server')}`}
      cancel={results.size === 0 ? 'Cancel' : 'Close'}
      description="The name and password go to the servers that are ticked, and are not kept."
      mayLeave
      onAction={logIn}
      onClose={onClose}
      refusal={problem}
      title="Log in to several servers"
    >
      <div className="grid gap-3">
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
      </div>
    </AskDialog>
  )
}

function Result({ name, reason }: { name: string; reason: string | null }) {
  return (
    <p className={`ps-6.5 text-sm ${reason === null ? 'text-muted' : 'text-error'}`} role="status">
      {reason === null ? `${name}: logged in.` : <SafeText text={`${name}: ${reason}`} />}
    </p>
  )
}
