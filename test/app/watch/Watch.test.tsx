import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { Provider } from 'jotai'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readHealth } from '~/api/server'
import { Footer } from '~/app/frame/Frame'
import { Watch } from '~/app/watch/Watch'
import { isCookieBarOpenAtom } from '~/atoms/settings/consent'
import { refreshState, stateAtom } from '~/core/history/newest-state'
import { clientAtom } from '~/core/session/client'
import { clockOffsetAtom, phaseAtom, sessionAtom, sessionLossAtom } from '~/core/session/session'
import { changeSettings } from '~/core/settings'
import { type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import { openTab, signIn, type Tab } from '../../support/store'
import { tokenEnding } from '../../support/tokens'

const passing = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

describe('what is watched whatever the screen', () => {
  let server: FakeImmudb
  let tab: Tab
  let realToken = ''
  /** The clock of the server, if it names one. */
  let serverTime: (() => number) | null

  beforeEach(async () => {
    server = fakeImmudb()
    serverTime = null
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const answer = await server.fetch(input, withRealToken(init))
      if (serverTime) answer.headers.set('date', new Date(serverTime()).toUTCString())
      return answer
    }
    tab = openTab({ ...server, fetch })
    await signIn(tab)
    realToken = tab.store.get(sessionAtom)?.databaseTokens.get('defaultdb') ?? ''
  })

  /** The server in memory gives tokens without an end; ours stand for the one it gave. */
  function withRealToken(init: RequestInit = {}): RequestInit {
    const headers = new Headers(init.headers)
    const isOurs = headers.get('authorization')?.includes('v2.public.ey')
    if (isOurs) headers.set('authorization', `Bearer ${realToken}`)
    return { ...init, headers }
  }

  afterEach(() => {
    vi.restoreAllMocks()
  })

  const show = () =>
    act(async () => {
      render(
        <Provider store={tab.store}>
          <Watch />
        </Provider>,
      )
    })

  function endIn(ms: number) {
    const session = tab.store.get(sessionAtom)
    if (!session) throw new Error('not signed in')
    const databaseTokens = new Map([['defaultdb', tokenEnding(Date.now() + ms)]])
    tab.store.set(sessionAtom, { ...session, databaseTokens })
  }

  test('nothing to say is nothing shown', async () => {
    await show()
    expect(document.body.textContent).toBe('')
  })

  test('A17 30 minutes without use lock, a shorter limit or none is respected', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: false })
    await show()
    await passing(1_800_000 - 5_000)
    expect(tab.store.get(phaseAtom)).toBe('ready')
    await passing(5_000)
    expect(tab.store.get(phaseAtom)).toBe('signed-out')
    expect(tab.store.get(sessionAtom)).toBeNull()
  })

  test('A17 off is off', async () => {
    vi.useFakeTimers()
    await changeSettings(tab.store, { idle: 0 })
    await show()
    await passing(2_000_000)
    expect(tab.store.get(phaseAtom)).toBe('ready')
  })

  test('F29 warns ten minutes and one minute before the session ends', async () => {
    vi.useFakeTimers()
    endIn(660_000)
    await show()
    expect(screen.queryByText(/Your session ends/)).toBeNull()
    await passing(60_000)
    expect(screen.getByText(/ends in less than ten minutes/)).toBeTruthy()
    await passing(540_000)
    expect(screen.getByText(/ends in less than a minute/)).toBeTruthy()
    await passing(60_000)
    expect(screen.getByText(/has ended/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Stay signed in' })).toBeNull()
  })

  test.each([
    ['an hour', 3_600_000],
    ['two days', 2 * 86_400_000],
    ['ten years', 10 * 365 * 86_400_000],
  ])(
    'a clock that is set by %s while the page is open is no end of the session',
    async (_by, ms) => {
      vi.useFakeTimers()
      const start = Date.now() - performance.now()
      serverTime = () => start + performance.now()
      await readHealth(tab.store.get(clientAtom))
      endIn(900_000)
      await show()
      for (const jump of [ms, -2 * ms]) {
        vi.setSystemTime(Date.now() + jump)
        await passing(10_000)
        expect(screen.queryByText(/Your session (ends|has ended)/)).toBeNull()
        expect(tab.store.get(sessionLossAtom)).toBeNull()
        expect(tab.store.get(phaseAtom)).toBe('ready')
      }
      await passing(300_000)
      expect(screen.getByText(/ends in less than ten minutes/)).toBeTruthy()
    },
  )

  test('the warning goes away when the session was extended', async () => {
    endIn(30_000)
    await show()
    server.clear()
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Stay signed in' })))
    expect(server.log()).toEqual(['GET /db/use/defaultdb'])
    expect(screen.queryByText(/Your session ends/)).toBeNull()
  })

  test('F48 a clock that is a day off is said, and can be put aside', async () => {
    tab.store.set(clockOffsetAtom, -86_400_000)
    await show()
    expect(screen.getByText(/1 day ahead of the server’s/)).toBeTruthy()
    await act(async () =>
      fireEvent.click(screen.getByRole('button', { name: 'Close the notice about the clock' })),
    )
    expect(screen.queryByText(/the server’s/)).toBeNull()
  })

  test('F48 a clock that is a minute off is not worth a word', async () => {
    tab.store.set(clockOffsetAtom, 60_000)
    await show()
    expect(document.body.textContent).toBe('')
  })

  test('offline is said, and that a server on this computer may answer all the same', async () => {
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    await show()
    expect(await screen.findByText(/offline.*The server still answers/)).toBeTruthy()
    online.mockReturnValue(true)
    await act(async () => void window.dispatchEvent(new Event('online')))
    expect(screen.queryByText(/offline/)).toBeNull()
  })

  test('nobody says connected from the moment the network is gone until the server answers', async () => {
    render(
      <Provider store={tab.store}>
        <Watch />
        <Footer />
      </Provider>,
    )
    const footer = screen.getByRole('contentinfo')
    await waitFor(() => expect(tab.store.get(stateAtom).data).toBeDefined())
    expect(footer.textContent).toMatch(/[^t] ?Connected$/)
    server.unplug()
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    await act(async () => void window.dispatchEvent(new Event('offline')))
    expect(footer.textContent).toMatch(/Checking…$/)
    expect(screen.getByText(/offline. Checking whether the server still answers/)).toBeTruthy()
    server.plug()
    await act(async () => refreshState(tab.store))
    await waitFor(() => expect(footer.textContent).toMatch(/Connected$/))
    online.mockReturnValue(true)
    await act(async () => void window.dispatchEvent(new Event('online')))
  })

  test('F56 another build in another tab is told, and nothing is forced', async () => {
    await show()
    const channel = new BroadcastChannel('webconsole.activity')
    channel.postMessage({ kind: 'opened', build: '9.9.9 abc /assets/Watch-1.js' })
    expect(await screen.findByText(/There is a new version of the console/)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy()
    channel.close()
  })

  test('F56 a tab of the same build is no news', async () => {
    await show()
    await show()
    const channel = new BroadcastChannel('webconsole.activity')
    const other = new BroadcastChannel('webconsole.activity')
    const heard = new Promise((resolve) => other.addEventListener('message', resolve))
    channel.postMessage({ kind: 'used' })
    await act(() => heard)
    other.close()
    expect(screen.queryByText(/new version/)).toBeNull()
    channel.close()
  })

  test('the cookie bar is not there until it is asked for', async () => {
    await show()
    expect(screen.queryByRole('region', { name: 'Cookies' })).toBeNull()
    await act(async () => tab.store.set(isCookieBarOpenAtom, true))
    expect(await screen.findByRole('region', { name: 'Cookies' })).toBeTruthy()
  })
})
