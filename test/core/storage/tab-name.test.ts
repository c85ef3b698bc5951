// @vitest-environment node
import { expect, test } from 'vitest'
import { isHeld } from '~/core/storage/tab-name'

const [now, year] = [Date.parse('2026-11-29T12:00:00Z'), 31_536_000_000]
const held = (at: number) => isHeld({ holder: { tab: 'other', at } }, 'this', now)

test('an import that another tab sends is left to it while that tab was heard of', () => {
  expect(held(now - 1_000)).toBe(true)
  expect(isHeld({ holder: { tab: 'this', at: now } }, 'this', now)).toBe(false)
  expect(isHeld({ holder: null }, 'this', now)).toBe(false)
})

test('C21 a clock that was set back holds nothing for years', () => {
  expect([held(now - 10 * year), held(now + 10 * year)]).toEqual([false, false])
})
