import { act, fireEvent, render, screen } from '@testing-library/react'
import { Provider } from 'jotai'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '~/api/errors'
import { Splash } from '~/app/splash/Splash'
import { phaseAtom } from '~/core/session/session'
import { enterFailureAtom, restoreSession } from '~/core/session/session-start'
import { fakeImmudb } from '../../support/fake-immudb'
import { openTab, type Tab } from '../../support/store'

let tab: Tab

beforeEach(() => {
  vi.useFakeTimers()
  tab = openTab(fakeImmudb())
})

afterEach(() => {})

const show = () =>
  render(
    <Provider store={tab.store}>
      <Splash />
    </Provider>,
  )

const passing = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const isLate = () => screen.queryByText('Waiting for the server…') !== null

describe('the splash', () => {
  test('lasts 1.2 s before it says that the server is waited for', async () => {
    show()
    await passing(1_199)
    expect(isLate()).toBe(false)
    await passing(1)
    expect(isLate()).toBe(true)
  })

  test('has the product’s mark 32 px high, the provider’s 64 px, and a spinner of 96 px', () => {
    const { container } = show()
    expect(screen.getByRole('img', { name: 'webconsole' }).getAttribute('height')).toBe('32')
    const spinner = screen.getByRole('progressbar', { name: 'loading' }).querySelector('svg')
    expect([spinner?.getAttribute('width'), spinner?.getAttribute('height')]).toEqual(['96', '96'])
    const last = [...container.querySelectorAll('svg')].at(-1)
    expect(last?.getAttribute('height')).toBe('64')
  })

  test('is not closed by a key or a press beside it', async () => {
    show()
    await act(() => restoreSession(tab.store, null))
    const dialog = screen.getByRole('dialog', { name: 'immudb webconsole' })
    fireEvent.keyDown(dialog, { key: 'Escape' })
    fireEvent.pointerDown(dialog)
    fireEvent.click(dialog)
    await passing(10_000)
    expect(dialog.isConnected).toBe(true)
    expect(dialog.getAttribute('aria-modal')).toBe('true')
    expect(tab.store.get(phaseAtom)).toBe('signed-out')
  })

  test('a start that fails takes the spinner away and says why, once', async () => {
    show()
    expect(screen.queryByRole('progressbar', { name: 'loading' })).not.toBeNull()
    await act(async () => {
      tab.store.set(
        enterFailureAtom,
        new ApiError({ kind: 'refused', text: 'no room', status: 500 }),
      )
      tab.store.set(phaseAtom, 'unreachable')
    })
    expect(screen.queryByRole('progressbar')).toBeNull()
    expect(screen.getByRole('alert').textContent).toContain('No room.')
    expect(screen.getAllByText(/No room/)).toHaveLength(1)
  })

  test('without a token has a card with a subtitle, both fields and the button', async () => {
    show()
    await act(() => restoreSession(tab.store, null))
    expect(screen.getByText('Log in to continue')).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByLabelText('User'))
    expect(screen.getByLabelText('Password').getAttribute('type')).toBe('password')
    fireEvent.click(screen.getByRole('button', { name: 'Show password' }))
    expect(screen.getByLabelText('Password').getAttribute('type')).toBe('text')
    expect(screen.getByRole('button', { name: 'Log in' }).getAttribute('type')).toBe('submit')
    expect(screen.queryByRole('progressbar')).toBeNull()
  })
})
