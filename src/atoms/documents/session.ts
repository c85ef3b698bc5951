import { atom } from 'jotai'
import * as v from 'valibot'
import { openInSession } from '~/api/auth'
import type { Client } from '~/api/client'
import { listCollections } from '~/api/collections'
import {
  closeDocumentSession,
  keepDocumentSession,
  openDocumentSession as sendOpenDocumentSession,
} from '~/api/document-search'
import { ApiError } from '~/api/errors'
import { type Io, mountedAtom } from '~/core/act'
import { clientAtom } from '~/core/session/client'
import { documentLoginAtom, handedPasswordAtom } from '~/core/session/document-login'
import { databaseAtom, serverAtom, serverPlaceAtom, sessionAtom } from '~/core/session/session'
import { readTab, removeTab, writeTab } from '~/core/storage/tab'
import { inTurn } from '~/lib/job-queue'
import { documentSessionStorageKey } from '~/lib/storage-keys'
import { steadyNow } from '~/lib/time'

/** The server ends a session after two silent minutes, which it looks for once a minute. */
const [keepPeriod, longestSilence] = [45_000, 180_000]
/** Without any use of the console or the session for this long, it is closed: a server has 100. */
const mostIdle = 3_600_000

const record = v.object({
  /** As good as a token, so never shown. It is stored only where the token is, during a reload. */
  id: v.string(),
  user: v.string(),
  /** The server that gave it. */
  server: v.nullable(v.string()),
  /** The database that the session has open; it can open others. */
  database: v.string(),
})

/** An open session of the server, one for this tab. */
type DocumentSession = v.InferOutput<typeof record>

const kept = v.object({ ...record.entries, at: v.number() })

const openAtom = atom<DocumentSession | null>(null)
/** When the console or the session was last used, in milliseconds since 1970. */
const usedAtAtom = atom(0)

/**
 * The database whose only collection opened by itself; null once someone chose one. Its password is
 * not asked for before that.
 */
export const unaskedCollectionAtom = atom<string | null>(null)

/** Whether a login opens a session. */
const openingAtom = atom(false)

/** Whether a session is being opened with the password of the login, so that none is asked for. */
export const isDocumentSessionOpeningAtom = atom(
  (get) => get(openingAtom) || get(handedPasswordAtom) !== null,
)

/**
 * Opens a session with the password of a login, where documents were asked for or the database has
 * collections. If it fails, a dialog asks when a session is needed.
 */
async function openAtLogin(io: Io, password: string, isWanted: boolean): Promise<void> {
  const { get, set } = io
  set(handedPasswordAtom, null)
  const database = get(databaseAtom)
  if (database === null) return
  set(openingAtom, true)
  try {
    const has = async () => (await listCollections(get(clientAtom), { database })).length > 0
    if (isWanted || (await has())) await openDocumentSession(io, database, password)
  } catch {
    // A dialog asks.
  } finally {
    set(openingAtom, false)
  }
}

/** Whether documents can be searched without asking for the password. */
export const hasDocumentSessionAtom = atom((get) => get(openAtom) !== null)

/**
 * Opens a session with the user's password, which is kept nowhere. It serves every database of the
 * user. Rejects with `ApiError`.
 */
export async function openDocumentSession(
  io: Io,
  database: string,
  password: string,
): Promise<void> {
  const { get, set } = io
  const user = get(sessionAtom)?.user
  if (user === undefined) return
  const client = get(clientAtom)
  const id = await sendOpenDocumentSession(client, { user, password, database })
  closeSession(io)
  const now = get(sessionAtom)
  // The user may have logged out, or locked the console, while the server was asked.
  if (now?.user !== user || now.isLocked) closeOn(client, id)
  else {
    set(usedAtAtom, steadyNow())
    set(openAtom, { id, user, server: get(serverAtom), database })
  }
}

function closeSession({ get, set }: Io) {
  const open = get(openAtom)
  if (open === null) return
  set(openAtom, null)
  // Another server never learns of it.
  if (open.server === get(serverAtom)) closeOn(get(clientAtom), open.id)
}

/** A session that cannot be closed ends by itself. */
function closeOn(client: Client, id: string): void {
  closeDocumentSession(client, id).catch(() => {})
}

/** There is no session to search in, or none any more. */
export class NoDocumentSession extends Error {
  override readonly name = 'NoDocumentSession'
}

