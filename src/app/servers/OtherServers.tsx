import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { logInElsewhere } from '~/atoms/servers/other-logins'
import { fleetAtom, serverListAtom, unknownServerAtom } from '~/core/session/fleet'
import { listedAsAtom } from '~/core/session/session'
import { readServers } from '~/lib/server-list'
import { counted } from '~/lib/text'
import { Checkbox } from '~/ui/Checkbox'
import type { Join, Owner } from '../identity'
import { besideLogin } from '../splash/beside-login'
import { openFleet } from './open-fleet'

/**
 * What chooses among the servers of a list, from its text in the page; nothing for any other text.
 */
export function joiningServers(
  baseURL: string,
  text: string,
): ((owner: Owner) => Join) | undefined {
  const list = readServers(text)
  const [first] = list?.servers ?? []
  if (!list || !first) return undefined
  besideLogin.Server = LoginServer
  besideLogin.Choice = SameLogin
  return (owner) => openFleet(baseURL, list, first, owner)
}

/** Which server the login form is for, and a choice of another one. */
function LoginServer() {
  const fleet = useAtomValue(fleetAtom)
  const { servers } = useAtomValue(serverListAtom, fleet ?? {})
  const unknown = useAtomValue(unknownServerAtom, fleet ?? {})
  const shown = useAtomValue(listedAsAtom)
  if (servers.length < 2 || !fleet || !shown) return null
  return (
    <div className="mb-4 grid gap-2">
      <label className="grid gap-1">
        <span className="font-medium text-sm">Server</span>
        <select
          className="min-h-11 w-full rounded border border-field bg-input px-2 py-1.5 xs:min-h-0"
          onChange={({ target }) => {
            const chosen = servers.find(({ id }) => id === target.value)
            if (chosen) fleet.show(chosen)
          }}
          value={shown.id}
        >
          {servers.every(({ id }) => id !== shown.id) && (
            <option value={shown.id}>{shown.name} (no longer listed)</option>
          )}
          {servers.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <p className="break-all text-muted text-sm">{shown.address}</p>
      {unknown !== null && (
        <p className="text-sm text-warning" role="alert">
          The link names the server “{unknown}”, which this console does not list. This is{' '}
          {shown.name}.
        </p>
      )}
    </div>
  )
}

/** Offers to try the name and password on all servers that have no session yet. */
function SameLogin() {
  const fleet = useAtomValue(fleetAtom)
  const { servers } = useAtomValue(serverListAtom, fleet ?? {})
  const shown = useAtomValue(listedAsAtom)
  const [isChosen, setChosen] = useState(() => {
    // A form that was left had its own choice.
    besideLogin.after = undefined
    return false
  })
  const others = servers.filter(({ id }) => id !== shown?.id)
  if (others.length === 0 || !fleet) return null
  const choose = (chosen: boolean) => {
    setChosen(chosen)
    besideLogin.after = chosen
      ? (credentials) => void logInElsewhere(fleet, others, credentials)
      : undefined
  }
  return (
    <Checkbox
      checked={isChosen}
      hint={`Tried once on ${counted(others.length, 'other server')}. The password is not stored.`}
      label="Use the same name and password"
      onChange={choose}
    />
  )
}
