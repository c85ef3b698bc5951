import { useAtomValue } from 'jotai'
import { fleetAtom } from '~/core/session/fleet'
import { lazyWithRetry } from '~/ui/lazy-with-retry'

const load = () => import('~/screens/servers/ServersScreen')
const parts = {
  header: lazyWithRetry(() => load().then((screen) => screen.HeaderChoice)),
  notices: lazyWithRetry(() => load().then((screen) => screen.ListNotices)),
}

/** A part of the frame that comes only where the console has a list of servers. */
export function OfServers({ part }: { part: keyof typeof parts }) {
  const Part = parts[part]
  return useAtomValue(fleetAtom) && <Part />
}
