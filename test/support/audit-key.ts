/** The time in a key of the audit log, in milliseconds since 1970. */
export function timeOfKey(key: string): number {
  return Number(BigInt(key.slice(6, 26)) / 1_000_000n)
}
