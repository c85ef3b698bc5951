// @vitest-environment node
import { expect, test } from 'vitest'
import { loginPause } from '~/atoms/session/login'

test('A16 the pause after wrong logins grows after the third, up to 30 s', () => {
  const pauses = Array.from({ length: 12 }, (_, failures) => loginPause(failures) / 1_000)
  expect(pauses).toEqual([0, 0, 0, 1, 2, 4, 8, 16, 30, 30, 30, 30])
})
