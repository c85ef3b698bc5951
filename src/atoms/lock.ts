import { atom } from 'jotai'
import { counted } from '~/lib/text'
import { modeAtom, sessionAtom } from './session'
import { settingsAtom } from './settings'
import { dropTokenAtom } from './start'

/** Milliseconds without use after which the console locks; null for never. */
export const idleLimitAtom = atom((get) => {
  const { idle } = get(settingsAtom)
  // Where nobody logs in, nobody could open it again.
  return idle === 0 || get(modeAtom) !== 'login' ? null : idle * 60_000
})

/**
 * Locks the console: the screens are taken off the page, the token is forgotten here and in
 * storage, and the login form is shown. What was typed stays in memory for the same user.
 */
export const lockAtom = atom(null, (get, set, why: 'idle' | 'asked') => {
  if (!get(sessionAtom)) return
  const { idle } = get(settingsAtom)
  const reason =
    why === 'asked' ? 'Locked.' : `Locked after ${counted(idle, 'minute')} without use.`
  set(dropTokenAtom, `${reason} Log in again: your drafts are kept.`)
})
