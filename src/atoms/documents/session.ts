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
import { handedPasswordAtom, passwordTakerAtom } from '../session/login'
import { sessionAtom } from '../session/session'
import type { StoreAccess } from '../storage/storage'

/** The server ends a session after two silent minutes. */
const keepPeriod = 45_000
/** Without any use of the page or its session for this long, the session is closed. */
const mostIdle = 480_000

/** An open session of one database. Its id is as good as a token and is never stored or shown. */
type DocumentSession = { readonly database: string; readonly id: string }

const openAtom = atom<DocumentSession | null>(null)
/** The database whose documents a screen shows now. */
const shownAtom = atom<string | null>(null)
/** When the page or the session was last used, in milliseconds since 1970. */
const usedAtAtom = atom(0)

/** Whether the login opens a session, since documents were asked for. */
const openingAtom = atom(false)

/** Whether a session is being opened with the password of the login, so that none is asked for. */
export const isDocumentSessionOpeningAtom = atom(
  (get) => get(openingAtom) || get(handedPasswordAtom) !== '',
)

/** Opens a session with the password of a login that led here. If it fails, a dialog asks. */
const openAtLoginAtom = atom(
  null,
  async (_get, set, database: string, password: string): Promise<void> => {
    if (password === '') return
    set(openingAtom, true)
    set(handedPasswordAtom, '')
    await set(openDocumentSessionAtom, database, password).catch(() => {})
    set(openingAtom, false)
  },
)

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
    else {
      set(usedAtAtom, Date.now())
      set(openAtom, { database, id })
    }
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
  set(usedAtAtom, Date.now())
  return unlessEnded({ get, set }, open, work)
}

async function unlessEnded<T>(
  { get, set }: StoreAccess,
  open: DocumentSession,
  work: (session: string) => Promise<T>,
): Promise<T> {
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

/** Keeps a session that is seen and was used, and closes one that was not used for long. */
const keepAtom = atom(null, async (get, set) => {
  const open = get(openAtom)
  if (open === null) return
  if (Date.now() - get(usedAtAtom) >= mostIdle) return set(closeAtom)
  if (document.visibilityState !== 'visible') return
  const client = get(clientAtom)
  // Without a connection the next one is kept, and a session that has ended is asked for again.
  await unlessEnded({ get, set }, open, (id) => keepDocumentSession(client, id)).catch(() => {})
})

/**
 * Returns the atom that a screen of a database mounts: while it is mounted, seen and used, its
 * session is kept alive; then it is closed.
 */
export const keptSessionAtom = atom(() =>
  memoizeByNames((database = '') => {
    const kept = atom(
      (get) => get(hasDocumentSessionAtom)(database),
      (get, set, what: 'show' | 'use' | 'keep' | 'close' | 'leave') => {
        if (what === 'show') {
          set(shownAtom, database)
          const take = (password: string) => void set(openAtLoginAtom, database, password)
          set(passwordTakerAtom, { take })
          take(get(handedPasswordAtom))
        }
        if (what === 'show' || what === 'use') set(usedAtAtom, Date.now())
        else if (what === 'keep') void set(keepAtom)
        else set(closeAtom)
        if (what === 'leave') {
          set(shownAtom, null)
          set(passwordTakerAtom, null)
        }
      },
    )
    kept.onMount = (tell) => {
      tell('show')
      const note = () => tell('use')
      const tick = () => tell('keep')
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
