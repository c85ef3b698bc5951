// @vitest-environment node
import { expect, test } from 'vitest'
import { formatPeriod } from '~/screens/databases/shown-setting'

test('periods are told in days and smaller', () => {
  expect(['0', '20', '86400000', '90061001', '2592000000'].map(formatPeriod)).toEqual([
    '0 ms',
    '20 ms',
    '1 d',
    '1 d 1 h 1 min 1 s 1 ms',
    '30 d',
  ])
})
