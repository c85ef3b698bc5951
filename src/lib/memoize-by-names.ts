/**
 * Remembers what `make` made for each list of names, so that asking twice gives the same thing.
 * Names are told apart exactly; a name may be any text, `__proto__` included.
 */
export function memoizeByNames<T>(make: (...names: string[]) => T): (...names: string[]) => T {
  const known = new Map<string, T>()
  return (...names) => {
    const key = JSON.stringify(names)
    const found = known.get(key)
    if (found !== undefined) return found
    const made = make(...names)
    known.set(key, made)
    return made
  }
}
