// @vitest-environment node
import { expect, test } from 'vitest'
import { tableDdl } from '~/sql/table-ddl'

const plain = { isNullable: true, isPrimaryKey: false, isAutoIncrement: false }

test('the statements of a table have its columns, checks, key and indexes', () => {
  const described = {
    columns: [
      { ...plain, name: 'id', type: 'INTEGER', isPrimaryKey: true, isAutoIncrement: true },
      { ...plain, name: 'order', type: 'VARCHAR(64)', isNullable: false },
      { ...plain, name: 'note', type: 'JSON' },
    ],
    indexes: [
      { columns: ['id'], isUnique: true, isPrimary: true },
      { columns: ['order', 'id'], isUnique: true, isPrimary: false },
      { columns: ['order'], isUnique: false, isPrimary: false },
    ],
  }
  const checks = [{ name: 'positive', expression: '(id > 0)' }]
  const defaults = new Map([['order', "'none'"]])
  expect(tableDdl('table', described, { checks, defaults })).toBe(`CREATE TABLE "table" (
  id INTEGER AUTO_INCREMENT,
  "order" VARCHAR[64] NOT NULL DEFAULT 'none',
  note JSON,
  CONSTRAINT positive CHECK (id > 0),
  PRIMARY KEY (id)
);
CREATE UNIQUE INDEX ON "table"("order", id);
CREATE INDEX ON "table"("order");`)
})

test('a key of several columns has its own order, and indexes may be unknown', () => {
  const columns = ['a', 'b'].map((name) => ({
    ...plain,
    name,
    type: 'INTEGER',
    isPrimaryKey: true,
  }))
  const key = { columns: ['b', 'a'], isUnique: true, isPrimary: true }
  expect(tableDdl('t', { columns, indexes: [key] })).toMatch(/PRIMARY KEY \(b, a\)\n\);$/)
  expect(tableDdl('t', { columns, indexes: null })).toMatch(/PRIMARY KEY \(a, b\)\n\);$/)
})
