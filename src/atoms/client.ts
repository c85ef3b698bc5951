import { atom, type createStore } from 'jotai'
import { openDatabase } from '~/api/auth'
import { type Client, createClient } from '~/api/client'
import type { ApiError } from '~/api/errors'
import { callCountAtom, databaseAtom, serverAtom, sessionAtom, sessionLossAtom } from './session'

export type Store = ReturnType<typeof createStore>

const wiredClientAtom = atom<Client | null>(null)

/** The wire of this store; reading it before `connect` is a mistake in the program. */
export const clientAtom = atom((get) => {
  const client = get(wiredClientAtom)
  if (!client) throw new Error('the store is not connected to a server')
  return client
})

/** Reads that wait for the operator to sign in again; each is told whether to go on. */
const waitingAtom = atom<readonly ((isAgain: boolean) => void)[]>([])

/** Tells every waiting read whether the same user is back. */
export const endSessionLossAtom = atom(null, (get, set, isAgain: boolean) => {
  const waiting = get(waitingAtom)
  set(waitingAtom, [])
  set(sessionLossAtom, null)
  for (const tell of waiting) tell(isAgain)
})

/** Builds the client that reads its token from, and reports to, this store. */
export function connect(store: Store, baseURL: string, fetch?: typeof globalThis.fetch): void {
  const client = createClient({
    baseURL,
    ...(fetch ? { fetch } : {}),
    token: (database) => tokenFor(store, database),
    // A query sends its first call while its atom is being read, when nothing may be set.
    onCall: () => queueMicrotask(() => store.set(callCountAtom, (count) => count + 1)),
    onServer: (uuid) => store.set(serverAtom, uuid),
    onSessionLost: (error, token) => waitForSession(store, error, token),
    onDatabaseLost: (database) => openAgain(store, client, database),
  })
  store.set(wiredClientAtom, client)
}

function tokenFor(store: Store, database?: string): string | null {
  const session = store.get(sessionAtom)
  if (!session) return null
  return (database && session.databaseTokens.get(database)) || session.token
}

/** Shows the login over the screen and resolves once the operator is back, or has left. */
function waitForSession(store: Store, error: ApiError, token: string | null): Promise<boolean> {
  const session = store.get(sessionAtom)
  if (!session) return Promise.resolve(false)
  const isRenewed =
    token !== session.token && ![...session.databaseTokens.values()].includes(token ?? '')
  if (isRenewed) return Promise.resolve(true)
  store.set(sessionLossAtom, error.message)
  return new Promise((resolve) => {
    store.set(waitingAtom, [...store.get(waitingAtom), resolve])
  })
}

/** Opens a database and keeps its token; rejects with `ApiError`, nothing changed then. */
export async function keepDatabaseToken(
  store: Pick<Store, 'get' | 'set'>,
  client: Client,
  name: string,
): Promise<void> {
  const token = await openDatabase(client, name)
  const session = store.get(sessionAtom)
  if (!session) return
  const databaseTokens = new Map(session.databaseTokens).set(name, token)
  store.set(sessionAtom, { ...session, token, databaseTokens })
}

async function openAgain(store: Store, client: Client, database?: string): Promise<boolean> {
  const name = database ?? store.get(databaseAtom)
  if (!name) return false
  try {
    await keepDatabaseToken(store, client, name)
    return true
  } catch {
    return false
  }
}
