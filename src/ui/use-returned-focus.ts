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
      if (before.current instanceof HTMLElement) before.current.focus({ preventScroll: true })
    },
  }
}
