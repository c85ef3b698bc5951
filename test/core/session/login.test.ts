// @vitest-environment node

import { afterEach, expect, test, vi } from 'vitest'
import { handedPasswordAtom } from '~/core/session/document-login'
import { logIn, loginPause } from '~/core/session/login'
import { phaseAtom } from '~/core/session/session'
import { readStored } from '~/core/storage/stored'
import { fakeImmudb } from '../../support/fake-immudb'
import { fakeDriver, openTab } from '../../support/store'

afterEach(() => vi.useRealTimers())

test('A16 the pause after wrong logins grows after the third, up to 30 s', () => {
  const pauses = Array.from({ length: 12 }, (_, failures) => loginPause(failures) / 1_000)
  expect(pauses).toEqual([0, 0, 0, 1, 2, 4, 8, 16, 30, 30, 30, 30])
})

const credentials = { user: 'immudb', password: 'immudb', isStored: true }

test.each([true, false])(
  'the password is handed on for ten seconds (%s)',
  async (isForDocuments) => {
    vi.useFakeTimers()
    const { store } = openTab(fakeImmudb())
    const login = logIn(store, { ...credentials, isForDocuments })
    await vi.advanceTimersByTimeAsync(1_000)
    await login
    const handed = { password: 'immudb', isWanted: isForDocuments }
    expect(store.get(handedPasswordAtom)).toEqual(handed)
    await vi.advanceTimersByTimeAsync(10_001)
    expect(store.get(handedPasswordAtom)).toBe(null)
  },
)

test('the console shows once the browser has kept the session, so that a reload finds it', async () => {
  const driver = fakeDriver()
  const { setItem } = driver
  let keep = () => {}
  const isToBeKept = new Promise<void>((resolve) => {
    driver.setItem = async (key, value) => {
      if (readStored(value).auth.token === null) return setItem(key, value)
      await new Promise<void>((allow) => {
        keep = allow
        resolve()
      })
      return setItem(key, value)
    }
  })
  const { store } = openTab(fakeImmudb(), driver)
  const login = logIn(store, credentials)
  await isToBeKept
  expect(store.get(phaseAtom)).toBe('entering')
  keep()
  await login
  expect(store.get(phaseAtom)).toBe('ready')
  expect(readStored(driver.values.get('webconsole')).auth.token).not.toBeNull()
})
