// @vitest-environment node
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type KeyColumn, primaryKey, type Seek, seeksBehind, soughtKey } from '~/sql/keyset'
import { noFilter } from '~/sql/row-filter'
import { type RowPath, rowsSql, typesOf } from '~/sql/table-rows'
import { answerRows, type RowModel } from '../support/row-model'

const written = (seeks: readonly Seek[]) =>
  seeks.map((seek) => seek.map(({ name, sign, value }) => `${name} ${sign} ${value}`).join(' AND '))

describe('the rows behind a key', () => {
  const key = ['a', 'b', 'c'].map((name): KeyColumn => ({ name, type: 'INTEGER' }))

  test('are sought group by group, from the innermost outwards', () => {
    expect(written(seeksBehind(key.slice(0, 1), ['1']))).toEqual(['a > 1'])
    expect(written(seeksBehind(key.slice(0, 2), ['1', '2']))).toEqual(['a = 1 AND b > 2', 'a >= 2'])
    expect(written(seeksBehind(key, ['1', '2', '3']))).toEqual([
      'a = 1 AND b = 2 AND c > 3',
      'a = 1 AND b >= 3',
      'a >= 2',
    ])
  })

  test('backwards are the smaller ones', () => {
    expect(written(seeksBehind(key.slice(0, 2), ['1', null], true))).toEqual([
      'a = 1 AND b < null',
      'a <= 0',
    ])
  })
})

test('fractions and JSON are not sought, because two may be written alike', () => {
  expect(soughtKey([{ name: 'a', type: 'VARCHAR(20)' }])).toEqual([
    { name: 'a', type: 'VARCHAR', length: 20 },
  ])
  expect(soughtKey([{ name: 'a', type: 'FLOAT' }])).toBeNull()
  expect(soughtKey([])).toBeNull()
})

test('the primary key has the order of its index, as far as that may be read', () => {
  const columns = ['a', 'b', 'c'].map((name) => ({
    name,
    type: 'INTEGER',
    isPrimaryKey: name !== 'b',
  }))
  const names = (indexes: Parameters<typeof primaryKey>[0]['indexes']) =>
    primaryKey({ columns, indexes }).map(({ name }) => name)
  expect(names(null)).toEqual(['a', 'c'])
  expect(names([{ columns: ['c', 'a'], isPrimary: true }])).toEqual(['c', 'a'])
})

/** Some of the first and last values of each type, and neighbours. */
const values: Record<string, readonly string[]> = {
  INTEGER: [String(-(2n ** 63n)), '-1', '0', '7', String(2n ** 63n - 1n)],
  'VARCHAR(8)': ['', 'a', 'a\0', 'b', 'b\u{10ffff}\uffff'],
  UUID: ['0', '1', '8000', 'fffe', 'ffff'].map(
    (end) => `00000000-0000-0000-0000-${end.padStart(12, end[0])}`,
  ),
}

const columnTypes = fc.array(fc.constantFrom('INTEGER', 'VARCHAR(8)', 'UUID'), {
  minLength: 1,
  maxLength: 4,
})

/** A table whose key is all of its columns, with few values in each, and gaps. */
const someTable = columnTypes.chain((types) => {
  const columns = types.map((type, at) => ({ name: `k${at}`, type }))
  const value = (type: string) => fc.integer({ min: 0, max: 4 }).map((n) => values[type]?.[n] ?? '')
  const rows = fc.uniqueArray(fc.tuple(...types.map(value)), { maxLength: 40, selector: String })
  const key = columns.map(({ name }) => name)
  return rows.map((rows): RowModel => ({ table: 't', columns, key, rows }))
})

test('pages visit every row exactly once, in both orders and directions', () => {
  const sizes = fc.integer({ min: 1, max: 5 })
  fc.assert(
    fc.property(
      someTable,
      sizes,
      fc.boolean(),
      fc.boolean(),
      (model, size, isDescending, isBackwards) => {
        const path = { index: model.key, key: soughtKey(model.columns), isDescending }
        const seen = readAll(model, path, size, isBackwards)
        expect(seen).toHaveLength(model.rows.length)
        expect(new Set(seen)).toEqual(new Set(model.rows.map((row) => JSON.stringify(row))))
      },
    ),
    { numRuns: 400 },
  )
})

function readAll(model: RowModel, path: RowPath, size: number, isBackwards: boolean): string[] {
  const seen: string[] = []
  let last: (string | null)[] | null = null
  for (let pages = 0; pages <= model.rows.length; pages += 1) {
    const seeks: readonly (Seek | null)[] = last
      ? seeksBehind(path.key ?? [], last, path.isDescending !== isBackwards)
      : [null]
    const page: (string | null)[][] = []
    for (const seek of seeks) {
      const asked = { table: 't', period: '', filter: noFilter, path, skip: 0, isBackwards }
      const limit = size - page.length
      const { sql, params } = rowsSql({ ...asked, seek, limit }, typesOf(model.columns))
      expect(sql).not.toMatch(/ OR /)
      const { rows = [] } = answerRows(model, sql, params) ?? {}
      page.push(...rows.map((row) => row.values.map((cell) => Object.values(cell)[0] ?? null)))
      if (page.length >= size) break
    }
    seen.push(...page.map((row) => JSON.stringify(row)))
    if (page.length < size) break
    last = page.at(-1) ?? null
  }
  return seen
}
