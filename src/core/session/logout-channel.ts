import { joinChannel } from '~/lib/tab-channel'

const name = 'webconsole'

/**
 * A user's logout: when, in milliseconds since 1970, and whether drafts are erased too. `server` is
 * its id where the console has a list. It contains no token.
 */
export type Logout = {
  kind: 'logout'
  user: string
  at: number
  drafts: 'keep' | 'erase'
  server?: string | undefined
}

function isLogout(message: unknown): message is Logout {
  const isObject = typeof message === 'object' && message !== null
  return isObject && 'kind' in message && message.kind === 'logout'
}

/** What a page says that did not run for a while: a tab that knows of a logout tells it again. */
const missed = 'missed'

/** Tells the other tabs of this origin that a user logged out. */
export function announceLogout(user: string, drafts: Logout['drafts'], server?: string): void {
  say({ kind: 'logout', user, at: Date.now(), drafts, server })
}

/** Asks other tabs for what this page missed, which `onLogoutElsewhere` then hears. */
export function askForLogout(): void {
  say(missed)
}

function say(message: Logout | typeof missed) {
  const channel = joinChannel(name)
  channel.tell(message)
  channel.close()
}

/** Calls back when a tab, this one included, logs a user out; returns what stops listening. */
export function onLogoutElsewhere(tell: (logout: Logout) => void): () => void {
  let last: Logout | null = null
  return joinChannel(name, (heard) => {
    if (heard === missed && last) say(last)
    if (!isLogout(heard) || (heard.at === last?.at && heard.user === last.user)) return
    last = heard
    tell(heard)
  }).close
}
