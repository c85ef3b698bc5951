import { useRef } from 'react'
import { isFocusGiven } from './focus-once'

const focusable =
  'a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex="-1"])'

/** Where an overlay would have given the focus, had not another one taken its place. */
let passedOn: Element | null = null

/**
 * Gives the focus back to where it was before an overlay opened, or to what comes next where that is
 * gone with what was done in the overlay. Radix does so only for its own triggers, and our overlays
 * are opened by the state of their owners.
 */
export function useReturnedFocus() {
  const before = useRef<Element | null>(null)
  const next = useRef<readonly HTMLElement[]>([])
  return {
    onOpenAutoFocus: () => {
      before.current = document.activeElement
      next.current = nextTo(document.activeElement)
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      // What was done in the overlay has taken it already.
      if (isFocusGiven()) return
      // One that took the place of another opened with the focus nowhere.
      const opener = before.current === document.body ? passedOn : before.current
      passedOn = document.activeElement?.closest('[role=dialog]') ? opener : null
      if (!(opener instanceof HTMLElement) || !opener.isConnected) return focusOn(next.current)
      opener.focus({ preventScroll: true })
      followOn(opener, next.current)
    },
  }
}

/**
 * Gives the focus to what comes next once an element is gone that has it, as a button goes that takes
 * away the last of what it is about.
 */
export function passFocusOn(from: Element | null): void {
  if (from instanceof HTMLElement) followOn(from, nextTo(from))
}

/** What can have the focus on the same screen: first what comes after an element, the nearest first. */
function nextTo(opener: Element | null): readonly HTMLElement[] {
  const room = opener?.closest('#content')
  if (!(opener instanceof HTMLElement) || !room) return []
  const all = [...room.querySelectorAll<HTMLElement>(focusable)]
  const at = all.indexOf(opener)
  return [...all.slice(at + 1), ...all.slice(0, at).reverse()]
}

/**
 * To the first that takes the focus, which hidden ones do not; else to the screen. A tab that has
 * the focus is shown, so only the one that is shown already qualifies.
 */
function focusOn(places: readonly HTMLElement[]): void {
  const screen = document.getElementById('content')
  for (const place of [...places, ...(screen ? [screen] : [])]) {
    if (!place.isConnected || place.closest('[hidden]')) continue
    if (place.matches('[role=tab][aria-selected=false]')) continue
    place.focus({ preventScroll: place === screen })
    if (document.activeElement === place) return
  }
}

/** The action may remove its opener only after the overlay, when storage has answered. */
function followOn(opener: HTMLElement, places: readonly HTMLElement[]): void {
  const observer = new MutationObserver(() => {
    const hasFocus = document.activeElement === opener
    if (opener.isConnected && hasFocus) return
    observer.disconnect()
    if (!opener.isConnected && document.activeElement === document.body) focusOn(places)
  })
  observer.observe(document.body, { childList: true, subtree: true })
}
