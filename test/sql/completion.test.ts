// @vitest-environment node
import { CompletionContext, type CompletionResult } from '@codemirror/autocomplete'
import { EditorState } from '@codemirror/state'
import { describe, expect, it } from 'vitest'
import { keywordCompletion, type Schema, schemaCompletion } from '~/sql/completion'

const schema: Schema = {
  tables: [
    {
      name: 'orders',
      columns: [
        { name: 'id', type: 'INTEGER' },
        { name: 'select', type: 'VARCHAR' },
      ],
    },
    { name: 'people', columns: [{ name: 'name', type: 'VARCHAR' }] },
    { name: '__proto__', columns: [{ name: 'constructor', type: 'JSON' }] },
    { name: '1st', columns: [] },
  ],
}

/** Options offered at the `|`, or null; best first. */
async function offered(text: string, isExplicit = false) {
  const pos = text.indexOf('|')
  const doc = text.slice(0, pos) + text.slice(pos + 1)
  const context = new CompletionContext(EditorState.create({ doc }), pos, isExplicit)
  const sources = [schemaCompletion(schema), keywordCompletion]
  const results = await Promise.all(sources.map((source) => source(context)))
  const given = results.filter((result): result is CompletionResult => result !== null)
  const [first] = given
  if (!first) return null
  const options = given
    .flatMap((result) => result.options)
    .toSorted((a, b) => (b.boost ?? 0) - (a.boost ?? 0))
  return { from: first.from, labels: options.map(({ label }) => label), options }
}

const labels = async (text: string, isExplicit = false) => (await offered(text, isExplicit))?.labels

