// @vitest-environment node
import { afterEach, expect, test, vi } from 'vitest'
import { openTrustStore } from '~/trust/store'

afterEach(() => vi.unstubAllGlobals())

type Connection = { isOpen: boolean; onversionchange?: () => void; onclose?: () => void }

/** An IndexedDB of one value, whose connections can be ended. */
function fakeIndexedDb() {
  const opened: Connection[] = []
  let mayOpen = true
  const transactionOf = () => {
    const transaction = {
      oncomplete: () => {},
      commit: () => {},
      objectStore: () => ({
        get: () => {
          const request = { result: 'kept', onsuccess: () => {} }
          queueMicrotask(() => {
            request.onsuccess()
            transaction.oncomplete()
          })
          return request
        },
      }),
    }
    return transaction
  }
  const connect = () => {
    const connection = {
      isOpen: true,
      close: () => {
        connection.isOpen = false
      },
      transaction: () => {
        if (connection.isOpen) return transactionOf()
        throw new DOMException('The database connection is closing.', 'InvalidStateError')
      },
    }
    opened.push(connection)
    return connection
  }
  const open = vi.fn(() => {
    const request = { onsuccess: () => {}, onerror: () => {}, error: null, result: {} }
    queueMicrotask(() => {
      if (!mayOpen) return request.onerror()
      request.result = connect()
      request.onsuccess()
    })
    return request
  })
  vi.stubGlobal('indexedDB', { open })
  const allow = (may: boolean) => {
    mayOpen = may
  }
  return { opened, open, allow }
}

test('a connection that ended is opened again, once for all who ask', async () => {
  const { opened, open } = fakeIndexedDb()
  const ended = vi.fn()
  const store = await openTrustStore(ended)
  expect(await store.read('points', 'a')).toBe('kept')
  opened[0]?.onversionchange?.()
  expect(ended).toHaveBeenCalledOnce()
  const both = [store.read('points', 'a'), store.read('points', 'b')]
  expect(await Promise.all(both)).toEqual(['kept', 'kept'])
  expect(open).toHaveBeenCalledTimes(2)
  expect(store.isKept).toBe(true)
})

test('one that cannot be opened again keeps nothing and says so, until it can', async () => {
  const { opened, open, allow } = fakeIndexedDb()
  const ended = vi.fn()
  const store = await openTrustStore(ended)
  for (const one of opened) one.isOpen = false
  opened[0]?.onclose?.()
  expect(ended).toHaveBeenCalledOnce()
  allow(false)
  await expect(store.read('points', 'a')).rejects.toThrow()
  expect(store.isKept).toBe(false)
  expect(open).toHaveBeenCalledTimes(2)
  allow(true)
  expect(await store.read('points', 'a')).toBe('kept')
  expect(store.isKept).toBe(true)
})
