import { act, render } from '@testing-library/react'
import { Provider } from 'jotai'
import { beforeEach, describe, expect, type Mock, test, vi } from 'vitest'
import Console from '~/app/Console'
import { NewBuild } from '~/app/watch/Watch'
import { changeDraft, draftNewKey, dropDraft } from '~/atoms/keys/edit-draft'
import { draftsAtRiskAtom } from '~/core/draft-slots'
import { databaseAtom } from '~/core/session/session'
import { openUploadsAtom } from '~/core/upload-records'
import { loadOrReload } from '~/ui/lazy-with-retry'
import { fakeImmudb } from '../support/fake-immudb'
import { beforeAnswer } from '../support/goes-away'
import { fakeDriver, openTab, signIn, type Tab } from '../support/store'

vi.mock('~/app/frame/Frame', () => ({ Frame: () => null }))

const gone = () => Promise.reject(new Error('Failed to fetch dynamically imported module'))

let tab: Tab
/** What is waited for before it is told that the server is there. */
let health: Mock<() => Promise<void>>

beforeEach(async () => {
  sessionStorage.clear()
  health = vi.fn(async () => {})
  tab = openTab(
    beforeAnswer(fakeImmudb(), '/health', () => health()),
    { ...fakeDriver(), setItem: () => Promise.reject(new Error('full')) },
  )
  await signIn(tab)
})

const show = (what: 'console' | 'new build') =>
  act(async () => {
    render(
      <Provider store={tab.store}>
        {what === 'console' ? <Console mount="" onReady={() => {}} /> : <NewBuild />}
      </Provider>,
    )
  })

/** A value typed in one database, while another one is open. */
const typeElsewhere = () =>
  act(async () => {
    draftNewKey(tab.store)
    changeDraft(tab.store, { text: 'typed' })
    tab.store.set(databaseAtom, 'other')
    await vi.waitFor(() => expect(tab.store.get(draftsAtRiskAtom)).toContain('keys'))
  })

const discard = () =>
  act(async () => {
    tab.store.set(databaseAtom, 'defaultdb')
    dropDraft(tab.store)
  })

function isAsked() {
  const event = new Event('beforeunload', { cancelable: true })
  window.dispatchEvent(event)
  return event.defaultPrevented
}

describe('a key value that is typed and stored nowhere', () => {
  test('makes the browser ask before the page is left', async () => {
    await show('console')
    expect(isAsked()).toBe(false)
    await typeElsewhere()
    expect(isAsked()).toBe(true)
    await discard()
    expect(isAsked()).toBe(false)
  })

  test('holds back the reload after a part of the build is gone', async () => {
    await show('console')
    await typeElsewhere()
    const page = { reload: vi.fn() }
    await expect(loadOrReload(gone, page)).rejects.toThrow('Failed to fetch')
    expect(page.reload).not.toHaveBeenCalled()
    await discard()
    void loadOrReload(gone, page)
    await vi.waitFor(() => expect(page.reload).toHaveBeenCalledTimes(1))
  })

  test('holds it back as well when it is typed while the server is asked whether it is there', async () => {
    await show('console')
    const page = { reload: vi.fn() }
    let answer = () => {}
    health = vi.fn(
      () =>
        new Promise((resolve) => {
          answer = resolve
        }),
    )
    const reloading = expect(loadOrReload(gone, page)).rejects.toThrow('Failed to fetch')
    await vi.waitFor(() => expect(health).toHaveBeenCalled())
    await typeElsewhere()
    answer()
    await reloading
    expect(page.reload).not.toHaveBeenCalled()
    await discard()
  })

  test('is said where a new version asks for a reload', async () => {
    await show('new build')
    const reload = () => document.querySelector('button')
    expect(reload()?.getAttribute('title')).toBeNull()
    await typeElsewhere()
    expect(reload()?.getAttribute('title')).toBe(
      'A value typed on the screen Keys could not be stored; save or discard it first.',
    )
  })
})

test.each([
  ['rows', 'tables', 'running'],
  ['documents', 'documents', 'stopped'],
] as const)(
  'an import with %s left makes the browser ask, and holds back the reload',
  async (_what, kind, state) => {
    await show('console')
    await act(async () => tab.store.set(openUploadsAtom, new Map([[kind, state]])))
    expect(isAsked()).toBe(true)
    const page = { reload: vi.fn() }
    await expect(loadOrReload(gone, page)).rejects.toThrow('Failed to fetch')
    expect(page.reload).not.toHaveBeenCalled()
    await act(async () => tab.store.set(openUploadsAtom, new Map()))
    expect(isAsked()).toBe(false)
  },
)
