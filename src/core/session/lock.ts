import { atom } from 'jotai'
import type { Io } from '~/core/act'
import { counted } from '~/lib/text'
import { settingsAtom } from '../settings'
import { documentLoginAtom } from './document-login'
import { fleetAtom } from './fleet'
import { modeAtom, sessionAtom, sessionLossAtom } from './session'
import { dropToken, forgetToken, loginNoticeAtom } from './session-start'

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
