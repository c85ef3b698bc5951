import { isTooLarge, mostListed } from './errors'

/** Of what was too much, one part of so many is asked for next. */
const factor = 8

/**
 * Asks for a number of things, and for an eighth as long as the answer would be larger than the
 * server can send, which is 4 MiB; for as many as it lists at once where these are fewer. The server
 * reads for each try.
 * @param isTooMuch whether fewer may succeed after a failure
 * @throws the failure of one alone, and any other
 */
export async function askForFewer<T>(
  most: number,
  attempt: (size: number) => Promise<T>,
  isTooMuch: (error: unknown) => boolean = isTooLarge,
): Promise<T> {
  for (let size = most; ; ) {
    try {
      return await attempt(size)
    } catch (error) {
      const listed = mostListed(error)
      if (size <= 1 || (listed === null && !isTooMuch(error))) throw error
      const fewer = Math.floor(size / factor)
      size = Math.max(1, listed !== null && listed < size ? listed : fewer)
    }
  }
}
