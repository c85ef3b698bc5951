/**
 * Returns the same value of `make` each time it gets the same list of names. A name may be any
 * text, even `__proto__`.
 * @param most how many values are kept, so that none grows for the life of a tab; the one that was
 * not asked for longest goes first
 */
export function memoizeByNames<T>(
  make: (...names: string[]) => T,
  most = 2_000,
): (...names: string[]) => T {
  const known = new Map<string, T>()
  return (...names) => {
    const key = JSON.stringify(names)
    const found = known.get(key)
    const value = found ?? make(...names)
    if (found !== undefined && known.size < most) return found
    known.delete(key)
    known.set(key, value)
    const [oldest] = known.keys()
    if (known.size > most && oldest !== undefined) known.delete(oldest)
    return value
  }
}
