// @vitest-environment node
import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.doUnmock('localforage')
  vi.resetModules()
  vi.unstubAllGlobals()
})

test('the browser’s storage is the specified database and store', async () => {
  const createInstance = vi.fn(() => ({}))
  type Driver = { _driver: string; _initStorage(): Promise<void> }
  const defined: Driver[] = []
  const defineDriver = async (driver: Driver) => defined.push(driver)
  const LOCALSTORAGE = 'localStorageWrapper'
  vi.doMock('localforage', () => ({ default: { createInstance, defineDriver, LOCALSTORAGE } }))
  const { openDriver } = await import('~/core/storage/driver')
  await openDriver()
  const drivers = [...defined.map(({ _driver }) => _driver), LOCALSTORAGE]
  const place = { name: 'localforage', storeName: 'keyvaluepairs' }
  expect(createInstance.mock.calls).toEqual([[{ ...place, driver: drivers }]])
  const made: string[] = []
  const open = vi.fn(() => {
    const request = { onsuccess: () => {}, onupgradeneeded: () => {}, result: {} }
    const names = { contains: (name: string) => made.includes(name) }
    request.result = { objectStoreNames: names, createObjectStore: (one: string) => made.push(one) }
    queueMicrotask(() => {
      request.onupgradeneeded()
      request.onsuccess()
    })
    return request
  })
  vi.stubGlobal('indexedDB', { open })
  await defined[0]?._initStorage()
  // Whichever version it has.
  expect(open.mock.calls).toEqual([[place.name, undefined]])
  expect(made).toEqual([place.storeName])
})

test('where IndexedDB cannot be opened, localStorage takes its place', async () => {
  const values = new Map<string, string>()
  const area = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => values.set(key, String(value)),
    removeItem: (key: string) => values.delete(key),
  }
  vi.stubGlobal('localStorage', area)
  vi.stubGlobal('indexedDB', {
    open: () => {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    },
  })
  const { openDriver } = await import('~/core/storage/driver')
  const driver = await openDriver()
  await driver.setItem('webconsole', { theme: 'dark' })
  expect([...values]).toEqual([['localforage/webconsole', '{"theme":"dark"}']])
  expect(await driver.getItem('webconsole')).toEqual({ theme: 'dark' })
  // It has no step across tabs, so storage must not ask for one.
  expect(driver.change).toBeUndefined()
})
