import { atom } from 'jotai'
import { logout } from '~/api/auth'
import type { Io } from '~/core/act'
import { draftStorageKey, storageKey } from '~/lib/constants'
import { parsedJson } from '~/lib/parsed-json'
import { sharedArea } from '~/lib/storage-areas'
import { historyStorageKey, samplesStorageKey } from '~/lib/storage-keys'
import { counted } from '~/lib/text'
import { type DraftOwner, endDrafts, eraseDrafts, hasDraftsInTab } from '../drafts'
import { settingsAtom } from '../settings'
import { leftAddressAtom, pageAddressAtom } from '../storage/places'
import type { Storage } from '../storage/storage'
import {
  readStored,
  type Stored,
  storageAtom,
  storedAtom,
  withoutIdentity,
  withoutToken,
} from '../storage/stored'
import { clearTab } from '../storage/tab'
import { clientAtom, endSessionLoss } from './client'
import { documentLoginAtom } from './document-login'
import { fleetAtom } from './fleet'
import { announceLogout, type Logout } from './logout-channel'
import {
  isTokenOf,
  type LoginNotice,
  lastUserAtom,
  listedAsAtom,
  loginNoticeAtom,
  modeAtom,
  phaseAtom,
  type Session,
  serverPlaceAtom,
  sessionAtom,
  sessionLossAtom,
} from './session'

// What happens when a session ends: by a log-out here (`logOut`) or in another tab (`followLogout`, or
// `followMissedLogout` where the page did not run meanwhile), for the next user (`forgetSession`), by a
// token that is no longer valid (`dropToken`), or until its user logs in again (`lockIdle`, `lockNow`).
// All of them forget in storage by `forgetStored`. A session that the server refused waits in
// `client.ts` for the same user.

/**
 * What outlives a store: the device's settings, and the next user, if any. `wanted` is a database.
 */
export type StoreSeed = {
  stored: Stored
  session: Session | null
  notice: string | null
  wanted?: string | null
}

/** The next session with the server's warning, or a notice for the login form. */
export type NextUser = { session: Session | null; warning: string | null; notice: string | null }

/**
 * Set by the owner of the stores: replaces this store by an empty one that starts from the seed.
 */
export const replaceStoreAtom = atom<{ end: (seed: StoreSeed) => void }>({ end: () => {} })

/** Starts over with an empty store; this one ends. */
function endStore(io: Io, { warning, ...next }: NextUser) {
  endSessionLoss(io, false)
  // Late writes of this store, such as a delayed draft, must not find a user.
  io.set(sessionAtom, null)
  clearTab(samplesStorageKey)
  io.get(replaceStoreAtom).end({ stored: withoutIdentity(io.get(storedAtom), warning), ...next })
}

/** Whether logout keeps or erases drafts. Kept ones are shown only to the same user. */
export type DraftsAtLogout = 'keep' | 'erase'

/**
 * Forgets the identity here, in storage and, through a message, in the other tabs of the user.
 * Drafts stay for the same user unless they are to be erased.
 */
export function forgetSession(io: Io, { drafts, ...next }: Forgotten) {
  const { get } = io
  const user = get(sessionAtom)?.user ?? get(storedAtom).auth.user
  noteLeft(io, drafts)
  const leaving = {
    user,
    forgets: 'identity',
    drafts: drafts === 'erase' ? endDrafts(io) : null,
  } as const
  void forgetStored(get(storageAtom), get(serverPlaceAtom), leaving, next.warning)
  if (user !== null) announceLogout(user, drafts, get(listedAsAtom)?.id)
  endStore(io, next)
}

/** Where this tab is, for the next login of the same user. */
function noteLeft({ get, set }: Io, drafts: DraftsAtLogout) {
  const address = get(pageAddressAtom).read()
  if (drafts === 'keep' && address.includes('?')) set(leftAddressAtom, address)
}

type Forgotten = NextUser & { drafts: DraftsAtLogout }

/** Logs out. The server is told, but the console does not wait for its answer. */
export function logOut(io: Io, drafts: DraftsAtLogout = 'keep') {
  if (!io.get(sessionAtom)) return
  logout(io.get(clientAtom)).catch(() => {
    // The session is over here even if the server fails; its token ends with its expiry.
  })
  const words = describeDrafts(io, drafts)
  const notice = words && `You are logged out. ${words}`
  forgetSession(io, { session: null, warning: null, notice, drafts })
}

/** A sentence about the drafts of this tab, or null when there are none. */
function describeDrafts(io: Io, drafts: DraftsAtLogout): string | null {
  if (drafts === 'erase') return 'Your drafts were erased.'
  return hasDraftsInTab(io) ? 'Your drafts are kept: log in again to continue.' : null
}

/**
 * Another tab of this origin logged this user out and cleared storage. The message may be late: a
 * session that began after it continues, and only its own later writes to storage are removed. A
 * locked tab still has the user's data in memory. One that is logged out or another user's may keep
 * what this user typed, under names that end with the user.
 */
