// @vitest-environment node
import { expect, test } from 'vitest'
import { problemsOf, reasonAgainst } from '~/sql/edit-problems'
import {
  addRow,
  type Cells,
  changeCell,
  deleteRow,
  type Edits,
  type EditTable,
} from '~/sql/row-edits'

const id = { name: 'id', type: 'INTEGER', length: null, isNullable: false }
const table: EditTable = {
  name: 'users',
  columns: [
    { ...id, isPrimaryKey: true, isAutoIncrement: false },
    { ...id, name: 'mail', type: 'VARCHAR', isPrimaryKey: false, isAutoIncrement: false },
    {
      ...id,
      name: 'detail',
      type: 'JSON',
      isNullable: true,
      isPrimaryKey: false,
      isAutoIncrement: false,
    },
  ],
  primaryKey: ['id'],
  indexes: [{ columns: ['mail'], isUnique: true }],
}
const row = (key: string, mail: string, detail: string | null = null): Cells =>
  new Map([
    ['id', key],
    ['mail', mail],
    ['detail', detail],
  ])
const added = (edits: Edits, key: string, mail: string): Edits =>
  addRow(
    edits,
    new Map([
      ['id', { value: key }],
      ['mail', { value: mail }],
    ]),
  ).edits
const none: ReadonlyMap<string, string> = new Map()
const texts = (edits: Edits) => problemsOf(table, edits, none).map(({ text }) => text)

test('edits that the server takes have no problem', () => {
  expect(texts(changeCell([], table, row('1', 'a'), 'mail', { value: 'b' }))).toEqual([])
  expect(texts(added([], '1', 'a'))).toEqual([])
})

test('a text that is no value holds the commit and stays as it is', () => {
  const edits = changeCell([], table, row('1', 'a'), 'detail', { text: '{', error: 'No JSON.' })
  expect(problemsOf(table, edits, none)).toEqual([
    { id: '["1"]', column: 'detail', text: 'No JSON.' },
  ])
})

test('what was staged for a column that is gone is named and holds the commit', () => {
  const edits = added(changeCell([], table, row('1', 'a'), 'old', { value: 'typed' }), '2', 'b')
  expect(problemsOf(table, edits, none)).toEqual([
    {
      id: '["1"]',
      column: 'old',
      text: 'The table no longer has this column. You staged: typed',
    },
  ])
})

test('an indexed value that a change leaves goes to no other row in the same transaction', () => {
  const indexed = { ...table, indexes: [{ columns: ['mail'], isUnique: false }] }
  const problems = (edits: Edits) => problemsOf(indexed, edits, none).map(({ id: of }) => of)
  const left = changeCell([], indexed, row('1', 'a'), 'mail', { value: 'b' })
  const swapped = changeCell(left, indexed, row('2', 'b'), 'mail', { value: 'a' })
  expect(problems(swapped)).toEqual(['["1"]', '["2"]'])
  expect(problems(added(left, '3', 'a'))).toEqual(['new 1'])
  // Measured: these are taken.
  expect(problems(added(left, '3', 'b'))).toEqual([])
  expect(problems(added(deleteRow([], indexed, row('1', 'a')), '3', 'a'))).toEqual([])
  const other = changeCell([], indexed, row('1', 'a'), 'detail', { value: '1' })
  expect(problems(added(other, '3', 'a'))).toEqual([])
})

test('NULL where it is not allowed is refused here, because an UPDATE would store it', () => {
  const edits = changeCell([], table, row('1', 'a'), 'mail', { value: null })
  expect(texts(edits)).toEqual(['NULL is not allowed here. immudb itself would not refuse it.'])
})

test('a new row needs its key and every column that takes no NULL', () => {
  expect(problemsOf(table, addRow([]).edits, none).map(({ column }) => column)).toEqual([
    'id',
    'mail',
  ])
})

test('two staged rows may not have one key, nor one that the same transaction deletes', () => {
  expect(texts(added(added([], '1', 'a'), '1', 'b'))).toEqual([
    'Another staged row has the same primary key.',
    'Another staged row has the same primary key.',
  ])
  expect(texts(added(deleteRow([], table, row('1', 'a')), '1', 'b'))).toEqual([
    expect.stringMatching(/^immudb refuses a key that the same transaction deletes/),
  ])
})

test('a unique value cannot move within one transaction', () => {
  const swapped = changeCell(
    changeCell([], table, row('1', 'a'), 'mail', { value: 'b' }),
    table,
    row('2', 'b'),
    'mail',
    { value: 'a' },
  )
  expect(texts(swapped)).toHaveLength(2)
  expect(texts(added(deleteRow([], table, row('1', 'a')), '3', 'a'))[0]).toMatch(
    /^immudb gives a unique value to another row only after/,
  )
  expect(texts(added(added([], '3', 'x'), '4', 'x'))).toHaveLength(2)
})

test('a row that holds the JSON value null can only be changed together with it', () => {
  const before = row('1', 'a', 'null')
  const edits = changeCell([], table, before, 'mail', { value: 'b' })
  expect(problemsOf(table, edits, none)).toEqual([
    { id: '["1"]', column: 'detail', text: expect.stringMatching(/Change this cell too\.$/) },
  ])
  expect(texts(changeCell(edits, table, before, 'detail', { value: null }))).toEqual([])
})

test('the primary key of a row that is there is not editable, and of a new row it is', () => {
  const [key] = table.columns
  expect(key && reasonAgainst(key, false)).toMatch(/^immudb does not change a primary key/)
  expect(key && reasonAgainst(key, true)).toBeUndefined()
})

test('a new row may leave out a column that has a default, but not set it to NULL', () => {
  const left = addRow([], new Map([['id', { value: '1' }]])).edits
  const texts = (edits: Edits, defaults: ReadonlyMap<string, string> | null) =>
    problemsOf(table, edits, defaults).map(({ text }) => text)
  expect(texts(left, new Map([['mail', "'none'"]]))).toEqual([])
  expect(texts(left, none)).toEqual(['This column needs a value.'])
  expect(texts(left, null)).toEqual(['This column needs a value.'])
  const set = addRow(
    [],
    new Map([
      ['id', { value: '1' }],
      ['mail', { value: null }],
    ]),
  ).edits
  expect(texts(set, new Map([['mail', "'none'"]]))).toEqual(['This column needs a value.'])
})

test('a row that keeps NaN in an index is not sent: immudb refuses it in words of its own', () => {
  const [key] = table.columns
  const rate = { ...id, name: 'rate', type: 'FLOAT', isNullable: true }
  const note = { ...rate, name: 'note', type: 'VARCHAR' }
  const plain = { isPrimaryKey: false, isAutoIncrement: false }
  const rates: EditTable = {
    ...table,
    columns: [...(key ? [key] : []), { ...rate, ...plain }, { ...note, ...plain }],
    indexes: [{ columns: ['rate'], isUnique: false }],
  }
  const before = new Map([
    ['id', '1'],
    ['rate', 'NaN'],
    ['note', 'NaN'],
  ])
  const changed = changeCell([], rates, before, 'note', { value: 'x' })
  expect(problemsOf(rates, changed, none)).toEqual([
    { id: '["1"]', column: 'rate', text: expect.stringMatching(/keeps NaN in an index/) },
  ])
  expect(
    problemsOf(rates, changeCell(changed, rates, before, 'rate', { value: '1' }), none),
  ).toEqual([])
  expect(problemsOf(rates, deleteRow([], rates, before), none)).toEqual([])
})
