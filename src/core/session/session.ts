import { atom } from 'jotai'
import type { ApiError, Trouble } from '~/api/errors'
import type { Io } from '~/core/act'
import type { Permission } from '~/immudb/permission'
import { placeOf, type Server } from '~/lib/servers'
import { messages } from '~/lib/shared-sentences'
import { readTab, removeTab, writeTab } from '../storage/tab'
import type { DatabaseId } from './database-id'

/** The session in this tab's memory. Storage only has the last token of any tab. */
export type Session = {
  user: string
  /** Newest token; bound to whatever database was opened last. */
  token: string
  /** A token for each database opened in this tab, so a late call keeps its own database. */
  databaseTokens: ReadonlyMap<string, string>
  /** False keeps the token out of storage ("this tab only"). */
  isStored: boolean
  /** When it began in this tab, in milliseconds since 1970. */
  since: number
  /** Absent: the user logged in. */
  mode?: OpenMode
  /** Another server answers now. It gets no token, and nothing is sent before a new login. */
  isForeign?: true
  /** Locked by hand: the token is gone and nothing is sent before a new login. */
  isLocked?: true
}

/** How a server without login (`--auth=false`) can be used: fully, or read-only. */
export type OpenMode = 'open' | 'maintenance'

export const sessionAtom = atom<Session | null>(null)

/** Whether this tab was locked: nothing is sent before a new login. */
export const isLockedAtom = atom((get) => get(sessionAtom)?.isLocked === true)

/** Whether the user logged in, or how the server is open without a login. */
export const modeAtom = atom((get) => get(sessionAtom)?.mode ?? 'login')

/** Whether the token belongs to this session, for any database. */
export function isTokenOf(session: Session, token: string | null): boolean {
  return (
    token !== null &&
    (token === session.token || [...session.databaseTokens.values()].includes(token))
  )
}

/** Why the login form is shown over intact work. */
export type SessionLoss =
  | 'ended'
  | 'docker-token'
  | 'another-server'
  | 'password-changed'
  | 'locked'

/** Null while all is well. */
export const sessionLossAtom = atom<SessionLoss | null>(null)

/** The database of this tab; null until one could be opened. */
export const databaseAtom = atom<string | null>(null)

/** Refreshes everything on the screen; set by the query cache once it exists. */
export const askAgainAtom = atom<{ ask: () => void }>({ ask: () => {} })

/** The database that could not be opened again after a new login; null for none. */
export const lostDatabaseAtom = atom<string | null>(null)

/** The database that the address asks for and that could not be opened, with the failure. */
export type UnopenedDatabase = { readonly name: string; readonly error: unknown }

export const unopenedDatabaseAtom = atom<UnopenedDatabase | null>(null)

/** Where the server is reached: the address of its API. */
export const apiAddressAtom = atom('')

/** The entry of the host's list that this store talks to; null where there is no list. */
export const listedAsAtom = atom<Server | null>(null)

/** What names in the browser's storage end with, so that each listed server has its own. */
export const serverPlaceAtom = atom((get) => placeOf(get(listedAsAtom)))

/** The id of the server that answers, from its response header. */
export const serverAtom = atom<string | null>(null)

/**
 * Milliseconds that the server's clock is ahead of this computer's, in steps of two seconds because
 * the server names whole ones; 0 until it is known.
 */
export const clockOffsetAtom = atom(0)

/**
 * The same against `steadyNow`, which does not jump when someone sets this computer's clock; null
 * until it is known.
 */
export const steadyOffsetAtom = atom<number | null>(null)

/** The user before the login form came back; the open work belongs to this user. */
export const lastUserAtom = atom<string | null>(null)

/** Requests sent by this tab since it was opened, repeats included. */
export const callCountAtom = atom(0)

/** The answer by which a proxy in front wants its own log-in; null while immudb answers. */
export const proxyAtom = atom<ApiError | null>(null)

/** Own permissions as last listed by the server; null until known. */
export const permissionsAtom = atom<readonly Permission[] | null>(null)

/** Databases that the last call found unloaded or deleted. */
export const troublesAtom = atom<ReadonlyMap<string, Trouble>>(new Map<string, Trouble>())

/** What is wrong with the database of this tab; null while nothing is known to be. */
export const troubleAtom = atom((get) => get(troublesAtom).get(get(databaseAtom) ?? '') ?? null)

/** Notes what a call showed of a database; null when it is there and open. */
export function noteTrouble({ get, set }: Io, database: string, trouble: Trouble | null) {
  const troubles = get(troublesAtom)
  if ((troubles.get(database) ?? null) === trouble) return
  const changed = new Map(troubles)
  if (trouble) changed.set(database, trouble)
  else changed.delete(database)
  set(troublesAtom, changed)
}

/** Names a database of the server that answers, for whatever is kept about it. */
export const databaseIdAtom = atom((get) => {
  const address = get(apiAddressAtom)
  const base = typeof location === 'undefined' ? 'http://localhost' : location.href
  const origin = new URL(address, base).href.replace(/\/(api\/?)?$/, '')
  const server = get(serverAtom) ?? ''
  return (database: string): DatabaseId => ({ origin, server, database })
})

/** The same of the open database. */
export const openIdAtom = atom((get) => get(databaseIdAtom)(get(databaseAtom) ?? ''))

const key = 'webconsole.open'

/** Notes that this tab is used without a login, or no longer, so that a reload need not ask. */
export function noteNoAuthTab({ get }: Io, isOpen: boolean) {
  const name = key + get(serverPlaceAtom)
  if (isOpen) writeTab(name, 1)
  else removeTab(name)
}

export function wasNoAuthTab({ get }: Io) {
  return readTab(key + get(serverPlaceAtom)) !== null
}

/**
 * The phase of start-up: reading storage, showing the login form, opening a session, in use, or no
 * answer from the server while opening a session.
 */
export type Phase = 'restoring' | 'signed-out' | 'entering' | 'ready' | 'unreachable'

export const phaseAtom = atom<Phase>('restoring')

/** Why the login form is shown, such as a lost session, in words. */
export type LoginNotice = { text: string; kind?: 'another-server' }

export const loginNoticeAtom = atom<LoginNotice | null>(null)

/** Shown before the user types a password for it. */
export const anotherServer: LoginNotice = { kind: 'another-server', text: messages.anotherServer }
