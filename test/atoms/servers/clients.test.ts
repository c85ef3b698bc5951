import { beforeEach, expect, test } from 'vitest'
import { readState } from '~/api/server'
import { clientOf } from '~/atoms/servers/clients'
import { logInElsewhere } from '~/atoms/servers/other-logins'
import { sessionLossAtom } from '~/atoms/session/session'
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
