import { act, fireEvent, render, screen } from '@testing-library/react'
import { Provider } from 'jotai'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { ApiError } from '~/api/errors'
import { Banner, Notices } from '~/app/frame/Notices'
import { bannerAtom } from '~/core/session/banner'
import { proxyAtom } from '~/core/session/session'
import { bannerOf, changeStoredPart, type StoredBanner } from '~/core/storage/stored'
import { fakeImmudb } from '../../support/fake-immudb'
import { reportVersion } from '../../support/server-version'
import { openTab, type Tab } from '../../support/store'

let tab: Tab
let lines: string[]

beforeEach(() => {
  vi.useFakeTimers()
  tab = openTab(fakeImmudb())
  lines = []
  vi.spyOn(document, 'cookie', 'set').mockImplementation((line) => lines.push(line))
})

/** Shows the banner three seconds after the page was opened. */
async function show(banner: Partial<StoredBanner>) {
  await changeStoredPart(tab.store, (of) => ({
    ...of,
    view: { ...of.view, banner: { ...bannerOf('be careful'), ...banner } },
  }))
  const { hook, searchHook, history } = memoryLocation({ path: '/', record: true })
  render(
    <Provider store={tab.store}>
      <Router hook={hook} searchHook={searchHook}>
        <Banner />
      </Router>
    </Provider>,
  )
  await passing(3_000)
  return history
}

const passing = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const bar = () => screen.queryByRole('complementary', { name: 'Warning of the server' })
const close = () => screen.queryByRole('button', { name: 'Close the warning' })

describe('the banner', () => {
  test('is there when its state says so, and not otherwise', async () => {
    await show({ show: false })
    expect(bar()).toBeNull()
    await act(() =>
      changeStoredPart(tab.store, (of) => ({
        ...of,
        view: { ...of.view, banner: bannerOf('be careful') },
      })),
    )
    expect(bar()?.textContent).toContain('Be careful.')
  })

  test('has a title, a subtitle, a colour and an icon', async () => {
    await show({ subtitle: 'it is late', color: 'error', icon: 'info' })
    expect(bar()?.textContent).toContain('Be careful. It is late.')
    expect(bar()?.querySelector('p')?.className).toContain('text-error')
    expect(bar()?.querySelector('.lucide-info')).not.toBeNull()
  })

  test('has no shield, which stands for proofs, even where its state names one', async () => {
    await show({ icon: 'shield' })
    expect(bar()?.querySelector('svg')?.getAttribute('class')).toContain('lucide-lock')
  })

  test('that is persistent cannot be closed, only be acted on', async () => {
    const history = await show({ persistent: true })
    expect(close()).toBeNull()
    fireEvent.click(screen.getByRole('link', { name: 'Change it now' }))
    expect(bar()).toBeNull()
    expect(history.at(-1)).toBe('/users?dialog=change-password&user=')
  })

  test('comes three seconds after the page was opened', async () => {
    await show({})
    expect(bar()).not.toBeNull()
    const { container } = render(
      <Provider store={tab.store}>
        <Router hook={memoryLocation({ path: '/' }).hook}>
          <Banner />
        </Router>
      </Provider>,
    )
    await passing(2_999)
    expect(container.textContent).toBe('')
    await passing(1)
    expect(container.textContent).toContain('Be careful.')
  })

  test('stays away while its cookie is there', async () => {
    vi.spyOn(document, 'cookie', 'get').mockReturnValue('a=b; webconsole_banner=closed')
    await show({})
    await passing(10_000)
    expect(bar()).toBeNull()
  })
})

describe('putting the banner aside', () => {
  test('closing sets a cookie of one hour', async () => {
    await show({})
    fireEvent.click(close() ?? document.body)
    expect(lines).toEqual(['webconsole_banner=closed; Max-Age=3600; Path=/; SameSite=Lax'])
    // Once the hour is over, it comes back.
    expect(tab.store.get(bannerAtom).show).toBe(true)
  })

  test('acting on it sets a cookie of seven days', async () => {
    await show({})
    fireEvent.click(screen.getByRole('link', { name: 'Change it now' }))
    expect(lines).toEqual(['webconsole_banner=submitted; Max-Age=604800; Path=/; SameSite=Lax'])
    expect(bar()).toBeNull()
  })
})

test('a proxy that wants its log-in: what is kept, where to log in, and a way to ask again', () => {
  const error = new ApiError({ kind: 'proxy', text: '', status: 401 })
  tab.store.set(proxyAtom, error)
  render(
    <Provider store={tab.store}>
      <Notices />
    </Provider>,
  )
  expect(screen.getByText(/wants you to log in at it again\. Your session here/)).toBeTruthy()
  const link = screen.getByRole('link', { name: 'Log in at the proxy, in a new tab' })
  expect([link.getAttribute('href'), link.getAttribute('rel')]).toEqual([
    location.href,
    'noopener noreferrer',
  ])
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
  act(() => tab.store.set(proxyAtom, null))
  expect(screen.queryByRole('link', { name: /Log in at the proxy/ })).toBeNull()
})

describe('a server that is older than tested', () => {
  const note = () => screen.queryByText(/is older than this console is tested with\./)
  const showFor = (version: string) => {
    reportVersion(tab.store, version)
    const { hook, searchHook } = memoryLocation({ path: '/keys' })
    render(
      <Provider store={tab.store}>
        <Router hook={hook} searchHook={searchHook}>
          <Notices />
        </Router>
      </Provider>,
    )
  }

  test('is named once, with the way to what it lacks', () => {
    showFor('1.3.2')
    expect(note()?.textContent).toContain('immudb 1.3.2 is older than this console is tested with.')
    expect(screen.getByRole('link', { name: 'See what' }).getAttribute('href')).toBe(
      '/settings#about',
    )
    fireEvent.click(screen.getByRole('button', { name: 'Close the note on the version' }))
    expect(note()).toBeNull()
  })

  test('is shown by the beginning of what it reports, however long that is', () => {
    showFor(`1.3.2 ${'x'.repeat(64_000)}`)
    expect(note()?.textContent?.length).toBeLessThan(200)
  })

  test.each(['1.9.5', '1.10.0', '1.11.1', '1.12.0', '-'])('is not %s', (version) => {
    showFor(version)
    expect(note()).toBeNull()
  })
})
