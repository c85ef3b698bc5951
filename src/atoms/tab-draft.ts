const key = 'webconsole.draft'

/**
 * Keeps a text for this tab while the page goes away. The browser's databases answer later than a
 * page may live; its session storage is written at once and comes back with the tab.
 */
export function keepForTab(value: unknown): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(value))
  } catch {
    // Without it the text is as old as the last write to storage, half a second at most.
  }
}

/** What was kept for this tab, once; null when there is nothing. */
export function takeForTab(): unknown {
  try {
    const found = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    return found === null ? null : JSON.parse(found)
  } catch {
    return null
  }
}
