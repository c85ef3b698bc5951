import { readTab, removeTab, writeTab } from './tab-storage'

const key = 'webconsole.open'

/** Notes that this tab is used without a login, or no longer, so that a reload need not ask. */
export function noteOpen(isOpen: boolean): void {
  if (isOpen) writeTab(key, 1)
  else removeTab(key)
}

export function wasOpen(): boolean {
  return readTab(key) !== null
}
