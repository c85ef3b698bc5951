// @vitest-environment node
import { expect, test } from 'vitest'
import { keepPermissionsAtom, levelAtom } from '~/atoms/users/user-list'
import { permissionsAtom } from '~/core/session/session'
import { restoreSession } from '~/core/session/session-start'
import { readStored } from '~/core/storage/stored'
import { fakeImmudb } from '../../support/fake-immudb'
import { openTab, signIn, soon, stored } from '../../support/store'

const users = { clerk: { password: 'c', permissions: { defaultdb: 2, shop: 1 } } }

test('the own permissions, once listed, are stored with the session and found again', async () => {
  const server = fakeImmudb({ databases: ['defaultdb', 'shop'], users })
  const tab = openTab(server)
  await signIn(tab, 'clerk', 'c')
  expect(readStored(await stored(tab)).auth.permission).toBeNull()
  tab.store.sub(keepPermissionsAtom, () => {})
  await soon(() => expect(tab.store.get(keepPermissionsAtom)).not.toBeNull())
  tab.store.set(keepPermissionsAtom)
  const permissions = [
    { database: 'defaultdb', permission: 2 },
    { database: 'shop', permission: 1 },
  ]
  expect(readStored(await stored(tab)).auth.permission).toEqual(permissions)
  const reloaded = openTab(server, tab.driver)
  await restoreSession(reloaded.store, null)
  expect(reloaded.store.get(permissionsAtom)).toEqual(permissions)
  expect(reloaded.store.get(levelAtom)).toBe(2)
})
