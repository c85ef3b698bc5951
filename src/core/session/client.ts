import { atom, type createStore } from 'jotai'
import { openDatabase } from '~/api/auth'
import { type Client, type ClientOptions, createClient } from '~/api/client'
import type { ApiError } from '~/api/errors'
import type { Io } from '~/core/act'
import { systemDatabase } from '~/lib/constants'
import type { Server } from '~/lib/servers'
import { steadyNow } from '~/lib/time'
import { changeStoredPart, type Stored, withoutToken } from '../storage/stored'
import { popLoading, pushLoading } from './calls-under-way'
import {
  apiAddressAtom,
  callCountAtom,
  clockOffsetAtom,
  databaseAtom,
  isTokenOf,
  listedAsAtom,
  noteTrouble,
  proxyAtom,
  type Session,
  serverAtom,
  sessionAtom,
  sessionLossAtom,
  steadyOffsetAtom,
} from './session'

export type Store = ReturnType<typeof createStore>

const wiredClientAtom = atom<Client | null>(null)

/** The client of this store; reading it before `connect` is a bug. */
export const clientAtom = atom((get) => {
  const client = get(wiredClientAtom)
  if (!client) throw new Error('the store is not connected to a server')
  return client
})

type Waiting = { database: string | undefined; goOn: (isAgain: boolean) => void }

/** Reads that wait for a new login; each learns whether to continue. */
const waitingAtom = atom<readonly Waiting[]>([])

/** Milliseconds in which reads of this store waited for a login, and since when one waits now. */
export const loginWaitAtom = atom<{ readonly spent: number; readonly since: number | null }>({
  spent: 0,
  since: null,
})

/** Tells every waiting read whether the same user has logged in again. */
export function endSessionLoss({ get, set }: Io, isAgain: boolean) {
  const waiting = get(waitingAtom)
  const { spent, since } = get(loginWaitAtom)
  const more = since === null ? 0 : performance.now() - since
  set(loginWaitAtom, { spent: spent + more, since: null })
  set(waitingAtom, [])
  set(sessionLossAtom, null)
  for (const { database, goOn } of waiting) goOn(isAgain && hasToken(get(sessionAtom), database))
}

/** The server of a list, with what its host wants to know and to say. */
type Listed = Pick<ClientOptions, 'headers' | 'folder' | 'onHeaders'> & { server: Server }

/** Builds the client that reads its token from, and reports to, this store. */
export function connect(
  store: Store,
  baseURL: string,
  fetch?: typeof globalThis.fetch,
  listed?: Listed,
): void {
  const client = createClient({
    baseURL,
    ...(fetch ? { fetch } : {}),
    ...listed,
    token: (database) => tokenFor(store, database),
    // The server that answered last: when it is another one, there is no token left.
    issuer: () => store.get(serverAtom),
    // A query sends its first call while its atom is being read, when no atom may be set.
    onCall: () => queueMicrotask(() => store.set(callCountAtom, (count) => count + 1)),
    onLoading: (label) => {
      queueMicrotask(() => pushLoading(store, label))
      return () => queueMicrotask(() => popLoading(store, label))
    },
    onServer: (uuid) => noteServer(store, uuid),
    onClock: (now) => {
      store.set(clockOffsetAtom, inSteps(now - Date.now()))
      store.set(steadyOffsetAtom, inSteps(now - steadyNow()))
    },
    onSessionLost: (error, token, database) => waitForSession(store, error, token, database),
    onDatabaseLost: (database) => openAgain(store, client, database),
    onProxy: (error) => store.get(proxyAtom) !== error && store.set(proxyAtom, error),
    onTrouble: (database, trouble) => noteTrouble(store, database, trouble),
  })
  store.set(wiredClientAtom, client)
  store.set(apiAddressAtom, baseURL)
  store.set(listedAsAtom, listed?.server ?? null)
}

/** An offset of the server's clock as far as it is known: the server names whole seconds. */
export const inSteps = (offset: number) => Math.round(offset / 2_000) * 2_000

function tokenFor(store: Store, database?: string): string | null | undefined {
  const session = store.get(sessionAtom)
  if (!session) return null
  if (session.isForeign || session.isLocked) return undefined
  return (database && session.databaseTokens.get(database)) || session.token
}

/**
 * Tokens belong to the server that issued them. When another one answers they are dropped, and the
 * login says so before the user types a password. A copy of the same data has the same id.
 */
function noteServer(store: Store, uuid: string): void {
  const before = store.get(serverAtom)
  store.set(serverAtom, uuid)
  const session = store.get(sessionAtom)
  if (before === null || before === uuid || !session || session.mode) return
  void changeStoredPart(store, (stored) => withoutTokenOf(stored, session))
  store.set(sessionAtom, { ...session, token: '', databaseTokens: new Map(), isForeign: true })
  store.set(sessionLossAtom, 'another-server')
}

/** Without its own token, a call would read the last opened database. */
function hasToken(session: Session | null, database: string | undefined): boolean {
  return session !== null && (database === undefined || session.databaseTokens.has(database))
}

/** Shows the login over the screen. Resolves once the user has logged in again, or has left. */
function waitForSession(
  store: Store,
  error: ApiError,
  token: string | null,
  database: string | undefined,
): Promise<boolean> {
  const session = store.get(sessionAtom)
  if (!session) return Promise.resolve(false)
  if (!session.isForeign && !session.isLocked) {
    if (!isTokenOf(session, token)) return Promise.resolve(hasToken(session, database))
    store.set(sessionLossAtom, error.kind === 'docker-token' ? 'docker-token' : 'ended')
    void changeStoredPart(store, (stored) => withoutLostToken(stored, session, error))
  }
  return new Promise((resolve) => {
    const waiting = { database, goOn: resolve }
    store.set(loginWaitAtom, ({ spent, since }) => ({ spent, since: since ?? performance.now() }))
    store.set(waitingAtom, [...store.get(waitingAtom), waiting])
  })
}

function withoutLostToken(stored: Stored, session: Session, { kind }: ApiError): Stored {
  const docker = kind === 'docker-token' ? { dockerToken: null } : stored.docker
  return { ...withoutTokenOf(stored, session), docker }
}

/** Removes only the lost token, because another tab may have stored one that is still valid. */
function withoutTokenOf(stored: Stored, session: Session): Stored {
  return isTokenOf(session, stored.auth.token) ? withoutToken(stored) : stored
}

/** Opens a database unless this tab holds a token of it already; rejects as `keepDatabaseToken`. */
export async function ensureDatabaseToken(
  store: Pick<Store, 'get' | 'set'>,
  client: Client,
  name: string,
): Promise<void> {
  if (!hasToken(store.get(sessionAtom), name)) await fetchDatabaseToken(store, client, name)
}

/** Opens a database and keeps its token. Rejects with `ApiError` without any change. */
export async function fetchDatabaseToken(
  store: Pick<Store, 'get' | 'set'>,
  client: Client,
  name: string,
): Promise<void> {
  const token = await openDatabase(client, name)
  const session = store.get(sessionAtom)
  if (!session || session.isLocked) return
  const databaseTokens = new Map(session.databaseTokens).set(name, token)
  // No page opens systemdb, so calls about the whole server keep the token of the open database.
  const newest = name === systemDatabase ? session.token : token
  store.set(sessionAtom, { ...session, token: newest, databaseTokens })
}

async function openAgain(store: Store, client: Client, database?: string): Promise<boolean> {
  const name = database ?? store.get(databaseAtom)
  if (!name) return false
  try {
    await fetchDatabaseToken(store, client, name)
    return true
  } catch {
    return false
  }
}
