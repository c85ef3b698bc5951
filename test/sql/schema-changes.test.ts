// @vitest-environment node
import { expect, test } from 'vitest'
import {
  confirmationOf,
  consequencesOf,
  newColumn,
  privilegeFor,
  type Schema,
  type SchemaChange,
  schemaProblems,
  schemaSql,
} from '~/sql/schema-changes'

const schema: Schema = {
  tables: ['orders', 'users'],
  columns: [
    { name: 'id', type: 'INTEGER' },
    { name: 'note', type: 'VARCHAR(20)' },
    { name: 'text', type: 'VARCHAR' },
    { name: 'detail', type: 'JSON' },
  ],
  indexes: [
    { columns: ['id'], isPrimary: true },
    { columns: ['note'], isPrimary: false },
  ],
}
const id = { ...newColumn, name: 'id', type: 'INTEGER', isPrimaryKey: true, isAutoIncrement: true }
const texts = (change: SchemaChange) => schemaProblems(change, schema).map(({ text }) => text)

test.each<[SchemaChange, string]>([
  [
    {
      kind: 'create-table',
      table: 'Order',
      columns: [id, { ...newColumn, name: 'Name', length: '64', isNullable: false }],
    },
    `CREATE TABLE "order" (
  id INTEGER AUTO_INCREMENT,
  name VARCHAR[64] NOT NULL,
  PRIMARY KEY (id)
);`,
  ],
  [
    { kind: 'add-column', table: 'orders', column: { ...newColumn, name: '1st', type: 'UUID' } },
    'ALTER TABLE orders ADD COLUMN "1st" UUID;',
  ],
  [
    { kind: 'rename-column', table: 'orders', column: 'note', to: 'select' },
    'ALTER TABLE orders RENAME COLUMN note TO "select";',
  ],
  [
    { kind: 'drop-column', table: 'orders', column: 'note' },
    'ALTER TABLE orders DROP COLUMN note;',
  ],
  [
    { kind: 'create-index', table: 'orders', columns: ['id', 'note'], isUnique: true },
    'CREATE UNIQUE INDEX ON orders (id, note);',
  ],
  [{ kind: 'drop-index', table: 'orders', columns: ['note'] }, 'DROP INDEX ON orders (note);'],
  [{ kind: 'drop-table', table: 'user' }, 'DROP TABLE "user";'],
])('%j is written as one statement', (change, sql) => {
  expect(schemaSql(change)).toBe(sql)
})

test.each([
  ['', 'Enter a name.'],
  ['a b', 'A name has letters a–z, digits and underscores only.'],
  ['x"; DROP TABLE users; --', 'A name has letters a–z, digits and underscores only.'],
  ['é', 'A name has letters a–z, digits and underscores only.'],
  ['Note', 'There is already one named note.'],
  ['_rev', 'immudb keeps the name _rev for itself.'],
])('a column cannot be named %j', (name, why) => {
  expect(texts({ kind: 'rename-column', table: 'orders', column: 'id', to: name })).toEqual([why])
})

test('a new table needs a name, a key, and names of its own for its columns', () => {
  expect(
    texts({ kind: 'create-table', table: 'users', columns: [{ ...newColumn, name: 'a' }] }),
  ).toEqual(['There is already one named users.', 'Choose the primary key: one column or more.'])
  const twice = { ...newColumn, name: 'ID' }
  expect(texts({ kind: 'create-table', table: 't', columns: [id, twice] })).toEqual([
    'There is already one named id.',
  ])
})

test('a key takes no JSON and no text without a short length', () => {
  const keyed = (type: string, length = '') =>
    texts({
      kind: 'create-table',
      table: 't',
      columns: [{ ...id, type, length, isAutoIncrement: false }],
    })
  expect(keyed('VARCHAR')).toEqual([
    'In a key or an index VARCHAR needs a length of 1024 bytes or fewer.',
  ])
  expect(keyed('VARCHAR', '1025')).toHaveLength(1)
  expect(keyed('VARCHAR', '1024')).toEqual([])
  expect(keyed('JSON')).toHaveLength(1)
  expect(keyed('FLOAT')).toEqual([])
})

test('only a key of one INTEGER counts up by itself', () => {
  const two = [id, { ...newColumn, name: 'b', type: 'INTEGER', isPrimaryKey: true }]
  expect(texts({ kind: 'create-table', table: 't', columns: two })).toHaveLength(1)
})

test('a column of an index is dropped only after the index', () => {
  expect(texts({ kind: 'drop-column', table: 'orders', column: 'id' })[0]).toMatch(/primary key/)
  expect(texts({ kind: 'drop-column', table: 'orders', column: 'note' })[0]).toMatch(
    /Drop the index \(note\) first/,
  )
  expect(texts({ kind: 'drop-column', table: 'orders', column: 'text' })).toEqual([])
})

test('an index takes what a key takes, once', () => {
  const index = (...columns: string[]) =>
    texts({ kind: 'create-index', table: 'orders', columns, isUnique: false })
  expect(index()).toEqual(['Choose a column.'])
  expect(index('note')).toEqual(['There is already an index of these columns.'])
  expect(index('note', 'id')).toEqual([])
  expect(index('text')).toHaveLength(1)
  expect(index('detail')).toHaveLength(1)
})

test('what is dropped is typed first, and each change says what it brings about', () => {
  const drop: SchemaChange = { kind: 'drop-table', table: 'orders' }
  expect(confirmationOf(drop)).toBe('orders')
  expect(confirmationOf({ kind: 'drop-column', table: 'orders', column: 'note' })).toBe('note')
  expect(
    confirmationOf({ kind: 'create-index', table: 'orders', columns: [], isUnique: true }),
  ).toBeNull()
  expect(consequencesOf(drop).join(' ')).toMatch(/DROP CONSTRAINT orders_check1/)
})

test('each change needs the SQL privilege that the server asks for', () => {
  const needed = (['drop-table', 'drop-index', 'drop-column', 'rename-column'] as const).map(
    (kind) => privilegeFor({ kind, table: 'orders', column: 'note', columns: [], to: 'text' }),
  )
  expect(needed).toEqual(['DROP', 'DROP', 'DROP', 'ALTER'])
  const create = { table: 'orders', columns: [], isUnique: false }
  expect(privilegeFor({ kind: 'create-index', ...create })).toBe('CREATE')
  expect(privilegeFor({ kind: 'create-table', ...create })).toBe('CREATE')
})
