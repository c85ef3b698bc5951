/** Milliseconds of work after which the page gets its turn: two frames of a screen. */
const slice = 32

/**
 * All that an iterator yields, with a pause for the page whenever it was at work for a while. What
 * is yielded must therefore come in small steps. Null is a step without a result.
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

/** Lets messages and answers in; a timer would wait a second in a tab that is not seen. */
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
