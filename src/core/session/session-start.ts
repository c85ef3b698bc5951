import { atom } from 'jotai'
import { openAccess } from '~/api/auth'
import { type Database, listDatabases } from '~/api/databases'
import { ApiError } from '~/api/errors'
import { type Health, readHealth } from '~/api/server'
import type { Io } from '~/core/act'
import { defaultDatabase, listPatience, storageKey, systemDatabase } from '~/lib/constants'
import { samplesStorageKey } from '~/lib/storage-keys'
import { leftAddressAtom, pageAddressAtom } from '../storage/places'
import {
  changeStoredPart,
  readStored,
  type Stored,
  storageAtom,
  storedAtom,
} from '../storage/stored'
import { clearTab } from '../storage/tab'
import { clientAtom, fetchDatabaseToken } from './client'
import {
  anotherServer,
  databaseAtom,
  loginNoticeAtom,
  modeAtom,
  noteNoAuthTab,
  permissionsAtom,
  phaseAtom,
  type Session,
  serverAtom,
  serverPlaceAtom,
  sessionAtom,
  unopenedDatabaseAtom,
  wasNoAuthTab,
} from './session'
import {
  dropToken,
  endLeaving,
  forgetStored,
  forgetToken,
  leavingAt,
  type StoreSeed,
  withoutSession,
} from './session-end'

/** Why no session could be opened despite a token; null otherwise. */
export const enterFailureAtom = atom<unknown>(null)

/** The databases as listed while one was looked for, so that they need not be asked for again. */
export const listedAtom = atom<readonly Database[] | null>(null)

/** The newest transaction of a database as the list named it; it has no hash. */
export type ListedTx = { readonly database: string; readonly txId: string }

/** That of the database that a login opened, with which its screen begins; null where none is listed. */
export const listedTxAtom = atom<ListedTx | null>(null)

/** The database that the address asked for, until one is open. */
const wantedAtom = atom<string | null>(null)

/** The server's health as answered at the last login, and when, in milliseconds since 1970. */
export const healthAtom = atom<(Health & { at: number }) | null>(null)

/** Reads storage at start and opens the session whose token it holds; `wanted` is a database. */
export async function restoreSession(io: Io, wanted: string | null) {
  const { get, set } = io
  const found = await get(storageAtom).read(storageKey)
  const place = get(serverPlaceAtom)
  const leaving = leavingAt(place)
  // Storage that has not answered yet has not forgotten either.
  if (leaving && found !== null) void forgetStored(get(storageAtom), place, leaving)
  const stored = withoutSession(leaving, readStored(found))
  set(storedAtom, stored)
  set(wantedAtom, wanted)
  const { token, user, permission } = stored.auth
  if (!token || !user) {
    set(phaseAtom, 'signed-out')
    if (wasNoAuthTab(io)) void enterWithoutLogin(io)
    return
  }
  set(permissionsAtom, permission)
  set(sessionAtom, { user, token, databaseTokens: new Map(), isStored: true, since: Date.now() })
  await enterSession(io)
}

/** Starts an empty store from what the one before it left. */
export async function beginSession(io: Io, seed: StoreSeed) {
  const { get, set } = io
  set(storedAtom, seed.stored)
  set(wantedAtom, seed.wanted ?? null)
  set(loginNoticeAtom, seed.notice === null ? null : { text: seed.notice })
  set(sessionAtom, seed.session)
  if (seed.session) return enterSession(io)
  // In its turn, after the session was forgotten: a page that is opened now finds none.
  await get(storageAtom).read(storageKey)
  set(phaseAtom, 'signed-out')
  if (wasNoAuthTab(io)) await enterWithoutLogin(io)
}

/**
 * Goes where the user was at the last log-out of this tab: to the very address, and its database is
 * the first that is tried. Whoever came here by a link stays there.
 */
