import { act, fireEvent, render, screen } from '@testing-library/react'
import { Provider } from 'jotai'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { allowedScript, allowScripts } from '~/app/policy'
import { bringScripts, hasBrought } from '~/app/watch/Watch'
import { chooseLocale, consentAtom } from '~/atoms/settings/consent'
import { locales } from '~/lib/cookies'
import { CookieBar } from '~/screens/settings/CookieBar'
import { cookieTexts } from '~/words/cookies'
import { fakeImmudb } from '../../support/fake-immudb'
import { openTab, type Tab } from '../../support/store'

let tab: Tab
let onClose: ReturnType<typeof vi.fn<() => void>>

beforeEach(() => {
  tab = openTab(fakeImmudb())
  onClose = vi.fn<() => void>()
})

afterEach(() => {
  for (const name of ['webconsole_consent', 'webconsole_locale']) {
    // biome-ignore lint/suspicious/noDocumentCookie: the tests' cookies are those of the page.
    document.cookie = `${name}=; Max-Age=-1; Path=/`
  }
  document.head.replaceChildren()
})

const show = () =>
  act(async () => {
    render(
      <Provider store={tab.store}>
        <CookieBar onClose={onClose} runsOthers={hasBrought} />
      </Provider>,
    )
  })
const press = (name: string) =>
  act(async () => fireEvent.click(screen.getByRole('button', { name })))
const box = (name: RegExp) => screen.getByRole<HTMLInputElement>('checkbox', { name })

describe('the cookie bar', () => {
  test('all can be accepted', async () => {
    await show()
    await press('Accept all')
    expect(tab.store.get(consentAtom)).toEqual(new Set(['necessary', 'optional', 'functional']))
    expect(onClose).toHaveBeenCalledTimes(1)
  })

  test('all but the necessary can be declined', async () => {
    await show()
    await press('Decline all')
    expect(tab.store.get(consentAtom)).toEqual(new Set(['necessary']))
  })

  test('some can be chosen by category and saved', async () => {
    await show()
    await press('Manage cookies')
    expect(box(/Necessary/).disabled).toBe(true)
    expect(box(/Necessary/).checked).toBe(true)
    expect([box(/Optional/).checked, box(/Functional/).checked]).toEqual([false, false])
    fireEvent.click(box(/Functional/))
    expect(tab.store.get(consentAtom)).toBeNull()
    await press('Save')
    expect(tab.store.get(consentAtom)).toEqual(new Set(['necessary', 'functional']))
  })

  test('all can be deleted', async () => {
    await show()
    await press('Accept all')
    await press('Manage cookies')
    await press('Delete all')
    expect(document.cookie).toBe('')
    expect(tab.store.get(consentAtom)).toBeNull()
  })

  test('closing it is no answer', async () => {
    await show()
    await press('Close')
    expect(onClose).toHaveBeenCalledTimes(1)
    expect(tab.store.get(consentAtom)).toBeNull()
  })

  test.each([...locales])('speaks %s', async (locale) => {
    chooseLocale(tab.store, locale)
    await show()
    const texts = cookieTexts[locale]
    const bar = screen.getByRole('region', { name: texts.cookies })
    expect(bar.lang).toBe(locale)
    await press(texts.manage)
    for (const name of [
      texts.acceptAll,
      texts.declineAll,
      texts.save,
      texts.deleteAll,
      texts.close,
    ]) {
      expect(screen.getByRole('button', { name })).toBeTruthy()
    }
    expect(screen.getAllByRole('checkbox')).toHaveLength(3)
  })
})

describe('scripts of others', () => {
  const url = 'https://recorder.example/r.js'

  test('are refused by the policy until they were agreed to', () => {
    const own = 'http://localhost:3000/assets/main.js'
    expect(() => allowedScript(url, own)).toThrow(TypeError)
    allowScripts([url])
    expect(allowedScript(url, own)).toBe(url)
    expect(() => allowedScript(`${url}?`, own)).toThrow(TypeError)
  })

  test('are brought once', () => {
    expect(hasBrought()).toBe(false)
    bringScripts([])
    expect(hasBrought()).toBe(false)
    bringScripts([url])
    bringScripts([url])
    expect([...document.head.querySelectorAll('script')].map(({ src }) => src)).toEqual([url])
    expect(hasBrought()).toBe(true)
  })
})
