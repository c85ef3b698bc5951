// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { expiryStage } from '~/app/watch/Expiry'

describe('the end of a token', () => {
  test.each([
    [600_001, 'far'],
    [600_000, 'soon'],
    [60_001, 'soon'],
    [60_000, 'now'],
    [1, 'now'],
    [0, 'over'],
    [-86_400_000, 'over'],
  ])('with %s ms left it is %s', (left, stage) => {
    expect(expiryStage(left)).toBe(stage)
  })
})
