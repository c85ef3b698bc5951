// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { type Client, createClient } from '~/api/client'
import { documentRevisions, keyRevisions, withContent } from '~/core/revisions/revisions'
import type { Unreadable } from '~/core/unreadable'
import { recorded, recordedResponse } from '../../support/recorded'

const key = { database: 'db', key: 'aw==' }
const document = { database: 'db', collection: 'c', id: 'aa' }

type Revision = { readonly tx: number; readonly is?: Unreadable }
type Asked = { readonly first: number; readonly count: number; readonly isBare: boolean }

/** A server with one key and one document of these revisions, oldest first. */
function serverOf(kept: Revision[]): { client: Client; asked: Asked[]; kept: Revision[] } {
  const asked: Asked[] = []
  const answer = (offset: number, limit: number, isNewestFirst: boolean, isBare: boolean) => {
    const numbers = kept.map((_, at) => at + 1)
    const found = (isNewestFirst ? numbers.reverse() : numbers).slice(offset, offset + limit)
    asked.push({ first: found[0] ?? 0, count: found.length, isBare })
    if (offset === kept.length) return recordedResponse(recorded('truncation', 'history from 3'))
    const unread = isBare ? undefined : found.map((one) => kept[one - 1]?.is).find(Boolean)
    if (unread === 'gone') return recordedResponse(recorded('truncation', 'history of a key'))
    if (unread) return recordedResponse(recorded('past', 'too wide'))
    const all = found.map((number) => [number, String(kept[number - 1]?.tx)] as const)
    const content = (number: number) => (isBare ? {} : { document: { number } })
    return Response.json({
      entries: all.map(([at, tx]) => ({ tx, key: key.key, value: 'dg==', revision: `${at}` })),
      revisions: all.map(([at, transactionId]) => {
        return { transactionId, revision: `${at}`, ...content(at) }
      }),
    })
  }
  const client = createClient({
    baseURL: '/api',
    token: () => 'token',
    fetch: async (input, init) => {
      const body = JSON.parse(String(init?.body))
      if (String(input).includes('/db/history'))
        return answer(Number(body.offset), body.limit, body.desc, false)
      return answer((body.page - 1) * body.pageSize, body.pageSize, body.desc, body.omitPayload)
    },
  })
  return { client, asked, kept }
}

/** As many revisions, each in every second transaction. */
const many = (count: number): Revision[] =>
  Array.from({ length: count }, (_, at) => ({ tx: 2 * (at + 1) }))

const numberOf = (told: { revision: string | null } | string | null) =>
  told === null || typeof told === 'string' ? told : Number(told.revision)

describe.each(['key', 'document'] as const)('the revisions of a %s', (kind) => {
  const opened = (kept: Revision[], options = {}) => {
    const server = serverOf(kept)
    const revisions =
      kind === 'key'
        ? keyRevisions(server.client, key, options)
        : documentRevisions(server.client, document, options)
    return { ...server, revisions }
  }

  test('are counted, and none is counted of what never was', async () => {
    expect(await opened(many(7)).revisions.count()).toBe(7)
    expect(await opened([]).revisions.count()).toBe(0)
    expect(await opened([]).revisions.upTo('9')).toEqual({ last: null, next: null, hidden: null })
  })

  test('are found by their number, which what is written meanwhile does not move', async () => {
    const { revisions, kept, asked } = opened(many(40))
    expect(await revisions.count()).toBe(40)
    kept.push({ tx: 100 }, { tx: 101 })
    expect(numberOf(await revisions.at(7))).toBe(7)
    expect(await revisions.at(43)).toBeNull()
    expect(await revisions.at(0)).toBeNull()
    const before = asked.length
    expect(numberOf(await revisions.at(7))).toBe(7)
    expect(asked).toHaveLength(before)
  })

  test('come in pages of neighbours, each asked for once', async () => {
    const { revisions, asked } = opened(many(1_000), { atOnce: 10 })
    expect(await revisions.count()).toBe(1_000)
    for (const from of [1_000, 990, 500, 10]) {
      const page = await revisions.page(from, from - 9)
      expect(page.map(numberOf)).toEqual(Array.from({ length: 10 }, (_, at) => from - at))
    }
    expect(asked.map(({ first, count }) => [first, count])).toEqual([
      [1_000, 10],
      [981, 10],
      [491, 10],
      [1, 10],
    ])
  })

  test('are searched by transaction in few requests, wherever it is', async () => {
    for (const tx of [1, 2, 3, 9_999, 10_000, 19_999, 20_000, 30_000]) {
      const { revisions, asked } = opened(many(10_000))
      const { last, next, hidden } = await revisions.upTo(String(tx))
      const number = Math.min(10_000, Math.floor(tx / 2))
      expect([numberOf(last) ?? 0, numberOf(next) ?? 10_001]).toEqual([number, number + 1])
      expect(hidden).toBeNull()
      expect(asked.length).toBeLessThanOrEqual(15)
    }
  })
})

