// @vitest-environment node
import { createStore } from 'jotai'
import { describe, expect, test } from 'vitest'
import type { Client } from '~/api/client'
import { ApiError } from '~/api/errors'
import {
  firstPlace,
  type Place,
  pathFor,
  type RowsView,
  readRowsPage,
  readShownPage,
  refuseLacking,
} from '~/atoms/tables/table-rows'
import { keyOrder, noFilter, type Operator } from '~/sql/row-filter'
import { answerRows, type RowModel } from '../../support/row-model'
import { reportVersion } from '../../support/server-version'

const columns = [
  { name: 'a', type: 'INTEGER' },
  { name: 'b', type: 'INTEGER' },
]
const model: RowModel = {
  table: 't',
  columns,
  key: ['a', 'b'],
  rows: Array.from({ length: 2_300 }, (_, at) => [String(at % 10), String(at)]),
}

type Sent = { sql: string; params?: { name: string; value: Record<string, unknown> }[] }

/**
 * A server that refuses answers of more than so many rows, and values of rows with some `b`; an old
 * one takes one column to order by and refuses an answer of as many rows as 1,000.
 */
function server(most = 2_500, large: readonly string[] = [], isOld = false) {
  const sent: Sent[] = []
  const call = async (_: unknown, { body }: { body: Sent }) => {
    sent.push(body)
    if (isOld && / ORDER BY \w+ \w+,/.test(body.sql)) {
      const text = 'order is limit to one indexed column'
      throw new ApiError({ kind: 'refused', text })
    }
    if (isOld && Number(/ LIMIT (\d+)/.exec(body.sql)?.[1]) >= 1_000) {
      const text = 'result size limit reached: found at least 1000 rows (the maximum limit).'
      throw new ApiError({ kind: 'refused', text })
    }
    const answer = answerRows(model, body.sql, body.params)
    if (!answer) throw new ApiError({ kind: 'refused', text: 'table does not exist (x)' })
    const isWhole = body.sql.startsWith('SELECT *')
    const isLarge = isWhole && answer.rows.some(({ values }) => large.includes(bOf(values)))
    if (answer.rows.length > most || isLarge)
      throw new ApiError({ kind: 'too-large', text: 'too large' })
    return answer
  }
  return { client: { call } as unknown as Client, sent }
}

const bOf = (values: readonly object[]) => String(Object.values(values[1] ?? {})[0])

const described = {
  kind: 'table' as const,
  columns: columns.map((column) => ({
    ...column,
    isNullable: false,
    isPrimaryKey: true,
    isForeignKey: false,
    isIndexed: false,
    isAutoIncrement: false,
    isUnique: false,
  })),
  indexes: null,
}

const view: RowsView = {
  database: 'db',
  table: 't',
  period: '',
  columns,
  filter: noFilter,
  path: pathFor(described, keyOrder),
  size: 1_000,
  place: firstPlace,
}

const all = [...model.rows]
  .sort((x, y) => Number(x[0]) - Number(y[0]) || Number(x[1]) - Number(y[1]))
  .map((row) => row.join(' '))

async function walk(client: Client, start: Place, way: 'next' | 'previous', of = view) {
  const pages: string[][] = []
  for (let place: Place | null = start; place; ) {
    const page: Awaited<ReturnType<typeof readRowsPage>> = await readRowsPage(
      client,
      { ...of, place },
      new AbortController().signal,
    )
    const [one, other] = page.rows.columns
    pages.push(one?.values.map((value, row) => `${value} ${other?.values[row]}`) ?? [])
    place = page[way]
  }
  return pages
}

