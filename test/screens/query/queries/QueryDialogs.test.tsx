import { act, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Provider } from 'jotai'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import {
  browserQueriesAtom,
  mostBrowserQueries,
  saveBrowserQuery,
  takeBrowserQueries,
} from '~/atoms/queries/browser-queries'
import { queryText } from '~/atoms/queries/query-record'
import { newQuery, queryDialogAtom } from '~/atoms/queries/query-saving'
import { sharedKey } from '~/immudb/saved-query'
import { bytesToBase64 } from '~/lib/bytes'
import { visibleText } from '~/lib/visible-text'
import { QueryDialogs } from '~/screens/query/queries/QueryDialogs'
import { type FakeImmudb, fakeImmudb } from '../../../support/fake-immudb'
import { keysOf, storeKey } from '../../../support/fake-kv'
import type { FakeDatabase } from '../../../support/fake-sql'
import { stubLayout } from '../../../support/layout'
import { corpus } from '../../../support/recorded'
import { openTab, signIn, type Tab } from '../../../support/store'

let server: FakeImmudb
let tab: Tab
let database: FakeDatabase

beforeAll(async () => {
  await Promise.all([
    import('~/screens/query/queries/library'),
    import('~/ui/windowed'),
    import('~/ui/select/OpenSelect'),
  ])
}, 60_000)

beforeEach(async () => {
  stubLayout({ height: 4_000 })
  server = fakeImmudb({ users: { reader: { password: 'x', permissions: { defaultdb: 1 } } } })
  database = { isLoaded: true, txId: 0, tables: new Map() }
  server.databases.set('defaultdb', database)
  tab = openTab(server)
  await signIn(tab)
})

const query = (id: string, more = {}) => ({
  ...{ id, name: `Query ${id}`, folder: '', description: '', text: 'SELECT 1' },
  ...{ database: 'defaultdb', ...more },
})

const put = (id: string, value: string) =>
  storeKey(database, sharedKey(id), bytesToBase64(new TextEncoder().encode(value)))

async function show() {
  const { hook, searchHook } = memoryLocation({ path: '/query' })
  await act(async () =>
    render(
      <Provider store={tab.store}>
        <Router hook={hook} searchHook={searchHook}>
          <QueryDialogs />
        </Router>
      </Provider>,
    ),
  )
}

async function openLibrary() {
  tab.store.set(queryDialogAtom, { kind: 'library' })
  await show()
  return within(await screen.findByRole('dialog', { name: 'Saved queries' }))
}

const press = (element: HTMLElement) => act(() => userEvent.setup().click(element))

describe('the list of saved queries', () => {
  test('asks nothing for those of the browser, and one question for the shared ones', async () => {
    await saveBrowserQuery(tab.store, query('mine', { folder: 'a/b' }), null)
    put('ours', queryText(query('ours')))
    server.clear()
    const list = await openLibrary()
    await list.findByRole('treeitem', { name: /^Query ours/ })
    const lines = list.getAllByRole('treeitem').map((line) => line.getAttribute('aria-label'))
    expect(lines).toEqual([
      'This browser 1 query',
      'a',
      'b',
      'Query mine',
      'Shared in defaultdb 1 query',
      'Query ours',
    ])
    const asked = server.log().filter((call) => !/state|serverinfo/.test(call))
    expect(asked.filter((call) => call !== 'POST /db/scan')).toEqual([])
    expect(asked.length).toBeLessThanOrEqual(2)
  })

  const hostile = ['markup', 'bidi-invisible', 'property-name', 'homoglyph'] as const
  test.each(hostile.flatMap((category) => corpus(category).slice(0, 8)))(
    'shows hostile names and texts as they are: $name',
    async ({ text = '' }) => {
      const name = text.slice(0, 100).trim() || 'x'
      const more = { name, folder: `f ${name}`, description: name, text: `SELECT '${text}'` }
      await saveBrowserQuery(tab.store, query('mine', more), null)
      const list = await openLibrary()
      const lines = await list.findAllByRole('treeitem')
      const line = lines.find((one) => one.getAttribute('data-type') === 'query')
      expect(line?.getAttribute('aria-label')).toBe(visibleText(name))
      await press(line as HTMLElement)
      await list.findByRole('region', { name: 'The chosen query' })
      expect(document.querySelector('img, script, iframe, svg[onload]')).toBeNull()
      expect(Object.hasOwn(window, '__pwn')).toBe(false)
    },
  )

  test('says to a reader why shared queries cannot be changed', async () => {
    put('ours', queryText(query('ours')))
    tab = openTab(server)
    await signIn(tab, 'reader', 'x')
    const list = await openLibrary()
    await press(await list.findByRole('treeitem', { name: /^Query ours/ }))
    expect(
      await list.findByText(/Shared queries cannot be changed here\..*Read & write/),
    ).toBeTruthy()
    for (const name of ['Rename or move…', 'Delete…']) {
      expect(list.getByRole('button', { name }).getAttribute('aria-disabled')).toBe('true')
    }
  })

  test('shows those of the browser while the shared ones cannot be read, and reads them again', async () => {
    await saveBrowserQuery(tab.store, query('mine'), null)
    server.unplug()
    const list = await openLibrary()
    await list.findByRole('treeitem', { name: /^Query mine/ })
    const failed = await list.findByRole('treeitem', { name: /Retry$/ }, { timeout: 15_000 })
    put('ours', queryText(query('ours')))
    server.plug()
    await press(within(failed).getByRole('button', { name: 'Retry' }))
    await list.findByRole('treeitem', { name: /^Query ours/ })
  }, 30_000)
})

