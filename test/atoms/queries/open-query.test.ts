// @vitest-environment node
import { beforeEach, describe, expect, test } from 'vitest'
import { readBrowserQueries, saveBrowserQuery } from '~/atoms/queries/browser-queries'
import {
  isChangedAtom,
  linkProblemAtom,
  openQueryLink,
  openSavedQuery,
} from '~/atoms/queries/open-query'
import { queryText } from '~/atoms/queries/query-record'
import { copyOf, queryDialogAtom, saveQuery, saveShownText } from '~/atoms/queries/query-saving'
import { noteAddressedEditor } from '~/atoms/query/addressed-editor'
import {
  type EditorName,
  editorDrafts,
  editorTextAtom,
  loadDraft,
  noteFact,
  openEditorsAtom,
  setEditorText,
  shownEditorAtom,
} from '~/atoms/query/editor'
import { nameOf, type Opened, openEmptyEditor } from '~/atoms/query/editors'
import { typedOfAtom } from '~/atoms/query/parameters'
import { sharedKey } from '~/immudb/saved-query'
import { bytesToBase64 } from '~/lib/bytes'
import { type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import { keysOf, storeKey } from '../../support/fake-kv'
import type { FakeDatabase } from '../../support/fake-sql'
import { type FakeDriver, fakeDriver, openTab, signIn, type Tab } from '../../support/store'

let server: FakeImmudb
let driver: FakeDriver
let tab: Tab
let database: FakeDatabase

beforeEach(async () => {
  server = fakeImmudb({ users: { reader: { password: 'x', permissions: { defaultdb: 1 } } } })
  database = { isLoaded: true, txId: 0, tables: new Map() }
  server.databases.set('defaultdb', database)
  driver = fakeDriver()
  tab = openTab(server, driver)
  await signIn(tab)
  await loadDraft(tab.store)
})

const query = (id: string, more = {}) => ({
  ...{ id, name: `Query ${id}`, folder: '', description: '', text: 'SELECT 1' },
  ...{ database: 'defaultdb', ...more },
})
const put = (id: string, value: string) =>
  storeKey(database, sharedKey(id), bytesToBase64(new TextEncoder().encode(value)))

async function saved(id: string, more = {}) {
  const end = await saveBrowserQuery(tab.store, query(id, more), null)
  if (end.kind !== 'done') throw new Error(end.kind)
  return end.query
}

function shows(opened: Opened | null): EditorName {
  if (opened === null || !('editor' in opened)) throw new Error('nothing was opened')
  noteAddressedEditor(tab.store, opened.editor.database, opened.editor.id)
  return opened.editor
}
const names = () => tab.store.get(openEditorsAtom)('defaultdb').map(nameOf)
const shown = () => tab.store.get(shownEditorAtom)
const isChanged = () => tab.store.get(isChangedAtom)
const problem = () => tab.store.get(linkProblemAtom)

describe('a saved query in an editor', () => {
  test('opens in one of its own, which knows it after a reload, too', async () => {
    setEditorText(tab.store, 'SELECT mine')
    const editor = shows(await openSavedQuery(tab.store, await saved('aaaa')))
    expect(names()).toEqual(['Editor', 'Query aaaa'])
    expect(tab.store.get(editorTextAtom)).toBe('SELECT 1')
    expect(shown().savedQuery).toMatchObject({ id: 'aaaa', place: 'browser', mark: '1' })
    expect(isChanged()).toBe(false)
    setEditorText(tab.store, 'SELECT 2')
    expect(isChanged()).toBe(true)
    await editorDrafts.keep(tab.store)
    tab = openTab(server, driver)
    await signIn(tab)
    await loadDraft(tab.store)
    noteAddressedEditor(tab.store, editor.database, editor.id)
    expect(shown().savedQuery).toMatchObject({ id: 'aaaa' })
    expect(isChanged()).toBe(true)
  })

  test('is shown by the editor that has this version already', async () => {
    const of = await saved('aaaa')
    const first = shows(await openSavedQuery(tab.store, of))
    setEditorText(tab.store, 'SELECT typed')
    expect(shows(await openSavedQuery(tab.store, of)).id).toBe(first.id)
    expect(tab.store.get(editorTextAtom)).toBe('SELECT typed')
    const next = await saveBrowserQuery(tab.store, query('aaaa', { text: 'SELECT 9' }), '1')
    if (next.kind !== 'done') throw new Error(next.kind)
    expect(shows(await openSavedQuery(tab.store, next.query)).id).not.toBe(first.id)
  })

  test('a password in the text does not count as a change', async () => {
    const text = "CREATE USER bob WITH PASSWORD 'a' READ"
    shows(await openSavedQuery(tab.store, await saved('aaaa', { text })))
    setEditorText(tab.store, text)
    expect(isChanged()).toBe(false)
  })
})

describe('a link to a saved query', () => {
  test('opens it from this browser without a request, with the values beside it', async () => {
    await saved('aaaa', { text: 'SELECT @day' })
    server.clear()
    const editor = shows(
      await openQueryLink(tab.store, 'aaaa', new Map([['day', { text: '1', type: null }]])),
    )
    expect(server.log()).toEqual([])
    expect(tab.store.get(typedOfAtom)(editor)).toMatchObject([{ name: 'day', text: '1' }])
    // The text is one's own, and the values are those of whoever wrote the link.
    expect(shown().isLinked).toBe(true)
    expect(problem()).toBeNull()
    shows(await openQueryLink(tab.store, 'aaaa'))
    expect(shown().id).toBe(editor.id)
  })

  test('keeps the types that were saved, where it names none', async () => {
    const parameters = [
      { name: 'f', type: 'FLOAT', text: '1' },
      { name: 'g', type: 'FLOAT', text: '1' },
    ]
    await saved('aaaa', { text: 'SELECT @f, @g', parameters })
    const values = new Map([
      ['f', { text: '2.5', type: null }],
      ['g', { text: '3', type: 'INTEGER' as const }],
    ])
    const editor = shows(await openQueryLink(tab.store, 'aaaa', values))
    expect(tab.store.get(typedOfAtom)(editor)).toEqual([
      { name: 'f', type: 'FLOAT', text: '2.5' },
      { name: 'g', type: 'INTEGER', text: '3' },
    ])
  })

  test('opens it from the database by one request, and says that it came with a link', async () => {
    put('bbbb', queryText(query('bbbb')))
    server.clear()
    shows(await openQueryLink(tab.store, 'bbbb'))
    expect(server.log()).toEqual([`GET /db/get/${encodeURI(sharedKey('bbbb'))}`])
    expect(shown()).toMatchObject({ isLinked: true, savedQuery: { place: 'shared', mark: '1' } })
  })

  test('opens the shared one before one of this browser for another database', async () => {
    server.databases.set('other', { isLoaded: true, txId: 0, tables: new Map() })
    await saved('bbbb', { database: 'other' })
    await saved('cccc', { database: 'other' })
    put('bbbb', queryText(query('bbbb')))
    expect(shows(await openQueryLink(tab.store, 'bbbb')).database).toBe('defaultdb')
    expect(shows(await openQueryLink(tab.store, 'cccc')).database).toBe('other')
  })

  test.each([
    [
      'of nobody',
      'zzzz',
      /Neither this browser nor the database “defaultdb” has a saved query “zzzz”/,
    ],
    ['that is no id', '../../x', /Neither this browser nor the database/],
    ['to a damaged one', 'dddd', /cannot be opened\. It is not JSON\./],
  ])('that leads nowhere opens nothing and says so: %s', async (_, id, words) => {
    put('dddd', 'hello')
    expect(await openQueryLink(tab.store, id)).toBeNull()
    expect(problem()).toMatch(words)
    expect(names()).toEqual(['Editor'])
  })

  test('says when the server could not be asked', async () => {
    server.unplug()
    expect(await openQueryLink(tab.store, 'bbbb')).toBeNull()
    expect(problem()).toMatch(/could not be asked for it\..*Open the link again/)
  }, 30_000)
})

describe('saving what the editor shows', () => {
  test('asks for a name first; the editor takes it and knows the query', async () => {
    setEditorText(tab.store, 'SELECT 5')
    expect(await saveShownText(tab.store)).toBeNull()
    const task = tab.store.get(queryDialogAtom)
    if (task?.kind !== 'save') throw new Error('no form')
    await saveQuery(tab.store, { ...task, of: { ...task.of, name: 'Five' } })
    expect(names()).toEqual(['Five'])
    expect(shown().savedQuery).toMatchObject({ name: 'Five' })
  })

  test('saves a query again at once, and gives other editors of it the new version', async () => {
    const of = await saved('aaaa')
    shows(await openSavedQuery(tab.store, of))
    setEditorText(tab.store, 'SELECT 2')
    expect(await saveShownText(tab.store)).toMatchObject({ kind: 'done', query: { mark: '2' } })
    expect(isChanged()).toBe(false)
    await saveQuery(tab.store, {
      ...{ kind: 'save', place: 'browser', base: '2' },
      of: query('aaaa', { name: 'Renamed', text: 'SELECT 2' }),
    })
    expect(shown().savedQuery).toMatchObject({ name: 'Renamed', mark: '3' })
    expect(isChanged()).toBe(false)
  })

  test('shows a conflict instead of overwriting', async () => {
    shows(await openSavedQuery(tab.store, await saved('aaaa')))
    const other = openTab(server, driver)
    await signIn(other)
    await readBrowserQueries(other.store)
    await saveBrowserQuery(other.store, query('aaaa', { text: 'SELECT theirs' }), '1')
    setEditorText(tab.store, 'SELECT mine')
    expect(await saveShownText(tab.store)).toBeNull()
    expect(tab.store.get(queryDialogAtom)).toMatchObject({
      of: { text: 'SELECT mine' },
      tried: { kind: 'conflict', stored: { text: 'SELECT theirs' } },
    })
  })

  test('sends nothing where a shared query may only be read', async () => {
    put('bbbb', queryText(query('bbbb')))
    tab = openTab(server)
    await signIn(tab, 'reader', 'x')
    await loadDraft(tab.store)
    shows(await openQueryLink(tab.store, 'bbbb'))
    setEditorText(tab.store, 'SELECT 2')
    server.clear()
    expect(await saveShownText(tab.store)).toBeNull()
    expect(tab.store.get(queryDialogAtom)).toMatchObject({ kind: 'save', place: 'shared' })
    expect(server.log().filter((call) => call === 'POST /db/set')).toEqual([])
    expect(keysOf(database).get(sharedKey('bbbb'))).toHaveLength(1)
  })

  test('keeps the parameters that were saved, and no value that was typed since', async () => {
    const parameters = [{ name: 'day', type: 'VARCHAR', text: 'monday' }]
    const of = await saved('aaaa', { text: 'SELECT @day', parameters })
    shows(await openQueryLink(tab.store, of.id, new Map([['day', { text: 'secret', type: null }]])))
    setEditorText(tab.store, 'SELECT @day, 1')
    expect(await saveShownText(tab.store)).toMatchObject({ kind: 'done', query: { parameters } })
    expect(JSON.stringify([...driver.values])).not.toContain('secret')
  })

  test('saved again without its values keeps them in the tab, and saves them no more', async () => {
    const parameters = [{ name: 'day', type: 'VARCHAR', text: 'monday' }]
    const of = await saved('aaaa', { text: 'SELECT @day', parameters })
    const editor = shows(await openSavedQuery(tab.store, of))
    const { parameters: _, place, mark, at: __, ...rest } = of
    await saveQuery(tab.store, { kind: 'save', of: rest, place, base: mark, editor })
    setEditorText(tab.store, 'SELECT @day, 1')
    const end = await saveShownText(tab.store)
    expect(end).toMatchObject({ kind: 'done', query: { text: 'SELECT @day, 1' } })
    expect(JSON.stringify(end)).not.toContain('monday')
    expect(tab.store.get(typedOfAtom)(editor)).toMatchObject([{ name: 'day', text: 'monday' }])
  })

  test('counts another chart as a change, and saves it', async () => {
    shows(await openSavedQuery(tab.store, await saved('aaaa')))
    const chart = { kind: 'bar', x: null, y: [{ name: 'n', at: 0 }], split: null } as const
    noteFact(tab.store, shown(), 'chart', { ...chart, y: [...chart.y] })
    expect(isChanged()).toBe(true)
    expect(await saveShownText(tab.store)).toMatchObject({ kind: 'done', query: { chart } })
    expect(isChanged()).toBe(false)
  })

  test('an empty editor is not saved over a query', async () => {
    shows(await openSavedQuery(tab.store, await saved('aaaa')))
    setEditorText(tab.store, ' ')
    expect(await saveShownText(tab.store)).toBeNull()
    expect(tab.store.get(queryDialogAtom)).toMatchObject({ kind: 'save', base: '1' })
  })

  test('a copy has an id of its own and a name that fits', async () => {
    const copy = copyOf(query('aaaa', { name: 'x'.repeat(120) }))
    expect(copy.id).not.toBe('aaaa')
    expect(copy.name).toHaveLength(120)
    expect(copy.name).toMatch(/ \(copy\)$/)
  })
})

test('a new empty editor knows no query', async () => {
  shows(await openSavedQuery(tab.store, await saved('aaaa')))
  shows(await openEmptyEditor(tab.store))
  expect(shown().savedQuery).toBeUndefined()
  expect(isChanged()).toBe(false)
})
