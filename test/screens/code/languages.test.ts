// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { type Call, type Place, usualPorts } from '~/screens/code/call'
import { type Language, languages, snippetOf } from '~/screens/code/languages'
import { keyCall, keyCases, kindsCall, notesCall, texts } from '../../support/snippets'

const place: Place = {
  api: 'http://db.example:8080/ops/api',
  host: 'db.example',
  database: 'bakery',
  ports: usualPorts,
}

function codeOf(language: Language, call: Call): string {
  const snippet = snippetOf(language, call, place)
  return 'code' in snippet ? snippet.code : ''
}

const sql = (text: string, params: Extract<Call, { kind: 'sql' }>['params'] = []): Call => ({
  kind: 'sql',
  sql: text,
  params,
  isQuery: true,
})

const documentProof = (text: string): Call => ({
  kind: 'document proof',
  collection: text,
  id: text,
  tx: '0',
})

const calls: readonly Call[] = [
  kindsCall,
  { kind: 'rows', sql: 'SELECT * FROM t', params: [] },
  { kind: 'keys', prefix: '', limit: 10 },
  { kind: 'tx', tx: '18446744073709551615', isVerified: true },
  ...texts.map(documentProof),
  ...keyCases.flatMap(({ key }) => [keyCall(key), keyCall(key, true)]),
  ...texts.map(notesCall),
  ...texts.map((s) => sql('SELECT @p', [{ name: 'p', value: { s } }])),
]

describe.each(languages.map(({ name }) => name))('%s', (language) => {
  test('is ASCII, whatever is open', () => {
    for (const call of calls) expect(codeOf(language, call)).toMatch(/^[\t\n\x20-\x7e]*$/)
  })

  test('takes the login from the environment', () => {
    for (const call of calls) {
      const code = codeOf(language, call)
      if (code !== '') expect(code).toContain('IMMUDB_USER')
    }
  })

  test('refuses values that are no example', () => {
    const call = sql('SELECT @p', [{ name: 'p', value: { s: 'x'.repeat(100_000) } }])
    expect(snippetOf(language, call, place)).toEqual({ cannot: expect.stringMatching(/too long/) })
  })

  test('keeps every digit of a number', () => {
    const call = sql('SELECT id FROM t WHERE id = @p', [
      { name: 'p', value: { n: '-9223372036854775807' } },
    ])
    expect(codeOf(language, call)).toContain('-9223372036854775807')
  })
})

describe('numbers that JSON has no sign for', () => {
  const rows: Call = {
    kind: 'rows',
    sql: 'SELECT f FROM t WHERE f < @f',
    params: [{ name: 'f', value: { f: 'Infinity' } }],
  }

  test('are texts in what Node prints', () => {
    const [, body = ''] = /^const json = (.+)$/m.exec(codeOf('node', rows)) ?? []
    const json: (value: unknown) => string = new Function(`return ${body}`)()
    expect(json([{ f: -0 }, { f: 0 }, { f: 1.5 }])).toBe('[{"f":"-0"},{"f":0},{"f":1.5}]')
  })

  test('do not stop Go in the middle of a table, which imports each package once', () => {
    const code = codeOf('go', rows)
    expect(code).toContain('math.IsNaN(number) || math.IsInf(number, 0)')
    expect(code.match(/^\t"math"$/gm)).toHaveLength(1)
  })
})

describe('what a language cannot do is said', () => {
  const said = (language: Language, call: Call) => {
    const snippet = snippetOf(language, call, place)
    return 'cannot' in snippet ? snippet.cannot : snippet.notes.join(' ')
  }
  const proof = keyCall(Buffer.from('k'), true)

  test.each([
    ['curl', /verifies nothing/],
    ['node', /immudb-node 1\.1\.1 refuses the proofs of every server since 1\.2/],
    ['java', /not run/],
    ['psql', /speaks only SQL/],
    ['python', /trusts what the server says first/],
    ['go', /first run trusts what the server says/],
  ] as const)('by %s of a verified key', (language, words) => {
    expect(said(language, proof)).toMatch(words)
  })

  test.each([
    ['curl', /use Go\.$/],
    ['node', /Use Go to verify/],
    ['java', /verifies nothing.* Use Go\./],
    ['python', /verifies nothing.* Use Go to verify/],
    ['psql', /speaks only SQL/],
    ['go', /Which collection has which number it takes from the server/],
  ] as const)('by %s of a verified document', (language, words) => {
    expect(said(language, documentProof('65f0'))).toMatch(words)
  })

  test.each([
    ['CREATE TABLE t (id INTEGER, CHECK (id > 0), PRIMARY KEY id)', /Only SELECT/],
    ['DELETE FROM t; CREATE TABLE u (id INTEGER, PRIMARY KEY id)', /Only SELECT/],
    ["SELECT * FROM t WHERE v = 'pg_class'", /answers statements with such names itself/],
    ['SELECT "order" FROM t', /rewrites "order"/],
    ['SELECT date FROM t', /rewrites date/],
    ['SELECT t.* FROM t', /rewrites lists of columns/],
    ['SELECT @missing', /no such parameter/],
  ])('by psql of %s', (text, words) => {
    expect(said('psql', sql(text))).toMatch(words)
  })

  test('by psql of a value that its port takes for a name', () => {
    const call = sql('SELECT * FROM t WHERE v = @p', [{ name: 'p', value: { s: 'pg_catalog.x' } }])
    expect(said('psql', call)).toMatch(/answers statements with such names itself/)
  })

  test('by psql of a statement with a NUL', () => {
    expect(said('psql', sql('SELECT @p', [{ name: 'p', value: { s: 'a\0' } }]))).toMatch(/NUL/)
  })

  test('a statement that begins with a backslash is no order to psql', () => {
    const call = sql('\\! touch pwned')
    expect(codeOf('psql', call)).not.toMatch(/--command='\\/)
  })

  test('by Python of keys that its SDK encodes otherwise than immudb', () => {
    const row: Call = {
      kind: 'row',
      sql: 'SELECT * FROM t WHERE k = @k',
      params: [{ name: 'k', value: { s: 'é' } }],
      table: 't',
      key: [{ type: 'VARCHAR', value: { s: 'é' } }],
      isVerified: true,
    }
    expect(said('python', row)).toMatch(/refuses right proofs/)
    expect(codeOf('python', row)).not.toContain('verifiableSQLGet')
    expect(codeOf('python', { ...row, key: [{ type: 'VARCHAR', value: { s: 'e' } }] })).toContain(
      'verifiableSQLGet',
    )
  })
})
