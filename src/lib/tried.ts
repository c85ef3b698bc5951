/** What `use` returns, or something else where the browser forbids it. */
export function tried<T>(use: () => T, otherwise: T): T {
  try {
    return use()
  } catch {
    return otherwise
  }
}
