// @vitest-environment node
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Client } from '~/api/client'
import { ApiError } from '~/api/errors'
import type { Entry } from '~/api/keys'
import { readLevel, unreadLevel } from '~/atoms/keys/levels'
import type { Level } from '~/immudb/key-levels'

/** What stands under a key: a value, one over 4 MiB, one that is gone, or a reference to nothing. */
type Stored = { key: string; kind: 'value' | 'large' | 'gone' | 'dangling'; size: number }

const answerLimit = 4_194_304

/** A server that scans as immudb 1.11.1 does. */
function serverOf(stored: readonly Stored[]) {
  const sorted = [...stored].sort((a, b) => (a.key < b.key ? -1 : 1))
  const requests: number[] = []
  const call = async (_schema: unknown, { body }: { body: Record<string, string | boolean> }) => {
    const prefix = atob(String(body.prefix))
    const from = body.seekKey === undefined ? null : atob(String(body.seekKey))
    if (from !== null && !from.startsWith(prefix)) throw new Error('seeks outside of the prefix')
    const read = sorted
      .filter(({ key }) => key.startsWith(prefix))
      .filter(({ key }) => from === null || key > from || (body.inclusiveSeek && key === from))
      .slice(Number(body.offset))
      .slice(0, Number(body.limit))
    requests.push(read.length)
    const found = read.filter(({ kind }) => kind !== 'dangling')
    const bytes = found.reduce((sum, { kind, size }) => sum + (kind === 'large' ? 5e6 : size), 0)
    if (found.some(({ kind }) => kind === 'gone')) {
      throw new ApiError({ kind: 'refused', text: 'EOF' })
    }
    if (bytes > answerLimit) throw new ApiError({ kind: 'too-large', text: 'too large' })
    return found.map(
      ({ key, size }): Entry => ({
        key: btoa(key),
        value: 'AAAA'.repeat(Math.ceil(size / 3)),
        tx: '1',
        revision: '1',
        isDeleted: false,
        isExpired: false,
        expiresAt: null,
        target: null,
      }),
    )
  }
  return { client: { call } as unknown as Client, requests }
}

const firstLoad = (client: Client, { prefix, delimiter }: Level) =>
  readLevel(client, { database: 'db', prefix }, unreadLevel(delimiter))

async function wholeLevel(client: Client, level: Level) {
  let page = await firstLoad(client, level)
  while (page.next !== null) {
    page = await readLevel(client, { database: 'db', prefix: level.prefix }, page)
  }
  return page
}

async function keysBelow(client: Client, level: Level): Promise<string[]> {
  const { lines } = await wholeLevel(client, level)
  const found: string[] = []
  for (const line of lines) {
    if (line.kind === 'key') found.push(atob(line.key))
    else found.push(...(await keysBelow(client, { ...level, prefix: line.bytes })))
  }
  return found
}

const byteText = fc
  .array(fc.constantFrom(':', ':', ';', 'a', 'b', '\0', '\xff'), { minLength: 1, maxLength: 7 })
  .map((bytes) => bytes.join(''))
const stored = fc.uniqueArray(
  fc.record({
    key: byteText,
    kind: fc.constantFrom('value', 'value', 'value', 'large', 'gone', 'dangling'),
    size: fc.constantFrom(1, 100, 300_000, 3_000_000),
  }) as fc.Arbitrary<Stored>,
  { selector: ({ key }) => key, maxLength: 60 },
)

describe('levels of the tree', () => {
  test('hold every key that can be listed exactly once, whatever lies between them', async () => {
    await fc.assert(
      fc.asyncProperty(stored, fc.constantFrom(':', '\xff', '::', ''), async (all, delimiter) => {
        const { client } = serverOf(all)
        // A prefix whose keys cannot be listed cannot be met.
        const listed = all.filter(({ kind }) => kind === 'value').map(({ key }) => key)
        expect(await keysBelow(client, { prefix: '', delimiter })).toEqual(listed.sort())
      }),
      { numRuns: 200 },
    )
  })

  test('count every key of a flat level that cannot be listed', async () => {
    await fc.assert(
      fc.asyncProperty(stored, async (all) => {
        const { client } = serverOf(all)
        const { hidden } = await wholeLevel(client, { prefix: '', delimiter: '' })
        expect(hidden).toBe(all.filter(({ kind }) => kind === 'large' || kind === 'gone').length)
      }),
    )
  })

  test.each([
    ['one key in each prefix', 300, 1],
    ['many keys in each prefix', 45, 400],
    ['keys between the prefixes', 45, -3],
  ])('take at most a request for each prefix and ten more: %s', async (_name, count, each) => {
    const all = Array.from({ length: count }, (_, at) => {
      const name = `p${String(at).padStart(4, '0')}`
      const inside = Array.from({ length: Math.abs(each) * 10 }, (_value, of) => `${name}:${of}`)
      const plain = each < 0 ? inside.map((key) => key.replace(':', '-')) : []
      return [...inside, ...plain]
    })
      .flat()
      .map((key): Stored => ({ key, kind: 'value', size: 100 }))
    const { client, requests } = serverOf(all)
    const level = { prefix: '', delimiter: ':' }
    await firstLoad(client, level)
    expect(requests.length).toBeLessThanOrEqual(50)
    // The server takes milliseconds for each value, so few are read where all begin with one prefix.
    if (each > 0) expect(Math.max(...requests.slice(5))).toBeLessThanOrEqual(8)
    requests.length = 0
    const { lines } = await wholeLevel(client, level)
    expect(lines.filter(({ kind }) => kind === 'prefix')).toHaveLength(count)
    expect(requests.length).toBeLessThanOrEqual(count + 10)
  })

  test.each([600, 2_400])('are read on behind %d references to nothing in a row', async (count) => {
    const dangling = Array.from({ length: count }, (_, at): Stored => {
      return { key: `a${String(at).padStart(4, '0')}`, kind: 'dangling', size: 0 }
    })
    const { client } = serverOf([...dangling, { key: 'b', kind: 'value', size: 1 }])
    const { lines } = await wholeLevel(client, { prefix: '', delimiter: ':' })
    expect(lines).toHaveLength(1)
  })

  test.each([
    ['many', 60_000, 10],
    ['large', 400, 60_000],
  ])('end a load early among %s keys', async (_name, count, size) => {
    const all = Array.from({ length: count }, (_, at): Stored => {
      return { key: `k${String(at).padStart(6, '0')}`, kind: 'value', size }
    })
    const { client, requests } = serverOf(all)
    const { lines, next } = await firstLoad(client, { prefix: '', delimiter: ':' })
    expect(next).not.toBeNull()
    expect(lines.length * size).toBeLessThan(9_000_000)
    expect(lines.length).toBeLessThan(6_000)
    expect(requests.length).toBeLessThan(20)
  })
})
