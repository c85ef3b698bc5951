import { act, fireEvent, render, screen } from '@testing-library/react'
import { createStore, Provider } from 'jotai'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '~/api/errors'
import { readHealth } from '~/api/server'
import { LoginForm } from '~/app/splash/LoginCard'
import { Splash } from '~/app/splash/Splash'
import { clientAtom } from '~/core/session/client'
import { loginNoticeAtom, phaseAtom, sessionAtom, sessionLossAtom } from '~/core/session/session'
import { dropToken } from '~/core/session/session-end'
import { enterFailureAtom, restoreSession } from '~/core/session/session-start'
import { readStored, storedAtom } from '~/core/storage/stored'
import { type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import { openTab, signIn, type Tab } from '../../support/store'

const user = () => screen.getByLabelText<HTMLInputElement>('User')
const password = () => screen.getByLabelText<HTMLInputElement>('Password')
const button = () => screen.getByRole('button', { name: 'Log in' })
const required = () => screen.queryAllByText('This field is required')

function type(field: HTMLInputElement, value: string) {
  fireEvent.change(field, { target: { value } })
}

const passing = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

describe('the form', () => {
  function show(props: Partial<Parameters<typeof LoginForm>[0]> = {}) {
    const onSubmit = vi.fn()
    const all = { firstUser: '', isStoredFirst: true, isBusy: false, failure: null, onSubmit }
    const view = render(<LoginForm {...all} {...props} />)
    const again = (more: typeof props) => view.rerender(<LoginForm {...all} {...more} />)
    return { onSubmit, again, ...view }
  }

  test('has the fields a password manager knows, and the focus in the first empty one', () => {
    show()
    expect(user().autocomplete).toBe('username')
    expect(password().autocomplete).toBe('current-password')
    expect(password().type).toBe('password')
    expect(document.activeElement).toBe(user())
    expect(screen.getByRole('checkbox', { name: /Stay signed in/ })).toHaveProperty('checked', true)
  })

  test('with a known user the focus is in the password', () => {
    show({ firstUser: 'immudb' })
    expect(user().value).toBe('immudb')
    expect(document.activeElement).toBe(password())
  })

  test('says that a field is required 300 ms after the last input, not before', async () => {
    show()
    type(user(), 'x')
    await passing(200)
    type(user(), '')
    await passing(299)
    expect(required()).toHaveLength(0)
    await passing(1)
    expect(required()).toHaveLength(1)
    expect(user().getAttribute('aria-invalid')).toBe('true')
    expect(user().getAttribute('aria-describedby')).toBe(required()[0]?.id)
  })

  test('checks 300 ms after leaving a field, and forgets the error when it is entered', async () => {
    show()
    fireEvent.blur(user())
    await passing(300)
    expect(required()).toHaveLength(1)
    fireEvent.focus(user())
    expect(required()).toHaveLength(0)
  })

  test('a field that is right again loses its error', async () => {
    show()
    fireEvent.blur(user())
    await passing(300)
    type(user(), 'immudb')
    await passing(300)
    expect(required()).toHaveLength(0)
  })

  test('sends nothing before both are there', () => {
    const { onSubmit } = show()
    fireEvent.submit(button())
    expect(onSubmit).not.toHaveBeenCalled()
    type(user(), 'immudb')
    fireEvent.submit(button())
    expect(onSubmit).not.toHaveBeenCalled()
    expect(document.activeElement).toBe(password())
    type(password(), ' pass word ')
    fireEvent.submit(button())
    expect(onSubmit.mock.calls).toEqual([['immudb', ' pass word ', true]])
  })

  test('tells that the password is typed, not that it was filled in or sent', () => {
    const onTyping = vi.fn()
    show({ firstUser: 'immudb', onTyping })
    fireEvent.keyDown(user(), { key: 'i' })
    type(password(), 'filled in by a manager')
    fireEvent.keyDown(password(), { key: 'Tab' })
    fireEvent.keyDown(password(), { key: 'Enter' })
    expect(onTyping).not.toHaveBeenCalled()
    fireEvent.keyDown(password(), { key: 'p' })
    expect(onTyping).toHaveBeenCalledOnce()
  })

  test('sends once: not while it is busy', () => {
    const { onSubmit, again } = show({ firstUser: 'immudb' })
    type(password(), 'x')
    again({ isBusy: true })
    fireEvent.submit(button())
    fireEvent.click(button())
    expect(onSubmit).not.toHaveBeenCalled()
    expect(button().getAttribute('aria-busy')).toBe('true')
  })

  test('shows and hides the password, and says why a login failed', () => {
    show({ failure: 'Invalid user name or password.' })
    fireEvent.click(screen.getByRole('button', { name: 'Show password' }))
    expect(password().type).toBe('text')
    fireEvent.click(screen.getByRole('button', { name: 'Hide password' }))
    expect(password().type).toBe('password')
    expect(screen.getByRole('alert').textContent).toBe('Invalid user name or password.')
  })

  test('a wrong password brings one error, also when the emptied field is left', async () => {
    const { onSubmit, again } = show({ firstUser: 'immudb' })
    type(password(), 'wrong')
    fireEvent.blur(password())
    fireEvent.submit(button())
    expect(onSubmit).toHaveBeenCalledTimes(1)
    again({ firstUser: 'immudb', failure: 'Invalid user name or password.' })
    await passing(300)
    fireEvent.focus(password())
    fireEvent.blur(password())
    await passing(300)
    expect(required()).toHaveLength(0)
    expect(screen.getByRole('alert').textContent).toBe('Invalid user name or password.')
    fireEvent.submit(button())
    expect(required()).toHaveLength(1)
    expect(screen.queryByRole('alert')).toBeNull()
    type(password(), 'next')
    await passing(300)
    expect(required()).toHaveLength(0)
  })

  test('A16 while it must wait nothing is sent, and the button stays in reach and says why', () => {
    const { onSubmit } = show({ firstUser: 'immudb', pause: 4_000, failure: 'Wrong.' })
    type(password(), 'x')
    fireEvent.submit(button())
    fireEvent.click(button())
    expect(onSubmit).not.toHaveBeenCalled()
    expect(button().hasAttribute('disabled')).toBe(false)
    expect(button().getAttribute('aria-disabled')).toBe('true')
    expect(screen.getByRole('alert').textContent).toBe('Wrong. Wait 4 s before the next try.')
  })

  test('A18 says that Caps Lock is on, while it is', () => {
    show()
    const press = (isOn: boolean) =>
      fireEvent.keyUp(password(), { key: 'A', modifierCapsLock: isOn })
    expect(screen.queryByText('Caps Lock is on.')).toBeNull()
    vi.spyOn(KeyboardEvent.prototype, 'getModifierState').mockReturnValue(true)
    press(true)
    expect(password().getAttribute('aria-describedby')).toBe(
      screen.getByText('Caps Lock is on.').id,
    )
    vi.spyOn(KeyboardEvent.prototype, 'getModifierState').mockReturnValue(false)
    press(false)
    expect(screen.queryByText('Caps Lock is on.')).toBeNull()
  })

  test('A18 nothing hinders pasting or a password manager', () => {
    show()
    for (const field of [user(), password()]) {
      expect(field.getAttribute('onpaste')).toBeNull()
      expect(fireEvent.paste(field)).toBe(true)
      expect(field.readOnly).toBe(false)
      expect(field.hasAttribute('maxlength')).toBe(false)
      // A value in the markup could be read by whatever reads the page.
      type(field, 'secret')
      expect(field.closest('form')).not.toBeNull()
    }
    expect(user().getAttribute('autocapitalize')).toBe('none')
    expect(user().getAttribute('spellcheck')).toBe('false')
  })

  test('leaves no timer behind when it closes', async () => {
    const { unmount } = show()
    type(user(), '')
    fireEvent.blur(password())
    unmount()
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('the splash', () => {
  let server: FakeImmudb
  let tab: Tab

  function show() {
    server = fakeImmudb({ users: { bob: { password: 'b', permissions: { defaultdb: 2 } } } })
    tab = openTab(server)
    return render(
      <Provider store={tab.store}>
        <Splash />
      </Provider>,
    )
  }

  async function submit(name: string, secret: string) {
    type(user(), name)
    type(password(), secret)
    fireEvent.submit(button())
    await passing(10)
  }

  test('is a dialog over everything with a spinner while storage is read', async () => {
    show()
    expect(screen.getByRole('dialog', { name: 'immudb webconsole' })).toBeTruthy()
    expect(screen.getByLabelText('loading')).toBeTruthy()
    expect(screen.queryByText('Waiting for the server…')).toBeNull()
    await passing(1_200)
    expect(screen.getByText('Waiting for the server…')).toBeTruthy()
  })

  test('a good login leads to a ready console and stores the token', async () => {
    show()
    await act(() => restoreSession(tab.store, null))
    expect(screen.getByText('Log in to continue')).toBeTruthy()
    await submit('immudb', 'immudb')
    expect(tab.store.get(phaseAtom)).toBe('ready')
    expect(readStored(tab.driver.values.get('webconsole')).auth.token).not.toBeNull()
  })

  test('a failed one says so in the form, keeps the user and can be repeated', async () => {
    show()
    await act(() => restoreSession(tab.store, null))
    await submit('immudb', 'nope')
    expect(screen.getByRole('alert').textContent).toBe('Invalid user name or password.')
    expect(user().value).toBe('immudb')
    expect(button().getAttribute('aria-busy')).toBeNull()
    await submit('immudb', 'immudb')
    expect(tab.store.get(phaseAtom)).toBe('ready')
  })

  test('A16 after the third wrong password it waits, longer each time, and then goes on', async () => {
    show()
    await act(() => restoreSession(tab.store, null))
    const wrongs = () => server.log().filter((line) => line === 'POST /login').length
    for (let times = 1; times <= 3; times += 1) {
      await submit('immudb', 'nope')
      expect(wrongs()).toBe(times)
    }
    expect(screen.getByRole('alert').textContent).toContain('Wait 1 s before the next try.')
    await submit('immudb', 'nope')
    expect(wrongs()).toBe(3)
    await passing(1_000)
    expect(button().getAttribute('aria-disabled')).toBeNull()
    await submit('immudb', 'nope')
    expect(wrongs()).toBe(4)
    expect(screen.getByRole('alert').textContent).toContain('Wait 2 s before the next try.')
    await passing(2_000)
    await submit('immudb', 'immudb')
    expect(tab.store.get(phaseAtom)).toBe('ready')
  })

  test('unchecked, “Stay signed in” stores nothing', async () => {
    show()
    await act(() => restoreSession(tab.store, null))
    fireEvent.click(screen.getByRole('checkbox', { name: /Stay signed in/ }))
    await submit('immudb', 'immudb')
    expect(tab.store.get(sessionAtom)?.isStored).toBe(false)
    expect(readStored(tab.driver.values.get('webconsole')).auth.token).toBeNull()
  })

  test('an ended session asks for the same user, and says that the work is kept', async () => {
    show()
    await signIn(tab)
    await act(async () => tab.store.set(sessionLossAtom, 'ended'))
    expect(
      screen.getByText('Your session has ended. Log in again: your work is kept.'),
    ).toBeTruthy()
    expect(user().value).toBe('immudb')
    expect(document.activeElement).toBe(password())
  })

  test('F49 another server is told of before a password is typed', async () => {
    show()
    await signIn(tab)
    server.becomeAnother('two')
    await act(async () => void (await readHealth(tab.store.get(clientAtom))))
    expect(screen.getByRole('alert').textContent).toMatch(
      /^Another server answers at this address now: .* only if you expect that\. Your work is kept\.$/,
    )
    expect(screen.queryByText(/Your session has ended/)).toBeNull()
    await submit('immudb', 'immudb')
    expect(tab.store.get(sessionLossAtom)).toBeNull()
  })

  test('F49 another server behind the form gets the password only when it is typed again', async () => {
    show()
    await signIn(tab)
    await act(() => dropToken(tab.store, { text: 'Log in to continue.' }))
    server.clear()
    server.becomeAnother('two')
    await submit('immudb', 'immudb')
    expect(server.log()).toEqual(['GET /health'])
    expect(screen.getByRole('alert').textContent).toMatch(/^Another server answers at this address/)
    expect(user().value).toBe('immudb')
    expect(password().value).toBe('')
    await submit('immudb', 'immudb')
    expect(server.log()).toContain('POST /login')
    expect(tab.store.get(phaseAtom)).toBe('ready')
  })

  test('a key of the password asks which server answers, and nothing before it', async () => {
    show()
    await act(async () => tab.store.set(phaseAtom, 'signed-out'))
    fireEvent.keyDown(user(), { key: 'i' })
    type(user(), 'immudb')
    await passing(1_000)
    expect(server.log()).toEqual([])
    fireEvent.keyDown(password(), { key: 'p' })
    await passing(10)
    expect(server.log()).toEqual(['GET /health'])
    await submit('immudb', 'immudb')
    expect(server.log().slice(0, 2)).toEqual(['GET /health', 'POST /login'])
    expect(tab.store.get(phaseAtom)).toBe('ready')
  })

  test('a notice says why the form is there, and the last user is filled in', async () => {
    show()
    tab.store.set(storedAtom, (of) => ({ ...of, auth: { ...of.auth, user: 'bob' } }))
    tab.store.set(loginNoticeAtom, { text: 'You were logged out in another tab.' })
    await act(async () => tab.store.set(phaseAtom, 'signed-out'))
    expect(screen.getByText('You were logged out in another tab.')).toBeTruthy()
    expect(user().value).toBe('bob')
  })

  test('each time it opens the form is empty and without errors', async () => {
    show()
    await act(async () => tab.store.set(phaseAtom, 'signed-out'))
    type(password(), 'secret')
    fireEvent.submit(button())
    expect(required()).not.toHaveLength(0)
    await act(async () => tab.store.set(phaseAtom, 'entering'))
    await act(async () => tab.store.set(phaseAtom, 'signed-out'))
    expect([user().value, password().value]).toEqual(['', ''])
    expect(required()).toHaveLength(0)
  })

  test('an unreachable server is tried again every four seconds and on demand', async () => {
    show()
    await signIn(tab)
    server.clear()
    const failure = new ApiError({ kind: 'network', text: 'x' })
    await act(async () => {
      tab.store.set(enterFailureAtom, failure)
      tab.store.set(phaseAtom, 'unreachable')
    })
    expect(screen.getByRole('alert').textContent).toContain('The immudb server cannot be reached.')
    server.unplug()
    await passing(3_999)
    expect(server.calls).toHaveLength(0)
    await passing(1)
    expect(server.log()[0]).toBe('GET /health')
    await passing(1_000)
    server.plug()
    fireEvent.click(screen.getByRole('button', { name: 'Try now' }))
    await passing(10)
    expect(tab.store.get(phaseAtom)).toBe('ready')
  })

  test('a server that refuses every database says why, and one can log in again', async () => {
    show()
    await signIn(tab)
    const failure = new ApiError({ kind: 'refused', text: 'not with this login', status: 500 })
    await act(async () => {
      tab.store.set(enterFailureAtom, failure)
      tab.store.set(phaseAtom, 'unreachable')
    })
    expect(screen.getByRole('alert').textContent).toContain('Not with this login.')
    fireEvent.click(screen.getByRole('button', { name: 'Log in again' }))
    await passing(10)
    expect(screen.getByRole('button', { name: 'Log in' })).toBeTruthy()
  })
})

test('a store that was never connected says so instead of sending anything', async () => {
  const store = createStore()
  await restoreSession(store, null)
  expect(store.get(phaseAtom)).toBe('signed-out')
  const { clientAtom } = await import('~/core/session/client')
  expect(() => store.get(clientAtom)).toThrow('not connected')
})
