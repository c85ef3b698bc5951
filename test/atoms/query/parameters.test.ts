// @vitest-environment node
import { beforeEach, describe, expect, test } from 'vitest'
import { noteAddressedEditor } from '~/atoms/query/addressed-editor'
import { setEditorText, shownEditorAtom } from '~/atoms/query/editor'
import { openEditor, openLinked } from '~/atoms/query/editors'
import { outputAtom } from '~/atoms/query/output'
import type { OutputEntry } from '~/atoms/query/output-entry'
import {
  areValuesMissingAtom,
  parameterRowsAtom,
  typedOfAtom,
  typeParameters,
  valuesFor,
} from '~/atoms/query/parameters'
import { resultExport } from '~/atoms/query/result-export'
import { fetchResultPages } from '~/atoms/query/result-pages'
import { runStatements } from '~/atoms/query/run'
import { historyAtom, readStatementHistory } from '~/atoms/query/statement-history'
import { checkOutcome } from '~/atoms/query/write-outcome-check'
import { newestExportAtom, startExport } from '~/core/files/exports'
import { stateAtom } from '~/core/history/newest-state'
import { storageAtom } from '~/core/storage/stored'
import { largeTextLength } from '~/lib/constants'
import { paramsFor } from '~/sql/parameter-values'
import { splitStatements } from '~/sql/statements'
import { type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import { openTab, signIn, soon, type Tab } from '../../support/store'

let server: FakeImmudb
let tab: Tab

const rows = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: String(at + 1), tx: 3 }))

beforeEach(async () => {
  server = fakeImmudb()
  server.databases.set('defaultdb', {
    isLoaded: true,
    txId: 3,
    tables: new Map([
      ['t', rows(1)],
      ['long', rows(3_000)],
    ]),
  })
  tab = openTab(server)
  await signIn(tab)
  tab.store.sub(stateAtom, () => {})
  tab.store.sub(parameterRowsAtom, () => {})
  await soon(() => expect(tab.store.get(stateAtom).data?.txId).toBe('3'))
  setEditorText(tab.store, '')
  server.clear()
})

const bodies = () => server.calls.map(({ body }) => body).filter(({ sql }) => sql !== undefined)
const entry = (): OutputEntry => {
  const found = tab.store.get(outputAtom).findLast((item) => item.kind === 'entry')
  if (found?.kind !== 'entry') throw new Error('no entry')
  return found
}
const field = (name: string) => tab.store.get(parameterRowsAtom).find((row) => row.name === name)
const type = (name: string, text: string | null, chosen: 'UUID' | 'VARCHAR' | null = null) =>
  typeParameters(tab.store, [{ name, type: chosen, text }])

/** Runs the text as the editor does; false when a value keeps it from being sent. */
async function run(text: string): Promise<boolean> {
  setEditorText(tab.store, text)
  const statements = splitStatements(text)
  const given = await valuesFor(tab.store, statements)
  if (given === null) return false
  await runStatements(tab.store, text, statements, undefined, given)
  return true
}