export function returnToAddress({ get, set }: Io) {
  const left = get(leftAddressAtom)
  if (left === null) return
  set(leftAddressAtom, null)
  const [path, search] = left.split(/[?#]/)
  const { read, write } = get(pageAddressAtom)
  if (search === undefined || read() !== path) return
  write(left)
  set(wantedAtom, new URLSearchParams(search).get('db'))
}

/**
 * Opens the console with a token: checks that the server is the one that issued it, and opens a
 * database. If a database is refused, it tries the next instead of logging out. `health` is passed
 * when just fetched.
 */
export async function enterSession(io: Io, health?: Health & { at: number }) {
  const { get, set } = io
  set(phaseAtom, 'entering')
  set(enterFailureAtom, null)
  set(unopenedDatabaseAtom, null)
  const isNew = get(sessionAtom)?.token !== get(storedAtom).auth.token
  try {
    const answered = health ?? (await readHealth(get(clientAtom)))
    set(healthAtom, { at: Date.now(), ...answered })
    if (isForeignToken(get(sessionAtom), get(storedAtom).auth, get(serverAtom))) {
      return dropToken(io, anotherServer)
    }
    const named = get(wantedAtom) ?? get(databaseAtom)
    const first = named === null ? await findUsualDatabase(io) : { name: named }
    const opened = await openFirst(io, first.name, first.listed)
    set(listedTxAtom, listedTxOf(first.listed, opened))
    set(databaseAtom, opened)
    set(wantedAtom, null)
    const kept = keepSession(io)
    // A reload finds every session that the page has shown.
    if (isNew) {
      await kept
      endLeaving(get(serverPlaceAtom))
    }
    set(phaseAtom, 'ready')
  } catch (error) {
    if (isOver(error)) {
      return dropToken(io, { text: 'Your session has ended. Log in to continue.' })
    }
    set(enterFailureAtom, error)
    set(phaseAtom, 'unreachable')
  }
}

/** Whether a failure means that the session is no longer valid. */
function isOver(error: unknown): boolean {
  const kind = error instanceof ApiError ? error.kind : null
  return kind === 'session' || kind === 'docker-token'
}

/** The database to open first, and the list of them when it was asked for. */
type First = { name: string; listed?: readonly Database[] }

/**
 * The database to open when the address names none: the chosen one, or that of the continued
 * session. A first login opens defaultdb, or the fullest one while that is empty.
 */
async function findUsualDatabase({ get }: Io): Promise<First> {
  const { auth, database } = get(storedAtom)
  const name = database.active
  const session = get(sessionAtom)
  const isGoingOn = session !== null && session.token === auth.token
  if (database.chosen || isGoingOn || get(modeAtom) !== 'login') return { name }
  try {
    const listed = await listDatabases(get(clientAtom), AbortSignal.timeout(listPatience))
    return { name: fullestOf(listed) ?? name, listed }
  } catch (error) {
    if (isOver(error)) throw error
    // A database may open even when the list fails.
    return { name }
  }
}

function listedTxOf(listed: readonly Database[] | undefined, name: string | null): ListedTx | null {
  const found = listed?.find((one) => one.name === name)
  if (!found || !(Number(found.numTransactions) > 0)) return null
  return { database: found.name, txId: found.numTransactions }
}

function fullestOf(listed: readonly Database[]): string | null {
  const filled = listed.filter(
    ({ loaded, numTransactions }) => loaded && Number(numTransactions) > 0,
  )
  const usual = filled.find(({ name }) => name === defaultDatabase)
  filled.sort((a, b) => Number(b.numTransactions) - Number(a.numTransactions))
  return (usual ?? filled[0])?.name ?? null
}

/** Asks the server whether it is there; rejects with `ApiError` when it is not. */
export function probeServer({ get }: Io) {
  return readHealth(get(clientAtom))
}

/** A stored token is sent only to the server that issued it, so not to one without an id either. */
function isForeignToken(
  session: Session | null,
  auth: Stored['auth'],
  answering: string | null,
): boolean {
  const isStored = session !== null && session.token === auth.token
  return isStored && auth.server !== answering
}

type Access = Parameters<typeof fetchDatabaseToken>[0]

/** Opens the wanted database, else the first that opens; null when the user may open none. */
export async function openFirst(
  store: Access,
  wanted: string,
  known?: readonly Database[],
): Promise<string | null> {
  if (known) store.set(listedAtom, known)
  const mode = store.get(modeAtom)
  if (mode === 'open') return defaultDatabase
  if (await tryOpenDatabase(store, wanted)) return wanted
  // Without a login there is no list.
  if (mode === 'maintenance') return defaultDatabase
  const listed = known ?? (await listDatabases(store.get(clientAtom)))
  store.set(listedAtom, listed)
  for (const { name, loaded } of listed) {
    if (loaded && name !== wanted && (await tryOpenDatabase(store, name))) return name
  }
  return null
}

async function tryOpenDatabase(store: Access, name: string): Promise<boolean> {
  // Screens would show its password hashes and session IDs.
  if (name === systemDatabase) return false
  try {
    await fetchDatabaseToken(store, store.get(clientAtom), name)
    return true
  } catch (error) {
    const isRefused =
      error instanceof ApiError && (error.kind === 'refused' || error.kind === 'permission')
    if (!isRefused) throw error
    // The page of the address says so instead of showing another database.
    if (name === store.get(wantedAtom)) store.set(unopenedDatabaseAtom, { name, error })
    return false
  }
}

/** Writes the session to storage. Of a session for this tab only, it writes just the server. */
export async function keepSession(io: Io): Promise<void> {
  const { get } = io
  const session = get(sessionAtom)
  if (!session || session.isLocked) return
  const active = get(databaseAtom)
  const auth = storedAuth(session, get(serverAtom), get(permissionsAtom))
  await changeStoredPart(io, (stored) => ({
    ...stored,
    auth,
    database: active === null ? stored.database : { ...stored.database, active },
  }))
}

function storedAuth(
  session: Session,
  server: string | null,
  permissions: readonly { database: string; permission: number }[] | null,
) {
  if (!session.isStored) return { token: null, user: null, permission: null, server }
  const permission = permissions && [...permissions]
  return { token: session.token, user: session.user, permission, server }
}

/**
 * Enters without a login if the server has none. Called only with a reason, because the page makes
 * no calls before the user wants to log in.
 */
export async function enterWithoutLogin(io: Io) {
  const { get, set } = io
  const open = await openAccess(get(clientAtom), defaultDatabase)
  noteNoAuthTab(io, open !== null)
  if (!open || get(phaseAtom) !== 'signed-out' || get(sessionAtom)) return
  const { mode, token } = open
  // Without a user there are no permissions to fetch; the console itself explains what the mode
  // does not allow.
  set(permissionsAtom, [{ database: '*', permission: 255 }])
  const databaseTokens = new Map([[defaultDatabase, token]])
  const since = Date.now()
  set(sessionAtom, { user: '', token, databaseTokens, isStored: false, since, mode })
  await enterSession(io)
}

/** Whether a reload finds the session in storage again. */
export const staySignedInAtom = atom((get) => get(sessionAtom)?.isStored ?? false)

/** Puts the session into storage, or removes it so that only this tab is logged in. */
export function setStaySignedIn(io: Io, isStored: boolean) {
  const session = io.get(sessionAtom)
  if (!session) return
  io.set(sessionAtom, { ...session, isStored })
  if (!isStored) {
    clearTab(samplesStorageKey)
    forgetToken(io)
  }
  keepSession(io)
}
