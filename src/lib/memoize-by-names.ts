/**
 * Returns the same value of `make` each time it gets the same list of names. A name may be any
 * text, even `__proto__`.
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
