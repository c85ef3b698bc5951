const given = new WeakSet<object>()
let last: HTMLElement | null = null

/**
 * A `ref` that gives the focus to what appears for something that was done, and only the first time:
 * what is drawn again later, as on another visit of the screen, takes no focus.
 */
export function focusOnce(done: object): (place: HTMLElement | null) => void {
  return (place) => {
    if (!place || given.has(done)) return
    given.add(done)
    // Nobody is taken out of what they type meanwhile.
    if (document.activeElement?.matches('input, textarea, [contenteditable="true"]')) return
    last = place
    place.focus()
  }
}

/** Whether the focus is where {@link focusOnce} put it. */
export function isFocusGiven(): boolean {
  return last !== null && document.activeElement === last
}
