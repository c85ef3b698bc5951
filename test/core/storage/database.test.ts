import { afterEach, expect, test, vi } from 'vitest'
import { openDatabase } from '~/core/storage/database'

afterEach(() => vi.unstubAllGlobals())

/** An IndexedDB of one value under any key, whose requests are answered when the test says so. */
function fakeIndexedDb(versions: readonly (readonly string[])[] = [['values']]) {
  let value: unknown = 1
  const said: string[] = []
  const answers: (() => void)[] = []
  const transactionOf = () => {
    let isOver = false
    const transaction = {
      error: null,
      oncomplete: () => {},
      onabort: () => {},
      commit: () => {
        said.push('commit')
        answers.push(() => transaction.oncomplete())
      },
      abort: () => {
        said.push('abort')
        isOver = true
        answers.push(() => transaction.onabort())
      },
      objectStore: () => ({
        get: () => {
          const request = { result: undefined as unknown, onsuccess: () => {} }
          said.push('get')
          answers.push(() => {
            if (isOver) return
            request.result = value
            request.onsuccess()
          })
          return request
        },
        put: (next: unknown) => {
          said.push(`put ${next}`)
          value = next
        },
      }),
    }
    return transaction
  }
  const opened: unknown[] = []
  const open = (_name: string, version = 1) => {
    opened.push(version)
    const names = new Set(versions[version - 1])
    const result = {
      version,
      objectStoreNames: { contains: (name: string) => names.has(name) },
      createObjectStore: (name: string) => names.add(name),
      transaction: transactionOf,
      close: () => {},
    }
    const request = { result, onsuccess: () => {}, onupgradeneeded: () => {} }
    queueMicrotask(() => {
      if (!versions[version - 1]) request.onupgradeneeded()
      request.onsuccess()
    })
    return request
  }
  vi.stubGlobal('indexedDB', { open })
  const answer = async () => {
    for (let next = answers.shift(); next; next = answers.shift()) {
      next()
      await Promise.resolve()
    }
  }
  return { said, opened, answer, kept: () => value }
}

const options = { name: 'some', stores: ['values'] }

const increase = (transaction: IDBTransaction, follow: Parameters<Work>[1]) => {
  const values = transaction.objectStore('values')
  const request: IDBRequest<number> = values.get('n')
  follow(request, () => values.put(request.result + 1, 'n'))
  return () => request.result
}
type Work = Parameters<Awaited<ReturnType<typeof openDatabase>>['transact']>[2]

test('the browser is told at once that a transaction has all of its requests', async () => {
  const { said, answer } = fakeIndexedDb()
  const database = await openDatabase(options)
  const read = database.transact('values', 'readonly', (transaction) => {
    const request = transaction.objectStore('values').get('n')
    return () => request.result
  })
  await vi.waitFor(() => expect(said).toEqual(['get', 'commit']))
  await answer()
  expect(await read).toBe(1)
  const changed = database.transact('values', 'readwrite', increase)
  await vi.waitFor(() => expect(said.slice(2)).toEqual(['get']))
  await answer()
  await changed
  expect(said.slice(2)).toEqual(['get', 'put 2', 'commit'])
})

test('one that waits for an answer when the page is left begins again when it is back', async () => {
  const { said, answer, kept } = fakeIndexedDb()
  const database = await openDatabase(options)
  const changed = database.transact('values', 'readwrite', increase)
  await vi.waitFor(() => expect(said).toEqual(['get']))
  window.dispatchEvent(new Event('pagehide'))
  expect(said).toEqual(['get', 'abort'])
  await answer()
  expect(kept()).toBe(1)
  window.dispatchEvent(new Event('pageshow'))
  await vi.waitFor(() => expect(said).toEqual(['get', 'abort', 'get']))
  await answer()
  await changed
  expect(said.slice(2)).toEqual(['get', 'put 2', 'commit'])
  expect(kept()).toBe(2)
  window.dispatchEvent(new Event('pagehide'))
  expect(said.filter((one) => one === 'abort')).toHaveLength(1)
})

test('what is thrown while a change is made undoes it and reaches the caller', async () => {
  const { said, answer } = fakeIndexedDb()
  const database = await openDatabase(options)
  const changed = database.transact('values', 'readwrite', (transaction, follow) => {
    follow(transaction.objectStore('values').get('n'), () => {
      throw new Error('no such change')
    })
    return () => null
  })
  await vi.waitFor(() => expect(said).toEqual(['get']))
  const failed = expect(changed).rejects.toThrow('no such change')
  await answer()
  await failed
  expect(said).toEqual(['get', 'abort'])
})

test('a store that another program’s database lacks is made in its next version', async () => {
  const { opened } = fakeIndexedDb([['theirs']])
  await openDatabase(options)
  expect(opened).toEqual([1, 2])
})
