const key = 'webconsole.draft'
/** What else is typed than SQL, with its part of the name. */
type TabDraft = '' | 'keys'

/**
 * Keeps a text for this tab. The browser's databases are shared by all tabs and answer later than a
 * page may live; its session storage is written at once and comes back with the tab.
 */
export function keepForTab(value: unknown, of: TabDraft = ''): void {
  try {
    sessionStorage.setItem(key + of, JSON.stringify(value))
  } catch {
    // Without it the text is as old as the last write to storage, half a second at most.
  }
}

/** What was kept for this tab, or null. */
export function keptForTab(of: TabDraft = ''): unknown {
  try {
    const found = sessionStorage.getItem(key + of)
    return found === null ? null : JSON.parse(found)
  } catch {
    return null
  }
}

export function forgetForTab(): void {
  try {
    for (const of of ['', 'keys']) sessionStorage.removeItem(key + of)
  } catch {
    // Then there was nothing to keep it in either.
  }
}
