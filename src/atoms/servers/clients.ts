import type { Client } from '~/api/client'
import type { Server } from '~/lib/servers'
import { clientAtom, ensureDatabaseToken } from '../session/client'
import type { Fleet } from './fleet'

/**
 * The client of a server, for calls about any of its databases. Each is opened first: with another
 * token the server would answer about the database that was opened last.
 */
export function clientOf(fleet: Fleet, server: Server): Client {
  const store = fleet.storeOf(server)
  const client = store.get(clientAtom)
  return {
    ...client,
    call: async (schema, call) => {
      if (call.database !== undefined) await ensureDatabaseToken(store, client, call.database)
      return client.call(schema, call)
    },
  }
}
