// @vitest-environment node
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bisect, bisectFrom } from '~/lib/bisection'

const size = fc.bigInt({ min: 1n, max: 1n << 64n })

describe('bisection', () => {
  test('finds the last number that holds and the first that does not', async () => {
    await fc.assert(
      fc.asyncProperty(size, fc.bigInt({ min: 0n, max: 1n << 64n }), async (width, at) => {
        const last = at % width
        expect(await bisect(0n, width, async (one) => one <= last)).toEqual([last, last + 1n])
      }),
    )
  })

  test('asks for each number between the ends once at most, and for no end', async () => {
    await fc.assert(
      fc.asyncProperty(size, fc.bigInt({ min: 0n, max: 1n << 64n }), async (width, at) => {
        const asked: bigint[] = []
        await bisect(5n, 5n + width, async (one) => {
          asked.push(one)
          return one <= 5n + (at % width)
        })
        expect(new Set(asked).size).toBe(asked.length)
        expect(asked.every((one) => one > 5n && one < 5n + width)).toBe(true)
        expect(asked.length).toBeLessThanOrEqual(width.toString(2).length)
      }),
    )
  })

  test('leaves as many numbers between its ends as it may', async () => {
    const [low, high] = await bisect(0n, 1000n, async (at) => at <= 700n, 100n)
    expect(high - low).toBeLessThanOrEqual(100n)
    expect(high - low).toBeGreaterThan(50n)
    expect(low <= 700n && high > 700n).toBe(true)
  })

  test('asks nothing where the ends are the same', async () => {
    const holds = () => Promise.reject(new Error('asked'))
    expect(await bisect(3n, 3n, holds)).toEqual([3n, 3n])
  })

  test('goes twice as far each time where no end is known', async () => {
    await fc.assert(
      fc.asyncProperty(size, fc.bigInt({ min: 1n, max: 100n }), async (last, step) => {
        const asked: bigint[] = []
        const ends = await bisectFrom(0n, step, async (one) => {
          asked.push(one)
          return one <= last
        })
        expect(ends).toEqual([last, last + 1n])
        const beyond = asked.findIndex((one) => one > last)
        const onwards = asked.slice(0, beyond + 1)
        expect(onwards).toEqual(onwards.map((_, at) => step << BigInt(at)))
      }),
    )
  })
})
