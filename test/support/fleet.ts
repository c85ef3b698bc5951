import { createStore } from 'jotai'
import { vi } from 'vitest'
import { type Identities, startIdentities } from '~/app/identity'
import { joiningServers } from '~/app/servers/OtherServers'
import { type Fleet, fleetAtom } from '~/atoms/servers/fleet'
import { phaseAtom } from '~/atoms/session/start'
import { memoryTrustStore } from '~/atoms/trust/store'
import { TrustedStates, trustedStatesAtom } from '~/atoms/trust/trusted-states'
import { openQueryCache } from '~/atoms/session/query-client'
import type { FakeHost } from './fake-servers'
import { fakeDriver, signIn } from './store'

/** A console in front of the servers of a host, logged in to the first. */
export async function openFleetPage(
  host: FakeHost,
): Promise<{ identities: Identities; store: ReturnType<typeof createStore>; fleet: Fleet }> {
  vi.stubGlobal('fetch', host.fetch)
  sessionStorage.clear()
  const driver = fakeDriver()
  const identities = startIdentities(
    '/api',
    async () => driver,
    joiningServers('/api', JSON.stringify(host.list)),
  )
  const { store } = identities.present()
  await vi.waitFor(() => {
    if (store.get(phaseAtom) === 'restoring') throw new Error('storage is still read')
  })
  store.set(trustedStatesAtom, new TrustedStates(async () => memoryTrustStore()))
  await signIn(identities.present())
  openQueryCache(store)
  const fleet = store.get(fleetAtom)
  if (!fleet) throw new Error('there is no list of servers')
  return { identities, store, fleet }
}
