import { isTooLarge } from './errors'

/**
 * Tries with fewer rows as long as the answer is larger than the server can send, three times at
 * most: with all of them, with their square root, and with one. The server reads for each try.
 */
export async function askForFewer<T>(
  most: number,
  attempt: (size: number) => Promise<T>,
): Promise<T> {
  for (let size = most; ; size = size === most ? fewerThan(most) : 1) {
    try {
      return await attempt(size)
    } catch (error) {
      if (!isTooLarge(error) || size <= 1) throw error
    }
  }
}

/** How many rows to ask for after so many were too large. */
function fewerThan(rows: number): number {
  return Math.max(1, Math.floor(Math.sqrt(rows)))
}
