// @vitest-environment node
import { expect, test, vi } from 'vitest'

test('the browser’s storage is the specified database and store', async () => {
  const createInstance = vi.fn(() => ({}))
  vi.doMock('localforage', () => ({ default: { createInstance } }))
  const { openDriver } = await import('~/core/storage/driver')
  await openDriver()
  expect(createInstance.mock.calls).toEqual([[{ name: 'localforage', storeName: 'keyvaluepairs' }]])
})
