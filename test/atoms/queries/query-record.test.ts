// @vitest-environment node
import { describe, expect, test } from 'vitest'
import {
  foldersOf,
  isSameQuery,
  longest,
  plainFolder,
  type QueryContent,
  queryProblem,
  queryText,
  readQuery,
  readQueryText,
} from '~/atoms/queries/query-record'
import { corpusBytes } from '../../support/corpus-bytes'

const query: QueryContent = {
  id: 'abcd',
  name: 'Orders of today',
  folder: 'reports/daily',
  description: 'What came in',
  text: 'SELECT * FROM orders WHERE day = @day',
}

describe('the record of a saved query', () => {
  test('is read as it was written, with its parameters and its chart', () => {
    const whole: QueryContent = {
      ...query,
      parameters: [{ name: 'day', type: 'TIMESTAMP', text: '2026-11-30' }],
      chart: { kind: 'bar', x: null, y: [{ name: 'n', at: 1 }], split: null },
    }
    expect(readQueryText(queryText(whole), 'abcd')).toEqual(whole)
  })

  test('is one line of JSON that says what it is', () => {
    expect(JSON.parse(queryText(query))).toEqual({
      format: 'webconsole query',
      version: 1,
      ...query,
    })
  })

  test('keeps any text of the corpus exactly, and names as they are but for spaces around', () => {
    for (const { bytes, id } of corpusBytes()) {
      const text = bytes.toString('utf8').slice(0, longest.text)
      const name = text.slice(0, longest.name).trim() || 'name'
      const description = text.slice(0, longest.description)
      const one = {
        ...query,
        text: `SELECT 1 -- ${text}`.slice(0, longest.text),
        name,
        description,
      }
      const read = readQueryText(queryText(one), 'abcd')
      // A text that spells out a password is another one.
      if (/\bPASSWORD\b/i.test(text)) continue
      expect(read, id).toEqual(one)
    }
  })

  test('has no password', () => {
    const text = "CREATE USER bob WITH PASSWORD 'hunter2' READWRITE"
    expect(queryText({ ...query, text })).not.toContain('hunter2')
    expect(queryText({ ...query, text })).toContain("PASSWORD ''")
  })

  test('has no field of the place where it is kept', () => {
    const kept = { ...query, place: 'browser', mark: '3', at: 5, database: 'd', entry: {} }
    expect(queryText(kept)).toBe(queryText(query))
    expect(isSameQuery(kept, query)).toBe(true)
  })
})

describe('a record that cannot be read', () => {
  const written = (change: object) => JSON.stringify({ ...JSON.parse(queryText(query)), ...change })
  const why = (text: string | null, id = 'abcd') => readQueryText(text, id)

  test.each<[string, string | null, string]>([
    ['bytes that are no text', null, 'It is not JSON.'],
    ['no JSON', '{"format"', 'It is not JSON.'],
    ['nothing', '', 'It is not JSON.'],
    ['JSON of another kind', '[1,2]', 'It is no saved query of this console.'],
    ['a deep list', '['.repeat(100_000), 'It is not JSON.'],
    ['another format', written({ format: 'x' }), 'It is no saved query of this console.'],
    ['a newer version', written({ version: 2 }), 'A newer version of this console wrote it.'],
    ['no text', written({ text: 5 }), 'Its text is not as expected.'],
    ['no name', written({ name: ' ' }), 'Its name is not as expected.'],
    ['a long name', written({ name: 'x'.repeat(121) }), 'Its name is not as expected.'],
    ['a deep folder', written({ folder: 'a/'.repeat(9) }), 'Its folder is not as expected.'],
    ['a huge text', written({ text: 'x'.repeat(250_001) }), 'Its text is not as expected.'],
    ['a hostile id', written({ id: '../x' }), 'Its id is not as expected.'],
    ['a wrong chart', written({ chart: { kind: 'pie' } }), 'Its chart.kind is not as expected.'],
    [
      'a wrong parameter',
      written({ parameters: [{ name: 'A' }] }),
      'Its parameters.0.name is not as expected.',
    ],
    ['the id of another key', written({ id: 'other' }), 'It names another query than its key.'],
  ])('says why: %s', (_, text, expected) => {
    expect(why(text)).toEqual({ why: expected })
  })

  test('cannot change what objects are', () => {
    const read = readQuery(JSON.parse(written({}).replace('{', '{"__proto__":{"polluted":1},')))
    expect(read).toEqual(query)
    expect(Object.hasOwn({}, 'polluted')).toBe(false)
  })
})

test('folders are what stands between slashes', () => {
  expect(foldersOf(' a / b//c/ ')).toEqual(['a', 'b', 'c'])
  expect(plainFolder('//')).toBe('')
  expect(plainFolder('reports/ monthly /')).toBe('reports/monthly')
})

test('a form is told why its query cannot be saved', () => {
  expect(queryProblem(query)).toEqual({})
  expect(queryProblem({ name: ' ', folder: 'a/'.repeat(9), text: '\n' })).toEqual({
    name: 'A query needs a name.',
    folder: 'At most 8 folders deep.',
    text: 'The editor is empty.',
  })
  expect(queryProblem({ ...query, text: 'x'.repeat(250_001) }).text).toMatch(/longer than 250,000/)
  const parameters = ['a', 'b'].map((name) => ({
    ...{ name, type: 'VARCHAR' as const },
    text: 'x'.repeat(130_000),
  }))
  expect(queryProblem({ ...query, parameters })).toEqual({
    values: 'The values are longer than 250,000 characters. Save it without them.',
  })
  expect(queryProblem({ ...query, parameters: parameters.slice(1) })).toEqual({})
})
