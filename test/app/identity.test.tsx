import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { StrictMode } from 'react'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { Root } from '~/app/App'
import { type Identities, startIdentities } from '~/app/identity'
import { loadDraft, setEditorText } from '~/atoms/query/editor'
import { appendOutput, outputAtom } from '~/atoms/query/output'
import { chooseTheme, themeChoiceAtom } from '~/core/page-view'
import { bannerCookie } from '~/core/session/banner'
import { announceLogout, onLogoutElsewhere } from '~/core/session/logout-channel'
import { databaseAtom, phaseAtom, sessionAtom, sessionLossAtom } from '~/core/session/session'
import { logOut } from '~/core/session/session-end'
import { noticeAtom } from '~/core/storage/notice'
import { readStored } from '~/core/storage/stored'
import { type FakeImmudb, fakeImmudb } from '../support/fake-immudb'
import { type FakeDriver, fakeDriver, signIn } from '../support/store'

let server: FakeImmudb
let driver: FakeDriver

beforeEach(() => {
  server = fakeImmudb({
    databases: ['defaultdb', 'shop'],
    users: { bob: { password: 'b', permissions: { shop: 2 } } },
  })
  driver = fakeDriver()
  vi.stubGlobal('fetch', server.fetch)
})

afterEach(() => {
  window.history.replaceState(null, '', '/')
})

async function started(): Promise<Identities> {
  const identities = startIdentities('/api', async () => driver)
  const { store } = identities.present()
  await vi.waitFor(() => expect(store.get(phaseAtom)).not.toBe('restoring'))
  return identities
}

/** What the storage comes to hold, as an expectation that waits for it. */
function kept<T>(pick: (state: ReturnType<typeof readStored>) => T) {
  return expect.poll(() => pick(readStored(driver.values.get('webconsole'))))
}

