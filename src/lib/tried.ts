/** What `use` returns, or something else where it throws, such as what the browser forbids. */
export function tried<T>(use: () => T, otherwise: T): T {
  try {
    return use()
  } catch {
    return otherwise
  }
}
