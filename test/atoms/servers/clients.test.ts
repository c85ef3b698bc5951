import { beforeEach, expect, test, vi } from 'vitest'
import { readState } from '~/api/server'
import { clientOf } from '~/atoms/servers/clients'
import { logInElsewhere } from '~/atoms/servers/other-logins'
import { sessionAtom, sessionLossAtom } from '~/core/session/session'
import { readStored, storageAtom } from '~/core/storage/stored'
import { storageKey } from '~/lib/constants'
import { fakeImmudb } from '../../support/fake-immudb'
import { type FakeHost, fakeHost } from '../../support/fake-servers'
import { openFleetPage } from '../../support/fleet'

let host: FakeHost
const us = fakeImmudb({ databases: ['defaultdb', 'shop', 'stock'] })

beforeEach(() => {
  host = fakeHost({ eu: fakeImmudb(), us })
})

test('a call about a database carries a token of that database, whatever was opened last', async () => {
  const { fleet } = await openFleetPage(host)
  const [, server] = host.list.servers
  if (!server) throw new Error('the list is too short')
  await logInElsewhere(fleet, [server], { user: 'immudb', password: 'immudb', isStored: false })
  const client = clientOf(fleet, server)
  for (const database of ['shop', 'stock', 'shop']) await readState(client, database)
  const states = us.calls.filter(({ path }) => path === '/db/state')
  expect(states.map(({ database }) => database)).toEqual(['shop', 'stock', 'shop'])
})

test('a call to a server that is not shown waits for no login, which nobody would offer', async () => {
  const { fleet, store } = await openFleetPage(host)
  const [eu, server] = host.list.servers
  if (!eu || !server) throw new Error('the list is too short')
  await logInElsewhere(fleet, [server], { user: 'immudb', password: 'immudb', isStored: false })
  const client = clientOf(fleet, server)
  await readState(client, 'shop')
  us.expireTokens()
  for (const _ of ['the first finds it out', 'the next knows it']) {
    await expect(readState(client, 'shop')).rejects.toMatchObject({ kind: 'session' })
  }
  expect(store.get(sessionLossAtom)).toBeNull()
})

test('a session of another server is there only once a reload would find it', async () => {
  const { fleet } = await openFleetPage(host)
  const [, server] = host.list.servers
  if (!server) throw new Error('the list is too short')
  const store = fleet.storeOf(server)
  const storage = store.get(storageAtom)
  const { change } = storage
  let goOn = () => {}
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const write = vi.spyOn(storage, 'change').mockImplementation(async (...what) => {
    await held
    return change(...what)
  })
  const credentials = { user: 'immudb', password: 'immudb', isStored: true }
  const logged = logInElsewhere(fleet, [server], credentials)
  await vi.waitFor(() => expect(write).toHaveBeenCalled())
  expect(store.get(sessionAtom)).toBeNull()
  goOn()
  await logged
  expect(store.get(sessionAtom)).not.toBeNull()
  expect(readStored(await storage.read(storageKey)).auth.token).not.toBeNull()
})
