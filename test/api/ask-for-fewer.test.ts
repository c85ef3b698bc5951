import { expect, test } from 'vitest'
import { askForFewer } from '~/api/ask-for-fewer'
import { ApiError } from '~/api/errors'

const tooLarge = new ApiError({ kind: 'too-large', text: '' })

test.each([
  [2_499, 1, [2_499, 312, 39, 4, 1]],
  [1_000, 40, [1_000, 125, 15]],
  [128, 2, [128, 16, 2]],
  [1, 1, [1]],
])('of %i things as many are asked for as fit: %i', async (most, room, sizes) => {
  const asked: number[] = []
  const found = askForFewer(most, async (size) => {
    asked.push(size)
    if (size > room) throw tooLarge
    return size
  })
  expect([await found, asked]).toEqual([sizes.at(-1), sizes])
})

test('one alone that is too large, and another failure, are told', async () => {
  const asked: number[] = []
  const failing = (error: Error) =>
    askForFewer(20, async (size) => {
      asked.push(size)
      throw error
    })
  await expect(failing(tooLarge)).rejects.toBe(tooLarge)
  expect(asked).toEqual([20, 2, 1])
  asked.length = 0
  const away = new ApiError({ kind: 'network', text: '' })
  await expect(failing(away)).rejects.toBe(away)
  expect(asked).toEqual([20])
})

test.each([
  ['the specified limit (2500) is larger than the maximum allowed one (1000)', 2_500, 1_000],
  // An answer of as many rows is refused by those versions, and a page asks for one more.
  ['found at least 1000 rows (the maximum limit). Query constraints can be applied', 2_499, 998],
  ['found at least 1000 rows (the maximum limit). Query constraints can be applied', 999, 998],
])('as many are asked for as an old server lists at once: %s', async (says, most, wanted) => {
  const asked: number[] = []
  const text = `result size limit exceeded: ${says}`
  const found = askForFewer(most, async (size) => {
    asked.push(size)
    if (size > wanted) throw new ApiError({ kind: 'refused', text })
    return size
  })
  expect([await found, asked]).toEqual([wanted, [most, wanted]])
})

test('a limit that is none, or that does not hold, is not asked for again and again', async () => {
  const asked: number[] = []
  const failing = (text: string) =>
    askForFewer(100, async (size) => {
      asked.push(size)
      throw new ApiError({ kind: 'refused', text })
    })
  await expect(failing('result size limit exceeded: maximum allowed one (0)')).rejects.toThrow()
  expect(asked).toEqual([100, 1])
  asked.length = 0
  await expect(failing('result size limit exceeded: maximum allowed one (500)')).rejects.toThrow()
  expect(asked).toEqual([100, 12, 1])
})