describe('the form', () => {
  test('has a field for each name, of the type of its column', async () => {
    setEditorText(tab.store, 'SELECT id FROM t WHERE id = @Id AND @other = 1 -- @no')
    await soon(() => expect(field('id')).toMatchObject({ type: 'INTEGER', column: 't.id' }))
    expect(field('other')).toMatchObject({ type: 'VARCHAR', column: null, isChosen: false })
    expect(tab.store.get(parameterRowsAtom)).toHaveLength(2)
  })

  test('says at the field what is wrong, and nothing is sent', async () => {
    expect(await run('SELECT id FROM t WHERE id = @id')).toBe(false)
    expect(field('id')?.error).toBe('Type a value, or choose NULL.')
    expect(tab.store.get(areValuesMissingAtom)).toBe(true)
    type('id', '1.5')
    await soon(() => expect(field('id')?.error).toMatch(/^Write a whole number/))
    expect(await run('SELECT id FROM t WHERE id = @id')).toBe(false)
    expect(bodies().filter(({ sql }) => /FROM t/.test(String(sql)))).toEqual([])
    type('id', '1')
    expect(tab.store.get(areValuesMissingAtom)).toBe(false)
    expect(await run('SELECT id FROM t WHERE id = @id')).toBe(true)
  })

  test('says that a name is used with two types, and what is wrong for the statements that are run', async () => {
    const [first, second] = [
      'SELECT id FROM t WHERE id = @x',
      'SELECT id FROM t WHERE CAST(id AS BOOLEAN) = @x',
    ]
    const text = `${first}; ${second}`
    setEditorText(tab.store, text)
    type('x', '5')
    await soon(() =>
      expect(field('x')).toMatchObject({ type: 'INTEGER', column: 't.id', other: 'BOOLEAN' }),
    )
    // The second alone takes a value of its own type, and 5 is none.
    expect(await valuesFor(tab.store, splitStatements(second))).toBeNull()
    expect(field('x')).toMatchObject({ type: 'BOOLEAN', error: 'Write true or false.' })
    expect(tab.store.get(areValuesMissingAtom)).toBe(true)
    type('x', 'true')
    expect(field('x')?.error).toBeUndefined()
    expect(await valuesFor(tab.store, splitStatements(second))).toMatchObject([
      { name: 'x', value: { b: true } },
    ])
    setEditorText(tab.store, 'SELECT id FROM t WHERE id = @x OR id < @x')
    await soon(() => expect(field('x')).toMatchObject({ type: 'INTEGER', other: null }))
  })

  test('keeps what is typed in the tab alone, and for its database', async () => {
    setEditorText(tab.store, 'SELECT @secret')
    type('secret', 'hunter2-parameter')
    await run('SELECT @secret')
    await soon(() => expect(tab.store.get(historyAtom)?.entries).toHaveLength(1))
    await readStatementHistory(tab.store)
    expect(JSON.stringify(tab.store.get(historyAtom))).not.toContain('hunter2')
    const storage = tab.store.get(storageAtom)
    for (const key of await storage.keys())
      expect(JSON.stringify(await storage.read(key))).not.toContain('hunter2')
    expect(tab.store.get(typedOfAtom)(tab.store.get(shownEditorAtom))).toHaveLength(1)
  })
})

describe('what is sent', () => {
  test('has the text as typed, and its values beside it', async () => {
    type('id', '5')
    type('s', `x'); DROP TABLE t; --`)
    await run('SELECT id FROM t WHERE id > @id; INSERT INTO t (id) VALUES (@ID); SELECT @s')
    expect(bodies().filter(({ sql }) => String(sql).includes('@'))).toEqual([
      { sql: 'SELECT id FROM t WHERE id > @id;', params: [{ name: 'id', value: { n: '5' } }] },
      { sql: 'INSERT INTO t (id) VALUES (@ID);', params: [{ name: 'id', value: { n: '5' } }] },
      { sql: 'SELECT @s;', params: [{ name: 's', value: { s: `x'); DROP TABLE t; --` } }] },
    ])
  })

  test('is nothing without a value, whoever asks', async () => {
    await runStatements(tab.store, 'SELECT @id', splitStatements('SELECT @id'))
    expect(entry().failure?.text).toBe(
      'The statement was not sent: @id has no value. Type it beside the editor, then run it from there.',
    )
    await run('SELECT ?')
    expect(entry().failure?.text).toMatch(/^The statement was not sent: \? and \$1 have no value/)
    type('id', '1')
    await run('CREATE VIEW v AS SELECT id FROM t WHERE id > @id')
    expect(entry().failure?.text).toMatch(/^The statement was not sent: CREATE and ALTER/)
    await run('BEGIN TRANSACTION; SELECT 1; ALTER TABLE t ADD COLUMN n INTEGER DEFAULT @id; COMMIT')
    expect(entry().failure?.text).toMatch(/^The statement was not sent: CREATE and ALTER/)
    expect(bodies().filter(({ sql }) => String(sql).includes('@'))).toEqual([])
  })

  test('a plan needs no values, and gets those that are there', async () => {
    await run('EXPLAIN SELECT id FROM t WHERE id = @id')
    expect(bodies().at(-1)).toEqual({ sql: 'EXPLAIN SELECT id FROM t WHERE id = @id;' })
    type('id', '1')
    await run('EXPLAIN SELECT id FROM t WHERE id = @id')
    expect(bodies().at(-1)).toMatchObject({ params: [{ name: 'id', value: { n: '1' } }] })
  })

  test('names the type of a UUID', async () => {
    type('u', '11111111-2222-3333-4444-555555555555', 'UUID')
    await run('SELECT id FROM t WHERE id = @u')
    expect(bodies().at(-1)?.sql).toBe('SELECT id FROM t WHERE id = @u::UUID;')
    expect(entry().notes).toEqual([expect.stringMatching(/^Parameters that are a UUID/)])
  })

  test('has its values in every request that repeats the statement', async () => {
    type('a', '7')
    await run('SELECT id FROM long WHERE id > @A')
    const { number } = entry()
    await fetchResultPages(tab.store, number, 'next')
    const { result } = entry()
    if (!result) throw new Error('no rows')
    await startExport(tab.store, resultExport(entry(), result), 'csv')
    await soon(() =>
      expect(tab.store.get(newestExportAtom)('result 1')?.text).toMatch(/^Complete: 2,993/),
    )
    await fetchResultPages(tab.store, number, 'all')
    await checkOutcome(tab.store, entry())
    const repeated = bodies().filter(({ sql }) => String(sql).includes('@A'))
    expect(repeated.length).toBeGreaterThan(4)
    for (const { sql, params } of repeated) {
      expect(paramsFor(String(sql), []).missing).toEqual(['a'])
      expect(params).toEqual([{ name: 'a', value: { n: '7' } }])
    }
  })
})

