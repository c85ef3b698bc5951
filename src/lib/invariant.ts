/** Says at compile time that every case was handled, and at run time which one was not. */
export function unreachable(value: never): never {
  throw new Error(`unexpected case: ${String(value)}`)
}
