import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Provider } from 'jotai'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { AddressedDatabase } from '~/app/Console'
import { editorTextAtom, setEditorText, shownEditorAtom } from '~/atoms/query/editor'
import { appendOutput } from '~/atoms/query/output'
import { runStatements } from '~/atoms/query/run'
import { rememberStatements } from '~/atoms/query/statement-history'
import QueryScreen from '~/screens/query/QueryScreen'
import { splitStatements } from '~/sql/statements'
import { clearToasts, Toaster } from '~/ui/toast'
import { type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import type { FakeDatabase } from '../../support/fake-sql'
import { setWindowWidth, stubLayout } from '../../support/layout'
import { newEntry } from '../../support/output-entry'
import { corpus } from '../../support/recorded'
import { reportVersion } from '../../support/server-version'
import { openTab, signIn, type Tab } from '../../support/store'

// Parts are fetched when they are first shown, on a machine that may be busy.

let server: FakeImmudb
let tab: Tab

type Options = { tables?: FakeDatabase['tables']; level?: number; path?: string; text?: string }

async function show({ tables, level, path = '/query', text = '' }: Options = {}) {
  const clerk = { password: 'x', permissions: { defaultdb: level ?? 0 } }
  server = fakeImmudb({ users: level === undefined ? {} : { clerk } })
  const database = { isLoaded: true, txId: tables ? 3 : 0, tables: tables ?? new Map() }
  server.databases.set('defaultdb', database)
  tab = openTab(server)
  if (level === undefined) await signIn(tab)
  else await signIn(tab, 'clerk', 'x')
  setEditorText(tab.store, text)
  const location = memoryLocation({ path, record: true })
  render(
    <Provider store={tab.store}>
      <Router hook={location.hook} searchHook={location.searchHook}>
        <AddressedDatabase />
        <QueryScreen />
        <Toaster />
      </Router>
    </Provider>,
  )
  await screen.findByRole('region', { name: 'Editor' })
  await asOf()
  return location
}

/** The control of the moment that is looked at. */
const asOf = () => screen.findByRole('button', { name: /^As of/ })

/** A press whose effects are waited for, parts that are fetched because of it included. */
const press = (element: HTMLElement) => act(() => userEvent.setup().click(element))

const table = (...ids: string[]) => new Map([['t', ids.map((id, at) => ({ id, tx: at + 2 }))]])
const sent = () =>
  server.calls.flatMap(({ body }) => (body.sql === undefined ? [] : [String(body.sql)]))
const own = () => sent().filter((sql) => !/information_schema/.test(sql))

// What is fetched when it is first shown must not take longer than a test waits for it.
beforeAll(async () => {
  await Promise.all([
    import('~/ui/editors'),
    import('~/screens/query/ResultRows'),
    import('~/screens/tables/TablePane'),
    import('~/screens/tables/DemoDialog'),
    import('~/screens/tables/TableParts'),
    import('~/screens/tables/FilterForm'),
    import('~/screens/tables/RowSheet'),
    import('~/screens/tables/schema/SchemaDialog'),
    import('~/screens/tables/edits/EditStrip'),
    import('~/screens/moments/MomentPart'),
    import('~/ui/select/OpenSelect'),
  ])
}, 60_000)

beforeEach(() => stubLayout())
afterEach(() => act(() => clearToasts()))

describe('an empty database', () => {
  test('offers demo data, shows them first, and sends them as one request', async () => {
    await show()
    const button = await screen.findByRole('button', { name: 'Add demo data' })
    await waitFor(() => expect(button.getAttribute('aria-disabled')).toBeNull())
    await press(button)
    const dialog = await screen.findByRole('dialog', { name: 'Demo data' })
    expect(within(dialog).getByText(/CREATE TABLE stations/)).toBeTruthy()
    expect(own()).toEqual([])
    await press(within(dialog).getByRole('button', { name: 'Add demo data' }))
    await waitFor(() => expect(own()).toHaveLength(1))
    expect(own()[0]).toMatch(/^BEGIN TRANSACTION;[\s\S]*COMMIT;$/)
  })

  test('says what permission is missing', async () => {
    await show({ level: 1 })
    const button = await screen.findByRole('button', { name: 'Add demo data' })
    await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('true'))
    expect(button.title).toMatch(/needs the permission “Read & write”/)
    await press(button)
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('has nothing to travel to', async () => {
    await show()
    await waitFor(async () =>
      expect((await asOf()).title).toBe('Nothing was written to this database yet.'),
    )
  })
})

describe('the tree', () => {
  test('counts and previews a table, and inserts its name', async () => {
    await show({ tables: table('1', '2'), text: 'SELECT 1 FROM ' })
    await press(await screen.findByRole('button', { name: 'Count the rows of t', hidden: true }))
    await screen.findByText(/2 rows/)
    await press(screen.getByRole('button', { name: 'Preview t', hidden: true }))
    await waitFor(() => expect(own().at(-1)).toBe('SELECT * FROM t LIMIT 100;'))
    await press(screen.getByRole('button', { name: 'Insert t', hidden: true }))
    await waitFor(() => expect(tab.store.get(editorTextAtom)).toContain('t'))
  })

  test('says why a table could not be counted', async () => {
    await show({ tables: new Map([['fault_conflict', []]]) })
    const button = await screen.findByRole('button', { name: /^Count the rows of/, hidden: true })
    await press(button)
    await screen.findByText(/fault_conflict was not counted/)
  })

  test.each(corpus('name').flatMap(({ text }) => (text && !text.includes('fault') ? [text] : [])))(
    'shows the name %j without taking it for anything else (A02)',
    async (name) => {
      await show({ tables: new Map([[name, []]]) })
      await screen.findByRole('treeitem')
      expect(document.querySelector('script, img, iframe')).toBeNull()
      expect(Reflect.get(window, '__pwn')).toBeUndefined()
      expect(Object.keys(Object.prototype)).toEqual([])
    },
  )
})

describe('time travel', () => {
  test('is at the present first; a chosen transaction is told and left again', async () => {
    const { history } = await show({ tables: table('1', '2'), text: 'SELECT id FROM t' })
    await screen.findByRole('button', { name: 'As of now' })
    await press(await asOf())
    const dialog = within(await screen.findByRole('dialog', { name: 'As of' }))
    fireEvent.change(dialog.getByRole('textbox', { name: 'Transaction or time' }), {
      target: { value: '2' },
    })
    await press(dialog.getByRole('button', { name: 'Apply' }))
    await screen.findByRole('button', { name: 'As of tx 2' })
    expect(history.at(-1)).toBe('/query?db=defaultdb&at=tx%3A2')
    expect(screen.getByText(/^As of/, { selector: 'p' }).textContent).toMatch(
      /^As of tx 2.*Nothing can be written meanwhile\.$/,
    )
    await press(screen.getByRole('button', { name: 'Run' }))
    await waitFor(() => expect(own()).toEqual(['SELECT id FROM t UNTIL TX 2;']))
    const result = await screen.findByRole('region', { name: 'Result 1' })
    await within(result).findByText('Past')
    expect(within(result).getByText('tx 2')).toBeTruthy()
    await press(screen.getByRole('button', { name: 'Back to now' }))
    await screen.findByRole('button', { name: 'As of now' })
    expect(history.at(-1)).toBe('/query?db=defaultdb')
    expect(screen.queryByRole('button', { name: 'Back to now' })).toBeNull()
  })

  test('any other moment is put together in the words of its form', async () => {
    const { history } = await show({ tables: table('1', '2'), text: 'SELECT id FROM t' })
    await press(await asOf())
    const dialog = within(await screen.findByRole('dialog', { name: 'As of' }))
    await press(dialog.getByRole('combobox', { name: 'Show data' }))
    await press(await screen.findByRole('option', { name: /^After/ }))
    await press(dialog.getByRole('button', { name: 'Apply' }))
    await screen.findByText(/Queries show rows last written after transaction 3/)
    expect(history.at(-1)).toBe('/query?db=defaultdb&at=after%3Atx%3A3')
    await screen.findByRole('button', { name: /^As of .*after tx 3/ })
  })

  test.each([
    ['tx:99', 'There is no transaction 99. The newest is 3.'],
    ['yesterday', /a moment that this console cannot read/],
    ['2999-01-01T00:00:00Z', 'This time has not come yet.'],
  ])('from a link that names no moment, %s, is answered in words', async (at, words) => {
    await show({ tables: table('1'), path: `/query?db=defaultdb&at=${at}` })
    await screen.findByText(words)
    await press(screen.getByRole('button', { name: 'Back to now' }))
    await screen.findByRole('button', { name: 'As of now' })
  })
})

describe('results', () => {
  test('say at which transaction they were read or made, and that it was the present one', async () => {
    await show({ tables: table('1') })
    await waitFor(async () => expect((await asOf()).getAttribute('aria-disabled')).toBeNull())
    const sql = 'SELECT id FROM t; UPDATE t SET n = 1; SELECT id FROM t BEFORE TX 2'
    await act(() => runStatements(tab.store, sql, splitStatements(sql)))
    const result = async (number: number) =>
      within(await screen.findByRole('region', { name: `Result ${number}` }))
    const [read, write, own] = [await result(1), await result(2), await result(3)]
    expect([read.getByText('tx 3 or later'), read.getByText('Present')]).toHaveLength(2)
    expect([write.getByText('tx 4'), write.getByText('Present')]).toHaveLength(2)
    expect(own.getByText('Own period')).toBeTruthy()
    expect(own.queryByText('Present')).toBeNull()
  })

  test('of more rows than one answer may hold come in pages', async () => {
    const rows = Array.from({ length: 2_501 }, (_, at) => ({ id: String(at + 1), tx: 2 }))
    await show({ tables: new Map([['t', rows]]) })
    await act(() =>
      runStatements(tab.store, 'SELECT id FROM t', splitStatements('SELECT id FROM t')),
    )
    await screen.findByText('The first 1,000 rows, all as of tx 3; more exist.')
    await press(await screen.findByRole('button', { name: 'All rows' }))
    await screen.findByText(/^2,501 rows, fetched in pages/)
    expect(screen.queryByRole('button', { name: 'All rows' })).toBeNull()
  })

  test('F34: a conflict offers to run again', async () => {
    await show({ tables: table('1') })
    const sql = 'UPDATE /* fault_conflict_1 */ t SET n = 1'
    await act(() => runStatements(tab.store, sql, splitStatements(sql)))
    await press(await screen.findByRole('button', { name: 'Run again' }))
    await screen.findByText('Committed, 1 row changed.')
    expect(own()).toHaveLength(2)
  })

  test.each(corpus('markup').flatMap(({ text }) => text ?? []))(
    'A03: show the statement %j as text',
    async (text) => {
      await show({ tables: table('1') })
      const sql = `SELECT '${text.replaceAll("'", "''")}'`
      await act(() => runStatements(tab.store, sql, splitStatements(sql)))
      await screen.findByRole('region', { name: 'Result 1' })
      expect(document.querySelector('img, iframe, object, embed')).toBeNull()
      expect(Reflect.get(window, '__pwn')).toBeUndefined()
    },
  )
})

describe('the output', () => {
  const run = (sql: string) => act(() => runStatements(tab.store, sql, splitStatements(sql)))
  const order = () =>
    screen
      .getAllByRole('region', { name: /^Result \d/ })
      .map((region) => region.getAttribute('aria-label'))

  /** Rows whose numbers occur in no time and no duration. */
  async function showResults() {
    await show({ tables: table('70007', '80008') })
    for (const sql of ['SELECT id FROM t', 'SELECT nothing', 'SELECT id FROM t']) await run(sql)
    await waitFor(() => expect(screen.getAllByRole('grid')).toHaveLength(2))
  }

  test('shows the number that exports and files go by', async () => {
    await showResults()
    expect(within(screen.getByRole('region', { name: 'Result 3' })).getByText('Result 3'))
    await press(screen.getByRole('button', { name: 'Export result 3' }))
    await screen.findByRole('menu', { name: 'Export as' })
  })

  test('shows each result as code of its own statement, and a failed one not', async () => {
    await showResults()
    const buttons = screen.getAllByRole('button', { name: /^Show result \d as code$/ })
    expect(buttons.map((button) => button.getAttribute('aria-label'))).toEqual([
      'Show result 1 as code',
      'Show result 3 as code',
    ])
    await press(screen.getByRole('button', { name: 'Show result 3 as code' }))
    const dialog = await screen.findByRole('dialog', { name: 'Code for result 3' })
    await waitFor(() =>
      expect(dialog.querySelector('pre')?.textContent).toContain('SELECT id FROM t'),
    )
  })

  test('a pinned result stays on top, keeps the focus, and outlives clearing', async () => {
    await showResults()
    await press(screen.getByRole('button', { name: 'Pin result 3 to the top' }))
    expect(order()).toEqual(['Result 3', 'Result 1', 'Result 2'])
    const pin = screen.getByRole('button', { name: 'Unpin result 3', pressed: true })
    expect(document.activeElement).toBe(pin)
    await press(screen.getByRole('button', { name: 'Clear the output except pinned results' }))
    expect(order()).toEqual(['Result 3'])
    const clear = screen.getByRole('button', { name: /^Clear the output/ })
    expect(clear.title).toContain('Only pinned results are left.')
    await press(pin)
    await press(screen.getByRole('button', { name: 'Clear the output' }))
    expect(screen.queryByRole('region', { name: /^Result \d/ })).toBeNull()
  })

  test('is searched by keyboard: hits are counted and gone through, each is shown', async () => {
    await showResults()
    const user = userEvent.setup()
    await act(async () => {
      fireEvent.keyDown(document.body, { key: '/' })
    })
    const field = await screen.findByRole('textbox', { name: 'Search the output' })
    expect(document.activeElement).toBe(field)
    await act(() => user.type(field, '80008'))
    const bar = within(screen.getByRole('search', { name: 'Output' }))
    await bar.findByText('2 hits')
    await act(() => user.keyboard('{Enter}'))
    await bar.findByText(/^1 of 2 hits/)
    const found = () => document.querySelector('[role=gridcell][data-found]')
    await waitFor(() => expect(found()?.textContent).toBe('80008'))
    expect(screen.getByRole('region', { name: 'Result 1' }).contains(found())).toBe(true)
    await act(() => user.keyboard('{Shift>}{Enter}{/Shift}'))
    await bar.findByText(/^2 of 2 hits/)
    expect(screen.getByRole('region', { name: 'Result 3' }).contains(found())).toBe(true)
    // A folded result opens for its hit.
    const fold = within(screen.getByRole('region', { name: 'Result 1' }))
    await press(fold.getByRole('button', { name: 'Hide this result' }))
    await act(() => user.type(field, '{Enter}'))
    await waitFor(() => expect(found()?.textContent).toBe('80008'))
    await act(() => user.keyboard('{Escape}'))
    expect(screen.queryByRole('search', { name: 'Output' })).toBeNull()
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Search the output')
    expect(found()).toBeNull()
  })

  test('a hit in technical details unfolds them, one deep in a statement shows it whole', async () => {
    const failure = { text: 'It broke.', hint: null, details: 'detail XX000', place: null }
    const source = `SELECT ${'a, '.repeat(300)}zebra FROM t`
    await show({ tables: table('7') })
    const entry = newEntry({ source, stream: 'error', status: 'failed', tx: null, failure })
    await act(async () => void appendOutput(tab.store, entry))
    const result = within(screen.getByRole('region', { name: 'Result 1' }))
    const details = () => result.getByText('detail XX000').closest('details')
    expect(details()?.open).toBe(false)
    expect(result.queryByText(/zebra/)).toBeNull()
    await press(screen.getByRole('button', { name: 'Search the output' }))
    const field = await screen.findByRole('textbox', { name: 'Search the output' })
    const user = userEvent.setup()
    await act(() => user.type(field, 'XX000'))
    await screen.findByText('1 hit')
    await act(() => user.keyboard('{Enter}'))
    await waitFor(() => expect(details()?.open).toBe(true))
    await act(async () => fireEvent.change(field, { target: { value: 'zebra' } }))
    await screen.findByText('1 hit')
    await act(() => user.type(field, '{Enter}'))
    await result.findByText(/zebra/)
    expect(details()?.open).toBe(false)
  })

  test('a search that finds nothing says so, and / is typed where text is typed', async () => {
    await showResults()
    const editor = await screen.findByRole('textbox', { name: 'SQL editor' })
    await act(async () => {
      fireEvent.keyDown(editor, { key: '/' })
    })
    expect(screen.queryByRole('search', { name: 'Output' })).toBeNull()
    await press(screen.getByRole('button', { name: 'Search the output' }))
    const field = await screen.findByRole('textbox', { name: 'Search the output' })
    await act(() => userEvent.setup().type(field, 'zebra'))
    await screen.findByText('0 hits')
    expect(screen.getByRole('button', { name: /^Next hit/ }).title).toContain('Nothing was found.')
  })

  test('an empty editor says how a statement is run', async () => {
    await show({ tables: table('1') })
    const editor = await screen.findByRole('textbox', { name: 'SQL editor' })
    const hint = 'Write SQL here. Ctrl+Enter runs the statement at the caret.'
    expect(editor.getAttribute('aria-placeholder')).toBe(hint)
    expect(editor.querySelector('[data-hint]')?.getAttribute('data-hint')).toBe(hint)
    expect(editor.textContent).toBe('')
    await press(await screen.findByRole('button', { name: 'Insert t', hidden: true }))
    expect(editor.querySelector('[data-hint]')).toBeNull()
  })
})

describe('a phone that is turned', () => {
  /** Turns it, and waits until the screen is laid out for it. */
  const turn = async (to: 'narrow' | 'wide') => {
    await act(async () => setWindowWidth(to === 'wide' ? 844 : 390))
    const tabs = () => screen.queryByRole('tablist', { name: 'Query', hidden: true })
    await waitFor(() => expect(tabs() === null).toBe(to === 'wide'))
  }

  afterEach(() => setWindowWidth(1_024))

  test.each([
    ['an import', 'Import CSV', 'Import CSV'],
    ['the choice of a moment', /^As of/, 'As of'],
    ['the code history', 'Code history', 'Code history'],
  ])('keeps %s open, and the focus in it', async (_what, opener, name) => {
    await show({ tables: table('1') })
    await press(await screen.findByRole('button', { name: opener }))
    const dialog = await screen.findByRole('dialog', { name })
    for (const to of ['narrow', 'wide'] as const) {
      await turn(to)
      expect(screen.getByRole('dialog', { name })).toBe(dialog)
      expect(dialog.contains(document.activeElement)).toBe(true)
    }
  })

  test('shows the part that was used last, where the focus goes back to', async () => {
    await show({ tables: table('1'), text: 'SELECT id FROM t' })
    const part = () => screen.getByRole('tab', { selected: true, hidden: true }).textContent
    const opener = await screen.findByRole('button', { name: 'Import CSV' })
    await press(opener)
    await screen.findByRole('dialog', { name: 'Import CSV' })
    await turn('narrow')
    expect(part()).toBe('Tables')
    await act(() => userEvent.setup().keyboard('{Escape}'))
    await waitFor(() => expect(document.activeElement).toBe(opener))
    await turn('wide')
    await press(screen.getByRole('button', { name: 'Run' }))
    await screen.findByRole('region', { name: 'Result 1' })
    await turn('narrow')
    expect(part()).toBe('Output1')
    await turn('wide')
    const editor = screen.getByRole('textbox', { name: 'SQL editor' })
    await act(async () => void fireEvent.keyDown(editor, { key: ' ' }))
    await turn('narrow')
    expect(part()).toBe('Editor')
  })

  test('keeps the caret in the editor, and what was typed can still be undone', async () => {
    await show({ tables: table('1'), text: 'mine' })
    const editor = await screen.findByRole('textbox', { name: 'SQL editor' })
    await press(await screen.findByRole('button', { name: 'Insert t', hidden: true }))
    await act(async () => editor.focus())
    await turn('narrow')
    expect(document.activeElement).toBe(editor)
    await turn('wide')
    expect(document.activeElement).toBe(editor)
    expect(editor.textContent).toBe('tmine')
    await act(async () => void fireEvent.keyDown(editor, { key: 'z', ctrlKey: true }))
    expect(editor.textContent).toBe('mine')
  })
})

describe('the code history', () => {
  test('is searched and emptied', async () => {
    await show({ tables: table('1') })
    const code = (text: string) => ({ text, database: 'd', status: 'done', at: 1 }) as const
    await act(() => rememberStatements(tab.store, [code('SELECT apples'), code('SELECT pears')]))
    const user = userEvent.setup()
    await press(screen.getByRole('button', { name: 'Code history' }))
    const dialog = await screen.findByRole('dialog', { name: 'Code history' })
    await within(dialog).findByText('2 statements')
    await user.type(within(dialog).getByRole('textbox', { name: 'Search the history' }), 'PEARS')
    await within(dialog).findByText('1 statement')
    expect(within(dialog).queryByText('SELECT apples')).toBeNull()
    await press(within(dialog).getByRole('button', { name: 'Remove all' }))
    await within(dialog).findByText('Nothing has been run yet.')
  })
})

const tabNames = () =>
  within(screen.getByRole('tablist', { name: 'Editor and tables' }))
    .getAllByRole('tab')
    .map((one) => one.textContent)

describe('a text in the address', () => {
  test('A04: has an editor of its own, leaves the address, and is not run', async () => {
    const location = await show({
      tables: table('1'),
      path: '/query?db=defaultdb&sql=DROP+TABLE+t',
      text: 'mine',
    })
    await screen.findByText(/came with a link. It was not run/)
    expect(tab.store.get(editorTextAtom)).toBe('DROP TABLE t')
    const { id } = tab.store.get(shownEditorAtom)
    expect(location.history?.at(-1)).toBe(`/query?db=defaultdb&editor=${id}`)
    expect(tabNames()).toEqual(['Editor', 'Editor 2'])
    await press(screen.getByRole('button', { name: 'Back to my text' }))
    expect(location.history?.at(-1)).toBe('/query?db=defaultdb')
    expect(tab.store.get(editorTextAtom)).toBe('mine')
    expect(own()).toEqual([])
  })
})

test('a text and a saved query in one address both leave it', async () => {
  const location = await show({ path: '/query?db=defaultdb&sql=SELECT+1&query=zzzz' })
  await screen.findByText(/Neither this browser nor the database/)
  await waitFor(() => expect(tab.store.get(editorTextAtom)).toBe('SELECT 1'))
  expect(location.history?.at(-1)).not.toMatch(/sql=|query=/)
})

test('nothing runs from an editor that is left while its text is read', async () => {
  const location = await show({ tables: table('1'), text: 'UPDATE t SET n = 1 WHERE id = 1' })
  await screen.findByRole('textbox', { name: 'SQL editor' })
  await act(async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Run all' }))
    // The moment that the next editor shows is not the one of this text.
    location.navigate('/query?db=defaultdb&editor=other')
  })
  await screen.findByText('Nothing was run: its editor was left before its text was read.')
  expect(own()).toEqual([])
})

describe('statements that destroy much', () => {
  test('are asked about, and sent only after a yes', async () => {
    await show({ tables: table('1'), text: 'SELECT 1; UPDATE t SET n = 1' })
    const runAll = screen.getByRole('button', { name: 'Run all' })
    await screen.findByRole('textbox', { name: 'SQL editor' })
    await press(runAll)
    const dialog = await screen.findByRole('dialog', { name: 'Run these 2 statements?' })
    expect(within(dialog).getByText('Update all rows of t')).toBeTruthy()
    expect(within(dialog).getByText(/Every row is changed/)).toBeTruthy()
    await press(within(dialog).getByRole('button', { name: 'Cancel' }))
    expect(own()).toEqual([])
    await press(runAll)
    const again = within(await screen.findByRole('dialog'))
    await press(again.getByRole('button', { name: 'Run 2 statements' }))
    await vi.waitFor(() => expect(own()).toHaveLength(2))
  })

  test('are named on the button, and told what no statement can bring back', async () => {
    await show({ tables: table('1'), text: 'DROP TABLE t' })
    await screen.findByRole('textbox', { name: 'SQL editor' })
    await press(screen.getByRole('button', { name: 'Run' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Drop table t?' }))
    dialog.getByText(/SQL can no longer read these rows, not even as of an earlier transaction/)
    expect(own()).toEqual([])
    await press(dialog.getByRole('button', { name: 'Drop table t' }))
    await vi.waitFor(() => expect(own()).toEqual(['DROP TABLE t;']))
  })

  test('by the thousand are named up to a number, and the others counted', async () => {
    await show({ tables: table('1'), text: 'UPDATE t SET n = 1;\n'.repeat(1_050) })
    await screen.findByRole('textbox', { name: 'SQL editor' })
    await press(screen.getByRole('button', { name: 'Run all' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getAllByRole('listitem')).toHaveLength(51)
    dialog.getByText('And 1,000 more like these.')
  })
})

test('Explain needs 1.11', async () => {
  await show({ tables: table('1'), text: 'SELECT 1' })
  await act(async () => reportVersion(tab.store, '1.10.0'))
  const button = screen.getByRole('button', { name: 'Explain' })
  await waitFor(() => expect(button.title).toBe('Needs immudb 1.11. This server runs 1.10.'))
  await press(button)
  expect(own()).toEqual([])
})