describe('identities', () => {
  test('a log-out puts an empty store in the place of the old one, and tells its watchers', async () => {
    const identities = await started()
    const before = identities.present()
    await signIn(before)
    chooseTheme(before.store, 'light')
    appendOutput(before.store, {} as never)
    const told = vi.fn()
    const stop = identities.subscribe(told)
    const { logOut } = await import('~/core/session/session-end')
    logOut(before.store)
    const after = identities.present()
    expect(told).toHaveBeenCalledTimes(1)
    expect(after.number).toBe(before.number + 1)
    expect(after.store).not.toBe(before.store)
    expect(after.store.get(outputAtom)).toEqual([])
    expect(after.store.get(sessionAtom)).toBeNull()
    expect(after.store.get(themeChoiceAtom)).toBe('light')
    // The login form waits until a page that is opened now would find no session.
    expect(after.store.get(phaseAtom)).toBe('restoring')
    const heldAtForm = new Promise((resolve) => {
      after.store.sub(phaseAtom, () => resolve(driver.values.get('webconsole')))
    })
    expect(readStored(await heldAtForm).auth.token).toBeNull()
    expect(after.store.get(phaseAtom)).toBe('signed-out')
    stop()
    await signIn(after)
    logOut(after.store)
    expect(told).toHaveBeenCalledTimes(1)
  })

  test('the same user comes back to the very address, another user does not', async () => {
    sessionStorage.clear()
    const identities = await started()
    const address = '/query?db=shop&table=people&q=age%3Agt%3A3&at=tx%3A5'
    const { logOut } = await import('~/core/session/session-end')
    const end = async () => {
      logOut(identities.present().store)
      const { store } = identities.present()
      await vi.waitFor(() => expect(store.get(phaseAtom)).toBe('signed-out'))
    }
    const here = () => window.location.pathname + window.location.search
    await signIn(identities.present())
    window.history.replaceState(null, '', address)
    await end()
    // Nothing that was looked at stands in the address of the login form.
    expect(here()).toBe('/query')
    await signIn(identities.present(), 'bob', 'b')
    expect(here()).toBe('/query')
    await end()
    await signIn(identities.present())
    expect(here()).toBe(address)
    expect(identities.present().store.get(databaseAtom)).toBe('shop')
    // Once: whoever opens a link then stays there.
    window.history.replaceState(null, '', '/keys?db=defaultdb')
    await end()
    window.history.replaceState(null, '', '/tx?db=defaultdb')
    await signIn(identities.present())
    expect(here()).toBe('/tx?db=defaultdb')
  })

  test('one’s own log-out does not end the session that follows it', async () => {
    const identities = await started()
    await signIn(identities.present())
    const { logOut } = await import('~/core/session/session-end')
    const heard = new Promise((resolve) => onTestFinished(onLogoutElsewhere(resolve)))
    logOut(identities.present().store)
    // No server answers a login within the millisecond of the log-out.
    const at = Date.now()
    await expect.poll(() => Date.now()).toBeGreaterThan(at)
    await signIn(identities.present())
    await heard
    expect(identities.present().store.get(sessionAtom)?.user).toBe('immudb')
    await kept(({ auth }) => auth.user).toBe('immudb')
  })

  test('a log-out in another tab ends this one (F40)', async () => {
    const identities = await started()
    await signIn(identities.present())
    announceLogout('somebody else', 'keep')
    announceLogout('immudb', 'keep')
    await vi.waitFor(() => expect(identities.present().number).toBe(1))
    expect(identities.present().store.get(sessionAtom)).toBeNull()
  })

  test('another user over a lost session: a new store that is already theirs', async () => {
    const identities = await started()
    const before = identities.present().store
    await signIn(identities.present())
    before.set(sessionLossAtom, 'ended')
    await signIn(identities.present(), 'bob', 'b')
    const { store } = identities.present()
    expect(store).not.toBe(before)
    await vi.waitFor(() => expect(store.get(phaseAtom)).toBe('ready'))
    expect(store.get(sessionAtom)?.user).toBe('bob')
    expect(store.get(databaseAtom)).toBe('shop')
    await kept(({ auth }) => auth.user).toBe('bob')
  })

  test('a storage that cannot be loaded is told once, in the store in use', async () => {
    const identities = startIdentities('/api', () => Promise.reject(new Error('404')))
    await vi.waitFor(() => expect(identities.present().store.get(phaseAtom)).toBe('signed-out'))
    expect(identities.present().store.get(noticeAtom)).toBe('unavailable')
    await signIn(identities.present())
    expect(identities.present().store.get(phaseAtom)).toBe('ready')
    logOut(identities.present().store)
    expect(identities.present().number).toBe(1)
    expect(identities.present().store.get(noticeAtom)).toBe('unavailable')
  })

  test('the database of the address is opened', async () => {
    const first = await started()
    await signIn(first.present())
    await kept(({ auth }) => auth.user).toBe('immudb')
    window.history.replaceState(null, '', '/query?db=shop')
    const { store } = (await started()).present()
    await vi.waitFor(() => expect(store.get(phaseAtom)).toBe('ready'))
    expect(store.get(databaseAtom)).toBe('shop')
  })
})