describe('the pages of a table', () => {
  test.each([[2_500], [300], [40]])(
    'are walked through both ways where an answer holds at most %i rows',
    async (most) => {
      const { client } = server(most)
      const onwards = await walk(client, firstPlace, 'next')
      expect(onwards.flat()).toEqual(all)
      const back = await walk(client, { kind: 'last' }, 'previous')
      expect(back.reverse().flat()).toEqual(all)
    },
  )

  test('are walked through both ways where immudb 1.5 takes one column to order by', async () => {
    const { client, sent } = server(2_500, [], true)
    const onwards = await walk(client, firstPlace, 'next')
    expect(onwards.flat()).toEqual(all)
    const back = await walk(client, { kind: 'last' }, 'previous')
    expect(back.reverse().flat()).toEqual(all)
    const orders = sent.map(({ sql }) => / ORDER BY (.*) LIMIT/.exec(sql)?.[1])
    expect(new Set(orders)).toEqual(new Set(['a ASC, b ASC', 'a ASC', 'a DESC, b DESC', 'a DESC']))
    // The index that gives the other column stays named.
    expect(sent.every(({ sql }) => sql.includes('USE INDEX ON (a, b)'))).toBe(true)
  })

  test('are walked through both ways in an order that no index has, ties and all', async () => {
    const { client, sent } = server(300)
    // As if only b were the key: every value of a is in 230 rows.
    const keys = described.columns.map((one) => ({ ...one, isPrimaryKey: one.name === 'b' }))
    for (const isDescending of [false, true]) {
      const path = pathFor({ ...described, columns: keys }, { column: 'a', isDescending })
      expect(path.isSorted).toBe(true)
      const wanted = isDescending ? [...all].reverse() : all
      const of = { ...view, path }
      expect((await walk(client, firstPlace, 'next', of)).flat()).toEqual(wanted)
      const back = await walk(client, { kind: 'last' }, 'previous', of)
      expect(back.reverse().flat()).toEqual(wanted)
    }
    expect(sent.some(({ sql }) => /INDEX|OFFSET/.test(sql))).toBe(false)
  })

  test('know where they are, as far as rows were counted on the way', async () => {
    const { client } = server()
    const at = (place: Place | null) => {
      if (!place) throw new Error('there is no such page')
      return readRowsPage(client, { ...view, place }, new AbortController().signal)
    }
    const second = await at((await at(firstPlace)).next)
    const third = await at(second.next)
    expect([second.start, third.start]).toEqual([1_000, 2_000])
    expect((await at(third.previous)).start).toBe(1_000)
    const last = await at({ kind: 'last' })
    expect(last.start).toBeNull()
    const before = await at(last.previous)
    expect(before.start).toBeNull()
    // The beginning is known again once it is reached.
    expect((await at(before.previous)).start).toBe(0)
  })

  test.each([['next'], ['previous']] as const)(
    'go past rows that are too large, which are named (%s)',
    async (way) => {
      const { client } = server(2_500, ['0', '1235', '1245', '2299'])
      const shown: string[] = []
      let place: Place | null = way === 'next' ? firstPlace : { kind: 'last' }
      while (place) {
        const page: Awaited<ReturnType<typeof readShownPage>> = await readShownPage(
          client,
          { ...view, place },
          new AbortController().signal,
        )
        const { columns: of, rowCount } = page.unread ?? page.rows
        const rows = Array.from({ length: rowCount }, (_, at) =>
          of.map(({ values }) => values[at]).join(' '),
        ).map((row) => (page.unread ? `${row} unread` : row))
        shown.push(...(way === 'next' ? rows : rows.reverse()))
        place = page[way]
      }
      if (way === 'previous') shown.reverse()
      const large = ['0 0', '5 1235', '5 1245', '9 2299']
      expect(shown).toEqual(all.map((row) => (large.includes(row) ? `${row} unread` : row)))
    },
  )

  test('go from a page to the one before it and back', async () => {
    const { client } = server()
    const signal = new AbortController().signal
    const first = await readRowsPage(client, view, signal)
    expect(first.previous).toBeNull()
    if (!first.next) throw new Error('there are more')
    const second = await readRowsPage(client, { ...view, place: first.next }, signal)
    if (!second.previous) throw new Error('there are some before')
    const again = await readRowsPage(client, { ...view, place: second.previous }, signal)
    expect(again.rows).toEqual(first.rows)
    expect(again.previous).toBeNull()
    expect(again.next).toEqual(first.next)
  })

  test('ask for one seek after the other, with every value as a parameter', async () => {
    const { client, sent } = server()
    const place = { kind: 'after', values: ['8', '2298'] } as const
    await readRowsPage(client, { ...view, place }, new AbortController().signal)
    expect(sent.map(({ sql }) => /WHERE (.*) ORDER/.exec(sql)?.[1])).toEqual([
      'a = @p1 AND b > @p2',
      'a >= @p1',
    ])
    expect(sent[0]?.params).toEqual([
      { name: 'p1', value: { n: '8' } },
      { name: 'p2', value: { n: '2298' } },
    ])
  })

  test('that end behind deleted rows lead back', async () => {
    const { client } = server()
    const place = { kind: 'after', values: ['99', '0'] } as const
    const page = await readRowsPage(client, { ...view, place }, new AbortController().signal)
    expect(page.rows.rowCount).toBe(0)
    expect(page.next).toBeNull()
    expect(page.previous).toEqual({ kind: 'before', values: ['99', '0'] })
  })

  test('of a view are counted off', async () => {
    const { client, sent } = server()
    const of = { ...view, path: pathFor({ kind: 'view', columns }, keyOrder) }
    const signal = new AbortController().signal
    const first = await readRowsPage(client, of, signal)
    expect(first.next).toEqual({ kind: 'skip', done: 1_000 })
    const second = await readRowsPage(
      client,
      { ...of, place: { kind: 'skip', done: 1_000 } },
      signal,
    )
    expect(second.previous).toEqual({ kind: 'skip', done: 0 })
    expect(sent.map(({ sql }) => sql)).toEqual([
      'SELECT * FROM t LIMIT 1001;',
      'SELECT * FROM t LIMIT 1001 OFFSET 1000;',
    ])
  })

  test('fail as the server says', async () => {
    const { client } = server()
    const asked = readRowsPage(client, { ...view, table: 'x' }, new AbortController().signal)
    await expect(asked).rejects.toThrow('table does not exist (x)')
  })

  test('of a row that is too large for an answer fail', async () => {
    const { client } = server(0)
    const asked = readRowsPage(client, view, new AbortController().signal)
    await expect(asked).rejects.toMatchObject({ kind: 'too-large' })
  })
})

