// @vitest-environment node
import { expect, test } from 'vitest'
import { importRefusalAtom, newTableRefusalAtom } from '~/atoms/users/privileges'
import { fakeImmudb } from '../../support/fake-immudb'
import type { FakeUser } from '../../support/fake-users'
import { openTab, signIn, soon } from '../../support/store'

async function refusals(user: Partial<FakeUser>) {
  const clerk: FakeUser = { password: 'x', permissions: { defaultdb: 2 }, ...user }
  const { store } = openTab(fakeImmudb({ users: { clerk } }))
  await signIn({ store }, 'clerk', 'x')
  store.sub(importRefusalAtom, () => {})
  store.sub(newTableRefusalAtom, () => {})
  return store
}

const held = (...privileges: string[]) => new Map([['defaultdb', privileges]])

test('without the SQL privilege INSERT it is off, with the reason', async () => {
  const store = await refusals({ privileges: held('SELECT', 'CREATE') })
  await soon(() =>
    expect(store.get(importRefusalAtom)).toBe(
      'This needs the SQL privilege INSERT on the database.',
    ),
  )
  expect(store.get(newTableRefusalAtom)).toBeUndefined()
})

test('without CREATE no table can be made', async () => {
  const store = await refusals({ privileges: held('SELECT', 'INSERT') })
  await soon(() =>
    expect(store.get(newTableRefusalAtom)).toBe(
      'This needs the SQL privilege CREATE on the database.',
    ),
  )
  expect(store.get(importRefusalAtom)).toBeUndefined()
})

test('who may only read is told the permission', async () => {
  const store = await refusals({ permissions: { defaultdb: 1 } })
  await soon(() =>
    expect(store.get(importRefusalAtom)).toBe(
      'This needs the permission “Read & write” on the database.',
    ),
  )
})
