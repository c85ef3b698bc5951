import { useEffect, useEffectEvent } from 'react'
import { type Action, actionOf, type Place } from '~/lib/shortcuts'

// Outside React: the keyboard.

/** Where a key is typed as text or means something else. */
const elsewhere =
  'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"], [role="listbox"], [role="combobox"]'

/** What covers the page: keys of the page below it do nothing. */
export const covering = '[role="dialog"][aria-modal="true"], [role="menu"]'

/**
 * Acts on a key wherever the focus is, but not while a dialog is open, and in fields only where that
 * is said.
 */
export function useShortcut<P extends Place>(
  place: P,
  action: Action<P>,
  act: () => void,
  { isOn = true, isInFields = false }: { isOn?: boolean; isInFields?: boolean } = {},
): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || actionOf(place, event) !== action) return
    const isField = event.target instanceof Element && event.target.closest(elsewhere) !== null
    if (isField && !isInFields) return
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
