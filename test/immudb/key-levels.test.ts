// @vitest-environment node
import { describe, expect, test } from 'vitest'
import {
  afterPrefix,
  betterDelimiter,
  firstSeek,
  guessDelimiter,
  itemsOf,
  type Level,
  type LevelItem,
  prefixOf,
  type Seek,
  seekAfter,
} from '~/immudb/key-levels'

/** Numbers from 0 to below 1, the same each time. */
function randomFrom(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

/** Few different bytes, so that prefixes, delimiters and `ff` meet often. */
const bytes = ['\x00', ':', ':', ';', 'a', 'b', '\xfe', '\xff']

function randomKeys(random: () => number, count: number): string[] {
  const one = () =>
    Array.from(
      { length: 1 + Math.floor(random() * 7) },
      () => bytes[Math.floor(random() * bytes.length)],
    ).join('')
  return [...new Set(Array.from({ length: count }, one))].sort()
}

/** What the server does with a scan, which refuses to begin outside of the prefix. */
function scan(keys: readonly string[], prefix: string, seek: Seek, limit: number): string[] {
  const { from, isInclusive, offset } = seek
  if (from !== null) expect(from.startsWith(prefix)).toBe(true)
  return keys
    .filter((key) => key.startsWith(prefix))
    .filter((key) => from === null || key > from || (isInclusive && key === from))
    .slice(offset, offset + limit)
}

/** All items of a level by scans of some length. */
function readAll(keys: readonly string[], level: Level, limit: number) {
  const items: LevelItem[] = []
  let requests = 0
  for (let seek: Seek | null = firstSeek; seek; ) {
    const found = scan(keys, level.prefix, seek, limit)
    requests += 1
    const read = itemsOf(level, found).map(({ item }) => item)
    items.push(...read)
    const last = read.at(-1)
    seek = last ? seekAfter(level, last) : null
  }
  return { items, requests }
}

function leavesOf(keys: readonly string[], level: Level, limit: number): string[] {
  return readAll(keys, level, limit).items.flatMap(({ kind, bytes: found }) =>
    kind === 'key' ? [found] : leavesOf(keys, { ...level, prefix: found }, limit),
  )
}

describe('a tree of keys', () => {
  const delimiters = [':', '::', 'a:', '\xff', ':\xff', '\x00', '']

  test.each(delimiters)('reaches every key exactly once with the delimiter %j', (delimiter) => {
    for (let seed = 1; seed <= 60; seed += 1) {
      const random = randomFrom(seed)
      const keys = randomKeys(random, Math.floor(random() * 80))
      const limit = 1 + Math.floor(random() * 9)
      expect(leavesOf(keys, { prefix: '', delimiter }, limit)).toEqual(keys)
    }
  })

  test.each(delimiters)('lists every key below its prefix with the delimiter %j', (delimiter) => {
    const keys = randomKeys(randomFrom(7), 300)
    for (const key of keys) {
      const level = { prefix: prefixOf(delimiter, key), delimiter }
      expect(readAll(keys, level, 3).items).toContainEqual({ kind: 'key', bytes: key })
    }
  })

  test('takes one request for each prefix and one for the end, however many keys it has', () => {
    const keys = Array.from({ length: 20_000 }, (_, at) => `${at % 20}:${at}`).sort()
    const { items, requests } = readAll(keys, { prefix: '', delimiter: ':' }, 4)
    expect(items).toHaveLength(20)
    expect(requests).toBeLessThanOrEqual(21)
  })

  test('finds the end of a prefix of any bytes', () => {
    expect(afterPrefix('user:')).toBe('user;')
    expect(afterPrefix('a\xff\xff')).toBe('b')
    expect(afterPrefix('\xff\xff')).toBeNull()
    expect(seekAfter({ prefix: 'a', delimiter: '\xff' }, { kind: 'prefix', bytes: 'a\xff' })).toBe(
      null,
    )
  })
})

describe('a better delimiter', () => {
  const flat = ['oven/1', 'oven/2', 'till/harbour.a', 'z']

  test('is the usual one that most keys of a flat level have', () => {
    expect(betterDelimiter(flat, ':')).toBe('/')
  })

  test.for<[readonly string[], string]>([
    [flat, '/'],
    [[...flat, 'a:b'], ':'],
    [flat, ''],
    [['oven/1', 'a', 'b'], ':'],
    [['oven/1'], ':'],
    [[], ':'],
  ])('is not known for %j with %j', ([keys, delimiter]) => {
    expect(betterDelimiter(keys, delimiter)).toBeNull()
  })
})

test.each([
  [['user:1', 'user:2'], ':'],
  [['a/b', 'a/c', 'plain'], '/'],
  [['2026-01-01|x', '2026-01-02|y'], '|'],
  // A time has the strong delimiter that comes later.
  [['log/2026-01-01T10:00', 'log/2026-01-01T11:00'], '/'],
  [['user-1:name', 'user-2:name'], ':'],
  [['com.example.a', 'com.example.b'], '.'],
  [['user_1', 'user_2'], '_'],
  [['plain', 'other'], null],
  [['a:b', 'x', 'y', 'z'], null],
  [[], null],
  [['\xff\x00', '\x80'], null],
])('the delimiter of %j is %j', (keys, delimiter) => {
  expect(guessDelimiter(keys)).toBe(delimiter)
})
