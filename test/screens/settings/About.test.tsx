import { act, render, screen } from '@testing-library/react'
import { Provider } from 'jotai'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { giveConsent } from '~/atoms/settings/consent'
import { nothingMoreConsented } from '~/lib/cookies'
import { Stars } from '~/screens/settings/About'
import { fakeImmudb } from '../../support/fake-immudb'
import { openTab, type Tab } from '../../support/store'

vi.mock('~/lib/build', async (original) => ({
  ...(await original<typeof import('~/lib/build')>()),
  options: {
    dockerTokenUrl: '',
    recordingScript: '',
    analyticsScript: '',
    starsUrl: 'https://api.example/repos/a/b',
  },
}))

let tab: Tab
let asked: string[]

beforeEach(() => {
  const server = fakeImmudb()
  asked = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    if (!String(input).startsWith('https://api.example')) return server.fetch(input, init)
    asked.push(String(input))
    return new Response('{"stargazers_count":8901}')
  }
  tab = openTab({ ...server, fetch })
  giveConsent(tab.store, nothingMoreConsented)
})

const show = () =>
  act(async () => {
    render(
      <Provider store={tab.store}>
        <Stars />
      </Provider>,
    )
  })

describe('content of another site', () => {
  test('is not asked for without functional cookies; a notice stands in its place', async () => {
    await show()
    const notice = 'To see this embedded content, enable functional cookies.'
    expect(await screen.findByText(notice)).toBeTruthy()
    expect(asked).toEqual([])
  })

  test('is there once functional cookies are allowed', async () => {
    giveConsent(tab.store, new Set(['necessary', 'functional']))
    await show()
    expect(await screen.findByText(/8,901 stars/)).toBeTruthy()
    expect(asked).toEqual(['https://api.example/repos/a/b'])
  })
})
