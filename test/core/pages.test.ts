// @vitest-environment node
import { notifyManager } from '@tanstack/query-core'
import { createStore } from 'jotai'
import { queryClientAtom } from 'jotai-tanstack-query'
import { beforeEach, describe, expect, test } from 'vitest'
import { ApiError } from '~/api/errors'
import { everyPage, type List, listsOf, type PlaceIn, readInParts } from '~/core/pages'
import { connect, type Store } from '~/core/session/client'
import { openQueryCache } from '~/core/session/query-client'
import { NoProgress } from '~/lib/rounds'
import { until } from '../support/until'

type Numbers = { read: readonly number[]; next: number | null }

let store: Store
/** The parts that the next loads are made of; a promise is waited for, and an error fails. */
let loads: (number | Error | Promise<void>)[][]
let signals: AbortSignal[]

// What is known is shown at once.
notifyManager.setScheduler((tell) => tell())

const kind: Parameters<typeof listsOf<Numbers>>[0] = {
  key: (database = '', name = '') => ['numbers', database, name],
  start: () => ({ read: [], next: 0 }),
  async read(_io, known, { signal, tell }) {
    signals.push(signal)
    let page = known
    for (const part of loads.shift() ?? []) {
      if (part instanceof Error) throw part
      if (typeof part === 'number') {
        page = { read: [...page.read, part], next: part === 9 ? null : part + 1 }
        tell(page)
      } else {
        await Promise.race([part, left(signal)])
      }
    }
    return page
  },
  next: ({ next }) => next,
  size: ({ read }) => read.length,
  lasts: 'until growth',
}
const numbers = listsOf(kind)
/** Lists that are read each time they are seen. */
const fleeting = listsOf({ ...kind, lasts: 'while seen' })

const left = (signal: AbortSignal) =>
  new Promise<void>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })

function held() {
  let release = () => {}
  const wait = new Promise<void>((resolve) => {
    release = resolve
  })
  return { wait, release }
}

beforeEach(() => {
  store = createStore()
  connect(store, '/api', async () => Response.json({}))
  openQueryCache(store)
  loads = []
  signals = []
})

const listOf = (name = 'a') => store.get(numbers.listsAtom)('db', name)
const now = (name = 'a') => store.get(listOf(name))
const shown = (name = 'a') => now(name).data?.read
const see = (name = 'a') => store.sub(listOf(name), () => {})
const more = (name = 'a') => numbers.more(store, 'db', name)
const reread = () => store.get(queryClientAtom).invalidateQueries()
const settled = (name = 'a') =>
  until(
    () => now(name),
    ({ isFetching, isAdding }: List<Numbers>) => !isFetching && !isAdding,
  )

describe('a list that is read page by page', () => {
  test('shows the parts of its first load, and forgets them when it is left', async () => {
    const { wait } = held()
    loads = [[1, 2, wait, 3], [4]]
    const leave = see()
    await until(shown, (read) => read?.length === 2)
    expect(now()).toMatchObject({ isFetching: true, isPending: false })
    leave()
    await until(
      () => signals[0]?.aborted,
      (isLeft) => isLeft === true,
    )
    see()
    await settled()
    expect(shown()).toEqual([4])
  })

  test('goes on from its end, shows the parts of that, and keeps them when it is stopped', async () => {
    const { wait } = held()
    loads = [[1], [2, wait, 3], [4]]
    see()
    await settled()
    const going = more()
    await until(shown, (read) => read?.length === 2)
    expect(now()).toMatchObject({ isAdding: true, isFetching: false })
    numbers.stop(store, 'db', 'a')
    await going
    await settled()
    expect([shown(), now().problem]).toEqual([[1, 2], null])
    await more()
    await settled()
    expect(shown()).toEqual([1, 2, 4])
  })

  test('is stopped in its first load with what there is by then', async () => {
    const { wait } = held()
    loads = [[1, wait, 2]]
    see()
    await until(shown, (read) => read?.length === 1)
    numbers.stop(store, 'db', 'a')
    await settled()
    expect(now()).toMatchObject({ data: { read: [1], next: 2 }, error: null, problem: null })
  })

  test('is a short one when a load fails half-way, and says why', async () => {
    const away = new Error('away')
    loads = [[1, away], [2, away], [away], [3]]
    see()
    await settled()
    expect(now()).toMatchObject({ data: { read: [1] }, error: null, problem: away })
    await more()
    await settled()
    expect(now()).toMatchObject({ data: { read: [1, 2] }, problem: away })
    await more()
    await settled()
    expect(now()).toMatchObject({ data: { read: [1, 2] }, problem: away })
    await more()
    await settled()
    expect(now()).toMatchObject({ data: { read: [1, 2, 3] }, problem: null })
  })

  test('has no answer when nothing came', async () => {
    loads = [[new Error('away')]]
    see()
    await settled()
    expect(now()).toMatchObject({ data: undefined, error: expect.any(Error), problem: null })
  })

  test('is read as long as it was when it is read again, and shows no part of that', async () => {
    const { wait, release } = held()
    loads = [[1], [2, 3], [4], [5, wait], [6]]
    see()
    await settled()
    await more()
    await settled()
    expect(shown()).toEqual([1, 2, 3])
    const reading = reread()
    await until(
      () => signals.length,
      (count) => count === 4,
    )
    expect(shown()).toEqual([1, 2, 3])
    release()
    await reading
    expect(shown()).toEqual([4, 5, 6])
  })

  test('keeps what it was when it cannot be read again, and then begins again', async () => {
    const away = new Error('away')
    loads = [[1], [2, 3, away], [4], [5]]
    see()
    await settled()
    await reread()
    await settled()
    expect(now()).toMatchObject({ data: { read: [1] }, error: away })
    // Another history may answer by now.
    await more()
    await settled()
    expect(now()).toMatchObject({ data: { read: [4] }, error: null })
    await more()
    await settled()
    expect(shown()).toEqual([4, 5])
  })

  test('goes on once it has been read again', async () => {
    const { wait, release } = held()
    loads = [[1], [wait, 2], [3]]
    see()
    await settled()
    const reading = reread()
    const going = more()
    release()
    await Promise.all([reading, going])
    await settled()
    expect(shown()).toEqual([2, 3])
  })

  test('is not gone on with when it is stopped while it is read again', async () => {
    const { wait } = held()
    loads = [[1], [2, wait, 3], [4]]
    see()
    await settled()
    const reading = reread()
    await until(
      () => signals.length,
      (count) => count === 2,
    )
    const going = more()
    numbers.stop(store, 'db', 'a')
    await Promise.all([reading, going])
    await settled()
    expect([shown(), signals.length]).toEqual([[2], 2])
  })

  test('is not gone on with twice at once, nor behind its end, and lists do not wait for another', async () => {
    const { wait, release } = held()
    loads = [[1], [8], [wait, 2]]
    see('a')
    see('b')
    await settled('a')
    await settled('b')
    const going = more('a')
    await more('a')
    loads.push([9])
    await more('b')
    await settled('b')
    expect(shown('b')).toEqual([8, 9])
    await more('b')
    release()
    await going
    await settled('a')
    expect([shown('a'), signals.length]).toEqual([[1, 2], 4])
  })
})

