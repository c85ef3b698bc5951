/** Runs jobs in their order, a few at a time. A job that is given up before its turn is not run. */
export function inTurn(most: number) {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(job: () => Promise<T>, signal: AbortSignal): Promise<T> => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    running += 1
    try {
      signal.throwIfAborted()
      return await job()
    } finally {
      running -= 1
      waiting.shift()?.()
    }
  }
}
