const name = 'webconsole'

type Message = { kind: 'logout'; user: string }

function isMessage(data: unknown): data is Message {
  return typeof data === 'object' && data !== null && 'kind' in data && data.kind === 'logout'
}

/** Tells the other tabs of this origin that a user logged out; carries no token. */
export function announceLogout(user: string): void {
  if (typeof BroadcastChannel === 'undefined') return
  const channel = new BroadcastChannel(name)
  channel.postMessage({ kind: 'logout', user } satisfies Message)
  channel.close()
}

/** Calls back when another tab logs a user out; returns the function that stops listening. */
export function onLogoutElsewhere(tell: (user: string) => void): () => void {
  if (typeof BroadcastChannel === 'undefined') return () => {}
  const channel = new BroadcastChannel(name)
  channel.onmessage = ({ data }) => {
    if (isMessage(data)) tell(data.user)
  }
  return () => channel.close()
}