describe('a link', () => {
  test('opens an editor of its own with its values, runs nothing, and changes no other', async () => {
    setEditorText(tab.store, 'DELETE FROM t WHERE id = @id')
    type('id', '7')
    const values = new Map([['id', { text: '1', type: null }]])
    const opened = await openLinked(tab.store, 'DELETE FROM t WHERE id = @id', values)
    if (!('editor' in opened)) throw new Error(opened.refusal)
    expect(field('id')).toMatchObject({ text: '7' })
    noteAddressedEditor(tab.store, 'defaultdb', opened.editor.id)
    await soon(() => expect(field('id')).toMatchObject({ text: '1', type: 'INTEGER' }))
    expect(bodies().filter(({ sql }) => /DELETE/.test(String(sql)))).toEqual([])
    // The same link once more means the editor that is there.
    expect(await openLinked(tab.store, 'DELETE FROM t WHERE id = @id', values)).toMatchObject({
      editor: { id: opened.editor.id },
    })
  })

  test('brings the types that were chosen, and NULL', async () => {
    const values = new Map([
      ['a', { text: '1.5', type: 'FLOAT' as const }],
      ['b', { text: null, type: null }],
    ])
    const opened = await openLinked(tab.store, 'SELECT @a, @b', values)
    if (!('editor' in opened)) throw new Error(opened.refusal)
    noteAddressedEditor(tab.store, 'defaultdb', opened.editor.id)
    expect(field('a')).toMatchObject({ type: 'FLOAT', isChosen: true, text: '1.5' })
    expect(field('b')).toMatchObject({ isChosen: false, text: null })
    // Another type is another link.
    const other = new Map([['a', { text: '1.5', type: 'VARCHAR' as const }]])
    const second = await openLinked(tab.store, 'SELECT @a, @b', other)
    expect(second).not.toMatchObject({ editor: { id: opened.editor.id } })
  })
})

test('an editor of a saved query begins with its values', async () => {
  const parameters = [{ name: 'id', type: 'FLOAT' as const, text: '5' }]
  const opened = await openEditor(tab.store, { text: 'SELECT @id', parameters })
  if (!('editor' in opened)) throw new Error(opened.refusal)
  noteAddressedEditor(tab.store, 'defaultdb', opened.editor.id)
  expect(field('id')).toMatchObject({ type: 'FLOAT', isChosen: true, text: '5' })
  type('id', '6')
  expect(field('id')).toMatchObject({ text: '6' })
})

test('a text too long to be read at each key has its fields once it is run', async () => {
  const long = `-- ${'x'.repeat(largeTextLength)}\nSELECT id FROM t WHERE id = @late`
  setEditorText(tab.store, long)
  expect(tab.store.get(parameterRowsAtom)).toEqual([])
  expect(await run(long)).toBe(false)
  expect(field('late')).toMatchObject({ error: 'Type a value, or choose NULL.' })
  type('late', '1')
  expect(field('late')).toMatchObject({ text: '1', error: undefined })
})
