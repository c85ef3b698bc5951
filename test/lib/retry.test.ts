// @vitest-environment node
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { pause, retryDelay, withRetries } from '~/lib/retry'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the delay', () => {
  test('doubles from 100 ms', () => {
    expect([0, 1, 2].map((again) => retryDelay(again, () => 0))).toEqual([100, 200, 400])
  })

  test('has up to a fifth on top', () => {
    expect(retryDelay(0, () => 1)).toBe(120)
    for (let at = 0; at < 100; at += 1) {
      const delay = retryDelay(1)
      expect(delay).toBeGreaterThanOrEqual(200)
      expect(delay).toBeLessThanOrEqual(240)
    }
  })
})

describe('a pause', () => {
  test('ends after its time and leaves nobody listening', async () => {
    const controller = new AbortController()
    const remove = vi.spyOn(controller.signal, 'removeEventListener')
    const done = pause(100, controller.signal)
    await vi.advanceTimersByTimeAsync(100)
    await done
    expect(remove).toHaveBeenCalledTimes(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('rejects with the reason as soon as it is aborted', async () => {
    const controller = new AbortController()
    const ended = pause(10_000, controller.signal).catch((reason: unknown) => reason)
    controller.abort('enough')
    expect(await ended).toBe('enough')
    expect(vi.getTimerCount()).toBe(0)
    await expect(pause(1, controller.signal)).rejects.toBe('enough')
  })
})

describe('retries', () => {
  /** Fails as often as told, then succeeds; counts how often it was asked. */
  function failing(times: number) {
    let count = 0
    return vi.fn(async () => {
      count += 1
      if (count <= times) throw new Error(`failure ${count}`)
      return count
    })
  }

  async function outcome(attempt: () => Promise<number>, signal?: AbortSignal) {
    const options = { retries: 3, mayRepeat: () => true, ...(signal ? { signal } : {}) }
    const ended = withRetries(attempt, options).catch((error: Error) => error.message)
    await vi.advanceTimersByTimeAsync(5_000)
    return ended
  }

  test.each([0, 1, 3])('succeed after %i failures', async (times) => {
    expect(await outcome(failing(times))).toBe(times + 1)
  })

  test('throw the last failure after three more', async () => {
    const attempt = failing(9)
    expect(await outcome(attempt)).toBe('failure 4')
    expect(attempt).toHaveBeenCalledTimes(4)
  })

  test('stop at a failure that may not be repeated', async () => {
    const attempt = failing(9)
    const mayRepeat = (error: unknown) => (error as Error).message !== 'failure 2'
    const ended = withRetries(attempt, { retries: 3, mayRepeat }).catch((error: Error) => error)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await ended).toMatchObject({ message: 'failure 2' })
    expect(attempt).toHaveBeenCalledTimes(2)
  })

  test('do not begin once the caller has given up', async () => {
    const controller = new AbortController()
    const attempt = vi.fn(async () => {
      controller.abort()
      throw new Error('failure')
    })
    expect(await outcome(attempt as never, controller.signal)).toBe('failure')
    expect(attempt).toHaveBeenCalledTimes(1)
  })
})
