const key = 'webconsole.open'

/** Notes that this tab is used without a login, or no longer, so that a reload need not ask. */
export function noteOpen(isOpen: boolean): void {
  try {
    if (isOpen) sessionStorage.setItem(key, '1')
    else sessionStorage.removeItem(key)
  } catch {
    // Then the next start shows the form.
  }
}

export function wasOpen(): boolean {
  try {
    return sessionStorage.getItem(key) !== null
  } catch {
    return false
  }
}
