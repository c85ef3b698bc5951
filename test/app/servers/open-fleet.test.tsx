import { act, fireEvent, render, screen, within } from '@testing-library/react'
import * as v from 'valibot'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { Root } from '~/app/App'
import { type Identities, startIdentities } from '~/app/identity'
import { joiningServers } from '~/app/servers/OtherServers'
import { openDatabase } from '~/atoms/databases/database-list'
import { editorDrafts, loadDraft, setEditorText } from '~/atoms/query/editor'
import { clientAtom } from '~/core/session/client'
import { fleetAtom, serverListAtom } from '~/core/session/fleet'
import { announceLogout } from '~/core/session/logout-channel'
import {
  databaseAtom,
  listedAsAtom,
  phaseAtom,
  sessionAtom,
  sessionLossAtom,
} from '~/core/session/session'
import { lockNow, logOut } from '~/core/session/session-end'
import { probeServer } from '~/core/session/session-start'
import { readStored } from '~/core/storage/stored'
import { type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import { type FakeHost, fakeHost, listOf } from '../../support/fake-servers'
import { forgetListeners } from '../../support/fleet'
import { type FakeDriver, fakeDriver, signIn } from '../../support/store'

let eu: FakeImmudb
let us: FakeImmudb
let host: FakeHost
let driver: FakeDriver

const bob = { password: 'b', permissions: { '*': 255 } }

beforeEach(() => {
  sessionStorage.clear()
  forgetListeners()
  eu = fakeImmudb({ databases: ['defaultdb', 'secret'] })
  us = fakeImmudb({ databases: ['defaultdb', 'shop'], users: { bob } })
  us.becomeAnother('another-uuid')
  host = fakeHost({ eu, us })
  driver = fakeDriver()
  vi.stubGlobal('fetch', host.fetch)
})

function opened(address = '/'): Identities {
  window.history.replaceState(null, '', address)
  return startIdentities(
    '/api',
    async () => driver,
    joiningServers('/api', JSON.stringify(host.list)),
  )
}

const storeOf = (identities: Identities) => identities.present().store
const nameOf = (identities: Identities) => storeOf(identities).get(listedAsAtom)?.name
const named = () => new URLSearchParams(window.location.search).get('server')

async function rested(identities: Identities) {
  await vi.waitFor(() => expect(storeOf(identities).get(phaseAtom)).toMatch(/signed-out|ready/))
}

async function signedIn(address = '/', user = 'immudb', password = 'immudb', isStored = true) {
  const identities = opened(address)
  await rested(identities)
  await signIn(identities.present(), user, password, isStored)
  return identities
}

async function show(identities: Identities, name: string) {
  const store = storeOf(identities)
  const fleet = store.get(fleetAtom)
  const server = fleet?.store.get(serverListAtom).servers.find((one) => one.name === name)
  if (!fleet || !server) throw new Error(`there is no ${name}`)
  fleet.show(server)
  await rested(identities)
}

describe('the server of an address', () => {
  test('is the one it names, else the last one of the tab, else the first', async () => {
    expect(nameOf(opened('/'))).toBe('eu')
    expect(named()).toBe('eu')
    const identities = opened('/keys?server=us')
    expect(nameOf(identities)).toBe('us')
    await show(identities, 'eu')
    await show(identities, 'us')
    expect(nameOf(opened('/keys'))).toBe('us')
  })

  test('that is not listed: another is shown and gets nothing of the link', async () => {
    const identities = await signedIn('/keys?server=mars&db=secretofmars')
    expect(nameOf(identities)).toBe('eu')
    expect(window.location.search).toBe('?server=eu')
    expect(host.calls.filter(({ path }) => path.includes('secretofmars'))).toEqual([])
  })

  test('is not named where the list has only one', async () => {
    host.change(listOf(['eu']))
    const identities = await signedIn('/keys')
    expect(named()).toBeNull()
    expect(host.calls.every(({ server }) => server === 'eu')).toBe(true)
    logOut(storeOf(identities))
    expect(named()).toBeNull()
  })

  test('follows a step back, before the database of the address is looked for', async () => {
    const identities = await signedIn('/?server=eu')
    await show(identities, 'us')
    await signIn(identities.present(), 'bob', 'b')
    window.history.replaceState(null, '', '/?server=eu&db=secret')
    window.dispatchEvent(new PopStateEvent('popstate'))
    expect(nameOf(identities)).toBe('eu')
    await vi.waitFor(() => expect(storeOf(identities).get(databaseAtom)).toBe('secret'))
    expect(host.calls.filter((call) => call.server === 'us' && /secret/.test(call.path))).toEqual(
      [],
    )
  })
})

describe('each server has its own', () => {
  test('session: its token goes to it alone, with its id', async () => {
    const identities = await signedIn()
    await show(identities, 'us')
    expect(storeOf(identities).get(sessionAtom)).toBeNull()
    await signIn(identities.present(), 'bob', 'b')
    await show(identities, 'eu')
    await vi.waitFor(() => expect(storeOf(identities).get(phaseAtom)).toBe('ready'))
    expect(storeOf(identities).get(sessionAtom)?.user).toBe('immudb')
    for (const { server, token, meant } of host.calls) {
      expect(meant).toBe(`id-${server}`)
      if (token !== null) expect(token).toContain(server === 'eu' ? '.immudb.' : '.bob.')
    }
  })

  test('session of this tab only, which is neither stored nor lost when another is shown', async () => {
    const identities = await signedIn('/', 'immudb', 'immudb', false)
    await show(identities, 'us')
    await show(identities, 'eu')
    expect(storeOf(identities).get(sessionAtom)?.user).toBe('immudb')
    expect(JSON.stringify([...driver.values])).not.toContain('v2.public')
  })

  test('stored state and drafts, under names of its own', async () => {
    const identities = await signedIn()
    const first = storeOf(identities)
    await loadDraft(first)
    setEditorText(first, 'SELECT secret;')
    await editorDrafts.keep(first)
    await show(identities, 'us')
    await signIn(identities.present(), 'immudb', 'immudb')
    await loadDraft(storeOf(identities))
    await vi.waitFor(() => expect(driver.values.has('webconsole @id-us')).toBe(true))
    const names = [...driver.values.keys()]
    expect(names.every((name) => / @id-(eu|us)$/.test(name))).toBe(true)
    const ofUs = [...driver.values].filter(([name]) => name.endsWith('@id-us'))
    expect(JSON.stringify(ofUs)).not.toContain('SELECT secret')
    expect(readStored(driver.values.get('webconsole @id-eu')).auth.user).toBe('immudb')
  })

  test('end: a lost session of one leaves the others', async () => {
    const identities = await signedIn()
    await show(identities, 'us')
    await signIn(identities.present(), 'bob', 'b')
    us.expireTokens()
    void openDatabase(storeOf(identities), 'shop').catch(() => {})
    await vi.waitFor(() => expect(storeOf(identities).get(sessionLossAtom)).toBe('ended'))
    await show(identities, 'eu')
    expect(storeOf(identities).get(phaseAtom)).toBe('ready')
    expect(storeOf(identities).get(sessionLossAtom)).toBeNull()
  })

  test('logout, also from another tab', async () => {
    const identities = await signedIn()
    await show(identities, 'us')
    await signIn(identities.present(), 'immudb', 'immudb')
    announceLogout('immudb', 'keep', 'id-eu')
    await vi.waitFor(() => {
      const fleet = storeOf(identities).get(fleetAtom)
      const other = host.list.servers[0]
      expect(other && fleet?.storeOf(other).get(sessionAtom)).toBeNull()
    })
    expect(storeOf(identities).get(sessionAtom)?.user).toBe('immudb')
    announceLogout('immudb', 'keep', 'id-us')
    await vi.waitFor(() => expect(storeOf(identities).get(sessionAtom)).toBeNull())
  })
})

test('a lock forgets the tokens of all servers', async () => {
  const identities = await signedIn()
  await show(identities, 'us')
  await signIn(identities.present(), 'bob', 'b')
  lockNow(storeOf(identities))
  await vi.waitFor(() => expect(JSON.stringify([...driver.values])).not.toContain('v2.public'))
  await show(identities, 'eu')
  expect(storeOf(identities).get(sessionAtom)).toBeNull()
})

describe('log out everywhere', () => {
  const logouts = () =>
    host.calls
      .filter(({ path }) => path === '/logout')
      .map(({ server, token }) => `${server} ${token?.split('.')[2]}`)
      .sort()

  async function end(identities: Identities) {
    await storeOf(identities).get(fleetAtom)?.logOutOthers()
    logOut(storeOf(identities))
  }

  test('ends the sessions in memory and in storage, each at its own server', async () => {
    const identities = await signedIn()
    await show(identities, 'us')
    await signIn(identities.present(), 'bob', 'b')
    await end(identities)
    await vi.waitFor(() => expect(logouts()).toEqual(['eu immudb', 'us bob']))
    await vi.waitFor(() => expect(JSON.stringify([...driver.values])).not.toContain('v2.public'))
    await show(identities, 'eu')
    expect(storeOf(identities).get(sessionAtom)).toBeNull()
  })

  test('ends what only storage has; a token goes to the server that issued it alone', async () => {
    const asia = fakeImmudb()
    host = fakeHost({ eu, us, asia })
    host.change(listOf(['eu', 'us', 'asia', 'dead']))
    vi.stubGlobal('fetch', host.fetch)
    const identities = await signedIn()
    const issuers = [
      ['us', 'another-uuid'],
      ['asia', 'uuid-before'],
      ['dead', 'uuid-of-dead'],
    ] as const
    for (const [name, server] of issuers) {
      const stored = readStored(null)
      const auth = { ...stored.auth, user: 'bob', token: `v2.public.bob.${name}`, server }
      driver.values.set(`webconsole @id-${name}`, { ...stored, auth })
    }
    void end(identities)
    await vi.waitFor(() => expect(JSON.stringify([...driver.values])).not.toContain('v2.public'))
    await vi.waitFor(() => expect(logouts()).toEqual(['eu immudb', 'us bob']))
    await vi.waitFor(() => expect(host.calls.some(({ server }) => server === 'asia')).toBe(true))
    const sent = host.calls.filter(({ token }) => /asia|dead/.test(token ?? ''))
    expect(sent).toEqual([])
  })

  test('ends those of other tabs, and of the same user where this tab has none', async () => {
    const identities = await signedIn()
    const heard: unknown[] = []
    const channel = new BroadcastChannel('webconsole')
    channel.onmessage = ({ data }) => heard.push([data.user, data.server])
    await end(identities)
    await vi.waitFor(() =>
      expect(heard).toEqual(
        expect.arrayContaining([
          ['immudb', 'id-us'],
          ['immudb', 'id-eu'],
        ]),
      ),
    )
    channel.close()
  })
})

describe('a changed list', () => {
  test('is read once when an answer names its version', async () => {
    const identities = await signedIn()
    host.change({ ...listOf(['eu', 'us', 'asia']), version: 'v2' })
    await probeServer(storeOf(identities))
    const fleet = storeOf(identities).get(fleetAtom)
    await vi.waitFor(() =>
      expect(fleet?.store.get(serverListAtom).servers.map(({ name }) => name)).toEqual([
        'eu',
        'us',
        'asia',
      ]),
    )
  })

  test('with another address for a name: the token stays here', async () => {
    const identities = await signedIn()
    const [first, ...rest] = host.list.servers
    if (!first) throw new Error('the list is empty')
    host.change({ version: 'v2', servers: [{ ...first, id: 'id-new' }, ...rest] })
    const before = eu.calls.length
    await expect(probeServer(storeOf(identities))).rejects.toThrow('leads to another server')
    expect(eu.calls.length).toBe(before)
    const fleet = storeOf(identities).get(fleetAtom)
    await vi.waitFor(() => expect(fleet?.store.get(serverListAtom).version).toBe('v2'))
    await show(identities, 'eu')
    expect(storeOf(identities).get(sessionAtom)).toBeNull()
  })
})

test('a write that a restart of the host cuts off is unknown and sent once', async () => {
  const identities = await signedIn()
  const client = storeOf(identities).get(clientAtom)
  host.answer = (_server, path) => {
    if (path === '/db/set') throw new TypeError('connection reset')
    return null
  }
  host.calls.length = 0
  const call = { method: 'POST', path: '/db/set', body: {}, database: 'defaultdb' } as const
  const failure = await client.call(v.unknown(), call).catch((error: unknown) => error)
  expect(failure).toMatchObject({ kind: 'network', isOutcomeUnknown: true })
  expect(host.calls.map(({ server, path }) => `${server} ${path}`)).toEqual(['eu /db/set'])
  // The list and its ids outlive a restart, so the session goes on.
  host.answer = () => null
  await probeServer(storeOf(identities))
  expect(storeOf(identities).get(sessionLossAtom)).toBeNull()
})

describe('the page', () => {
  async function openPage(address = '/') {
    const identities = opened(address)
    render(<Root identities={identities} mount="" />)
    return identities
  }

  async function logIn(isEverywhere = false) {
    fireEvent.change(await screen.findByLabelText('User'), { target: { value: 'immudb' } })
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'immudb' } })
    if (isEverywhere) {
      fireEvent.click(screen.getByRole('checkbox', { name: /Use the same name and password/ }))
    }
    fireEvent.click(screen.getByRole('button', { name: 'Log in' }))
    await vi.waitFor(() =>
      expect(screen.queryByRole('dialog', { name: 'immudb webconsole' })).toBeNull(),
    )
  }

  test('names the server at the login and in the header', async () => {
    await openPage('/?server=us')
    expect((await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Server' })).value).toBe(
      'id-us',
    )
    await logIn()
    const choice = await screen.findByRole('combobox', { name: 'Server' })
    await vi.waitFor(() => expect(choice.textContent).toContain('us'))
    const main = screen.getByRole('navigation', { name: 'Main' })
    expect(within(main).getByRole('link', { name: 'Servers' }).getAttribute('href')).toContain(
      'server=us',
    )
  })

  test('tries the same name and password on the others only when asked, and stores none', async () => {
    const identities = await openPage()
    await logIn()
    expect(us.calls).toEqual([])
    logOut(storeOf(identities))
    await act(async () => {})
    await logIn(true)
    await vi.waitFor(() => {
      const fleet = storeOf(identities).get(fleetAtom)
      const other = host.list.servers[1]
      expect(other && fleet?.storeOf(other).get(sessionAtom)?.user).toBe('immudb')
    })
    const kept = `${JSON.stringify([...driver.values])}${JSON.stringify({ ...sessionStorage })}`
    expect(kept).not.toContain('"password"')
    expect(kept).not.toContain(btoa('immudb'))
  })

  test('offers to log out everywhere where there is a session on another server', async () => {
    const identities = await openPage()
    await logIn()
    fireEvent.click(await screen.findByRole('button', { name: 'Account' }))
    await screen.findByRole('menuitem', { name: 'Log out' })
    await act(async () => {})
    expect(screen.queryByRole('menuitem', { name: /Log out everywhere/ })).toBeNull()
    logOut(storeOf(identities))
    await act(async () => {})
    await logIn(true)
    await vi.waitFor(() => {
      const other = host.list.servers[1]
      const fleet = storeOf(identities).get(fleetAtom)
      expect(other && fleet?.storeOf(other).get(sessionAtom)?.user).toBe('immudb')
    })
    fireEvent.click(await screen.findByRole('button', { name: 'Account' }))
    fireEvent.click(await screen.findByRole('menuitem', { name: /Log out everywhere.*2 servers/ }))
    await screen.findByRole('button', { name: 'Log in' })
    await vi.waitFor(() => {
      const ended = host.calls.filter(({ path }) => path === '/logout').slice(-2)
      expect(ended.map(({ server }) => server).sort()).toEqual(['eu', 'us'])
    })
  })

  test('shows nothing of it where the list has one server', async () => {
    host.change(listOf(['eu']))
    await openPage()
    await logIn()
    expect(screen.queryByRole('combobox', { name: 'Server' })).toBeNull()
    expect(screen.queryByRole('link', { name: 'Servers' })).toBeNull()
  })
})
