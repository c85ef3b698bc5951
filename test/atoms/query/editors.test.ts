// @vitest-environment node
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { noteAddressedEditor } from '~/atoms/query/addressed-editor'
import {
  closedEditorsAtom,
  type EditorName,
  editorDrafts,
  editorOfAtom,
  editorTextAtom,
  loadDraft,
  noteFact,
  openEditorsAtom,
  setEditorText,
  shownEditorAtom,
  textOf,
} from '~/atoms/query/editor'
import {
  closeEditor,
  duplicateEditor,
  keepLinked,
  longestName,
  longestOpened,
  mostEditors,
  moveEditor,
  nameOf,
  type Opened,
  openEditor,
  openEmptyEditor,
  openLinked,
  placeBehind,
  renameEditor,
  reopenEditor,
} from '~/atoms/query/editors'
import { countDrafts, draftPlace } from '~/core/drafts'
import type { Store } from '~/core/session/client'
import { databaseAtom } from '~/core/session/session'
import { fakeImmudb } from '../../support/fake-immudb'
import { corpus } from '../../support/recorded'
import { areaOf, type FakeDriver, fakeDriver, openTab, signIn } from '../../support/store'

const key = draftPlace('sql', { server: 'dc0mfe1ksduac04rho90', user: 'immudb' })

let driver: FakeDriver
let store: Store

/** A browser tab of its own on the same storage. */
async function browserTab(): Promise<Store> {
  vi.stubGlobal('sessionStorage', areaOf(new Map<string, string>()))
  const tab = openTab(fakeImmudb({ databases: ['defaultdb', 'shop'] }), driver)
  await signIn(tab)
  await loadDraft(tab.store)
  return tab.store
}