const never = new AbortController().signal
/** A session has one database at a time, so its calls wait for each other. */
const turnAtom = atom(() => inTurn(1))

/**
 * Does something in the session, in a database.
 * @throws NoDocumentSession when there is none, or the server has ended it; else what `work` throws
 */
export async function inDocumentSession<T>(
  io: Io,
  database: string,
  work: (session: string) => Promise<T>,
): Promise<T> {
  const { get, set } = io
  return get(turnAtom)(async () => {
    const open = get(openAtom)
    if (open === null) throw new NoDocumentSession()
    set(usedAtAtom, steadyNow())
    return unlessEnded(io, open, async () => {
      if (open.database !== database) {
        await openInSession(get(clientAtom), database, open.id)
        const now = get(openAtom)
        if (now?.id === open.id) set(openAtom, { ...now, database })
      }
      return work(open.id)
    })
  }, never)
}

async function unlessEnded<T>(
  { get, set }: Io,
  { id }: DocumentSession,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!hasEnded(error)) throw error
    if (get(openAtom)?.id === id) set(openAtom, null)
    throw new NoDocumentSession()
  }
}

function hasEnded(error: unknown): boolean {
  return error instanceof ApiError && error.kind === 'session'
}

/** Keeps a session that was used, and closes one that was not used for long. */
async function keepSessionOpen(io: Io) {
  const { get, set } = io
  const open = get(openAtom)
  if (open === null) return
  if (open.server !== get(serverAtom)) return set(openAtom, null)
  if (steadyNow() - get(usedAtAtom) >= mostIdle) return closeSession(io)
  const client = get(clientAtom)
  // Without a connection the next one is kept, and a session that has ended is asked for again.
  await unlessEnded(io, open, () => keepDocumentSession(client, open.id)).catch(() => {})
}

const placeAtom = atom((get) => documentSessionStorageKey + get(serverPlaceAtom))

/**
 * Leaves the session to the page that a reload brings. Storage has it only until then, so that a
 * copy of this tab gets none: two would disturb each other's searches.
 */
function leaveToReload(io: Io) {
  const open = io.get(openAtom)
  if (open === null) return
  // A token that is in memory alone does not outlive the page.
  if (!io.get(sessionAtom)?.isStored) return closeSession(io)
  writeTab(io.get(placeAtom), { ...open, at: Date.now() } satisfies v.InferOutput<typeof kept>)
}

/** Takes the session that the page before has left. */
function takeSession({ get, set }: Io) {
  const place = get(placeAtom)
  const found = readTab(place)
  removeTab(place)
  if (!v.is(kept, found) || get(openAtom) !== null || found.server !== get(serverAtom)) return
  const { at, ...session } = found
  if (get(sessionAtom)?.user !== session.user) return closeOn(get(clientAtom), session.id)
  if (Math.abs(Date.now() - at) < longestSilence) set(openAtom, session)
}

/** While it is mounted, the session of this tab is kept and outlives a reload; then it is closed. */
export const keptSessionAtom = mountedAtom((get) => get(hasDocumentSessionAtom), keepSession)

function keepSession(io: Io): () => void {
  const use = () => io.set(usedAtAtom, steadyNow())
  const keep = () => void keepSessionOpen(io)
  const hide = () => leaveToReload(io)
  const show = () => takeSession(io)
  use()
  show()
  const take = (password: string) => void openAtLogin(io, password, false)
  io.set(documentLoginAtom, { take, close: () => closeSession(io) })
  const handed = io.get(handedPasswordAtom)
  if (handed) void openAtLogin(io, handed.password, handed.isWanted)
  const timer = setInterval(keep, keepPeriod)
  const uses = ['pointerdown', 'keydown', 'wheel'] as const
  for (const one of uses) window.addEventListener(one, use, { passive: true })
  document.addEventListener('visibilitychange', keep)
  window.addEventListener('pagehide', hide)
  window.addEventListener('pageshow', show)
  return () => {
    clearInterval(timer)
    for (const one of uses) window.removeEventListener(one, use)
    document.removeEventListener('visibilitychange', keep)
    window.removeEventListener('pagehide', hide)
    window.removeEventListener('pageshow', show)
    io.set(documentLoginAtom, null)
    void closeSession(io)
  }
}
