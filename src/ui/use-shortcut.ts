import { useEffect, useEffectEvent } from 'react'
import { type Action, actionOf, type Place } from '~/lib/shortcuts'

// Outside React: the keyboard.

/** Where a key is typed as text or means something else. */
const elsewhere =
  'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"], [role="listbox"], [role="combobox"]'

/** What covers the page: keys of the page below it do nothing. */
const covering = '[role="dialog"][aria-modal="true"], [role="menu"]'

/** Acts on a key wherever the focus is, but not while something is typed or a dialog is open. */
export function useShortcut<P extends Place>(
  place: P,
  action: Action<P>,
  act: () => void,
  isOn = true,
): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || actionOf(place, event) !== action) return
    if (event.target instanceof Element && event.target.closest(elsewhere)) return
    if (document.querySelector(covering)) return
    event.preventDefault()
    act()
  })
  useEffect(() => {
    if (!isOn) return
    const hear = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  }, [isOn])
}
