import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LoginForm } from '~/app/splash/LoginCard'
import type { Store } from '~/core/session/client'
import { fakeImmudb } from '../support/fake-immudb'
import { fakeDriver } from '../support/store'

/** The page from freshly loaded modules, with someone signed in. */
async function openPage() {
  const [{ startIdentities }, { Root }, { logIn }, { phaseAtom }] = await Promise.all([
    import('~/app/identity'),
    import('~/app/App'),
    import('~/core/session/login'),
    import('~/core/session/session'),
  ])
  const identities = startIdentities('/api', async () => fakeDriver())
  const store = () => identities.present().store
  await vi.waitFor(() => expect(store().get(phaseAtom)).toBe('signed-out'))
  render(<Root identities={identities} mount="" />)
  const signIn = () =>
    act(() => logIn(store(), { user: 'immudb', password: 'immudb', isStored: true }))
  await signIn()
  return { store, signIn }
}

beforeEach(() => {
  vi.resetModules()
  vi.stubGlobal('fetch', fakeImmudb().fetch)
  vi.spyOn(console, 'error').mockImplementation(() => {})
})

afterEach(() => {
  vi.doUnmock('~/app/Console')
  sessionStorage.clear()
  window.history.replaceState(null, '', '/')
})

test('the field that gets the focus after a failed submit still says what is missing', () => {
  const nothing = () => {}
  render(<LoginForm failure={null} firstUser="" isBusy={false} isStoredFirst onSubmit={nothing} />)
  fireEvent.change(screen.getByLabelText('User'), { target: { value: 'immudb' } })
  fireEvent.submit(screen.getByRole('button', { name: 'Log in' }))
  expect(document.activeElement).toBe(screen.getByLabelText('Password'))
  expect(screen.queryAllByText('This field is required')).toHaveLength(1)
})

test('a console that cannot be fetched is said in sight, not under the splash (F52)', async () => {
  // The one reload of this minute has been used up.
  sessionStorage.setItem('webconsole.reloaded', String(Date.now()))
  vi.doMock('~/app/Console', () => {
    throw new Error('gone')
  })
  await openPage()
  const said = await screen.findByRole('heading', { name: 'The console could not be shown.' })
  expect(said.closest('[inert]')).toBeNull()
  expect(screen.queryByLabelText('loading')).toBeNull()
})

test('a log-out in another tab takes the messages of the user away', async () => {
  const { store, signIn } = await openPage()
  const [{ followLogout }, { showToast }] = await Promise.all([
    import('~/core/session/session-end'),
    import('~/ui/toast'),
  ])
  await screen.findByRole('navigation', { name: 'Main' })
  await act(async () => void showToast({ kind: 'error', text: 'secret was not opened' }))
  expect(screen.getByText('secret was not opened')).toBeTruthy()
  await act(async () => leave(store(), followLogout))
  await signIn()
  await screen.findByRole('navigation', { name: 'Main' })
  expect(screen.queryByText('secret was not opened')).toBeNull()
})

test('the account menu locks the console over the intact page, and changes the own password', async () => {
  const { store, signIn } = await openPage()
  const { sessionAtom } = await import('~/core/session/session')
  const choose = async (name: string) => {
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Account' })))
    await act(async () => fireEvent.click(screen.getByRole('menuitem', { name })))
  }
  const navigation = await screen.findByRole('navigation', { name: 'Main' })
  await choose('Lock now')
  expect(
    await screen.findByText(/^Locked\..*Your work is kept: log in again to continue\.$/),
  ).toBeTruthy()
  expect(navigation.isConnected).toBe(true)
  expect(navigation.closest('[inert]')).not.toBeNull()
  expect(store().get(sessionAtom)?.token).toBe('')
  await signIn()
  expect(screen.queryByText(/^Locked/)).toBeNull()
  expect(navigation.closest('[inert]')).toBeNull()
  await choose('Change password')
  expect(window.location.pathname + window.location.search).toMatch(
    /^\/users\?dialog=change-password&user=immudb\b/,
  )
})

test('while the answer to a write is awaited the page is not left or reloaded unasked', async () => {
  const { store } = await openPage()
  const [{ pushLoading, popLoading }, { loadOrReload }] = await Promise.all([
    import('~/core/session/calls-under-way'),
    import('~/ui/lazy-with-retry'),
  ])
  await screen.findByRole('navigation', { name: 'Main' })
  const asks = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  const reload = vi.fn()
  const load = () => loadOrReload(() => Promise.reject(new Error('gone')), { reload })
  expect(asks()).toBe(false)
  const label = { text: 'POST /db/sqlexec', isWrite: true }
  pushLoading(store(), label)
  expect(asks()).toBe(true)
  await expect(load()).rejects.toThrow('gone')
  expect(reload).not.toHaveBeenCalled()
  popLoading(store(), label)
  expect(asks()).toBe(false)
  const { setOutput } = await import('~/atoms/query/output')
  const { outputEntry } = await import('../support/output-entry')
  setOutput(store(), [outputEntry({ tx: '7' })])
  await expect(load()).rejects.toThrow('gone')
  expect(reload).not.toHaveBeenCalled()
  setOutput(store(), [outputEntry({ tx: null })])
  void load()
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
})

function leave(
  store: Store,
  followLogout: typeof import('~/core/session/session-end').followLogout,
) {
  followLogout(store, {
    kind: 'logout',
    user: 'immudb',
    at: Date.now() + 1,
    drafts: 'keep',
  })
}
