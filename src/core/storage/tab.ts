import { parsedJson } from '~/lib/parsed-json'
import { tabArea } from '~/lib/storage-areas'

/**
 * The storage of this tab alone. It survives a reload and is written at once, while the browser's
 * databases are shared by all tabs and may answer only after the page has closed. It has the only
 * copy of typed text that is not applied; of other drafts there is one for all tabs as well.
 */
export function writeTab(key: string, value: unknown): void {
  tabArea.write(key, JSON.stringify(value))
}

/** What this tab keeps under a name, or null. */
export function readTab(key: string): unknown {
  return parsedJson(tabArea.read(key) ?? '') ?? null
}

export function removeTab(key: string): void {
  tabArea.remove(key)
}

/** Removes everything whose name begins and ends so. */
export function clearTab(start: string, end = ''): void {
  for (const key of tabArea.keys()) if (key.startsWith(start) && key.endsWith(end)) removeTab(key)
}
