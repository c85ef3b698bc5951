// @vitest-environment node
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PlainError } from '~/lib/plain-error'
import { planEdits } from '~/sql/edit-statements'
import { quoteName } from '~/sql/names'
import { restoreSql } from '~/sql/restore'
import { readResult } from '~/sql/result'
import {
  changeCell,
  deleteRow,
  type Edits,
  type EditTable,
  editTableOf,
  wholeKeyOf,
} from '~/sql/row-edits'
import { conditionOf, wholeKey } from '~/sql/row-key'
import { rowNow } from '~/sql/row-source'

const name = fc.constantFrom('id', 'part', 'name', 'customers', 'note', 'order')
const type = fc.constantFrom('INTEGER', 'VARCHAR[60]', 'VARCHAR(60)', 'UUID', 'FLOAT', 'JSON', '')
const described = fc.record({
  name,
  type,
  isNullable: fc.boolean(),
  isPrimaryKey: fc.boolean(),
  isAutoIncrement: fc.boolean(),
})
const index = fc.record({
  columns: fc.array(name, { maxLength: 3 }),
  isUnique: fc.boolean(),
  isPrimary: fc.boolean(),
})
const description = fc.record({
  columns: fc.array(described, { maxLength: 4 }),
  indexes: fc.option(fc.array(index, { maxLength: 3 })),
})

/** As servers of one version or another name a column, or as none does. */
const columnName = fc.oneof(
  name.map((one) => `(customers.${one})`),
  name.map((one) => `(defaultdb.customers.${one})`),
  name.map((one) => `(a.defaultdb.customers.${one})`),
  name,
  fc.constantFrom('(id)', 'COUNT(customers.id)', "(customers.j->'x.y')", '((customers.id)'),
)
const value = fc.constantFrom(
  { n: '1' },
  { n: '2' },
  { s: 'one' },
  { f: 0 },
  { f: 'NaN' },
  { null: null },
)
const answer = fc
  .array(fc.record({ name: columnName, type: fc.constantFrom('INTEGER', 'VARCHAR', 'ANY') }), {
    maxLength: 4,
  })
  .chain((columns) =>
    fc.record({
      columns: fc.constant(columns),
      rows: fc.array(fc.record({ values: fc.tuple(...columns.map(() => value)) }), {
        maxLength: 3,
      }),
    }),
  )

/** The rows of an answer as a screen has them; none where it cannot be read. */
function rowsOf(given: unknown): readonly ReadonlyMap<string, string | null>[] {
  try {
    const { columns, rowCount } = readResult(given)
    return Array.from(
      { length: rowCount },
      (_, row) => new Map(columns.map(({ label, values }) => [label, values[row] ?? null])),
    )
  } catch (error) {
    if (error instanceof PlainError) return []
    throw error
  }
}

const named = (table: EditTable, where: string) =>
  table.primaryKey.length > 0 && table.primaryKey.every((one) => where.includes(quoteName(one)))

test('no statement about a row names less than its whole key, whatever the server answers', () => {
  let built = 0
  fc.assert(
    fc.property(description, answer, (of, given) => {
      const table = editTableOf('customers', of)
      // What is marked as part of the key is named, or nothing is.
      const marked = of.columns.filter(({ isPrimaryKey }) => isPrimaryKey).map((one) => one.name)
      for (const row of rowsOf(given)) {
        const changed = changeCell([], table, row, 'name', { value: 'other' })
        for (const edits of [deleteRow([], table, row), changed] as Edits[]) {
          if (edits.length === 0) continue
          const plan = planOf(table, edits)
          if (plan === null) continue
          built += 1
          for (const { sql } of plan.statements) {
            const where = /\nWHERE (.+)\nLIMIT 1 /s.exec(sql)?.[1] ?? ''
            expect(named(table, where), sql).toBe(true)
            expect(marked.every((one) => where.includes(quoteName(one)))).toBe(true)
            expect(where).not.toMatch(/IS NULL|^\s*$/)
          }
        }
        const key = wholeKeyOf(table, row)
        if (key === null) continue
        expect(named(table, conditionOf(key))).toBe(true)
        expect(rowNow('customers', key)).toContain(` WHERE ${conditionOf(key)};`)
        const cells = [{ name: 'text', type: 'VARCHAR', value: 'x' }]
        const restored = restoreSql('customers', key, cells, { columns: table.columns, cells: row })
        expect(named(table, /\nWHERE (.+)\nLIMIT 1 /s.exec(restored?.sql ?? '')?.[1] ?? '')).toBe(
          true,
        )
      }
    }),
    { numRuns: 3_000 },
  )
  // A property of nothing would always hold.
  expect(built).toBeGreaterThan(100)
})

function planOf(table: EditTable, edits: Edits) {
  try {
    return planEdits(table, edits)
  } catch (error) {
    if (error instanceof PlainError) return null
    throw error
  }
}

test('two names that differ in capitals alone are one column to the server, so no whole key', () => {
  const key = (...names: string[]) =>
    wholeKey(
      names.map((name) => ({ name, type: 'INTEGER' })),
      () => '1',
    )
  expect(key('id', 'ID')).toBeNull()
  expect(key('id', 'id')).toBeNull()
  expect(key('id', 'line')).not.toBeNull()
})

test('names of columns as immudb up to 1.4 has them are read like those of today', () => {
  const given = (...names: string[]) => ({
    columns: names.map((one) => ({ name: one, type: 'INTEGER' })),
    rows: [{ values: names.map((_, at) => ({ n: String(at) })) }],
  })
  const labels = (...names: string[]) =>
    readResult(given(...names)).columns.map(({ label }) => label)
  expect(labels('(defaultdb.customers.id)', '(my-db.c.name)')).toEqual(['id', 'name'])
  expect(labels('COUNT(defaultdb.customers.id)')).toEqual(['COUNT(id)'])
  expect(labels('(a.t.id)', '(a.u.id)')).toEqual(['t.id', 'u.id'])
  expect(readResult(given('(a.t.id)')).columns[0]).toMatchObject({ name: '(t.id)', table: 't' })
  // The path in a JSON column has dots of its own.
  expect(labels("(t.j->'a.b.c')")).toEqual(["j->'a.b.c'"])
})
