import { tried } from './tried'

/** What the tabs of this origin hear from each other. */
export type TabChannel = {
  tell: (message: unknown) => void
  close: () => void
}

/**
 * Joins the channel of that name, which does not hear itself. Other versions of the console may be
 * open, so `hear` checks what it gets. A tab is alone
 * where the browser has no channels, or forbids them as Firefox does with blocked site data.
 */
export function joinChannel(name: string, hear?: (message: unknown) => void): TabChannel {
  const channel = tried(() => new BroadcastChannel(name), null)
  if (channel && hear) channel.onmessage = ({ data }) => hear(data)
  return {
    tell: (message) => tried(() => channel?.postMessage(message), undefined),
    close: () => channel?.close(),
  }
}