test('a list that lasts while it is seen is read on return, and not after an outage', async () => {
  loads = [[1], [2], [3]]
  const list = store.get(fleeting.listsAtom)('db', 'a')
  const now = () => store.get(list)
  const read = () =>
    until(now, ({ data, isFetching }: List<Numbers>) => data !== undefined && !isFetching)
  const leave = store.sub(list, () => {})
  expect((await read()).data?.read).toEqual([1])
  await reread()
  expect(now().data?.read).toEqual([1])
  void now().refetch()
  await until(now, ({ data }) => data?.read[0] === 2)
  leave()
  await until(
    () =>
      store
        .get(queryClientAtom)
        .getQueryCache()
        .find({ queryKey: kind.key('db', 'a') }),
    (query) => query === undefined,
  )
  store.sub(list, () => {})
  expect((await read()).data?.read).toEqual([3])
})

describe('every page of a list', () => {
  const take = async (nexts: readonly (number | null)[]) => {
    const read: number[] = []
    const pages = everyPage<number, { place: number; next: number | null }>(0, async (place) => ({
      place,
      next: nexts[place] ?? null,
    }))
    for await (const { place } of pages) read.push(place)
    return read
  }

  test('comes in order', async () => {
    expect(await take([2, null, 1])).toEqual([0, 2, 1])
  })

  test('ends where a place comes twice', async () => {
    await expect(take([1, 0])).rejects.toThrow(NoProgress)
  })
})

describe('a page whose answers bring whole values', () => {
  /** A server with numbers from 1 on, of which some cannot be read. */
  const serverOf = (
    count: number,
    room: number,
    bad: ReadonlyMap<number, 'too-large' | 'gone'>,
  ) => {
    const asked: number[] = []
    const ask = async (
      { after, offset }: { after: number | null; offset: number },
      limit: number,
    ) => {
      asked.push(limit)
      const from = (after ?? 0) + 1 + offset
      const found = Array.from({ length: limit }, (_, at) => from + at).filter((n) => n <= count)
      const why = found.map((n) => bad.get(n)).find((one) => one !== undefined)
      if (why === 'gone') throw new ApiError({ kind: 'refused', text: 'EOF' })
      if (why || found.length > room) throw new ApiError({ kind: 'too-large', text: '' })
      return found.map((n) => ({ n }))
    }
    return { ask, asked }
  }

  test.each([
    ['too-large' as const, 7],
    ['gone' as const, 60],
  ])('says in the place of one that it is %s', async (why, at) => {
    const { ask, asked } = serverOf(90, 70, new Map([[at, why]]))
    const found: unknown[] = []
    const pages = everyPage({ after: null, offset: 0 } as PlaceIn<number>, (place) =>
      readInParts(ask, ({ n }) => n, place),
    )
    for await (const page of pages) found.push(...page.found)
    expect(found).toEqual(Array.from({ length: 90 }, (_, n) => (n + 1 === at ? why : { n: n + 1 })))
    expect(asked.length).toBeLessThan(24)
  })
})
