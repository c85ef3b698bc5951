import { isTooLarge } from './errors'

/** Tries with fewer rows as long as the answer is larger than the server can send. */
export async function askForFewer<T>(
  most: number,
  attempt: (size: number) => Promise<T>,
): Promise<T> {
  for (let size = most; ; size = Math.max(1, Math.floor(size / 4))) {
    try {
      return await attempt(size)
    } catch (error) {
      if (!isTooLarge(error) || size === 1) throw error
    }
  }
}