describe('the page', () => {
  async function openPage() {
    const identities = await started()
    render(
      <StrictMode>
        <Root identities={identities} mount="" />
      </StrictMode>,
    )
    return identities
  }

  async function logIn(user = 'immudb', password = 'immudb') {
    fireEvent.change(await screen.findByLabelText('User'), { target: { value: user } })
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: password } })
    fireEvent.click(screen.getByRole('button', { name: 'Log in' }))
    await waitFor(() =>
      expect(screen.queryByRole('dialog', { name: 'immudb webconsole' })).toBeNull(),
    )
  }

  test('from the form to the shell and back, without anything of the user left', async () => {
    await openPage()
    await logIn()
    const main = screen.getByRole('navigation', { name: 'Main' })
    expect(
      within(main)
        .getAllByRole('link')
        .map((link) => link.textContent),
    ).toEqual([
      'Overview',
      'Query',
      'Keys',
      'Documents',
      'Transactions',
      'Compare',
      'Verify',
      'Databases',
      'Users',
      'Audit log',
      'Guide',
      'Settings',
    ])
    expect(screen.getByRole('combobox', { name: 'Database' }).textContent).toContain('defaultdb')
    expect(new URLSearchParams(window.location.search).get('db')).toBe('defaultdb')
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Account' })))
    const item = await screen.findByRole('menuitem', { name: 'Log out' })
    await act(async () => fireEvent.click(item))
    expect(await screen.findByText('Log in to continue')).toBeTruthy()
    await vi.waitFor(() => expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull())
    expect(screen.getByLabelText<HTMLInputElement>('User').value).toBe('')
    await kept(({ auth }) => auth).toEqual({
      token: null,
      user: null,
      permission: null,
      server: 'dc0mfe1ksduac04rho90',
    })
    expect(server.log()).toContain('POST /logout')
  })

  test('drafts are offered to be erased with the log-out, after a question', async () => {
    const identities = await openPage()
    await logIn()
    const account = async () =>
      act(async () => fireEvent.click(screen.getByRole('button', { name: 'Account' })))
    await account()
    await screen.findByRole('menuitem', { name: 'Log out' })
    expect(screen.queryByRole('menuitem', { name: /erase/ })).toBeNull()
    await account()
    const { store } = identities.present()
    await loadDraft(store)
    setEditorText(store, 'SELECT 1;')
    // Offered however soon after the last key.
    await account()
    const erase = await screen.findByRole('menuitem', { name: 'Log out and erase drafts…' })
    await act(async () => fireEvent.click(erase))
    const question = await screen.findByRole('dialog', { name: 'Log out and erase your drafts?' })
    expect(question.textContent).toContain('This browser erases the text of the SQL editor')
    await expect.poll(() => JSON.stringify([...driver.values])).toContain('SELECT 1;')
    const confirm = within(question).getByRole('button', { name: 'Log out and erase' })
    await act(async () => fireEvent.click(confirm))
    await screen.findByText('You are logged out. Your drafts were erased.')
    await expect.poll(() => JSON.stringify([...driver.values])).not.toContain('SELECT 1;')
  })

  test('a lost session covers the intact shell, which comes back as it was', async () => {
    const identities = await openPage()
    await logIn()
    const navigation = screen.getByRole('navigation', { name: 'Main' })
    server.restart()
    await act(async () => identities.present().store.set(sessionLossAtom, 'ended'))
    expect(await screen.findByText(/your work is kept/)).toBeTruthy()
    expect(navigation.isConnected).toBe(true)
    expect(navigation.closest('[inert]')).not.toBeNull()
    await logIn()
    expect(screen.getByRole('navigation', { name: 'Main' })).toBe(navigation)
    expect(navigation.closest('[inert]')).toBeNull()
  })

  test('the server’s warning shows after three seconds and stays away for an hour once closed', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    await openPage()
    await logIn()
    expect(screen.queryByText(/please change it/i)).toBeNull()
    await act(() => vi.advanceTimersByTimeAsync(3_000))
    expect(screen.getByText(/please change it/i)).toBeTruthy()
    await act(async () =>
      fireEvent.click(screen.getByRole('button', { name: 'Close the warning' })),
    )
    expect(screen.queryByText(/please change it/i)).toBeNull()
    expect(document.cookie).toContain(`${bannerCookie}=closed`)
    // The warning is still there: it comes back when the hour is over.
    await kept(({ view }) => view.banner.show).toBe(true)
    await act(() => vi.advanceTimersByTimeAsync(120_000))
    expect(screen.queryByText(/please change it/i)).toBeNull()
    // biome-ignore lint/suspicious/noDocumentCookie: as the browser does when its time is over.
    document.cookie = `${bannerCookie}=; max-age=0; path=/`
    await act(() => vi.advanceTimersByTimeAsync(61_000))
    expect(screen.getByText(/please change it/i)).toBeTruthy()
  })
})
