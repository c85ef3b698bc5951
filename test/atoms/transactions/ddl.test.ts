// @vitest-environment node
import { createStore } from 'jotai'
import { beforeAll, describe, expect, test } from 'vitest'
import { replay } from '~/atoms/tables/table-states'
import { ddlOf } from '~/atoms/transactions/ddl'
import { type CatalogueWrite, readRange } from '~/core/history/transaction-reader'
import { connect } from '~/core/session/client'
import { openQueryCache } from '~/core/session/query-client'
import { PastServer } from '../../support/past-server'

let changes: readonly CatalogueWrite[]

beforeAll(async () => {
  const store = createStore()
  connect(store, '/api', new PastServer().answer)
  openQueryCache(store)
  const range = await readRange({ get: store.get }, 'odd', { from: 1n, to: 31n })
  changes = range.catalogue
})

const of = (tx: number) => changes.filter((change) => change.tx === String(tx))

/** What a transaction did, with the tables before it known. */
const withHistory = (tx: number) =>
  ddlOf(of(tx), replay(changes.filter((change) => Number(change.tx) < tx)))

const alone = (tx: number) => ddlOf(of(tx), null)
const sql = (text: string) => ({ kind: 'sql', sql: text })

describe('the statements of a recorded history', () => {
  test.each([
    [9, 'CREATE UNIQUE INDEX ON parts(name);'],
    [14, 'ALTER TABLE flour ADD COLUMN origin VARCHAR[20];'],
    [16, 'ALTER TABLE flour RENAME COLUMN grade TO kind;'],
    [17, 'ALTER TABLE flour DROP COLUMN origin;'],
    [22, 'DROP TABLE gone;'],
    [23, 'CREATE SEQUENCE s1;'],
    [24, 'ALTER TABLE parts RENAME TO pieces;'],
    [25, 'DROP INDEX ON pieces(name);'],
    [26, 'ALTER TABLE pieces DROP CONSTRAINT positive;'],
  ])('transaction %i is %s', (tx, text) => expect(withHistory(tx)).toEqual([sql(text)]))

  test('a new table is the whole of its description, known or not what was before', () => {
    const expected = [
      sql(`CREATE TABLE parts (
  id INTEGER AUTO_INCREMENT,
  name VARCHAR[32] NOT NULL,
  amount INTEGER,
  CONSTRAINT positive CHECK (amount > 0),
  PRIMARY KEY (id)
);`),
    ]
    expect(withHistory(8)).toEqual(expected)
    expect(alone(8)).toEqual(expected)
    expect(JSON.stringify(alone(7))).toContain('fine BOOLEAN DEFAULT true')
  })
})

describe('without what was before', () => {
  test.each([
    [9, 'CREATE UNIQUE INDEX ON table number 2(column number 2)'],
    [14, 'Column number 10 of table number 1 was added or renamed: origin VARCHAR[20].'],
    [16, 'Column number 3 of table number 1 was added or renamed: kind VARCHAR.'],
    [17, 'Column number 10 of table number 1 was dropped.'],
    [22, 'Table number 3 was dropped.'],
    [24, 'Table number 2 was named pieces.'],
    [25, 'Index number 1 of table number 2 was dropped.'],
    [26, 'A check of table number 2 was dropped.'],
  ])('transaction %i is told in words: %s', (tx, text) => {
    expect(alone(tx)).toMatchObject([{ kind: 'words', text, note: expect.any(String) }])
  })
})

test('collections have no statements', () => {
  expect(withHistory(27)).toEqual([])
})

test('a description that the server does not send is not made up', () => {
  const empty = of(8).map((change) => ({ ...change, value: null }))
  expect(ddlOf(empty, null)).toEqual([
    { kind: 'words', text: 'A table was created whose description the server did not send.' },
  ])
})
