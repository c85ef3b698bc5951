// @vitest-environment node
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isValue } from '~/sql/cell-input'
import { type PastedBlock, type PasteTarget, pasteCells } from '~/sql/cell-paste'
import {
  addRow,
  type Cells,
  changeCell,
  changeCells,
  changeNewCell,
  deleteRow,
  type Edits,
  type EditTable,
  rowId,
} from '~/sql/row-edits'

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
  name: 'pets',
  columns: [
    column('id', 'INTEGER', { isPrimaryKey: true, isNullable: false }),
    column('name', 'VARCHAR', { length: 5 }),
    column('age', 'INTEGER', { isNullable: false }),
    column('born', 'TIMESTAMP'),
    column('raw', 'BLOB'),
  ],
  primaryKey: ['id'],
  indexes: [],
}
const columns = table.columns.map(({ name }) => name)
const row = (id: number): Cells =>
  new Map([
    ['id', String(id)],
    ['name', `n${id}`],
    ['age', '1'],
    ['born', null],
    ['raw', null],
  ])
const stored = (id: number) => ({ id: rowId(table, row(id)), before: row(id) })
const into = (more: Partial<PasteTarget> = {}): PasteTarget => ({
  table,
  rows: [stored(1), stored(2)],
  columns,
  makesRows: true,
  refusal: () => undefined,
  zone: 'utc',
  ...more,
})
const texts = (...rows: (string | null)[][]): PastedBlock =>
  rows.map((cells) => cells.map((text) => ({ text })))
const stagedIn = (edits: Edits) =>
  edits.map((edit) => [edit.id, edit.kind === 'delete' ? null : Object.fromEntries(edit.after)])

describe('pasted cells', () => {
  test('are values of their columns, and rows too many become new ones', () => {
    const pasted = pasteCells(
      [],
      into({ columns: columns.slice(1) }),
      texts(['x', '7'], [null, '8'], ['y', '9']),
    )
    // New rows come before changes that begin later: a commit orders them itself.
    expect(stagedIn(pasted.edits)).toEqual([
      ['new 1', { name: { value: 'y' }, age: { value: '9' } }],
      ['["1"]', { name: { value: 'x' }, age: { value: '7' } }],
      ['["2"]', { name: { value: null }, age: { value: '8' } }],
    ])
    expect(pasted).toMatchObject({ staged: 6, wrong: 0, added: 1, left: [] })
  })

  test('that are no values are marked with their text and the reason', () => {
    const { edits, wrong } = pasteCells(
      [],
      into({ columns: ['name', 'age'] }),
      texts(['too long', '6,718'], ['ok', null]),
    )
    expect(wrong).toBe(3)
    expect(stagedIn(edits)).toEqual([
      [
        '["1"]',
        {
          name: { text: 'too long', error: '8 bytes: the column holds at most 5 bytes.' },
          age: { text: '6,718', error: expect.stringMatching(/^Write a whole number/) },
        },
      ],
      [
        '["2"]',
        { name: { value: 'ok' }, age: { text: '', error: 'NULL is not allowed in this column.' } },
      ],
    ])
  })

  test('without a place come back with the reason', () => {
    const gone = deleteRow([], table, row(2))
    const pasted = pasteCells(
      gone,
      into({ makesRows: false }),
      texts(['9', 'a', '1', '', 'ff', 'more'], ['2', 'b'], ['3']),
    )
    expect(pasted.left).toEqual([
      { row: 0, column: 0, text: '9', reason: expect.stringMatching(/^immudb does not change a/) },
      { row: 0, column: 5, text: 'more', reason: 'No column is here.' },
      // A key that is the row's own is no change.
      { row: 1, column: 1, text: 'b', reason: 'The row is to be deleted.' },
      { row: 2, column: 0, text: '3', reason: 'No row is here.' },
    ])
    const held = pasteCells([], into({ refusal: () => 'You may only read.' }), texts(['1', 'x']))
    expect(held.edits).toEqual([])
    expect(held.left).toMatchObject([{ text: 'x', reason: 'You may only read.' }])
  })

  test('of this console are the very values, whatever their text is', () => {
    const source = (type: string, value: string | null, text: string | null = 'as shown') => ({
      text,
      source: { type, value },
    })
    const block = [
      [
        source('VARCHAR', ''),
        source('INTEGER', '5'),
        source('TIMESTAMP', '-1'),
        source('BLOB', 'AP8='),
      ],
      [source('VARCHAR', 'longer'), source('VARCHAR', '5', '5'), source('TIMESTAMP', null, null)],
    ]
    const { edits } = pasteCells([], into({ columns: columns.slice(1) }), block)
    expect(stagedIn(edits)).toEqual([
      [
        '["1"]',
        { name: { value: '' }, age: { value: '5' }, born: { value: '-1' }, raw: { value: 'AP8=' } },
      ],
      ['["2"]', { name: { text: 'as shown', error: expect.any(String) }, age: { value: '5' } }],
    ])
  })

  test('none is lost: each is staged, was there, or comes back', () => {
    const text = fc.option(fc.oneof(fc.constantFrom('1', '2', 'x', ''), fc.string()))
    const block = fc.array(fc.array(text, { minLength: 1, maxLength: 7 }), {
      minLength: 1,
      maxLength: 5,
    })
    fc.assert(
      fc.property(block, fc.boolean(), fc.nat(4), (cells, makesRows, from) => {
        const names = columns.slice(from)
        const pasted = pasteCells([], into({ columns: names, makesRows }), texts(...cells))
        const left = new Set(pasted.left.map((one) => `${one.row} ${one.column}`))
        const ids = [stored(1).id, stored(2).id, 'new 1', 'new 2', 'new 3']
        for (const [at, line] of cells.entries()) {
          for (const [place, given] of line.entries()) {
            if (left.has(`${at} ${place}`)) continue
            const edit = pasted.edits.find(({ id }) => id === ids[at])
            const name = names[place] ?? ''
            const input = edit && edit.kind !== 'delete' ? edit.after.get(name) : undefined
            const before = at < 2 ? row(at + 1).get(name) : undefined
            if (!input) expect(before ?? null).toBe(given === null ? null : given.trim())
            else if (!isValue(input)) expect(input.text).toBe(given ?? '')
          }
        }
      }),
    )
  })
})

test('many cells at once are the same as one after the other', () => {
  const input = fc.oneof(
    fc.constantFrom('n1', 'x', null).map((value) => ({ value })),
    fc.constant({ text: '?', error: 'no' }),
  )
  const change = fc.tuple(fc.constantFrom(1, 2, 0), fc.constantFrom('name', 'age'), input)
  fc.assert(
    fc.property(fc.array(change, { maxLength: 12 }), fc.boolean(), (changes, isDeleted) => {
      const start = addRow(isDeleted ? deleteRow([], table, row(2)) : []).edits
      const one = changes.reduce(
        (edits, [id, name, to]) =>
          id === 0
            ? changeNewCell(edits, 'new 1', name, to)
            : changeCell(edits, table, row(id), name, to),
        start,
      )
      const all = changeCells(
        start,
        changes.map(([id, name, to]) => ({
          ...(id === 0 ? { id: 'new 1', before: null } : stored(id)),
          column: name,
          input: to,
        })),
      )
      const sorted = (edits: Edits) => new Map(edits.map((edit) => [edit.id, edit]))
      expect(sorted(all)).toEqual(sorted(one))
    }),
  )
})
