/**
 * Milliseconds of the calmest of ten runs: others on the same processor make single runs longer.
 * The first run, which is slower than those after it, is not counted.
 */
export function calmest(work: () => void): number {
  work()
  const times = Array.from({ length: 10 }, () => {
    const started = performance.now()
    work()
    return performance.now() - started
  })
  return Math.min(...times)
}
