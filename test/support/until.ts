import { patience } from './slow'

const interval = 50

/**
 * Waits until a value passes; a stand-in for `expect.poll` where tests run side by side. Throws
 * with the last value seen after `timeout` milliseconds.
 */
export async function until<T>(
  read: () => Promise<T> | T,
  passes: (value: T) => boolean,
  timeout = 20_000 * patience,
): Promise<T> {
  const deadline = performance.now() + timeout
  for (;;) {
    const value = await read()
    if (passes(value)) return value
    if (performance.now() > deadline) {
      throw new Error(`still ${JSON.stringify(value)} after ${timeout} ms: ${passes}`)
    }
    await new Promise((resolve) => setTimeout(resolve, interval))
  }
}
