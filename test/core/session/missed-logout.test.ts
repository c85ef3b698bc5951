// @vitest-environment node
import { expect, test, vi } from 'vitest'
import { onLogoutElsewhere } from '~/core/session/logout-channel'
import { followMissedLogout } from '~/core/session/missed-logout'
import { sessionAtom } from '~/core/session/session'
import { followLogout, logOut, replaceStoreAtom } from '~/core/session/session-end'
import { noticeAtom } from '~/core/storage/notice'
import { fakeImmudb } from '../../support/fake-immudb'
import { fakeDriver, openTab, signIn, soon, stored } from '../../support/store'

/** Two tabs of one user, of which one did not run while the other logged out. */
async function keptTab(isStored = true) {
  const [server, driver] = [fakeImmudb(), fakeDriver()]
  const kept = openTab(server, driver)
  await signIn(kept, 'immudb', 'immudb', isStored)
  await stored(kept)
  const end = vi.fn()
  kept.store.set(replaceStoreAtom, { end })
  return { kept, end, driver, other: openTab(server, driver) }
}

test('a page that is back ends its session when storage has no user any more', async () => {
  const { kept, end, driver } = await keptTab()
  await followMissedLogout(kept.store)
  expect(end).not.toHaveBeenCalled()
  driver.values.clear()
  await followMissedLogout(kept.store)
  expect(end).toHaveBeenCalledOnce()
  expect(kept.store.get(sessionAtom)).toBeNull()
})

test('storage that fails ends no session', async () => {
  const { kept, end, driver } = await keptTab()
  driver.getItem = async () => {
    kept.store.set(noticeAtom, 'failing')
    throw new Error('broken')
  }
  await followMissedLogout(kept.store)
  expect(end).not.toHaveBeenCalled()
  expect(kept.store.get(sessionAtom)?.user).toBe('immudb')
})

test('of a session that is not in storage, a tab that knows of the log-out tells', async () => {
  const { kept, end, other } = await keptTab(false)
  const closeOther = onLogoutElsewhere(() => {})
  await signIn(other)
  other.store.set(replaceStoreAtom, { end: () => {} })
  const heard = new Promise((resolve) => onLogoutElsewhere(resolve))
  logOut(other.store)
  await heard
  const tell = vi.fn((logout) => followLogout(kept.store, logout))
  const close = onLogoutElsewhere(tell)
  await followMissedLogout(kept.store)
  await soon(() => expect(end).toHaveBeenCalledOnce())
  close()
  closeOther()
})
