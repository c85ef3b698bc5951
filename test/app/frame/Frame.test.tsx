import { act, render, screen, within } from '@testing-library/react'
import { Provider } from 'jotai'
import { beforeEach, describe, expect, test } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { Busy, Footer } from '~/app/frame/Frame'
import { Breadcrumbs } from '~/app/frame/TopBar'
import { popLoading, pushLoading } from '~/core/session/calls-under-way'
import { changeSettings } from '~/core/settings'
import { pages } from '~/lib/paths'
import { fakeImmudb } from '../../support/fake-immudb'
import { reportVersion } from '../../support/server-version'
import { openTab, signIn, type Tab } from '../../support/store'

let tab: Tab

beforeEach(async () => {
  tab = openTab(fakeImmudb())
  await signIn(tab)
})

const places: readonly (readonly [path: string, title: string])[] = [
  ...pages.map(({ path, title }) => [path, title] as const),
  ['/nowhere', 'found'],
]

describe('the breadcrumbs', () => {
  test.each(places)('of %s lead home and end at the page', (path, title) => {
    const { hook } = memoryLocation({ path })
    render(
      <Router hook={hook}>
        <Breadcrumbs />
      </Router>,
    )
    const crumbs = screen.getByRole('navigation', { name: 'Breadcrumbs' })
    const home = within(crumbs).getByRole('link', { name: 'Home' })
    expect(home.getAttribute('href')).toBe('/')
    const last = crumbs.querySelector('li[aria-current="page"]')
    expect(last?.textContent).toContain(title)
  })
})

describe('the loading indicator', () => {
  test('is there while anything is under way', () => {
    render(
      <Provider store={tab.store}>
        <Busy />
      </Provider>,
    )
    const bar = () => screen.queryByRole('progressbar', { name: 'Waiting for the server' })
    expect(bar()).toBeNull()
    const [one, other] = [
      { text: 'GET /health', isWrite: false },
      { text: 'GET /db/table', isWrite: false },
    ]
    act(() => {
      pushLoading(tab.store, one)
      pushLoading(tab.store, other)
    })
    expect(bar()).not.toBeNull()
    act(() => popLoading(tab.store, other))
    expect(bar()).not.toBeNull()
    act(() => popLoading(tab.store, one))
    expect(bar()).toBeNull()
  })
})

describe('the footer', () => {
  test('has product, versions, licence and the number of calls', () => {
    render(
      <Provider store={tab.store}>
        <Footer />
      </Provider>,
    )
    const footer = screen.getByRole('contentinfo')
    expect(footer.textContent).toMatch(/immudb.*webconsole test.*Apache-2\.0.*\d+ calls.*Connected/)
  })

  test.each([
    ['-', /^immudb, used like 1\.11\.1webconsole/],
    ['1.12.0', /^immudb 1\.12\.0, used like 1\.11\.1webconsole/],
    ['1.11.1', /^immudb 1\.11\.1webconsole/],
  ])('says what a server of version %s is used like', (version, words) => {
    reportVersion(tab.store, version)
    render(
      <Provider store={tab.store}>
        <Footer />
      </Provider>,
    )
    expect(screen.getByRole('contentinfo').textContent).toMatch(words)
  })

  test('does not say connected where nothing asks', async () => {
    await changeSettings(tab.store, { poll: 0 })
    render(
      <Provider store={tab.store}>
        <Footer />
      </Provider>,
    )
    const footer = screen.getByRole('contentinfo')
    expect(footer.textContent).toContain('Polling is off')
    expect(footer.textContent).not.toContain('onnected')
  })
})
