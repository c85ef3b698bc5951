// @vitest-environment node
import { expect, test } from 'vitest'
import { formatSpan } from '~/lib/time'

test.each([
  [86_400_000, '1 day'],
  [2 * 86_400_000, '2 days'],
  [86_399_000, '1 day'],
  [3_600_000, '1 hour'],
  [150_000, '3 minutes'],
  [5_000, '5 seconds'],
  [0, '0 seconds'],
])('%s ms are %s', (ms, text) => {
  expect(formatSpan(ms)).toBe(text)
})
