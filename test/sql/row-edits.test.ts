// @vitest-environment node
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CellInput } from '~/sql/cell-input'
import { planEdits, requestOf, tooManyEntries } from '~/sql/edit-statements'
import {
  addRow,
  type Cells,
  changeCell,
  changeNewCell,
  deleteRow,
  duplicateRow,
  type Edits,
  type EditTable,
  editOf,
  isDone,
  rebased,
  rowId,
  shownInput,
  withoutCell,
} from '~/sql/row-edits'
import { carryOut, type ModelRow, type ModelTable } from '../support/sql-model'

const column = (name: string, type: string, more = {}) => ({
  name,
  type,
  length: null,
  isNullable: true,
  isPrimaryKey: false,
  isAutoIncrement: false,
  ...more,
})

const table: EditTable = {
  name: 'order',
  columns: [
    column('id', 'INTEGER', { isPrimaryKey: true, isNullable: false, isAutoIncrement: true }),
    column('note', 'VARCHAR'),
    column('select', 'FLOAT'),
    column('detail', 'JSON'),
    column('code', 'UUID'),
  ],
  primaryKey: ['id'],
  indexes: [
    { columns: ['note'], isUnique: false },
    { columns: ['select', 'note'], isUnique: false },
  ],
}

const row = (id: string, cells: Record<string, string | null> = {}): Cells =>
  new Map(table.columns.map(({ name }) => [name, name === 'id' ? id : (cells[name] ?? null)]))

const value = (of: string | null): CellInput => ({ value: of })

test('a changed cell makes an UPDATE that requires every old value, as parameters', () => {
  const before = row('7', { note: "it's; --", detail: '{"a":1}', code: 'c0de' })
  const edits = changeCell([], table, before, 'select', value('NaN'))
  const [statement] = planEdits(table, edits).statements
  expect(statement?.sql).toBe(
    `UPDATE "order"
SET "select" = @p1
WHERE id = @p2
LIMIT 1 / (SELECT COUNT(*) FROM "order" WHERE id = @p2 AND NOT NOT (note = @p3 AND "select" IS NULL AND JSON_TYPEOF(detail) IS NOT NULL AND CAST(detail AS VARCHAR) = @p4 AND code = CAST(@p5 AS UUID)));`,
  )
  expect(statement?.params.map(({ value: of }) => of)).toEqual([
    { f: 'NaN' },
    { n: '7' },
    { s: "it's; --" },
    { s: '{"a":1}' },
    { s: 'c0de' },
  ])
})

test('NULL, NaN, the sign of zero and JSON that is NULL are compared without a failure', () => {
  const sql = (of: string) =>
    planEdits(table, deleteRow([], table, row('7', { select: of }))).statements[0]?.sql
  const same = (condition: string) => `DELETE FROM "order"
WHERE id = @p1
LIMIT 1 / (SELECT COUNT(*) FROM "order" WHERE id = @p1 AND NOT NOT (note IS NULL AND ${condition} AND JSON_TYPEOF(detail) IS NULL AND code IS NULL));`
  expect(sql('NaN')).toBe(same('"select" <> "select"'))
  expect(sql('-0')).toBe(same('"select" = @p2 AND CAST("select" AS VARCHAR) = @p3'))
})

test('a row of nothing but its key is only required to be there', () => {
  const [id] = table.columns
  const bare = { ...table, columns: id ? [id] : [] }
  const [statement] = planEdits(bare, deleteRow([], bare, row('7'))).statements
  expect(statement?.sql).toBe(
    'DELETE FROM "order"\nWHERE id = @p1\nLIMIT 1 / (SELECT COUNT(*) FROM "order" WHERE id = @p1);',
  )
})

test('a cell that gets its old value back leaves no edit', () => {
  const before = row('7', { note: 'a' })
  const edits = changeCell([], table, before, 'note', value('b'))
  expect(changeCell(edits, table, before, 'note', value('a'))).toEqual([])
})

test('a new row without any cell names one, because INSERT needs it', () => {
  const { edits } = addRow([])
  expect(planEdits(table, edits).statements[0]?.sql).toBe(
    'INSERT INTO "order" (note)\nVALUES (NULL);',
  )
})

