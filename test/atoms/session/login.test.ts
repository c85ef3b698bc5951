// @vitest-environment node
import { afterEach, expect, test, vi } from 'vitest'
import { handedPasswordAtom, loginAtom, loginPause } from '~/atoms/session/login'
import { fakeImmudb } from '../../support/fake-immudb'
import { openTab } from '../../support/store'

afterEach(() => vi.useRealTimers())

test('A16 the pause after wrong logins grows after the third, up to 30 s', () => {
  const pauses = Array.from({ length: 12 }, (_, failures) => loginPause(failures) / 1_000)
  expect(pauses).toEqual([0, 0, 0, 1, 2, 4, 8, 16, 30, 30, 30, 30])
})

const credentials = { user: 'immudb', password: 'immudb', isStored: true }

test('the password is handed on for ten seconds where the login asks for it', async () => {
  vi.useFakeTimers()
  const { store } = openTab(fakeImmudb())
  const login = store.set(loginAtom, { ...credentials, isHandedOn: true })
  await vi.advanceTimersByTimeAsync(1_000)
  await login
  expect(store.get(handedPasswordAtom)).toBe('immudb')
  await vi.advanceTimersByTimeAsync(10_001)
  expect(store.get(handedPasswordAtom)).toBe('')
})

test('no other login keeps the password', async () => {
  const { store } = openTab(fakeImmudb())
  await store.set(loginAtom, credentials)
  expect(store.get(handedPasswordAtom)).toBe('')
})
