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

/** Tells the other tabs of this origin that a user logged out. */
export function announceLogout(user: string, drafts: Logout['drafts'], server?: string): void {
  const channel = joinChannel(name)
  channel.tell({ kind: 'logout', user, at: Date.now(), drafts, server } satisfies Logout)
  channel.close()
}

/** Calls back when a tab, this one included, logs a user out; returns what stops listening. */
export function onLogoutElsewhere(tell: (logout: Logout) => void): () => void {
  return joinChannel(name, (heard) => {
    if (isLogout(heard)) tell(heard)
  }).close
}
