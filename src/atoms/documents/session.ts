import { atom } from 'jotai'
import type { Client } from '~/api/client'
import {
  closeDocumentSession,
  keepDocumentSession,
  openDocumentSession,
} from '~/api/document-search'
import { ApiError } from '~/api/errors'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { clientAtom } from '../session/client'
import { sessionAtom } from '../session/session'
import type { StoreAccess } from '../storage/storage'

/** The server ends a session after two silent minutes. */
const keepPeriod = 45_000
/** Without any use of the page for this long the session is closed. */
const mostIdle = 480_000

/** An open session of one database. Its id is as good as a token and is never stored or shown. */
type DocumentSession = { readonly database: string; readonly id: string }

const openAtom = atom<DocumentSession | null>(null)
/** The database whose documents a screen shows now. */
const shownAtom = atom<string | null>(null)

/** Whether documents of a database can be searched without asking for the password. */
export const hasDocumentSessionAtom = atom(
  (get) => (database: string) => get(openAtom)?.database === database,
)

/**
 * Opens a session of a database with the user's password, which is kept nowhere. Rejects with
 * `ApiError`.
 */
export const openDocumentSessionAtom = atom(
  null,
  async (get, set, database: string, password: string): Promise<void> => {
    const user = get(sessionAtom)?.user
    if (user === undefined) return
    const client = get(clientAtom)
    const id = await openDocumentSession(client, { user, password, database })
    set(closeAtom)
    // The user may have left the page, or logged out, while the server was asked.
    if (get(sessionAtom)?.user !== user || get(shownAtom) !== database) closeOn(client, id)
    else set(openAtom, { database, id })
  },
)

const closeAtom = atom(null, (get, set) => {
  const open = get(openAtom)
  if (open === null) return
  set(openAtom, null)
  closeOn(get(clientAtom), open.id)
})

/** A session that cannot be closed ends by itself. */
function closeOn(client: Client, id: string): void {
  closeDocumentSession(client, id).catch(() => {})
}

/** There is no session to search in, or none any more. */
export class NoDocumentSession extends Error {
  override readonly name = 'NoDocumentSession'
}

/**
 * Does something in the session of a database.
 * @throws NoDocumentSession when there is none, or the server has ended it; else what `work` throws
 */
export async function inDocumentSession<T>(
  { get, set }: StoreAccess,
  database: string,
  work: (session: string) => Promise<T>,
): Promise<T> {
  const open = get(openAtom)
  if (open?.database !== database) throw new NoDocumentSession()
  try {
    return await work(open.id)
  } catch (error) {
    if (!hasEnded(error)) throw error
    if (get(openAtom) === open) set(openAtom, null)
    throw new NoDocumentSession()
  }
}

function hasEnded(error: unknown): boolean {
  return error instanceof ApiError && error.kind === 'session'
}

const keepAtom = atom(null, async (get, set) => {
  const database = get(openAtom)?.database
  if (database === undefined) return
  const client = get(clientAtom)
  const keep = (id: string) => keepDocumentSession(client, id)
  // Without a connection the next one is kept, and a session that has ended is asked for again.
  await inDocumentSession({ get, set }, database, keep).catch(() => {})
})

/**
 * Returns the atom that a screen of a database mounts: while it is mounted, seen and used, its
 * session is kept alive; then it is closed.
 */
export const keptSessionAtom = atom(() =>
  memoizeByNames((database = '') => {
    const kept = atom(
      (get) => get(hasDocumentSessionAtom)(database),
      (_get, set, what: 'show' | 'keep' | 'close' | 'leave') => {
        if (what === 'show') set(shownAtom, database)
        else if (what === 'keep') void set(keepAtom)
        else set(closeAtom)
        if (what === 'leave') set(shownAtom, null)
      },
    )
    kept.onMount = (tell) => {
      tell('show')
      let usedAt = Date.now()
      const note = () => {
        usedAt = Date.now()
      }
      const tick = () => {
        if (document.visibilityState !== 'visible') return
        tell(Date.now() - usedAt < mostIdle ? 'keep' : 'close')
      }
      const timer = setInterval(tick, keepPeriod)
      const close = () => tell('close')
      const uses = ['pointerdown', 'keydown', 'wheel'] as const
      for (const use of uses) window.addEventListener(use, note, { passive: true })
      document.addEventListener('visibilitychange', tick)
      window.addEventListener('pagehide', close)
      return () => {
        clearInterval(timer)
        for (const use of uses) window.removeEventListener(use, note)
        document.removeEventListener('visibilitychange', tick)
        window.removeEventListener('pagehide', close)
        tell('leave')
      }
    }
    return kept
  }),
)
