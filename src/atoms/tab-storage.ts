/**
 * The storage of this tab alone, which a reload keeps and which is written at once; the browser's
 * databases are shared by all tabs and answer later than a page may live.
 */
export function writeTab(key: string, value: unknown): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(value))
  } catch {
    // It may be switched off or full; what is kept there is never the only copy of something typed.
  }
}

/** What this tab keeps under a name, or null. */
export function readTab(key: string): unknown {
  try {
    const found = sessionStorage.getItem(key)
    return found === null ? null : JSON.parse(found)
  } catch {
    return null
  }
}

export function removeTab(key: string): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Then nothing of ours is in it.
  }
}

/** Removes everything whose name begins so. */
export function clearTab(start: string): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(start)) sessionStorage.removeItem(key)
    }
  } catch {
    // Then nothing of ours is in it.
  }
}
