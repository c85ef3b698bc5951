/** Milliseconds of work before the page gets its turn: two frames. */
const slice = 32

/**
 * Collects everything that an iterator yields and pauses between slices so that the page stays
 * responsive. The iterator must yield in small steps; null is a step without a result.
 */
export async function inSlices<T>(steps: Iterable<T | null>): Promise<T[]> {
  const found: T[] = []
  let end = performance.now() + slice
  for (const step of steps) {
    if (step !== null) found.push(step)
    if (performance.now() < end) continue
    await pause()
    end = performance.now() + slice
  }
  return found
}

/** Lets messages and answers in. In a hidden tab a timer would wait a second. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
}
