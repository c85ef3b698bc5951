import type { Store } from '~/core/session/client'
import { healthAtom } from '~/core/session/session-start'

/** Lets the server have reported a version at the login, such as `1.9.5`. */
export function reportVersion(store: Store, version: string): void {
  store.set(healthAtom, { status: true, version, at: 0 })
}
