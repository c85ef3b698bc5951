// @vitest-environment node
import { describe, expect, test } from 'vitest'
import {
  guessMapping,
  guessNewTable,
  newTarget,
  type TableColumn,
  thereTarget,
} from '~/sql/import-target'
import { plainSource, recordsOf, surveyOf } from '../support/import-file'

const guess = (heads: (string | null)[], text: string) =>
  guessNewTable(
    't',
    heads,
    surveyOf(text, { hasHeader: false }),
    recordsOf(text),
    plainSource.nulls,
  )

const column = (name: string, type: string, of: Partial<TableColumn> = {}): TableColumn => ({
  name,
  type,
  isNullable: true,
  isPrimaryKey: false,
  isAutoIncrement: false,
  isIndexed: false,
  ...of,
})
const id = column('id', 'INTEGER', { isPrimaryKey: true, isNullable: false })
const label = column('label', 'VARCHAR(64)', { isNullable: false })
const note = column('note', 'JSON')

const why = (found: object) => ('why' in found ? found.why : 'possible')

describe('a new table', () => {
  const guessed = guess(['id', 'Label'], '1,a\n2,b\n')

  test('has the guessed columns and key', () => {
    expect(newTarget(guessed, [])).toMatchObject({
      rowsEach: 1_024,
      target: {
        table: 't',
        key: ['id'],
        autoKey: null,
        columns: [
          { name: 'id', from: 0, isNullable: false },
          { name: 'label', from: 1, isNullable: true },
        ],
      },
    })
  })

  test('counts its rows where the file has no key', () => {
    const none = guess(['id', 'Label'], '1,a\n1,b\n')
    expect(newTarget(none, [])).toMatchObject({ target: { key: ['id_2'], autoKey: 'id_2' } })
  })

  test.each([
    ['There is a table t already.', guessed, ['t']],
    ['A table’s name has the letters a–z, digits and _ only.', { ...guessed, table: 'T' }, []],
    ['The primary key must be among the columns.', without(0), []],
    ['Two columns are called id.', renamed('id'), []],
    ['A column’s name has the letters a–z, digits and _ only, and not “a b”.', renamed('a b'), []],
    ['label cannot be the key: JSON has no order.', keyed('JSON'), []],
    ['label cannot be the key: BLOB needs a length.', keyed('BLOB'), []],
  ])('is not possible: %s', (reason, choice, taken) => {
    expect(why(newTarget(choice, taken))).toBe(reason)
  })

  function without(at: number) {
    const columns = guessed.columns.map((one, place) =>
      place === at ? { ...one, isIncluded: false } : one,
    )
    return { ...guessed, columns }
  }

  function renamed(name: string) {
    const columns = guessed.columns.map((one, place) => (place === 1 ? { ...one, name } : one))
    return { ...guessed, columns }
  }

  function keyed(name: 'JSON' | 'BLOB') {
    const columns = guessed.columns.map((one, place) =>
      place === 1 ? { ...one, type: { name, length: null } } : one,
    )
    return { ...guessed, columns, key: [1] }
  }
})

describe('a table that is there', () => {
  const columns = [id, label, note]
  const there = { table: 't', columns, indexes: null, defaults: new Map<string, string>() }

  test('fields go into the columns of the same name, and what is missing is named', () => {
    expect(guessMapping(['Note', 'ID', 'other'], true, columns)).toEqual(['note', 'id', null])
    expect(guessMapping([null, null], false, columns)).toEqual(['id', 'label'])
    expect(why(thereTarget(there, ['note', 'id']))).toBe(
      'label may not be NULL, and no field goes into it.',
    )
    expect(why(thereTarget(there, ['label', null]))).toBe(
      'id is part of the primary key, and no field goes into it.',
    )
    expect(why(thereTarget(there, ['id', 'id']))).toBe('Two fields of the file go into id.')
    expect(why(thereTarget(there, [null, null]))).toBe(
      'Choose a column of the table for at least one field.',
    )
  })

  test('fills a column that has a default, and says how to know of one', () => {
    const defaults = new Map([['label', "'new'"]])
    expect(thereTarget({ ...there, defaults }, ['note', 'id'])).toMatchObject({
      target: { columns: [{ name: 'note' }, { name: 'id' }] },
    })
    expect(why(thereTarget({ ...there, defaults: null }, ['note', 'id']))).toBe(
      'label may not be NULL, and no field goes into it. A column that has a default needs none: the tab Structure reads the defaults.',
    )
  })

  test('has fewer rows in a transaction for each index', () => {
    const indexes = [
      { columns: ['id'], isPrimary: true },
      { columns: ['label'], isPrimary: false },
    ]
    expect(thereTarget({ ...there, indexes }, ['id', 'label'])).toMatchObject({ rowsEach: 512 })
    expect(thereTarget(there, ['id', 'label'])).toMatchObject({ rowsEach: 1_024 })
    const indexed = [id, { ...label, isIndexed: true }]
    expect(thereTarget({ ...there, columns: indexed }, ['id', 'label'])).toMatchObject({
      rowsEach: 512,
    })
    expect(thereTarget({ ...there, indexes }, ['id', 'label'], 100)).toMatchObject({ rowsEach: 50 })
  })

  test('lets the server count its key, or takes it from the file', () => {
    const counted = [{ ...id, isAutoIncrement: true }, label]
    const auto = { ...there, columns: counted }
    expect(thereTarget(auto, ['label'])).toMatchObject({ target: { autoKey: 'id', key: ['id'] } })
    expect(thereTarget(auto, ['label', 'id'])).toMatchObject({ target: { autoKey: null } })
  })
})
