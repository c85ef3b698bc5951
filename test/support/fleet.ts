import type { createStore } from 'jotai'
import { onTestFinished, vi } from 'vitest'
import { type Identities, startIdentities } from '~/app/identity'
import { joiningServers } from '~/app/servers/OtherServers'
import { type Fleet, fleetAtom } from '~/core/session/fleet'
import { openQueryCache } from '~/core/session/query-client'
import { phaseAtom } from '~/core/session/session'
import { memoryTrustStore } from '~/trust/store'
import { TrustedStates, trustedStatesAtom } from '~/trust/trusted-states'
import type { FakeHost } from './fake-servers'
import { fakeDriver, signIn } from './store'

/** A console in front of the servers of a host, logged in to the first. */
export async function openFleetPage(
  host: FakeHost,
): Promise<{ identities: Identities; store: ReturnType<typeof createStore>; fleet: Fleet }> {
  vi.stubGlobal('fetch', host.fetch)
  sessionStorage.clear()
  forgetListeners()
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

/** Ends what the page hears of its address with the test; a real page hears it as long as it lives. */
export function forgetListeners(): void {
  const heard: Parameters<typeof window.addEventListener>[] = []
  const listen = window.addEventListener.bind(window)
  const spy = vi.spyOn(window, 'addEventListener').mockImplementation((...what) => {
    heard.push(what)
    listen(...what)
  })
  onTestFinished(() => {
    spy.mockRestore()
    for (const [name, listener] of heard) window.removeEventListener(name, listener)
    window.history.replaceState(null, '', '/')
  })
}
