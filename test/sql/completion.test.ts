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
