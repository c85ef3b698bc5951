// @vitest-environment node
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  chooseSidebar,
  chooseTheme,
  chooseTimezone,
  setPaneSizes,
  themeChoiceAtom,
} from '~/core/page-view'
import { memoryDriver, openStorage, type StorageDriver } from '~/core/storage/storage'
import { changeStoredPart, readStored, storageAtom, storedAtom } from '~/core/storage/stored'
import { fakeImmudb } from '../../support/fake-immudb'
import { corpus } from '../../support/recorded'
import { fakeDriver, openTab, stored } from '../../support/store'

const never = () => new Promise<never>(() => {})

function opened(driver: Partial<StorageDriver>, load?: () => Promise<StorageDriver>) {
  const [tell, takeBack] = [vi.fn(), vi.fn()]
  const whole = { ...memoryDriver(), ...driver }
  return { storage: openStorage(load ?? (async () => whole), tell, takeBack), tell, takeBack }
}

describe('a storage that fails', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test.each([
    ['never loads', {}, never],
    ['loads but never opens', { getItem: never }, undefined],
  ])('one that %s: memory after 500 ms, told once', async (_what, driver, load) => {
    const { storage, tell } = opened(driver, load)
    const read = vi.fn()
    void storage.read('webconsole').then(read)
    await vi.advanceTimersByTimeAsync(499)
    expect(read).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(read).toHaveBeenCalledWith(null)
    expect(await storage.write('a', 1)).toBe(true)
    expect(await storage.read('a')).toBe(1)
    expect(await storage.change('a', (value) => Number(value) + 1)).toBe(true)
    expect(await storage.read('a')).toBe(2)
    expect(tell.mock.calls).toEqual([['unavailable']])
  })

  test.each([
    ['cannot be loaded', {}, () => Promise.reject(new Error('404'))],
    ['is forbidden', { getItem: () => Promise.reject(new DOMException('', 'SecurityError')) }],
  ])('one that %s: memory at once', async (_what, driver, load?: () => Promise<StorageDriver>) => {
    const { storage, tell } = opened(driver, load)
    expect(await storage.read('webconsole')).toBeNull()
    await storage.write('webconsole', { kept: true })
    expect(await storage.read('webconsole')).toEqual({ kept: true })
    expect(tell.mock.calls).toEqual([['unavailable']])
  })

  test('one that was only slow takes over with what was written meanwhile', async () => {
    const real = memoryDriver()
    await real.setItem('webconsole', { old: true })
    const slow = new Promise<StorageDriver>((resolve) => setTimeout(() => resolve(real), 900))
    const [failed, recovered] = [vi.fn(), vi.fn()]
    const storage = openStorage(() => slow, failed, recovered)
    const read = storage.read('webconsole')
    await vi.advanceTimersByTimeAsync(500)
    expect(await read).toBeNull()
    await storage.write('webconsole.drafts', 'typed')
    expect(recovered).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(400)
    expect(recovered).toHaveBeenCalledOnce()
    expect(await storage.read('webconsole')).toEqual({ old: true })
    expect(await real.getItem('webconsole.drafts')).toBe('typed')
    expect(failed.mock.calls).toEqual([['unavailable']])
  })

  test('one without room: told once, reads go on', async () => {
    const driver = memoryDriver()
    await driver.setItem('a', 'old')
    const setItem = () => Promise.reject(new DOMException('', 'QuotaExceededError'))
    const { storage, tell } = opened({ ...driver, setItem })
    expect(await storage.write('a', 'new')).toBe(false)
    expect(await storage.change('a', () => 'new')).toBe(false)
    expect(await storage.read('a')).toBe('old')
    expect(tell.mock.calls).toEqual([['full']])
  })

  test('one that goes away under the page: told once, and not as one without room', async () => {
    const driver = memoryDriver()
    const closing = () => Promise.reject(new DOMException('closing', 'InvalidStateError'))
    const { storage, tell } = opened({ ...driver, setItem: closing })
    expect(await storage.write('a', 'new')).toBe(false)
    expect(await storage.write('a', 'newer')).toBe(false)
    expect(tell.mock.calls).toEqual([['failing']])
  })

  test('one that stops answering later does not hold up what comes after for ever', async () => {
    let isStuck = false
    const { getItem } = memoryDriver()
    const { storage } = opened({ getItem: (key) => (isStuck ? never() : getItem(key)) })
    await storage.read('a')
    isStuck = true
    const read = storage.read('a')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await read).toBeNull()
    isStuck = false
    expect(await storage.write('a', 1)).toBe(true)
  })

  test('one that is slow once: said as that, taken back when it answers, done once', async () => {
    const driver = memoryDriver()
    let answer = () => {}
    const slow = new Promise<void>((resolve) => {
      answer = resolve
    })
    let isSlow = true
    const setItem = async (key: string, value: unknown) => {
      if (isSlow) await slow
      return driver.setItem(key, value)
    }
    const { storage, tell, takeBack } = opened({ ...driver, setItem })
    const more = (value: unknown) => Number(value ?? 0) + 1
    const kept = storage.keep('n', more)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await kept).toBe(false)
    expect(tell.mock.calls).toEqual([['silent']])
    expect(takeBack).not.toHaveBeenCalled()
    isSlow = false
    answer()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(takeBack.mock.calls).toEqual([[false]])
    expect(await storage.keep('n', more)).toBe(true)
    expect(await driver.getItem('n')).toBe(2)
    expect(tell).toHaveBeenCalledOnce()
  })

  test('one without room: what is to be kept is asked again in its order, then it is taken back', async () => {
    const driver = memoryDriver()
    let isFull = true
    const setItem = async (key: string, value: unknown) => {
      if (isFull) throw new DOMException('', 'QuotaExceededError')
      return driver.setItem(key, value)
    }
    const { storage, tell, takeBack } = opened({ ...driver, setItem })
    const withLetter = (letter: string) => (value: unknown) => String(value ?? '') + letter
    for (const letter of ['a', 'b']) expect(await storage.keep('k', withLetter(letter))).toBe(false)
    expect(await storage.change('other', withLetter('x'))).toBe(false)
    expect(await storage.keys()).toEqual(['k'])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(takeBack).not.toHaveBeenCalled()
    isFull = false
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await driver.getItem('k')).toBe('ab')
    // Whoever asked for a plain change was told that nothing was changed.
    expect(await driver.getItem('other')).toBeNull()
    expect(tell.mock.calls).toEqual([['full']])
    expect(takeBack.mock.calls).toEqual([[false]])
  })

  test('a removal that failed is made later, and nothing older comes back after it', async () => {
    const driver = memoryDriver()
    await driver.setItem('token', 'old')
    let isBroken = true
    const broken = () => Promise.reject(new DOMException('', 'UnknownError'))
    const { storage } = opened({
      ...driver,
      setItem: (key, value) => (isBroken ? broken() : driver.setItem(key, value)),
      removeItem: (key) => (isBroken ? broken() : driver.removeItem(key)),
    })
    expect(await storage.keep('token', () => 'newer')).toBe(false)
    expect(await storage.remove('token')).toBe(false)
    isBroken = false
    await vi.advanceTimersByTimeAsync(5_000)
    expect(driver.values.has('token')).toBe(false)
  })

  test('full storage is not taken for working because it can be read', async () => {
    const setItem = () => Promise.reject(new DOMException('', 'QuotaExceededError'))
    const { storage, takeBack } = opened({ setItem })
    await storage.write('a', 1)
    await storage.read('a')
    expect(takeBack).not.toHaveBeenCalled()
  })

  test('a change whose function throws is a failed change, and the next one works', async () => {
    const { storage } = opened({})
    const failed = storage.change('a', () => {
      throw new Error('bad')
    })
    expect(await failed).toBe(false)
    expect(await storage.write('a', 1)).toBe(true)
  })
})

