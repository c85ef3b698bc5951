// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { wholeNumber } from '~/screens/settings/NumberField'

describe('a whole number', () => {
  const bounds = { min: 1, max: 720 }
  test.each([
    ['1', 1],
    ['720', 720],
    [' 30 ', 30],
  ])('%s', (text, value) => {
    expect(wholeNumber(text, 'Minutes', bounds)).toEqual({ value })
  })

  test.each([
    ['', 'The Minutes field is required'],
    ['  ', 'The Minutes field is required'],
    ['abc', 'Minutes must be a whole number.'],
    ['1.5', 'Minutes must be a whole number.'],
    ['1e2', 'Minutes must be a whole number.'],
    ['0x10', 'Minutes must be a whole number.'],
    ['0', 'Minutes must be between 1 and 720.'],
    ['-5', 'Minutes must be between 1 and 720.'],
    ['721', 'Minutes must be between 1 and 720.'],
    ['99999999999999999999', 'Minutes must be between 1 and 720.'],
  ])('not %s', (text, error) => {
    expect(wholeNumber(text, 'Minutes', bounds)).toEqual({ error })
  })
})
