import { useAtomValue } from 'jotai'
import { fleetAtom, serverListAtom } from '~/core/session/fleet'
import type { Server } from '~/lib/servers'

/** The servers of the console's list; empty where it has none. */
export function useServers(): readonly Server[] {
  const fleet = useAtomValue(fleetAtom)
  return useAtomValue(serverListAtom, fleet ?? {}).servers
}