const parts = {
  parameters: [
    { name: 'day', type: 'VARCHAR' as const, text: 'NULL' },
    { name: 'least', type: 'INTEGER' as const, text: null },
  ],
  chart: {
    kind: 'bar' as const,
    x: { name: '(t.shop)', at: 0 },
    y: [{ name: '(t.total)', at: 1 }],
    split: null,
  },
}

test('a chosen query shows the values and the chart that are saved with it', async () => {
  await saveBrowserQuery(tab.store, query('mine', parts), null)
  const list = await openLibrary()
  await press(await list.findByRole('treeitem', { name: /^Query mine/ }))
  const chosen = within(await list.findByRole('region', { name: 'The chosen query' }))
  expect(chosen.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
    'VARCHAR “NULL”',
    'NULL',
  ])
  expect(chosen.getByText('Its chart: bars of t.total along t.shop.')).toBeTruthy()
})

test('a file shows what it brings beside the texts, and names that are there already', async () => {
  await saveBrowserQuery(tab.store, query('mine', { name: 'Same', folder: 'a' }), null)
  const other = query('mine', { name: 'Same', folder: 'a', ...parts })
  const list = await openLibrary()
  await press(list.getByRole('button', { name: 'Import…' }))
  const form = within(await screen.findByRole('dialog', { name: 'Import queries' }))
  const given = [query('another', { name: 'Same', folder: 'a', ...parts }), other]
  const queries = given.map((one) => ({ ...JSON.parse(queryText(one)), database: 'defaultdb' }))
  const file = { product: 'webconsole saved queries', schema: 1, queries }
  const input = form.getByLabelText('File with saved queries')
  await act(() =>
    userEvent.upload(
      input,
      new File([JSON.stringify(file)], 'q.json', { type: 'application/json' }),
    ),
  )
  const lines = await form.findAllByRole('listitem')
  expect(lines[0]?.textContent).toContain('You have another query of this name there. It stays.')
  expect(lines[0]?.textContent).toContain('VARCHAR “NULL”')
  expect(lines[1]?.textContent).toMatch(/Yours: a\/Same.*In the file: a\/Same.*@day.*Its chart:/)
})

test('a file of more queries than there is room for says so, and adds the first of them', async () => {
  const many = Array.from({ length: mostBrowserQueries - 1 }, (_, at) => query(`old-${at}`))
  await takeBrowserQueries(
    tab.store,
    many.map((one) => ({ query: one, base: null })),
  )
  const list = await openLibrary()
  await press(list.getByRole('button', { name: 'Import…' }))
  const form = within(await screen.findByRole('dialog', { name: 'Import queries' }))
  const given = ['one-', 'two-', 'three-'].map((id) => ({
    ...JSON.parse(queryText(query(id))),
    database: 'defaultdb',
  }))
  const file = { product: 'webconsole saved queries', schema: 1, queries: given }
  const input = form.getByLabelText('File with saved queries')
  await act(() =>
    userEvent.upload(
      input,
      new File([JSON.stringify(file)], 'q.json', { type: 'application/json' }),
    ),
  )
  await form.findByText(/at most 2,000 queries, so only the first 1 of 3 are added/)
  await press(form.getByRole('button', { name: 'Take over 1 query' }))
  await list.findByText('2,000 queries.')
}, 30_000)

