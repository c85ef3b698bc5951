import { useRef } from 'react'

/**
 * Gives the focus back to where it was before an overlay opened. Radix does so only for its own
 * triggers, and our overlays are opened by the state of whoever owns them.
 */
export function useReturnedFocus() {
  const before = useRef<Element | null>(null)
  return {
    onOpenAutoFocus: () => {
      before.current = document.activeElement
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      const isThere = before.current instanceof HTMLElement && before.current.isConnected
      // What opened it may be gone with what was done in it.
      const place = isThere ? before.current : document.getElementById('content')
      if (place instanceof HTMLElement) place.focus({ preventScroll: true })
    },
  }
}
