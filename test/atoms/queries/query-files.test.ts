// @vitest-environment node
import { describe, expect, test } from 'vitest'
import type { BrowserQuery } from '~/atoms/queries/browser-queries'
import {
  type FileQuery,
  mostFileQueries,
  queriesExport,
  readQueryFile,
} from '~/atoms/queries/query-files'
import { startExport } from '~/core/files/exports'
import { fakeImmudb } from '../../support/fake-immudb'
import { openTab } from '../../support/store'

const query = (id: string, more = {}): FileQuery => ({
  id,
  name: `Query ${id}`,
  folder: 'a/b',
  description: '',
  text: 'SELECT 1',
  database: 'bakery',
  ...more,
})
const stored = (of: FileQuery): BrowserQuery => ({ ...of, place: 'browser', mark: '4', at: 9 })

async function fileOf(queries: readonly FileQuery[], lacks: readonly string[] = []) {
  const { store } = openTab(fakeImmudb())
  return startExport(store, queriesExport('all', queries, lacks), 'json')
}

const textOf = async (queries: readonly FileQuery[]) =>
  (await fileOf(queries))?.parts.join('') ?? ''

describe('a file of saved queries', () => {
  test('says what it is, and has each query with its database', async () => {
    const file = await fileOf([query('aaaa')])
    expect(file?.name).toBe('queries-all-1.json')
    expect(JSON.parse(file?.parts.join('') ?? '')).toEqual({
      product: 'webconsole saved queries',
      schema: 1,
      queries: [{ format: 'webconsole query', version: 1, ...query('aaaa') }],
    })
  })

  test('has no password and nothing of where it was kept', async () => {
    const text = "CREATE USER bob WITH PASSWORD 'hunter2' READ"
    const written = await textOf([stored(query('aaaa', { text }))])
    expect(written).not.toContain('hunter2')
    expect(Object.keys(JSON.parse(written).queries[0])).not.toContain('mark')
  })

  test('has one that is kept in two places twice, and both are read again', async () => {
    const long = 'x'.repeat(64)
    const of = [query(long), query(long, { text: 'SELECT 2' }), query('aaaa'), query('aaaa')]
    const read = readQueryFile(await textOf(of), [])
    expect(read).toMatchObject({
      given: [
        { kind: 'new', query: { id: long, text: 'SELECT 1' } },
        { kind: 'new', query: { id: `${'x'.repeat(56)}-2`, text: 'SELECT 2' } },
        { kind: 'new', query: { id: 'aaaa' } },
        { kind: 'new', query: { id: 'aaaa-2' } },
      ],
    })
  })

  test('says in its name that it lacks something', async () => {
    const file = await fileOf([query('aaaa')], ['One cannot be read.'])
    expect(file?.name).toBe('queries-all-1-incomplete.json')
  })

  test('is compared with what is kept before anything is taken over', async () => {
    const known = [stored(query('same')), stored(query('other', { text: 'SELECT 2' }))]
    const text = await textOf([query('newq'), query('same'), query('other')])
    expect(readQueryFile(text, known)).toMatchObject({
      given: [
        { kind: 'new', query: { id: 'newq' } },
        { kind: 'same' },
        { kind: 'conflict', query: { text: 'SELECT 1' }, stored: { text: 'SELECT 2', mark: '4' } },
      ],
    })
  })

  test('lists what cannot be read, and reads the others', async () => {
    const written = JSON.parse(await textOf([query('aaaa'), query('bbbb')]))
    const { database: _, ...homeless } = written.queries[1]
    written.queries.splice(1, 1, { ...written.queries[1], version: 7 }, 'junk', homeless)
    written.queries.push(written.queries[0])
    expect(readQueryFile(JSON.stringify(written), [])).toEqual({
      given: [
        { kind: 'new', query: query('aaaa') },
        { kind: 'unreadable', number: 2, why: 'A newer version of this console wrote it.' },
        { kind: 'unreadable', number: 3, why: 'It is no saved query of this console.' },
        { kind: 'unreadable', number: 4, why: 'It names no database.' },
        {
          kind: 'unreadable',
          number: 5,
          why: 'A query before it in the file has the same id.',
        },
      ],
    })
  })

  test.each([
    ['no JSON', 'hello', 'not a file of saved queries'],
    ['another file', '{"product":"webconsole","schema":1}', 'not a file of saved queries'],
    [
      'a newer file',
      '{"product":"webconsole saved queries","schema":2,"queries":[1]}',
      'newer version of this console',
    ],
    ['none', '{"product":"webconsole saved queries","schema":1,"queries":[]}', 'holds no queries'],
    [
      'too many',
      JSON.stringify({
        product: 'webconsole saved queries',
        schema: 1,
        queries: Array.from({ length: mostFileQueries + 1 }, () => 1),
      }),
      'more than 20,000 queries',
    ],
  ])('is refused as a whole: %s', (_, text, why) => {
    expect(readQueryFile(text, [])).toEqual({ problem: expect.stringContaining(why) })
    expect(readQueryFile(text, [])).toEqual({
      problem: expect.stringContaining('Nothing was taken over.'),
    })
  })
})