export function followLogout(io: Io, { user, at, drafts }: Logout) {
  const { get } = io
  const session = get(sessionAtom)
  const isOwn = (session?.user ?? get(lastUserAtom)) === user
  if (isOwn && session && session.since > at) return
  if (drafts === 'erase')
    clearTab(draftStorageKey, JSON.stringify([get(serverPlaceAtom), user]).slice(2))
  if (!isOwn) return
  noteLeft(io, drafts)
  void get(storageAtom).keep(storageKey, (value) => {
    const stored = readStored(value)
    const isOurs = session !== null && isTokenOf(session, stored.auth.token)
    return isOurs ? withoutIdentity(stored, null) : stored
  })
  const words = describeDrafts(io, drafts)
  const notice = ['You were logged out in another tab.', words].filter(Boolean).join(' ')
  const erased = drafts === 'erase' && endDrafts(io)
  if (erased) eraseDrafts(get(storageAtom), erased)
  endStore(io, { session: null, warning: null, notice })
}

/** Removes a token that is no longer valid; drafts and settings stay. */
export function dropToken(io: Io, notice: LoginNotice) {
  const { get, set } = io
  set(lastUserAtom, get(sessionAtom)?.user ?? get(lastUserAtom))
  endSessionLoss(io, false)
  set(sessionAtom, null)
  set(loginNoticeAtom, notice)
  set(phaseAtom, 'signed-out')
  forgetToken(io)
}

/** Forgets the token in storage, whoever’s it is. */
export function forgetToken({ get, set }: Io) {
  set(storedAtom, withoutToken(get(storedAtom)))
  void forgetStored(get(storageAtom), get(serverPlaceAtom), { user: null, forgets: 'token' })
}

/** Milliseconds without use after which the console locks; null for never. */
export const idleLimitAtom = atom((get) => {
  const { idle } = get(settingsAtom)
  // Without a login, no one could unlock it.
  return idle === 0 || get(modeAtom) !== 'login' ? null : idle * 60_000
})

/**
 * Locks the console after a time without use: it removes the screens from the page and the token
 * from this tab and storage, and shows the login form. Typed text stays in memory for the same
 * user.
 */
export function lockIdle(io: Io) {
  const { get } = io
  if (!get(sessionAtom)) return
  get(fleetAtom)?.lock()
  get(documentLoginAtom)?.close()
  const { idle } = get(settingsAtom)
  const reason = `Locked after ${counted(idle, 'minute')} without use.`
  dropToken(io, { text: `${reason} Log in again: your drafts are kept.` })
}

/**
 * Locks the console by hand: the login form covers the intact screens. The token is removed from
 * this tab and storage, and nothing is sent before the next login. Other tabs keep their own
 * tokens.
 */
export function lockNow(io: Io) {
  const { get, set } = io
  const session = get(sessionAtom)
  if (!session || session.mode) return
  get(fleetAtom)?.lock()
  get(documentLoginAtom)?.close()
  set(sessionAtom, { ...session, token: '', databaseTokens: new Map(), isLocked: true })
  set(loginNoticeAtom, {
    text: 'Locked. The session token was removed from this tab and from this browser’s storage. Your work is kept: log in again to continue.',
  })
  set(sessionLossAtom, 'locked')
  forgetToken(io)
}

/** What storage has to forget of a session that ends. */
export type Leaving = {
  /** Null for anyone's token. */
  readonly user: string | null
  readonly forgets: 'token' | 'identity'
  /** Whose drafts are erased. */
  readonly drafts?: DraftOwner | null
}

const key = 'webconsole.leaving'

/**
 * Forgets a session in storage. The browser's databases may answer only after the page has closed,
 * so it is noted at once what is to be forgotten; the next page finds the note and does it.
 * @param place the end of what is stored of this server
 * @param warning the server's, for the user who comes next
 */
export async function forgetStored(
  storage: Storage,
  place: string,
  leaving: Leaving,
  warning?: string | null,
): Promise<void> {
  const note = JSON.stringify(leaving)
  // Without such storage only a page that is closed too early leaves the session behind.
  sharedArea.write(key + place, note)
  const { user, forgets, drafts } = leaving
  const done = await Promise.all([
    storage.keep(storageKey, (value) => withoutSession(leaving, readStored(value), warning)),
    forgets === 'token' ||
      storage.keep(historyStorageKey, (value) => {
        const owner: unknown = Object(value).user
        return typeof owner === 'string' && owner !== user ? value : null
      }),
    ...(drafts ? eraseDrafts(storage, drafts) : []),
  ])
  // Another end may have begun meanwhile.
  const isOwn = sharedArea.read(key + place) === note
  if (isOwn && done.every(Boolean)) endLeaving(place)
}

/** What the page before had still to forget, or null. */
export function leavingAt(place: string): Leaving | null {
  const note = Object(parsedJson(sharedArea.read(key + place) ?? ''))
  return note.forgets ? note : null
}

/** A new session is in storage: nothing of it is to be forgotten. */
export function endLeaving(place: string): void {
  sharedArea.remove(key + place)
}

/** A state without what is to be forgotten; another user's session stays. */
export function withoutSession(
  leaving: Leaving | null,
  stored: Stored,
  warning: string | null = null,
): Stored {
  if (leaving?.forgets === 'token') return withoutToken(stored)
  const { user } = stored.auth
  const isAnothers = !leaving || (user !== null && user !== leaving.user)
  return isAnothers ? stored : withoutIdentity(stored, warning)
}
