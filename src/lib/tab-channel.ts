/** What the tabs of this origin hear from each other. */
export type TabChannel = {
  tell: (message: unknown) => void
  close: () => void
}

/**
 * Joins the channel of that name, which does not hear itself. Other versions of the console may be
 * open, so `hear` checks what it gets. Without `BroadcastChannel` a tab is alone.
 */
export function joinChannel(name: string, hear?: (message: unknown) => void): TabChannel {
  if (typeof BroadcastChannel === 'undefined') return { tell: () => {}, close: () => {} }
  const channel = new BroadcastChannel(name)
  if (hear) channel.onmessage = ({ data }) => hear(data)
  return { tell: (message) => channel.postMessage(message), close: () => channel.close() }
}