describe('revisions of a key that cannot be read', () => {
  const opened = (kept: Revision[], atOnce = 1) => {
    const server = serverOf(kept)
    return { ...server, revisions: keyRevisions(server.client, key, { atOnce }) }
  }
  const tooLarge = (...numbers: number[]) =>
    many(12).map((one, at) =>
      numbers.includes(at + 1) ? { ...one, is: 'too-large' as const } : one,
    )

  test('are told apart from those that are not there, page by page', async () => {
    const { revisions } = opened(tooLarge(3, 12), 10)
    expect(await revisions.count()).toBe(12)
    const page = await revisions.page(13, 2)
    expect(page.map(numberOf)).toEqual([
      null,
      'too-large',
      11,
      10,
      9,
      8,
      7,
      6,
      5,
      4,
      'too-large',
      2,
    ])
  })

  test.each([1, 2, 9, 10, 11, 700])('are counted where all %i are', async (count) => {
    const kept = many(count).map((one) => ({ ...one, is: 'gone' as const }))
    const { revisions, asked } = opened(kept)
    expect(await revisions.count()).toBe(count)
    expect(asked.length).toBeLessThanOrEqual(20)
    expect(await revisions.upTo('5')).toMatchObject({ last: null, hidden: 'gone' })
  })

  test('leave it open which one it was only where they are in question', async () => {
    const { revisions } = opened(tooLarge(4, 5, 6, 12))
    const upTo = async (tx: number) => {
      const { last, next, hidden } = await revisions.upTo(String(tx))
      return [numberOf(last), hidden, numberOf(next)]
    }
    expect(await upTo(1)).toEqual([null, null, 1])
    expect(await upTo(5)).toEqual([2, null, 3])
    // Revision 3 is in tx 6, the next one that can be read in tx 14.
    expect(await upTo(9)).toEqual([3, 'too-large', 7])
    expect(await upTo(14)).toEqual([7, null, 8])
    expect(await upTo(24)).toEqual([11, 'too-large', null])
  })

  test('are passed in few requests where many are beside each other', async () => {
    const large = Array.from({ length: 400 }, (_, at) => 300 + at)
    const kept = many(1_000).map((one, at) =>
      large.includes(at + 1) ? { ...one, is: 'too-large' as const } : one,
    )
    const { revisions, asked } = opened(kept)
    expect(numberOf((await revisions.upTo('20')).last)).toBe(10)
    expect(asked.length).toBeLessThanOrEqual(40)
  })

  test('because a truncation removed the oldest are not each asked for', async () => {
    const kept = many(5_000).map((one, at) => (at < 3_000 ? { ...one, is: 'gone' as const } : one))
    const { revisions, asked } = opened(kept)
    expect(await revisions.upTo('2000')).toMatchObject({ last: null, hidden: 'gone' })
    expect(numberOf((await revisions.upTo('8001')).last)).toBe(4_000)
    expect(asked.length).toBeLessThanOrEqual(40)
  })
})

describe('the content of a document', () => {
  const opened = (kept: Revision[]) => {
    const server = serverOf(kept)
    const options = { atOnce: 5, hasContent: true }
    return { ...server, revisions: documentRevisions(server.client, document, options) }
  }
  const contentAt = async ({ client, revisions }: ReturnType<typeof opened>, number: number) => {
    const told = await revisions.at(number)
    if (told === null || typeof told === 'string') return told
    const { document: content, hidden } = await withContent(client, document, told)
    return hidden ?? content
  }

  test('comes with the newest revisions, and is read for others', async () => {
    const server = opened(many(20))
    expect(await server.revisions.count()).toBe(20)
    expect(await contentAt(server, 18)).toEqual({ number: 18 })
    expect(server.asked).toHaveLength(1)
    expect(await contentAt(server, 3)).toEqual({ number: 3 })
    expect(server.asked.map(({ isBare }) => isBare)).toEqual([false, true, false])
  })

  test('that cannot be read hides neither a revision nor its transaction', async () => {
    const kept = many(4).map((one, at) => (at === 1 ? { ...one, is: 'too-large' as const } : one))
    const server = opened(kept)
    expect((await server.revisions.page(4, 1)).map(numberOf)).toEqual([4, 3, 2, 1])
    expect(numberOf((await server.revisions.upTo('4')).last)).toBe(2)
    expect(await contentAt(server, 2)).toBe('too-large')
    expect(await contentAt(server, 3)).toEqual({ number: 3 })
  })
})