test('a copy of a row leaves the counted key to the server', () => {
  const { edits, id } = duplicateRow([], table, '["7"]', row('7', { note: 'a' }))
  expect(id).toBe('new 1')
  expect(shownInput(editOf(edits, id), null, 'note')).toEqual({ value: 'a' })
  expect(editOf(edits, id)).not.toHaveProperty('after.id')
  expect(planEdits(table, edits).statements[0]?.sql).not.toContain('id')
})

test('entries are a row each, and for a change one for each index of a changed column', () => {
  const note = changeCell([], table, row('1'), 'note', value('b'))
  expect(planEdits(table, note).entries).toBe(3)
  const code = changeCell(note, table, row('2'), 'code', value('c'))
  expect(planEdits(table, deleteRow(addRow(code).edits, table, row('3'))).entries).toBe(6)
})

test('an indexed value that several rows leave counts for each, or the server would end', () => {
  const note = ['1', '2', '3'].reduce<Edits>(
    (edits, id) => changeCell(edits, table, row(id, { note: 'a' }), 'note', value('b')),
    [],
  )
  expect(planEdits(table, note).entries).toBe(3 * 3)
})

test('one cell is given up, and a change with it when it was the only one', () => {
  const before = row('7', { note: 'a', select: '1' })
  const one = changeCell([], table, before, 'note', value('mine'))
  const two = changeCell(one, table, before, 'select', value('2'))
  expect(withoutCell(two, '["7"]', 'select')).toEqual(one)
  expect(withoutCell(one, '["7"]', 'note')).toEqual([])
  const { edits, id } = addRow([], new Map([['note', value('a')]]))
  expect(withoutCell(edits, id, 'note')).toEqual(addRow([]).edits)
})

test('more than 1,024 entries are refused before they are sent, with their number', () => {
  let edits: Edits = []
  for (let at = 0; at < 1_024; at += 1) edits = addRow(edits).edits
  expect(tooManyEntries(planEdits(table, edits), 1_024)).toBeNull()
  expect(tooManyEntries(planEdits(table, edits), 4)).toMatch(/holds 4\./)
  const more = planEdits(table, addRow(edits).edits)
  expect(tooManyEntries(more, 1_024)).toMatch(
    /^This makes 1,025 entries .* holds 1,024\. Nothing was sent/,
  )
})

test('an edit based on the row of now keeps what is typed and drops what is there', () => {
  const before = row('7', { note: 'a', select: '1' })
  const one = changeCell([], table, before, 'note', value('mine'))
  const two = changeCell(one, table, before, 'select', value('2'))
  const now = row('7', { note: 'theirs', select: '2' })
  const [edit] = rebased(two, table, rowId(table, before), now)
  expect(edit).toEqual({
    kind: 'change',
    id: '["7"]',
    before: now,
    after: new Map([['note', value('mine')]]),
  })
  expect(rebased(two, table, '["7"]', null)[0]?.kind).toBe('add')
})

test('JSON counts as written when the server wrote it in its own way', () => {
  const { edits } = addRow([], new Map([['detail', value('{"b":1, "a":2}')]]))
  const [edit] = edits
  expect(edit && isDone(edit, table, row('9', { detail: '{"a":2,"b":1}' }))).toBe(true)
  expect(edit && isDone(edit, table, row('9', { detail: '{"a":3,"b":1}' }))).toBe(false)
})

const cell = {
  note: fc.option(fc.string(), { nil: null }),
  select: fc.constantFrom(null, '0', '-0', '1.5', 'NaN', 'Infinity', '-5e-324'),
  detail: fc.constantFrom(null, '{"a":1}', '[]', '"null"', 'true', '0'),
  code: fc.constantFrom(null, '00000000-0000-4000-8000-000000000001'),
}
const cells = fc.record(cell)
const oneChange = fc.oneof(
  ...Object.entries(cell).map(([name, of]) => of.map((to): [string, string | null] => [name, to])),
)
type Step =
  | { kind: 'change'; at: number; to: [string, string | null] }
  | { kind: 'delete'; at: number }
  | { kind: 'add'; at: number; cells: Record<string, string | null> }
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('change' as const), at: fc.nat(5), to: oneChange }),
  fc.record({ kind: fc.constant('delete' as const), at: fc.nat(5) }),
  fc.record({ kind: fc.constant('add' as const), at: fc.nat(5), cells }),
)