describe('order', () => {
  test('writes happen as they were asked for, with no other in the middle of a change', async () => {
    const driver = fakeDriver()
    const storage = openStorage(async () => driver, vi.fn())
    const changes = Array.from({ length: 20 }, () =>
      storage.change('n', (value) => Number(value ?? 0) + 1),
    )
    await Promise.all(changes)
    expect(driver.values.get('n')).toBe(20)
  })

  test('no other tab writes in the middle of a change either, where the browser can see to it', async () => {
    const driver = fakeDriver()
    const inOne: StorageDriver = {
      ...driver,
      change: async (key, to) => {
        const value = to(driver.values.get(key) ?? null)
        if (value === undefined) driver.values.delete(key)
        else driver.values.set(key, value)
      },
    }
    const tabs = [1, 2].map(() => openStorage(async () => inOne, vi.fn()))
    const more = (value: unknown) => Number(value ?? 0) + 1
    await Promise.all(tabs.flatMap((tab) => [tab.change('n', more), tab.keep('n', more)]))
    expect(driver.values.get('n')).toBe(4)
    const bad = tabs[0]?.change('n', () => {
      throw new Error('bad')
    })
    expect(await bad).toBe(false)
    expect(driver.values.get('n')).toBe(4)
    const none = tabs[0]?.change('none', () => {
      throw new Error('bad')
    })
    expect(await none).toBe(false)
    expect(driver.values.has('none')).toBe(false)
  })

  test('a removal after a write leaves nothing', async () => {
    const driver = fakeDriver()
    const storage = openStorage(async () => driver, vi.fn())
    void storage.write('a', 1)
    expect(await storage.remove('a')).toBe(true)
    expect(driver.values.has('a')).toBe(false)
  })
})

const defaults = readStored(null)

