const key = 'webconsole.draft'

/**
 * Keeps a text for this tab. The browser's databases are shared by all tabs and answer later than a
 * page may live; its session storage is written at once and comes back with the tab.
 */
export function keepForTab(value: unknown): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(value))
  } catch {
    // Without it the text is as old as the last write to storage, half a second at most.
  }
}

/** What was kept for this tab, or null. */
export function keptForTab(): unknown {
  try {
    const found = sessionStorage.getItem(key)
    return found === null ? null : JSON.parse(found)
  } catch {
    return null
  }
}

export function forgetForTab(): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Then there was nothing to keep it in either.
  }
}