describe('the form that saves a query', () => {
  const ask = async (text: string) => {
    const of = newQuery('defaultdb', text)
    tab.store.set(queryDialogAtom, { kind: 'save', of, place: 'browser', base: null })
    await show()
    return within(await screen.findByRole('dialog', { name: 'Save as a query' }))
  }

  test('asks for a name, and sends nothing to the server for this browser', async () => {
    const form = await ask('SELECT 1')
    server.clear()
    await press(form.getByRole('button', { name: 'Save' }))
    expect((await form.findAllByText('A query needs a name.')).length).toBeGreaterThan(0)
    await act(() => userEvent.setup().type(form.getByLabelText('Name'), 'One'))
    await press(form.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(server.log()).toEqual([])
  })

  test('stores in the database only what was chosen so, after it said what that means', async () => {
    const form = await ask("CREATE USER bob WITH PASSWORD 'hunter2' READ")
    await act(() => userEvent.setup().type(form.getByLabelText('Name'), 'Ours'))
    expect(form.queryByText(/keeps every version for ever/)).toBeNull()
    await press(form.getByRole('combobox', { name: 'Keep it in' }))
    await press(await screen.findByRole('option', { name: /^The database defaultdb/ }))
    expect(form.getByText(/keeps every version for ever/)).toBeTruthy()
    expect(form.getByText(/The password in the text is not saved\./)).toBeTruthy()
    expect(keysOf(database).size).toBe(0)
    await press(form.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const [stored] = [...keysOf(database).values()].flat()
    const text = atob(stored?.value ?? '')
    expect(text).toContain('"name":"Ours"')
    expect(text).not.toContain('hunter2')
  })

  test('names the values that were saved before it stores them in the database', async () => {
    const parameters = [{ name: 'day', type: 'VARCHAR' as const, text: 'monday' }]
    const of = { ...newQuery('defaultdb', 'SELECT @day'), name: 'Ours', parameters }
    tab.store.set(queryDialogAtom, { kind: 'save', of, place: 'shared', base: null })
    await show()
    const form = within(await screen.findByRole('dialog', { name: 'Save as a query' }))
    expect(
      form.getByText(/can read the name, the description, the values and the text/),
    ).toBeTruthy()
    const box = form.getByRole('checkbox', { name: 'Save the values of @day' })
    expect(box).toHaveProperty('checked', true)
    await press(box)
    await press(form.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const [stored] = [...keysOf(database).values()].flat()
    expect(atob(stored?.value ?? '')).toContain('"name":"Ours"')
    expect(atob(stored?.value ?? '')).not.toContain('monday')
  })

  test('lets a reader keep a shared query that was changed as a copy in this browser', async () => {
    tab = openTab(server)
    await signIn(tab, 'reader', 'x')
    const of = { ...newQuery('defaultdb', 'SELECT 2'), name: 'Ours' }
    tab.store.set(queryDialogAtom, { kind: 'save', of, place: 'shared', base: '1' })
    await show()
    const form = within(await screen.findByRole('dialog', { name: 'Save the query' }))
    expect(form.getByRole('alert').textContent).toMatch(/^The query cannot be saved there\./)
    await press(form.getByRole('button', { name: 'Save a copy…' }))
    const copy = within(await screen.findByRole('dialog', { name: 'Save as a query' }))
    expect(copy.queryByRole('alert')).toBeNull()
    await press(copy.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect([...keysOf(database).values()]).toEqual([])
    const own = tab.store.get(browserQueriesAtom) ?? []
    expect(own.map(({ name, text }) => [name, text])).toEqual([['Ours', 'SELECT 2']])
    expect(own[0]?.id).not.toBe(of.id)
  })
})
