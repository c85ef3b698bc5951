import { Provider } from 'jotai'
import { useSyncExternalStore } from 'react'
import { App } from './App'
import type { Identities } from './identity'

/** Everything below belongs to one identity and is thrown away with it. */
export function Root({ identities, mount }: { identities: Identities; mount: string }) {
  const identity = useSyncExternalStore(identities.subscribe, identities.present)
  return (
    <Provider key={identity.number} store={identity.store}>
      <App mount={mount} />
    </Provider>
  )
}