/** Stages steps; the result is what the table should hold afterwards. */
function staged(rows: readonly Cells[], steps: readonly Step[]) {
  let edits: Edits = []
  for (const one of steps) {
    const before = rows[one.at]
    if (one.kind === 'add') {
      const added = addRow(edits)
      edits = added.edits
      for (const [name, to] of Object.entries(one.cells)) {
        edits = changeNewCell(edits, added.id, name, value(to))
      }
    } else if (before && one.kind === 'delete') edits = deleteRow(edits, table, before)
    else if (
      before &&
      one.kind === 'change' &&
      editOf(edits, rowId(table, before))?.kind !== 'delete'
    )
      edits = changeCell(edits, table, before, one.to[0], value(one.to[1]))
  }
  return edits
}

/** What a row is to be, by the edits alone. */
function expected(rows: readonly Cells[], edits: Edits): ModelRow[] {
  const content = (id: string, before: Cells | null) =>
    new Map(
      table.columns.map(({ name }) => {
        const input = shownInput(editOf(edits, id), before, name)
        return [name, input && 'value' in input ? input.value : null]
      }),
    )
  const old = rows.filter((one) => editOf(edits, rowId(table, one))?.kind !== 'delete')
  const made = edits.filter(({ kind }) => kind === 'add')
  return [
    ...old.map((one) => content(rowId(table, one), one)),
    ...made.map(({ id }, at) => content(id, null).set('id', String(rows.length + at))),
  ]
}

const modelOf = (rows: readonly Cells[]): ModelTable => ({
  rows: rows.map((one) => new Map(one)),
  key: ['id'],
  counts: true,
})

/** Rows with no gap in the table, so that a new one gets the next number whatever was deleted. */
const tables = fc
  .array(cells, { minLength: 6, maxLength: 6 })
  .map((all) => [...all.map((of, at) => row(String(at), of)), row('6')])

const sorted = (rows: readonly ModelRow[]) =>
  rows
    .map((one) => table.columns.map(({ name }) => one.get(name) ?? null))
    .sort((a, b) => Number(a[0]) - Number(b[0]))

test('the statements make of any table exactly what is staged', () => {
  fc.assert(
    fc.property(tables, fc.array(step, { maxLength: 20 }), (rows, steps) => {
      const edits = staged(rows, steps)
      const plan = planEdits(table, edits)
      const model = modelOf(rows)
      const names = plan.statements.flatMap(({ params }) => params.map(({ name }) => name))
      expect(new Set(names).size).toBe(names.length)
      for (const { sql, params } of plan.statements) expect(carryOut(model, sql, params)).toBe(1)
      expect(sorted(model.rows)).toEqual(sorted(expected(rows, edits)))
    }),
    { numRuns: 300 },
  )
})

test('no statement of a row that someone else changed first is carried out', () => {
  const other = fc.record({ at: fc.nat(5), to: oneChange })
  fc.assert(
    fc.property(tables, fc.array(step, { maxLength: 20 }), other, (rows, steps, theirs) => {
      const edits = staged(rows, steps)
      const model = modelOf(rows)
      const [name, to] = theirs.to
      const [was, hit] = [rows[theirs.at]?.get(name) ?? null, model.rows[theirs.at]]
      fc.pre(was !== to)
      hit?.set(name, to)
      const id = JSON.stringify([String(theirs.at)])
      for (const { sql, params, id: of } of planEdits(table, edits).statements) {
        if (of === id) expect(() => carryOut(model, sql, params)).toThrow('changed')
        else expect(carryOut(model, sql, params)).toBe(1)
      }
      expect(model.rows).toContain(hit)
    }),
    { numRuns: 300 },
  )
})

test('one request holds all statements and all parameters', () => {
  const edits = deleteRow(addRow([]).edits, table, row('1'))
  const { sql, params } = requestOf(planEdits(table, edits))
  expect(sql.split(';')).toHaveLength(3)
  expect(params).toEqual([{ name: 'p1', value: { n: '1' } }])
})
