import { retryBaseDelay, retryJitter } from './constants'

/** Milliseconds to wait before try `again` (0 = first repeat): doubling, plus a random share. */
export function retryDelay(again: number, random: () => number = Math.random): number {
  return retryBaseDelay * 2 ** again * (1 + retryJitter * random())
}

/** Resolves after `ms`, or rejects with the signal's reason as soon as it is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}

/**
 * Runs `attempt` until it succeeds, with at most `retries` repeats. Stops when `mayRepeat` rejects
 * a failure or the signal aborts. Throws the last failure unchanged.
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  options: {
    retries: number
    mayRepeat: (error: unknown) => boolean
    signal?: AbortSignal
  },
): Promise<T> {
  for (let again = 0; ; again += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (again >= options.retries || options.signal?.aborted || !options.mayRepeat(error)) {
        throw error
      }
      await pause(retryDelay(again), options.signal)
    }
  }
}