describe('a filter or an order of a link that the server lacks', () => {
  const float = [...columns, { name: 'f', type: 'FLOAT' }]
  const refused = (version: string, operator: Operator | null, isSorted = false) => {
    const store = createStore()
    reportVersion(store, version)
    const conditions = operator === null ? [] : [{ column: 'a', operator, values: ['1', '2'] }]
    const path = { index: ['f', 'a'], key: null, isDescending: false }
    const of = { filter: { isAny: false, conditions }, columns: float }
    return () => refuseLacking(store.get, { ...of, path: isSorted ? { ...path, isSorted } : path })
  }

  test.each([
    ['1.9.5', 'BETWEEN', false],
    ['1.10.0', 'CONTAINS', false],
    ['1.10.0', 'LIKE', false],
    ['1.9.5', null, true],
    ['1.5.0', null, true],
  ] as const)('is not sent to %s: %s', (version, operator, isSorted) => {
    expect(refused(version, operator, isSorted)).toThrow(
      /^These rows cannot be read so\. Needs immudb 1\..* This server runs 1\..*\.$/,
    )
  })

  test.each([
    ['1.9.5', 'IN', false],
    ['1.9.5', null, false],
    ['1.10.0', 'BETWEEN', true],
    ['1.11.1', 'CONTAINS', true],
    ['-', 'LIKE', true],
  ] as const)('is read from %s: %s', (version, operator, isSorted) => {
    expect(refused(version, operator, isSorted)).not.toThrow()
  })
})
