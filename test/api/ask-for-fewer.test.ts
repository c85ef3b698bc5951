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
