// @vitest-environment node
import { expect, it, test } from 'vitest'
import { shownRow } from '~/atoms/rows/compare-row'
import type { CellFacts } from '~/proof/kernel/proven-facts'
import { cellLeaves, shownCell } from '~/proof/proven-leaves'
import { compareShown } from '~/proof/shown'
import type { ResultColumn } from '~/sql/result'
import type { RowMap } from '~/sql/row-source'

type Proven = Pick<CellFacts, 'type' | 'value'> & { isBytes?: true }

/** How a cell of a result stands to a proven one. */
function matchOf(type: string, shown: string | null, proven: Proven | null | undefined) {
  const named = proven === undefined ? {} : { c: proven && { ...proven, raw: '' } }
  const leaf = { group: 'column', name: 'c', value: shownCell(type, shown) } as const
  const content = { leaves: cellLeaves(named), whole: ['column'] } as const
  return compareShown({ leaves: [leaf], whole: [] }, content).map(({ match }) => match)
}

it.each([
  ['9007199254740993', { type: 'INTEGER', value: '9007199254740993' }, 'same'],
  ['9007199254740992', { type: 'INTEGER', value: '9007199254740993' }, 'differs'],
  ['', { type: 'VARCHAR', value: '' }, 'same'],
  ['9999', { type: 'VARCHAR', value: '9999' }, 'same'],
  ['9999', { type: 'VARCHAR', value: '9999', isBytes: true }, 'differs'],
  ['\ufffd\ufffd', { type: 'VARCHAR', value: '9999', isBytes: true }, 'replaced'],
  ['true', { type: 'BOOLEAN', value: true }, 'same'],
  ['false', { type: 'BOOLEAN', value: true }, 'differs'],
  ['AP8=', { type: 'BLOB', value: '00ff' }, 'same'],
  ['AP8=', { type: 'BLOB', value: '00fe' }, 'differs'],
  ['', { type: 'BLOB', value: '' }, 'same'],
  ['1700000000000001', { type: 'TIMESTAMP', value: '1700000000000001' }, 'same'],
  ['1700000000000001', { type: 'TIMESTAMP', value: '1700000000000000' }, 'differs'],
  ['NaN', { type: 'FLOAT', value: Number.NaN }, 'same'],
  ['1e+21', { type: 'FLOAT', value: 1e21 }, 'same'],
  ['Infinity', { type: 'FLOAT', value: Number.POSITIVE_INFINITY }, 'same'],
  ['1e999', { type: 'FLOAT', value: Number.POSITIVE_INFINITY }, 'differs'],
  ['1.00000000000000000001', { type: 'FLOAT', value: 1 }, 'differs'],
  ['', { type: 'FLOAT', value: 0 }, 'differs'],
  ['-0', { type: 'FLOAT', value: -0 }, 'same'],
  ['-0', { type: 'FLOAT', value: 0 }, 'differs'],
  // The server writes the sign of zero.
  ['0', { type: 'FLOAT', value: -0 }, 'differs'],
  ['0.1', { type: 'FLOAT', value: 0.10000000000000002 }, 'differs'],
  ['{"a":1}', { type: 'JSON', value: '{"a":1}' }, 'same'],
  ['{"a":1.5,"b":[1,2]}', { type: 'JSON', value: '{ "b": [1, 2], "a": 1.50 }' }, 'reordered'],
  ['{"a":[2,1]}', { type: 'JSON', value: '{"a":[1,2]}' }, 'differs'],
  ['{"a":1}', { type: 'JSON', value: '{"a":"1"}' }, 'differs'],
  ['{"__proto__":1}', { type: 'JSON', value: '{}' }, 'differs'],
  ['12345678901234567000', { type: 'JSON', value: '12345678901234567890' }, 'rounded'],
] as const)('a shown cell beside the proven one: %s', (shown, proven, expected) => {
  expect(matchOf(proven.type, shown, proven)).toEqual([expected])
})

it.each([
  [null, null, 'same'],
  ['', null, 'differs'],
  ['NULL', null, 'differs'],
  [null, { type: 'VARCHAR', value: '' }, 'differs'],
  // A column that the proof does not know.
  [null, undefined, 'differs'],
  ['', undefined, 'differs'],
])('a shown cell beside none: %s', (shown, proven, expected) => {
  expect(matchOf('VARCHAR', shown, proven)).toEqual([expected])
})

it.each([
  ['TIMESTAMP', '10', { type: 'INTEGER', value: '10' }],
  ['VARCHAR', '10', { type: 'INTEGER', value: '10' }],
  ['INTEGER', '10', { type: 'FLOAT', value: 10 }],
  ['VARCHAR', '{}', { type: 'JSON', value: '{}' }],
  ['VARCHAR', 'AP8=', { type: 'BLOB', value: '00ff' }],
  ['BLOB', 'AP8=', { type: 'VARCHAR', value: '00ff', isBytes: true }],
] as const)('a cell of another type is another one: %s %s', (type, shown, proven) => {
  expect(matchOf(type, shown, proven)).toEqual(['differs'])
})

test('everything that a result draws of a row is compared or named', () => {
  const column = (name: string, type: string, value: string): ResultColumn => {
    return { name: `(t.${name})`, table: 't', label: name, type, values: [value] }
  }
  const columns = [
    column('_rev', 'INTEGER', '1'),
    column('id', 'INTEGER', '7'),
    column('name', 'VARCHAR', 'n7'),
    column('name', 'VARCHAR', 'N7'),
  ]
  const map: RowMap = {
    table: 't',
    keys: [{ at: 1, column: 'id' }],
    cells: [
      { at: 1, column: 'id' },
      { at: 2, column: 'name' },
    ],
    uncovered: ['UPPER(name)'],
    revision: null,
    isAll: false,
  }
  const about = { database: 'db', readAt: '1' }
  const names = (of: RowMap) =>
    shownRow({ ...about, result: { columns, rowCount: 1 }, map: of, row: 0 }).leaves.map(
      ({ label, name }) => label ?? name,
    )
  expect(names(map)).toEqual(['id', 'name', 'that the row is there', 'UPPER(name)'])
  // A history shows a deletion as one more row.
  expect(names({ ...map, revision: 0, uncovered: ['_rev'] })).toEqual(['id', 'name', '_rev'])
})