describe('completion', () => {
  it.each([
    ['SELECT * FROM o|'],
    ['SELECT * FROM people JOIN o|'],
    ['INSERT INTO o|'],
    ['UPDATE o|'],
    ['DROP TABLE o|'],
    ['CREATE INDEX ON o|'],
    ['SELECT * FROM (HISTORY OF o|)'],
  ])('offers only tables in %s', async (text) => {
    expect(await labels(text)).toEqual(['orders', 'people', '__proto__', '1st'])
  })

  it.each([
    ['SELECT orders.| FROM orders'],
    ['SELECT o.| FROM orders AS o'],
    ['SELECT o.i| FROM people p, orders o WHERE true'],
    ['UPDATE orders SET id = orders.|'],
    ['SELECT "orders".i| FROM orders'],
  ])('offers the columns of the table in %s', async (text) => {
    expect(await labels(text)).toEqual(['id', 'select'])
  })

  const allTables = ['orders', 'people', '__proto__', '1st']

  it.each([
    ['SELECT * FROM |'],
    ['SELECT * FROM\n|'],
    ['select * from |'],
    ['SELECT * FROM people JOIN |'],
    ['SELECT * FROM people, |'],
    ['SELECT id FROM people LEFT JOIN |'],
    ['INSERT INTO | '],
    ['UPSERT INTO |'],
    ['UPDATE |'],
    ['ALTER TABLE |'],
    ['DROP TABLE |'],
    ['DROP TABLE IF EXISTS |'],
    ['TRUNCATE TABLE |'],
    ['CREATE INDEX ON |'],
    ['DELETE FROM |'],
    ['SELECT 1; SELECT * FROM |; SELECT 2'],
  ])('offers the tables by itself behind the space in %s', async (text) => {
    expect(await labels(text)).toEqual(allTables)
  })

  it.each([
    ['SELECT | FROM orders'],
    ['SELECT DISTINCT | FROM orders'],
    ['SELECT id, | FROM orders'],
    ['SELECT COUNT(| FROM orders'],
    ['SELECT * FROM orders WHERE |'],
    ['SELECT * FROM orders WHERE id = 1 AND |'],
    ['SELECT * FROM orders ORDER BY |'],
    ['SELECT * FROM orders GROUP BY id, |'],
    ['SELECT EXTRACT(YEAR FROM | FROM orders'],
    ['UPDATE orders SET |'],
    ['UPDATE orders SET id = 1, |'],
    ['DELETE FROM orders WHERE |'],
    ['INSERT INTO orders(|'],
    ['INSERT INTO orders (id, |'],
    ['CREATE INDEX ON orders(|'],
    ['SELECT * FROM people p JOIN orders ON |'],
  ])('offers the columns of the statement by itself in %s', async (text) => {
    const found = await labels(text)
    expect(found).toEqual(expect.arrayContaining(['id', 'select']))
    expect(found).not.toContain('people')
  })

  it.each([
    ['|'],
    ['SELECT |'],
    ['SELECT * |'],
    ['SELECT * FROM orders |'],
    ['SELECT * FROM orders; |'],
    ['CREATE TABLE |'],
    ['INSERT INTO orders(id) VALUES (|'],
    ['INSERT INTO orders(id) VALUES (1, |'],
    ['INSERT INTO orders(id) VALUES (1) ON CONFLICT DO UPDATE |'],
    ['SELECT * FROM orders WHERE id = |'],
    ["SELECT * FROM orders WHERE 'x'|"],
  ])('offers nothing by itself in %s', async (text) => {
    expect(await labels(text)).toBeUndefined()
  })

  it('stays quick in a statement of a hundred thousand characters', async () => {
    const values = Array.from({ length: 7_000 }, (_, at) => `(${at}, 'text ${at}')`).join(', ')
    const doc = `INSERT INTO orders(id, n) VALUES ${values}; SELECT * FROM `
    const state = EditorState.create({ doc })
    const start = performance.now()
    await schemaCompletion(schema)(new CompletionContext(state, doc.length, false))
    expect(performance.now() - start).toBeLessThan(1_000)
  })

  it('handles names that objects have', async () => {
    expect(await labels('SELECT __proto__.| FROM __proto__')).toEqual(['constructor'])
    expect(await labels('SELECT constructor.|')).toBeUndefined()
  })

  it('offers the columns of the statement first, then tables, functions and keywords', async () => {
    const all = await labels('SELECT 1; SELECT i| FROM orders o; SELECT name FROM people')
    expect(all?.slice(0, 3)).toEqual(['id', 'select', 'o'])
    expect(all).toEqual(expect.arrayContaining(['people', 'COUNT', 'INSERT', 'VARCHAR']))
    expect(all).not.toContain('name')
  })

  it('writes names so that the server reads them', async () => {
    const options = (await offered('SELECT x| FROM orders'))?.options
    const applied = (label: string) => options?.find((option) => option.label === label)?.apply
    expect(applied('select')).toBe('"select"')
    expect(applied('1st')).toBe('"1st"')
    expect(applied('orders')).toBe('orders')
  })

  it('replaces the word before the caret, and asks for one unless told to', async () => {
    expect((await offered('SELECT or|'))?.from).toBe(7)
    expect(await labels('SELECT |')).toBeUndefined()
    expect(await labels('SELECT |', true)).toContain('orders')
    expect(await labels('SELECT * FROM |', true)).toEqual(['orders', 'people', '__proto__', '1st'])
  })

  it.each(["SELECT 'or|'", 'SELECT "or|"', '-- or|', '/* or|', 'SELECT 12|', "SELECT x'0|"])(
    'offers nothing in %s',
    async (text) => {
      expect(await offered(text, true)).toBeNull()
    },
  )
})

it('asks for the columns of the tables that a statement names, once, and for no others', async () => {
  const asked: string[] = []
  const schema: Schema = {
    tables: Array.from({ length: 250 }, (_, at) => ({ name: `t${at}`, columns: null })),
    columnsOf: async (table) => {
      asked.push(table)
      return [{ name: `column_of_${table}`, type: 'INTEGER' }]
    },
  }
  const source = schemaCompletion(schema)
  const labels = async (text: string) => {
    const state = EditorState.create({ doc: text })
    const found = await source(new CompletionContext(state, text.length, false))
    return found?.options.map(({ label }) => label) ?? []
  }
  expect(await labels('SELECT * FROM t')).toHaveLength(250)
  expect(asked).toEqual([])
  expect(await labels('SELECT * FROM t249 WHERE ')).toEqual(['column_of_t249'])
  expect(await labels('SELECT * FROM t249 a JOIN t3 b ON a.')).toEqual(['column_of_t249'])
  expect(asked).toEqual(['t249', 't3'])
})
