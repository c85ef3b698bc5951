// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { ApiError } from '~/api/errors'
import { areUnchangedSince, countsOfRows, lastWrites } from '~/core/revisions/row-writes'
import { tabWith } from '../../support/revision-server'
import { keyOfCells } from '../../support/whole-key'

/** What was written to each row, by its key: the transactions, negative for a deletion. */
type Writes = Readonly<Record<string, readonly number[]>>

/** A server that answers questions about periods for any number of rows. */
function rowsWith(writes: Writes, last: number) {
  const asked: string[] = []
  const fetch = (async (_input: unknown, init: RequestInit = {}) => {
    const sql = String(JSON.parse(String(init.body)).sql)
    asked.push(sql)
    await Promise.resolve()
    const history = [...sql.matchAll(/SELECT (\d+), _rev FROM \(HISTORY OF t\) WHERE id = (\d+)/g)]
    if (history.length > 0) {
      const rows = history.flatMap(([, at, id = '']) => {
        const count = writes[id]?.length ?? 0
        return count > 0 ? [{ values: [{ n: at }, { n: String(count) }] }] : []
      })
      const columns = ['col0', '_rev'].map((name) => ({ name: `(t.${name})`, type: 'INTEGER' }))
      return Response.json({ columns, rows })
    }
    const probes = /SELECT (\d+) FROM t (?:SINCE TX (\d+))? ?(?:UNTIL TX (\d+))? ?WHERE id = (\d+)/g
    const rows = [...sql.matchAll(probes)].flatMap(([, n, since = '1', until = last, id = '']) => {
      const inside = (writes[id] ?? []).filter(
        (tx) => Math.abs(tx) >= Number(since) && Math.abs(tx) <= Number(until),
      )
      return (inside.at(-1) ?? -1) > 0 ? [{ values: [{ n }] }] : []
    })
    return Response.json({ columns: [{ name: '(t.col0)', type: 'INTEGER' }], rows })
  }) as typeof globalThis.fetch
  const names = (...ids: readonly string[]) => ({
    database: 'db',
    table: 't',
    keys: ids.map((value) => keyOfCells([{ column: 'id', type: 'INTEGER', value }])),
  })
  return { store: tabWith({ fetch }), asked, names }
}

const last = 1_000_000

describe('the last writes of rows', () => {
  test('are found for all of them at once, as of a transaction', async () => {
    const { store, names } = rowsWith({ 1: [5], 2: [5, 900_000], 3: [7, -8], 4: [3, -4, 9] }, last)
    const rows = names('1', '2', '3', '4', '5')
    const found = (until: number) =>
      lastWrites(store, rows, { until: `UNTIL TX ${until}`, last: BigInt(until) })
    expect(await found(last)).toEqual([5n, 900_000n, null, 9n, null])
    expect(await found(7)).toEqual([5n, 5n, 7n, null, null])
    expect(await found(1)).toEqual([null, null, null, null, null])
  })

  test('take few requests, wherever they are', async () => {
    const ids = Array.from({ length: 25 }, (_, at) => String(at + 1))
    const bulk = Object.fromEntries(ids.map((id) => [id, [4_711]]))
    const spread = Object.fromEntries(ids.map((id) => [id, [Number(id) * 39_007]]))
    for (const writes of [bulk, spread]) {
      const { store, asked, names } = rowsWith(writes, last)
      const end = { until: `UNTIL TX ${last}`, last: BigInt(last) }
      const found = await lastWrites(store, names(...ids), end)
      expect(found).toEqual(ids.map((id) => BigInt(writes[id]?.[0] ?? 0)))
      expect(asked.length).toBeLessThanOrEqual(8)
      expect(Math.max(...asked.map(({ length }) => length))).toBeLessThan(64_000)
    }
  })

  test('are not said to be gone by a server that refuses the question', async () => {
    const { names } = rowsWith({}, last)
    const refusing = (async () =>
      Response.json(
        { error: 'table does not exist', code: 2, message: '' },
        { status: 400 },
      )) as typeof globalThis.fetch
    const end = { until: `UNTIL TX ${last}`, last: BigInt(last) }
    await expect(lastWrites(tabWith({ fetch: refusing }), names('1'), end)).rejects.toThrow(
      ApiError,
    )
  })

  test('stay right with keys of which a statement holds few', async () => {
    const { store, names } = rowsWith({ 1: [77] }, 1_000)
    const { keys, ...rows } = names('1')
    const long = keyOfCells([
      { column: 'id', type: 'INTEGER', value: '1' },
      { column: 'k', type: 'VARCHAR', value: 'x'.repeat(40_000) },
    ])
    const end = { until: 'UNTIL TX 1000', last: 1_000n }
    expect(await lastWrites(store, { ...rows, keys: [long] }, end)).toEqual([77n])
    expect(keys).toHaveLength(1)
  })
})

describe('the revisions of rows', () => {
  test('are counted by one request', async () => {
    const { store, asked, names } = rowsWith({ 1: [5], 3: [7, -8, 9] }, last)
    expect(await countsOfRows(store, names('1', '2', '3'))).toEqual(['1', null, '3'])
    expect(asked).toHaveLength(1)
  })

  test('are the last ones unless the row was written or deleted since', async () => {
    const { store, names } = rowsWith({ 1: [5], 2: [5, 9], 3: [5, -9] }, last)
    const rows = names('1', '2', '3')
    expect(await areUnchangedSince(store, rows, [5n, 5n, 5n])).toEqual([true, false, false])
    expect(await areUnchangedSince(store, rows, [null, 9n, null])).toEqual([false, true, false])
  })
})