beforeEach(async () => {
  vi.useFakeTimers()
  driver = fakeDriver()
  store = await browserTab()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function opened(found: Opened): EditorName {
  if (!('editor' in found)) throw new Error(found.refusal)
  return found.editor
}

const open = async (text: string, name?: string) =>
  opened(await openEditor(store, { text, ...(name === undefined ? {} : { name }) }))
const show = (editor: EditorName) => noteAddressedEditor(store, editor.database, editor.id)
const tabs = (of: Store = store, database = 'defaultdb') => of.get(openEditorsAtom)(database)
const names = (of: Store = store) => tabs(of).map(nameOf)
const closed = (of: Store = store) => of.get(closedEditorsAtom)('defaultdb')

describe('a new editor', () => {
  test('has what it was opened with, an id of its own, and leaves the others alone', async () => {
    setEditorText(store, 'SELECT mine')
    const parameters = [{ name: 'n', type: 'INTEGER' as const, text: '1' }]
    const chart = { kind: 'bar' as const, x: null, y: [], split: null }
    const savedQuery = {
      ...{ place: 'browser' as const, id: 'q7xy', name: 'Orders', folder: '', description: '' },
      ...{ sum: 1, length: 9, mark: '1' },
    }
    const start = { text: 'SELECT @n', name: 'Orders', savedQuery, parameters, chart }
    const editor = opened(await openEditor(store, start))
    expect(store.get(editorTextAtom)).toBe('SELECT mine')
    show(editor)
    expect(store.get(editorTextAtom)).toBe('SELECT @n')
    const { text: _, ...facts } = start
    expect(store.get(shownEditorAtom)).toMatchObject({ ...facts, database: 'defaultdb' })
    expect(names()).toEqual(['Editor', 'Orders'])
    await editorDrafts.keep(store)
    const again = await browserTab()
    expect(again.get(editorOfAtom)(editor)).toEqual(store.get(editorOfAtom)(editor))
    expect(textOf(again.get, editor)).toBe('SELECT @n')
  })

  test('of another database is not among those of the open one', async () => {
    const found = await openEditor(store, { text: 'DROP TABLE t', database: 'shop' })
    expect(tabs()).toMatchObject([{ id: '', isEmpty: true }])
    expect(store.get(editorTextAtom)).toBe('')
    store.set(databaseAtom, 'shop')
    expect(store.get(shownEditorAtom).id).toBe(opened(found).id)
    expect(store.get(editorTextAtom)).toBe('DROP TABLE t')
  })

  test('takes the place of an empty one that nobody opened, and no other', async () => {
    await open('SELECT 1')
    expect(names()).toEqual(['Editor'])
    await openEmptyEditor(store)
    expect(names()).toEqual(['Editor', 'Editor 2'])
    store.set(databaseAtom, 'shop')
    await openEmptyEditor(store)
    expect(tabs(store, 'shop').map(nameOf)).toEqual(['Editor', 'Editor 2'])
  })

  test('is refused in words where there are too many, or where its text is too long', async () => {
    for (let count = 0; count < mostEditors; count += 1) await open(`SELECT ${count}`)
    expect(await openEditor(store, { text: 'one more' })).toEqual({
      refusal: expect.stringMatching(/^50 editors are open in this database.* Close one first\.$/),
    })
    expect(tabs()).toHaveLength(mostEditors)
    const other = { text: 'x'.repeat(longestOpened + 1), database: 'shop' }
    expect(await openEditor(store, other)).toEqual({
      refusal: 'This text is too long for an editor. Nothing was opened.',
    })
  })

  test('keeps no password', async () => {
    const editor = await open("CREATE USER bob WITH PASSWORD 'c4nary' READ;")
    await duplicateEditor(store, editor)
    closeEditor(store, editor)
    await editorDrafts.keep(store)
    expect(JSON.stringify([...driver.values])).toContain('CREATE USER bob')
    expect(JSON.stringify([...driver.values])).not.toContain('c4nary')
  })
})

describe('a text of a link (A04)', () => {
  test('has an editor of its own; closing it leads back to what was there', async () => {
    setEditorText(store, 'my own')
    const editor = opened(await openLinked(store, 'DROP TABLE t'))
    show(editor)
    expect(store.get(shownEditorAtom).isLinked).toBe(true)
    expect(closeEditor(store, editor)).toMatchObject({ id: '' })
    show({ database: 'defaultdb', id: '' })
    expect(store.get(editorTextAtom)).toBe('my own')
  })

  test('that is there already is opened once, and can be made one’s own', async () => {
    const editor = opened(await openLinked(store, 'SELECT 1'))
    expect(opened(await openLinked(store, 'SELECT 1'))).toMatchObject(editor)
    keepLinked(store, editor)
    expect(store.get(editorOfAtom)(editor)?.isLinked).toBeUndefined()
    expect(tabs()).toHaveLength(1)
  })

  test('is still said to be one after a reload', async () => {
    const editor = opened(await openLinked(store, 'DROP TABLE t'))
    await editorDrafts.keep(store)
    expect((await browserTab()).get(editorOfAtom)(editor)?.isLinked).toBe(true)
  })
})

describe('names and places', () => {
  test('are changed, cut and never empty', async () => {
    const editor = await open('SELECT 1')
    renameEditor(store, editor, '  Two\n lines ')
    expect(names()).toEqual(['Two lines'])
    renameEditor(store, editor, ' \n ')
    expect(names()).toEqual(['Two lines'])
    renameEditor(store, editor, '🦀'.repeat(500))
    expect([...(names()[0] ?? '')]).toHaveLength(longestName)
  })

  test.each(corpus('name').flatMap(({ text }) => (text?.trim() ? [text] : [])))(
    'a name such as %j is kept as it is',
    async (name) => {
      const editor = await open('SELECT 1')
      renameEditor(store, editor, name)
      await editorDrafts.keep(store)
      const line = [...name.replace(/\s+/g, ' ').trim()].slice(0, longestName).join('')
      expect(names(await browserTab())).toEqual([line])
      expect(Object.keys(Object.prototype)).toEqual([])
    },
  )

  test('move by one, and behind any other', async () => {
    const [a, b, c] = [await open('1', 'a'), await open('2', 'b'), await open('3', 'c')]
    moveEditor(store, c, -1)
    expect(names()).toEqual(['a', 'c', 'b'])
    moveEditor(store, a, 1)
    expect(names()).toEqual(['c', 'a', 'b'])
    moveEditor(store, c, -1)
    moveEditor(store, b, 1)
    expect(names()).toEqual(['c', 'a', 'b'])
    placeBehind(store, b, null)
    expect(names()).toEqual(['b', 'c', 'a'])
    for (let at = 0; at < 200; at += 1) {
      placeBehind(store, at % 2 ? c : a, b)
      expect(names()).toEqual(at % 2 ? ['b', 'c', 'a'] : ['b', 'a', 'c'])
    }
  })

  test('leave the first editor, which no address names, where it can be shown', async () => {
    setEditorText(store, 'SELECT mine')
    const other = await open('SELECT 2')
    placeBehind(store, store.get(shownEditorAtom), other)
    expect(tabs().map(({ id }) => id)).toEqual([other.id, ''])
    expect(store.get(editorTextAtom)).toBe('SELECT mine')
    show(other)
    expect(store.get(editorTextAtom)).toBe('SELECT 2')
    noteAddressedEditor(store, 'defaultdb', undefined)
    expect(store.get(editorTextAtom)).toBe('SELECT mine')
  })

  test('of a copy: behind the first, with its text', async () => {
    const [a] = [await open('SELECT 1', 'a'), await open('2', 'b')]
    const copy = opened(await duplicateEditor(store, a))
    expect(names()).toEqual(['a', 'a (copy)', 'b'])
    expect(textOf(store.get, copy)).toBe('SELECT 1')
  })
})

describe('a closed editor', () => {
  test('comes back where it was, the last one first', async () => {
    const [a, b] = [await open('SELECT 1', 'a'), await open('SELECT 2', 'b'), await open('3', 'c')]
    expect(closeEditor(store, b)).toMatchObject({ name: 'c' })
    expect(closeEditor(store, a)).toMatchObject({ name: 'c' })
    expect(names()).toEqual(['c'])
    expect(closed().map(nameOf)).toEqual(['a', 'b'])
    await editorDrafts.keep(store)
    const again = await browserTab()
    expect(closed(again).map(nameOf)).toEqual(['a', 'b'])
    reopenEditor(again, b)
    expect(names(again)).toEqual(['b', 'c'])
    expect(textOf(again.get, b)).toBe('SELECT 2')
  })

  test('leaves an empty one behind where it was the last, however often', async () => {
    for (let count = 0; count < 5; count += 1) {
      expect(tabs()).toMatchObject([{ isEmpty: true }])
      expect(store.get(editorTextAtom)).toBe('')
      setEditorText(store, `SELECT ${count}`)
      expect(closeEditor(store, store.get(shownEditorAtom))).toBeNull()
    }
    expect(closed().map((one) => textOf(store.get, one))).toEqual(
      [4, 3, 2, 1, 0].map((count) => `SELECT ${count}`),
    )
  })

  test('is not kept when it was empty, unless it has output', async () => {
    setEditorText(store, 'SELECT 1')
    const [a, b] = [await open(''), await open('')]
    closeEditor(store, a)
    closeEditor(store, b, true)
    expect(closed().map(({ id }) => id)).toEqual([b.id])
  })

  test('is forgotten when 30 others were closed since, or when it is long and they are', async () => {
    setEditorText(store, 'SELECT 1')
    for (let count = 0; count < 35; count += 1) closeEditor(store, await open(`${count}`))
    expect(closed()).toHaveLength(30)
    for (const letter of 'xyz') closeEditor(store, await open(letter.repeat(1_500_000), letter))
    expect(closed().map(nameOf).slice(0, 2)).toEqual(['z', 'y'])
    // Short ones do not make room for long ones.
    const texts = closed().map((one) => textOf(store.get, one) ?? '')
    expect(texts.slice(2)).toEqual(Array.from({ length: 27 }, (_, at) => `${34 - at}`))
  })
})

describe('two tabs of a browser', () => {
  test('do not undo each other’s names, texts, places and closing', async () => {
    const [a, b] = [await open('SELECT 1', 'a'), await open('SELECT 2', 'b')]
    await editorDrafts.keep(store)
    const other = await browserTab()
    renameEditor(store, a, 'renamed')
    setEditorText(other, 'SELECT other', a)
    moveEditor(other, a, 1)
    closeEditor(store, b)
    setEditorText(other, 'SELECT late', b)
    await editorDrafts.keep(store)
    await editorDrafts.keep(other)
    const third = await browserTab()
    expect(names(third)).toEqual(['renamed'])
    expect(textOf(third.get, a)).toBe('SELECT other')
    expect(closed(third).map((one) => textOf(third.get, one))).toEqual(['SELECT late'])
  })

  test('have different editors, which a third one shows together', async () => {
    const other = await browserTab()
    await open('SELECT 1', 'here')
    await openEditor(other, { text: 'SELECT 2', name: 'there' })
    await editorDrafts.keep(store)
    await editorDrafts.keep(other)
    expect(names(await browserTab())).toEqual(expect.arrayContaining(['here', 'there']))
  })
})

describe('what is stored', () => {
  test('of an older console is the first editor of each database', async () => {
    driver.values.set(key, {
      drafts: [
        ['shop', 'SELECT shop'],
        ['defaultdb', 'SELECT mine'],
      ],
    })
    const again = await browserTab()
    expect(tabs(again)).toMatchObject([{ id: '', isEmpty: false }])
    expect(again.get(editorTextAtom)).toBe('SELECT mine')
    await loadDraft(again, 'shop')
    again.set(databaseAtom, 'shop')
    expect(again.get(editorTextAtom)).toBe('SELECT shop')
  })

  test('counts its texts as drafts, and of a newer console nothing is lost', async () => {
    const newer = { database: 'defaultdb', id: 'x', fact: 'colour', value: 'red' }
    driver.values.set(key, { drafts: [newer, { fact: 'name' }, ['defaultdb', 'SELECT 1']] })
    store = await browserTab()
    await open('SELECT 2', 'two')
    renameEditor(store, store.get(shownEditorAtom), 'one')
    await editorDrafts.keep(store)
    expect((await countDrafts(store)).sql).toBe(2)
    expect(driver.values.get(key)).toMatchObject({ drafts: expect.arrayContaining([newer]) })
  })

  test('about a moment belongs to its editor and makes none', async () => {
    noteFact(store, store.get(shownEditorAtom), 'at', 'tx:3')
    expect(store.get(shownEditorAtom).at).toBe('tx:3')
    await open('SELECT 1')
    expect(tabs()).toHaveLength(1)
  })
})

test('an address may name an editor that this browser does not have: it is empty', async () => {
  setEditorText(store, 'SELECT mine')
  noteAddressedEditor(store, 'defaultdb', 'nosuch')
  expect(store.get(editorTextAtom)).toBe('')
  setEditorText(store, 'typed')
  noteAddressedEditor(store, 'defaultdb', undefined)
  expect(store.get(editorTextAtom)).toBe('SELECT mine')
  expect(tabs().map((one) => textOf(store.get, one))).toEqual(['SELECT mine', 'typed'])
})
