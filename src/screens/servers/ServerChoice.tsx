import { useAtomValue, useStore } from 'jotai'
import { draftsAtRiskAtom } from '~/core/draft-slots'
import { isWritingAtom } from '~/core/session/calls-under-way'
import { fleetAtom, serverListAtom, unknownServerAtom } from '~/core/session/fleet'
import { listedAsAtom } from '~/core/session/session'
import type { Server } from '~/lib/servers'
import { Button } from '~/ui/Button'
import { ServersIcon, WarningIcon } from '~/ui/Icon'
import { SafeName } from '~/ui/SafeText'
import { Select } from '~/ui/Select'
import { showToast } from '~/ui/toast'
import { useNarrow } from '~/ui/use-narrow'

function useServers(): readonly Server[] {
  const fleet = useAtomValue(fleetAtom)
  return useAtomValue(serverListAtom, fleet ?? {}).servers
}

/** Shows another server of the list; asks again where something would be lost. */
function useShowServer(): (server: Server) => void {
  const fleet = useAtomValue(fleetAtom)
  const store = useStore()
  return (server) => {
    const reason = store.get(isWritingAtom)
      ? 'A write has not been answered yet. Its outcome would not be shown.'
      : store.get(draftsAtRiskAtom).size > 0
        ? 'A text that you typed is stored nowhere. It would be lost.'
        : null
    const run = () => fleet?.show(server)
    if (reason === null) return run()
    const action = { label: `Show ${server.name} anyway`, run }
    showToast({ kind: 'warning', text: reason, action })
  }
}

/** Chooses the server that is shown; nothing where there is only one. */
export function ServerSelect() {
  const servers = useServers()
  const shown = useAtomValue(listedAsAtom)
  const show = useShowServer()
  const isNarrow = useNarrow()
  if (servers.length < 2 || !shown) return null
  const options = servers.map(({ id, name, address }) => ({
    value: id,
    label: name,
    detail: address,
  }))
  const isListed = servers.some(({ id }) => id === shown.id)
  const gone = { value: shown.id, label: shown.name, detail: 'no longer listed' }
  return (
    <div className={isNarrow ? 'flex min-w-0 flex-1' : 'flex min-w-20 max-w-48'}>
      <Select
        icon={<ServersIcon className="hidden shrink-0 xs:block" />}
        label="Server"
        onChange={(id) => {
          const chosen = servers.find((server) => server.id === id)
          if (chosen && id !== shown.id) show(chosen)
        }}
        options={isListed ? options : [gone, ...options]}
        size="small"
        value={shown.id}
        wide={isNarrow}
      />
    </div>
  )
}

/** Lines about the list of servers that concern every screen. */
export function ServerNotices() {
  const fleet = useAtomValue(fleetAtom)
  const unknown = useAtomValue(unknownServerAtom, fleet ?? {})
  const servers = useServers()
  const shown = useAtomValue(listedAsAtom)
  const show = useShowServer()
  if (!fleet || !shown) return null
  const isListed = servers.some(({ id }) => id === shown.id)
  const next = servers.find(({ name }) => name === shown.name) ?? servers[0]
  return (
    <>
      {unknown !== null && (
        <p className="flex flex-wrap items-center gap-2 border-line border-t bg-panel px-3 py-1.5">
          <WarningIcon />
          <span>
            The link names the server <SafeName text={unknown} />, which this console does not list.
            You are on {shown.name}.
          </span>
          <Button onClick={() => fleet.store.set(unknownServerAtom, null)} size="small">
            Close
          </Button>
        </p>
      )}
      {!isListed && next && (
        <p className="flex flex-wrap items-center gap-2 border-warning border-t bg-panel px-3 py-1.5 text-warning">
          <WarningIcon />
          <span>
            {next.name === shown.name
              ? `${shown.name} has another address now: ${next.address}.`
              : `${shown.name} is no longer on the list of servers.`}{' '}
            This page sends nothing more. Copy what you need from it.
          </span>
          <Button onClick={() => show(next)} size="small">
            Show {next.name}
          </Button>
        </p>
      )}
    </>
  )
}
