import { afterEach, expect, test, vi } from 'vitest'
import { cookieNames, readCookie, writeCookie } from '~/lib/cookies'
import { sharedArea, tabArea } from '~/lib/storage-areas'
import { joinChannel } from '~/lib/tab-channel'

const refuse = () => {
  throw new DOMException('The operation is insecure.', 'SecurityError')
}

const full = {
  getItem: () => 'old',
  setItem: () => {
    throw new DOMException('', 'QuotaExceededError')
  },
  removeItem: refuse,
}

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  for (const area of [sharedArea, tabArea]) for (const key of area.keys()) area.remove(key)
})

test.each([
  ['localStorage', sharedArea],
  ['sessionStorage', tabArea],
] as const)(
  '%s that is forbidden, missing or full: what is written lasts as long as the page',
  (name, area) => {
    area.write('before', 'kept')
    for (const broken of [
      { get: refuse },
      { value: null },
      { value: undefined },
      { value: full },
    ]) {
      const whole = Object.getOwnPropertyDescriptor(globalThis, name)
      Object.defineProperty(globalThis, name, { ...broken, configurable: true })
      expect(area.write('a', '1')).toBe(false)
      expect(area.read('a')).toBe('1')
      expect(area.keys()).toContain('a')
      area.remove('a')
      expect(area.keys()).not.toContain('a')
      if (whole) Object.defineProperty(globalThis, name, whole)
      else Reflect.deleteProperty(globalThis, name)
    }
    expect(area.read('before')).toBe('kept')
    expect(area.write('a', '2')).toBe(true)
    expect(globalThis[name].getItem('a')).toBe('2')
  },
)

test('what a full storage did not take outranks the older value that it has', () => {
  vi.stubGlobal('sessionStorage', full)
  tabArea.write('a', 'new')
  expect(tabArea.read('a')).toBe('new')
})

test.each([
  ['are forbidden', { get: refuse, set: refuse }],
  ['are dropped without a word', { get: () => '', set: () => {} }],
])('cookies that %s last as long as the page, and not longer than they should', (_how, broken) => {
  vi.useFakeTimers({ toFake: ['Date'] })
  Object.defineProperty(document, 'cookie', { ...broken, configurable: true })
  writeCookie('webconsole_banner', 'closed', 3_600)
  expect(readCookie('webconsole_banner')).toBe('closed')
  expect(cookieNames()).toContain('webconsole_banner')
  vi.advanceTimersByTime(3_600_000)
  expect(readCookie('webconsole_banner')).toBeNull()
  writeCookie('webconsole_banner', 'closed', 3_600)
  writeCookie('webconsole_banner', '', -1)
  expect(readCookie('webconsole_banner')).toBeNull()
  Reflect.deleteProperty(document, 'cookie')
  vi.useRealTimers()
})

test.each([
  ['are missing', undefined],
  ['cannot be opened', refuse],
  [
    'can be opened and not used',
    class {
      postMessage = refuse
      close() {}
    },
  ],
])('where channels between tabs %s, a tab is alone', (_how, broken) => {
  vi.stubGlobal('BroadcastChannel', broken)
  const channel = joinChannel('name', () => {})
  channel.tell('hello')
  channel.close()
})
