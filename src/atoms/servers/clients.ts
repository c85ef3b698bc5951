import type { Client } from '~/api/client'
import { clientAtom, ensureDatabaseToken, type Store } from '~/core/session/client'
import type { Fleet } from '~/core/session/fleet'
import { sessionAtom, sessionLossAtom } from '~/core/session/session'
import type { Server } from '~/lib/servers'

/** Whether calls of this store may carry a token: there is a session and it has not ended. */
export function hasSession(store: Store): boolean {
  const session = store.get(sessionAtom)
  return session !== null && !session.isLocked && store.get(sessionLossAtom) === null
}

/**
 * The client of a server, for calls about any of its databases. Each is opened first: with another
 * token the server would answer about the database that was opened last. Only the shown server has
 * a login form to wait for; with any other, a session that has ended fails the call.
 */
export function clientOf(fleet: Fleet, server: Server): Client {
  const store = fleet.storeOf(server)
  const client = store.get(clientAtom)
  return {
    ...client,
    call: async (schema, call) => {
      if (call.database !== undefined) await ensureDatabaseToken(store, client, call.database)
      const isShown = store === fleet.present()
      return client.call(schema, isShown ? call : { ...call, canWait: false })
    },
  }
}
