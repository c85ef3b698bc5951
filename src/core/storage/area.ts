/** Uses one of the browser's storages that answer at once; null when it is switched off or full. */
export function inArea<T>(
  name: 'localStorage' | 'sessionStorage',
  use: (area: globalThis.Storage) => T,
): T | null {
  try {
    return use(globalThis[name])
  } catch {
    return null
  }
}
