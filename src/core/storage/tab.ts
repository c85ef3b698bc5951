import { inArea } from './area'

/**
 * The storage of this tab alone. It survives a reload and is written at once, while the browser's
 * databases are shared by all tabs and may answer only after the page has closed. Null when it is
 * switched off or full. It has the only copy of typed text where that is not applied (`unapplied.ts`);
 * of other drafts there is one for all tabs as well.
 */
const inTab = <T>(use: (area: Storage) => T) => inArea('sessionStorage', use)

export function writeTab(key: string, value: unknown): void {
  inTab((area) => area.setItem(key, JSON.stringify(value)))
}

/** What this tab keeps under a name, or null. */
export function readTab(key: string): unknown {
  return inTab((area) => JSON.parse(area.getItem(key) ?? 'null'))
}

export function removeTab(key: string): void {
  inTab((area) => area.removeItem(key))
}

/** Removes everything whose name begins and ends so. */
export function clearTab(start: string, end = ''): void {
  inTab((area) => {
    for (const key of Object.keys(area))
      if (key.startsWith(start) && key.endsWith(end)) area.removeItem(key)
  })
}