describe('what is found in storage', () => {
  test('the defaults are those of the specification', () => {
    const { settings, visits, arrivals, statesSaved, ...specified } = defaults
    expect([visits, arrivals, statesSaved]).toEqual([[], [], null])
    expect(settings.metrics).toBe('')
    expect(specified).toEqual({
      docker: { dockerToken: null },
      view: {
        theme: 'dark',
        system: false,
        banner: {
          show: false,
          title: '',
          subtitle: '',
          color: 'warning',
          persistent: false,
          icon: 'shield',
        },
        sidebar: { mini: false, collapsed: false },
        paneSizes: { tables: 25, examples: 75, query: 33, output: 67 },
        hideNotActive: false,
        timezone: 'local',
      },
      auth: { token: null, user: null, permission: null, server: null },
      // Beside the specified name: whether someone chose it.
      database: { active: 'defaultdb', chosen: false },
    })
  })

  test.each(corpus('storage').map(({ id, name, text = '' }) => [`${id} ${name}`, text] as const))(
    '%s, as text or as a value: a whole state, and Object as it was',
    (_name, text) => {
      for (const value of [text, parsed(text)]) {
        const read = readStored(value)
        expect(Object.keys(read)).toEqual(Object.keys(defaults))
        expect(read).toEqual(defaults)
        expect(Object.getPrototypeOf(read)).toBe(Object.prototype)
        expect('isAdmin' in {}).toBe(false)
      }
    },
  )

  test('good parts beside bad ones are kept', () => {
    const read = readStored({
      view: { theme: 'light', sidebar: { mini: 'yes', collapsed: true }, paneSizes: { query: 50 } },
      auth: { token: 'v2.public.x', user: 7, permission: [{ database: 'a' }] },
      database: { active: '' },
    })
    expect(read.view.theme).toBe('light')
    expect(read.view.sidebar).toEqual({ mini: false, collapsed: true })
    expect(read.view.paneSizes).toEqual({ tables: 25, examples: 75, query: 50, output: 67 })
    expect(read.auth).toEqual({ token: 'v2.public.x', user: null, permission: null, server: null })
    expect(read.database.active).toBe('defaultdb')
  })

  test.each([NaN, Infinity, -1, 101, '30', null, {}])('a pane of %s gets its default', (tables) => {
    expect(readStored({ view: { paneSizes: { tables } } }).view.paneSizes.tables).toBe(25)
  })

  test.each(['Mars/Phobos', '../etc', '', 'x'.repeat(1_000)])(
    'no such time zone: %s',
    (timezone) => {
      expect(readStored({ view: { timezone } }).view.timezone).toBe('local')
    },
  )

  test.each(['local', 'utc', 'Europe/Zagreb'])('the time zone %s', (timezone) => {
    expect(readStored({ view: { timezone } }).view.timezone).toBe(timezone)
  })

  function parsed(text: string): unknown {
    try {
      return JSON.parse(text)
    } catch {
      return text
    }
  }
})

describe('two tabs', () => {
  test('that change different fields do not undo each other', async () => {
    const driver = fakeDriver()
    const [first, second] = [openTab(fakeImmudb(), driver), openTab(fakeImmudb(), driver)]
    chooseTheme(first.store, 'light')
    await stored(first)
    await chooseTimezone(second.store, 'utc')
    await setPaneSizes(first.store, { tables: 40 })
    await setPaneSizes(second.store, { query: 50 })
    await chooseSidebar(first.store, { mini: true })
    await chooseSidebar(second.store, { collapsed: true })
    expect(readStored(await stored(first)).view).toMatchObject({
      theme: 'light',
      timezone: 'utc',
      paneSizes: { tables: 40, examples: 75, query: 50, output: 67 },
      sidebar: { mini: true, collapsed: true },
    })
  })

  test('that change the same field: the last one wins', async () => {
    const driver = fakeDriver()
    const [first, second] = [openTab(fakeImmudb(), driver), openTab(fakeImmudb(), driver)]
    chooseTheme(first.store, 'light')
    await stored(first)
    chooseTheme(second.store, 'dark')
    await stored(second)
    expect(readStored(await stored(first)).view.theme).toBe('dark')
    expect(first.store.get(themeChoiceAtom)).toBe('light')
  })

  test('a broken value in storage is repaired by the next change', async () => {
    const driver = fakeDriver()
    driver.values.set('webconsole', '{')
    const tab = openTab(fakeImmudb(), driver)
    chooseTheme(tab.store, 'light')
    await stored(tab)
    expect(driver.values.get('webconsole')).toEqual({
      ...defaults,
      view: { ...defaults.view, theme: 'light' },
    })
  })
})

test('a theme that is none is ignored', async () => {
  const { store } = openTab(fakeImmudb())
  await chooseTheme(store, 'neon' as 'dark')
  expect(store.get(themeChoiceAtom)).toBe('dark')
})

test('without room the tab goes on with what it has in memory', async () => {
  const driver = fakeDriver()
  driver.setItem = () => Promise.reject(new DOMException('', 'QuotaExceededError'))
  const { store, storageFailures } = openTab(fakeImmudb(), driver)
  expect(await setPaneSizes(store, { tables: 30 })).toBe(false)
  await changeStoredPart(store, (of) => of)
  expect(store.get(storedAtom).view.paneSizes.tables).toBe(30)
  expect(storageFailures).toEqual(['full'])
  expect(store.get(storageAtom)).toBeDefined()
})
