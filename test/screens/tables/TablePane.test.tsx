import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Provider } from 'jotai'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { AddressedDatabase } from '~/app/Console'
import { editorTextAtom, setEditorText } from '~/atoms/query/editor'
import QueryScreen from '~/screens/query/QueryScreen'
import { TablePane } from '~/screens/query/query-doors'
import {
  ColumnsDialog,
  FilterForm,
  RowSheet,
  SchemaDialog,
  TableParts,
} from '~/screens/tables/table-doors'
import { clearToasts, Toaster } from '~/ui/toast'
import { type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import { stubLayout } from '../../support/layout'
import type { RowModel } from '../../support/row-model'
import { sentence } from '../../support/sentence'
import { reportVersion } from '../../support/server-version'
import { openTab, signIn, type Tab } from '../../support/store'

const parts = [ColumnsDialog, FilterForm, RowSheet, SchemaDialog, TableParts]

let server: FakeImmudb
let tab: Tab

const people: RowModel = {
  table: 'people',
  columns: [
    { name: 'id', type: 'INTEGER' },
    { name: 'name', type: 'VARCHAR(20)' },
    { name: 'age', type: 'INTEGER' },
  ],
  key: ['id'],
  indexes: [['age']],
  rows: Array.from({ length: 1_500 }, (_, at) => [
    String(at + 1),
    at === 6 ? null : `person ${at + 1}`,
    String(1_500 - at),
  ]),
}

const orders: RowModel = {
  table: 'orders',
  columns: [
    { name: 'a', type: 'INTEGER' },
    { name: 'b', type: 'VARCHAR(8)' },
  ],
  key: ['a', 'b'],
  rows: [['1', 'x']],
}

const view: RowModel = { ...orders, table: 'cheap', key: [], isView: true }
const empty: RowModel = { ...orders, table: 'empty', rows: [] }

async function show(path: string, models = [people, orders, view, empty]) {
  server = fakeImmudb()
  server.databases.set('defaultdb', {
    isLoaded: true,
    txId: 9,
    tables: new Map(),
    models: new Map(models.map((model) => [model.table, model])),
  })
  tab = openTab(server)
  await signIn(tab)
  setEditorText(tab.store, 'SELECT 1')
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
  return {
    address: () => new URLSearchParams(location.history.at(-1)?.split('?')[1]),
    grid: (name = 'Rows of people') => screen.findByRole('grid', { name }),
  }
}

const press = async (role: string, name: string | RegExp, hidden = false) => {
  const found = await screen.findByRole(role, { name, hidden })
  await userEvent.setup().click(found)
}
const type = (text: string) => userEvent.setup().keyboard(text)
const sent = () =>
  server.calls.flatMap(({ body }) => {
    const sql = String(body.sql ?? '')
    return /^SELECT (\*|COUNT).* FROM \w+ /.test(sql) ? [{ sql, params: body.params }] : []
  })
const cells = (grid: HTMLElement, column: number) =>
  within(grid)
    .getAllByRole('gridcell')
    .filter((cell) => cell.getAttribute('aria-colindex') === String(column + 2))
    .map((cell) => cell.textContent)

beforeAll(async () => {
  await Promise.all([
    import('~/ui/editors'),
    ...[TablePane, ...parts].map((part) => part.prepare()),
    import('~/screens/moments/MomentPart'),
    import('~/ui/select/OpenSelect'),
  ])
}, 60_000)

beforeEach(() => stubLayout())
afterEach(() => act(() => clearToasts()))

describe('a link with a name that no statement can hold', () => {
  const hostile = 'hostile" WHERE 1=0 --'
  const queries = () =>
    server.calls
      .filter(({ path }) => path.includes('/db/sql'))
      .map(({ body }) => String(body.sql))
      .filter((sql) => !sql.includes('information_schema_columns'))
  const message = `“${hostile}” cannot be the name of a table or column. immudb takes only letters a–z, digits and underscores. No statement with it was sent.`

  test('says so for a table, and sends nothing', async () => {
    const before = await show(`/query?table=${encodeURIComponent(hostile)}`)
    await waitFor(() => expect(document.body.textContent).toContain(message))
    expect(before.address().get('table')).toBe(hostile)
    expect(queries()).toEqual([])
    expect(server.calls.some(({ body }) => JSON.stringify(body ?? '').includes('hostile'))).toBe(
      false,
    )
  })

  test('says so for a column of a filter, and sends nothing of it', async () => {
    await show(`/query?table=people&q=${encodeURIComponent(`${hostile}:eq:1`)}`)
    await waitFor(() => expect(document.body.textContent).toContain(message))
    expect(queries().filter((sql) => sql.includes('hostile'))).toEqual([])
  })
})

describe('a table as a tab of Query', () => {
  test('opens from the tree beside the editor, and closes', async () => {
    const { address, grid } = await show('/query')
    await press('treeitem', /^people/)
    await grid()
    expect(address().get('table')).toBe('people')
    await press('treeitem', /^orders/)
    await grid('Rows of orders')
    const tabs = within(screen.getByRole('tablist', { name: 'Editor and tables' }))
    expect(tabs.getAllByRole('tab').map((one) => one.textContent)).toEqual([
      'Editor',
      'people',
      'orders',
    ])
    await press('tab', 'Editor')
    expect(address().has('table')).toBe(false)
    await press('tab', 'people')
    await grid()
    await press('button', 'Close people')
    expect(address().get('table')).toBe('orders')
    act(() => tabs.getByRole('tab', { name: 'orders' }).focus())
    await type('{Delete}')
    expect(address().has('table')).toBe(false)
    expect(screen.queryByRole('tab', { name: 'orders' })).toBeNull()
  })

  test('opens by its link, with the parts of a table', async () => {
    const { address, grid } = await show('/query?db=defaultdb&table=people')
    await grid()
    const parts = within(screen.getByRole('tablist', { name: 'Parts of people' }))
    expect(parts.getAllByRole('tab').map((one) => one.textContent)).toEqual([
      'Rows',
      'Structure',
      'Indexes',
      'DDL',
    ])
    await press('tab', 'Structure')
    const columns = await screen.findByRole('table', { name: 'Columns' })
    expect(within(columns).getByRole('rowheader', { name: 'name' })).toBeTruthy()
    expect(address().get('tab')).toBe('structure')
    await press('tab', 'Indexes')
    const indexes = await screen.findByRole('table', { name: 'Indexes' })
    expect(
      within(indexes)
        .getAllByRole('rowheader')
        .map((one) => one.textContent),
    ).toEqual(['id', 'age'])
    await press('tab', 'DDL')
    const statements = await screen.findByRole('region', { name: 'Statements of people' })
    expect(statements.textContent).toContain('CREATE TABLE people')
    await press('button', 'Open in the editor')
    expect(tab.store.get(editorTextAtom)).toMatch(/^CREATE TABLE people/)
  })

  test('a link to the history of a row shows the editor behind it, as before', async () => {
    await show('/query?db=defaultdb&table=people&row=n:1&rev=2')
    await screen.findByRole('region', { name: 'Editor' })
    expect(screen.queryByRole('grid', { name: 'Rows of people' })).toBeNull()
  })

  test('a table that is not there is named in the page', async () => {
    const { address } = await show('/query?db=defaultdb&table=nosuch')
    await screen.findByText('There is no table nosuch in defaultdb.')
    await press('button', 'Close nosuch')
    expect(address().has('table')).toBe(false)
  })

  test('a table that is created after its tab was opened is found', async () => {
    const { grid } = await show('/query?db=defaultdb&table=late')
    await screen.findByText('There is no table late in defaultdb.')
    server.databases.set('defaultdb', {
      isLoaded: true,
      txId: 10,
      tables: new Map(),
      models: new Map([['late', { ...orders, table: 'late' }]]),
    })
    await press('button', 'Look again')
    await grid('Rows of late')
  })

  test('a table without rows says so, and takes the first one', async () => {
    const { grid } = await show('/query?db=defaultdb&table=empty')
    await screen.findByText('No rows')
    await press('button', 'Add the first row')
    await grid('Rows of empty')
  })

  test('a view has rows and columns, and no description', async () => {
    const { grid } = await show('/query?db=defaultdb&table=cheap')
    await grid('Rows of cheap')
    await press('tab', 'DDL')
    await screen.findByText('This is a view.')
  })
})

describe('the rows', () => {
  test('come in pages along the key, forwards and backwards', async () => {
    const { grid } = await show('/query?db=defaultdb&table=people')
    expect(cells(await grid(), 0)[0]).toBe('1')
    await press('button', 'Next page')
    await waitFor(async () => expect(cells(await grid(), 0)[0]).toBe('101'))
    await press('button', 'First page')
    await waitFor(async () => expect(cells(await grid(), 0)[0]).toBe('1'))
    await press('button', 'Last page')
    await waitFor(async () => expect(cells(await grid(), 0)[0]).toBe('1401'))
    await press('button', 'Previous page')
    await waitFor(async () => expect(cells(await grid(), 0)[0]).toBe('1301'))
    expect(sent().map(({ sql }) => sql.replace(/^.*USE INDEX /, ''))).toEqual([
      'ON (id) ORDER BY id ASC LIMIT 101;',
      'ON (id) WHERE id > @p1 ORDER BY id ASC LIMIT 101;',
      'ON (id) ORDER BY id ASC LIMIT 101;',
      'ON (id) ORDER BY id DESC LIMIT 101;',
      'ON (id) WHERE id < @p1 ORDER BY id DESC LIMIT 101;',
    ])
    expect(sent()[1]?.params).toEqual([{ name: 'p1', value: { n: '100' } }])
  })

  test('are counted when asked', async () => {
    const { grid } = await show('/query?db=defaultdb&table=people')
    await grid()
    expect(sent().some(({ sql }) => /COUNT/.test(sql))).toBe(false)
    await press('button', 'Count rows')
    await screen.findByText('of 1,500 rows')
  })

  test('are ordered by any column from the menu, by an index where there is one', async () => {
    const { address, grid } = await show('/query?db=defaultdb&table=people')
    await grid()
    await press('combobox', 'Order of the rows')
    await screen.findByRole('option', { name: /By name.*sorted by the server/ })
    await press('option', /By age.*index/)
    await waitFor(async () => expect(cells(await grid(), 2)[0]).toBe('1'))
    expect(address().get('q')).toBe('^by:age')
    await press('button', 'Show the last rows first')
    await waitFor(async () => expect(cells(await grid(), 2)[0]).toBe('1500'))
  })

  test('are ordered by a press on a title: ascending, descending, as the key has them', async () => {
    const { address, grid } = await show('/query?db=defaultdb&table=people')
    const title = async (name: RegExp) => within(await grid()).findByRole('columnheader', { name })
    expect((await title(/^id/)).getAttribute('aria-sort')).toBe('ascending')
    const pressName = async () =>
      userEvent.setup().click(within(await title(/^name/)).getByRole('button'))
    await pressName()
    await waitFor(async () => expect(cells(await grid(), 1)[0]).toBe('NULL'))
    await waitFor(async () => expect(cells(await grid(), 1)[1]).toBe('person 1'))
    expect((await title(/^name/)).getAttribute('aria-sort')).toBe('ascending')
    expect((await title(/^id/)).hasAttribute('aria-sort')).toBe(false)
    await screen.findByText(sentence(/No index begins with name.*reads every row and sorts/))
    await pressName()
    await waitFor(async () => expect(cells(await grid(), 1)[0]).toBe('person 999'))
    expect(address().get('q')).toBe('^by:name:desc')
    await pressName()
    await waitFor(async () => expect(cells(await grid(), 0)[0]).toBe('1'))
    expect(address().has('q')).toBe(false)
    // The keys are the grid's again.
    expect(document.activeElement).toBe(await grid())
    await type('{ArrowRight}{Alt>}{ArrowDown}{/Alt}')
    await waitFor(() => expect(address().get('q')).toBe('^by:name:desc'))
    await type('{Alt>}{ArrowDown}{/Alt}')
    await waitFor(() => expect(address().has('q')).toBe(false))
  })

  test('have numbers that go on from page to page, and say which they are', async () => {
    const { grid } = await show('/query?db=defaultdb&table=people&q=%5Eby:name')
    await screen.findByText('Rows 1–100')
    await press('button', 'Next page')
    await screen.findByText('Rows 101–200')
    expect(within(await grid()).getAllByRole('rowheader')[0]?.textContent).toBe('101')
    await press('button', 'Last page')
    await screen.findByText('Last 100 rows')
    await press('button', 'First page')
    await screen.findByText('Rows 1–100')
  })

  test('are filtered by a list and a range, which chips take away one by one', async () => {
    const { address, grid } = await show('/query?db=defaultdb&table=people')
    await grid()
    await press('button', 'Filter')
    const form = within(await screen.findByRole('form', { name: 'Filter' }))
    await press('combobox', 'Operator')
    await press('option', 'is one of')
    await userEvent.setup().type(form.getByRole('textbox', { name: /Values/ }), '3\n5\n700')
    await press('button', 'Apply')
    await waitFor(async () => expect(cells(await grid(), 0)).toEqual(['3', '5', '700']))
    expect(address().get('q')).toBe('id:in:3:5:700')
    cleanup()
    const two = await show('/query?db=defaultdb&table=people&q=id:in:3:5:700,id:between:4:9')
    await waitFor(async () => expect(cells(await two.grid(), 0)).toEqual(['5']))
    await press('button', 'Remove the condition id is one of 3, 5, 700')
    await waitFor(async () =>
      expect(cells(await two.grid(), 0)).toEqual(['4', '5', '6', '7', '8', '9']),
    )
    expect(two.address().get('q')).toBe('id:between:4:9')
    await press('button', 'Remove the condition id is between 4 and 9')
    expect(two.address().has('q')).toBe(false)
  })

  test('of a filter that no field can hold keep its values until something is typed', async () => {
    const q = encodeURIComponent('name:in:a\nb:c')
    const { address } = await show(`/query?db=defaultdb&table=people&q=${q},age:gt:1`)
    await press('button', 'Filter (2)')
    await screen.findByRole('form', { name: 'Filter' })
    await press('button', 'Remove condition 2')
    await press('button', 'Apply')
    await waitFor(() => expect(address().get('q')).toBe('name:in:a\nb:c'))
  })

  test('of bounded times in their own order may lack some, and it is said', async () => {
    const times: RowModel = {
      table: 'times',
      columns: [
        { name: 'id', type: 'INTEGER' },
        { name: 'at', type: 'TIMESTAMP' },
      ],
      key: ['id'],
      indexes: [['at']],
      rows: [['1', '1717200000000000']],
    }
    const path = '/query?db=defaultdb&table=times&q=at:gt:1704067200000000'
    await show(`${path},^by:at`, [times])
    await screen.findByText(sentence(/before 1677 or after 2262 may be missing.*order by at/))
    cleanup()
    await show(path, [times])
    await screen.findByRole('grid', { name: 'Rows of times' })
    expect(screen.queryByText(/may be missing/)).toBeNull()
  })

  test('are filtered by conditions whose statement is shown, and the address carries them', async () => {
    const { address, grid } = await show('/query?db=defaultdb&table=people&q=age:le:3')
    await waitFor(async () => expect(cells(await grid(), 0)).toEqual(['1498', '1499', '1500']))
    await press('button', 'Filter (1)')
    const form = within(await screen.findByRole('form', { name: 'Filter' }))
    expect(form.getByText(/age <= 3/)).toBeTruthy()
    const value = form.getByRole('textbox', { name: 'Value' })
    await userEvent.setup().clear(value)
    await userEvent.setup().type(value, 'x')
    await press('button', 'Apply')
    expect((await form.findByRole('alert')).textContent).toMatch(/whole number/)
    await userEvent.setup().clear(value)
    await userEvent.setup().type(value, '2')
    await press('button', 'Apply')
    await waitFor(async () => expect(cells(await grid(), 0)).toEqual(['1499', '1500']))
    expect(address().get('q')).toBe('age:le:2')
    await press('button', 'Open in the editor')
    expect(tab.store.get(editorTextAtom)).toBe(
      'SELECT * FROM people\nWHERE age <= 2\nORDER BY id ASC;',
    )
  })

  test('a filter that is typed and not applied is there after a reload, until it is applied', async () => {
    const path = '/query?db=defaultdb&table=people&q=age:le:3'
    const { grid } = await show(path)
    await grid()
    await press('button', 'Filter (1)')
    const value = async () => {
      const form = within(await screen.findByRole('form', { name: 'Filter' }))
      return form.getByRole('textbox', { name: 'Value' })
    }
    await userEvent.setup().clear(await value())
    await userEvent.setup().type(await value(), '25')
    await press('button', 'Add a condition')
    cleanup()
    await show(path)
    await screen.findByRole('group', { name: 'Condition 2' })
    expect(screen.getAllByRole('textbox', { name: 'Value' })[0]).toHaveProperty('value', '25')
    await press('button', 'Remove condition 2')
    // It belongs to the filter that was applied when it was typed.
    cleanup()
    const other = await show('/query?db=defaultdb&table=people')
    await other.grid()
    expect(screen.queryByRole('form', { name: 'Filter' })).toBeNull()
    cleanup()
    const { address } = await show(path)
    expect(await value()).toHaveProperty('value', '25')
    await press('button', 'Apply')
    await waitFor(() => expect(address().get('q')).toBe('age:le:25'))
    cleanup()
    const last = await show(path)
    await last.grid()
    expect(screen.queryByRole('form', { name: 'Filter' })).toBeNull()
  })

  test('a filter that is typed and undone is none after a reload', async () => {
    const path = '/query?db=defaultdb&table=people'
    const { grid } = await show(path)
    await grid()
    await press('button', 'Filter')
    const value = await screen.findByRole('textbox', { name: 'Value' })
    await userEvent.setup().type(value, '25')
    await userEvent.setup().clear(value)
    cleanup()
    const again = await show(path)
    await again.grid()
    expect(screen.queryByRole('form', { name: 'Filter' })).toBeNull()
  })

  test('of a filter that cannot be read are all, and it is said', async () => {
    const { address, grid } = await show('/query?db=defaultdb&table=people&q=drop')
    await grid()
    await press('button', 'Remove it')
    expect(address().has('q')).toBe(false)
  })

  test('that nothing fulfils say so, and the filter can be removed', async () => {
    const { address, grid } = await show('/query?db=defaultdb&table=people&q=age:gt:9999,^by::desc')
    await screen.findByText('No row fulfils the filter')
    await press('button', 'Remove the filter')
    await grid()
    expect(address().get('q')).toBe('^by::desc')
  })

  test('are those of the moment in the address', async () => {
    const { grid } = await show('/query?db=defaultdb&table=people&at=tx:5')
    await grid()
    expect(sent()[0]?.sql).toMatch(/^SELECT \* FROM people UNTIL TX 5 USE INDEX/)
    await press('tab', 'Structure')
    await screen.findByText(/describes tables only as they are now/)
  })
})

describe('columns', () => {
  test('are hidden and moved, and the choice is kept', async () => {
    const { grid } = await show('/query?db=defaultdb&table=people')
    await grid()
    await press('button', 'Columns')
    await press('checkbox', 'name')
    await press('button', 'Move age to the left')
    await press('button', 'Move age to the left')
    await press('button', 'Done')
    const titles = async () =>
      within(await grid())
        .getAllByRole('columnheader')
        .map((one) => one.textContent)
    await waitFor(async () => expect(await titles()).toEqual(['Row', 'ageINTEGER', 'idINTEGER']))
    await press('button', 'Columns: 2 of 3')
    await press('button', 'Show all as in the table')
    await press('button', 'Done')
    await waitFor(async () => expect((await titles())[1]).toBe('idINTEGER'))
  })
})

describe('a new table', () => {
  test('is typed line by line: Enter adds the next column and goes there', async () => {
    await show('/query?db=defaultdb')
    await press('button', 'Create table')
    const dialog = within(await screen.findByRole('dialog', { name: 'Create a table' }))
    await userEvent.setup().type(dialog.getByRole('textbox', { name: 'Table name' }), 'made')
    const names = () => dialog.getAllByRole('textbox', { name: 'Column name' })
    act(() => names()[1]?.focus())
    await type('one{Enter}two{Enter}three')
    expect(names().map((one) => Reflect.get(one, 'value'))).toEqual(['id', 'one', 'two', 'three'])
    expect(document.activeElement).toBe(names()[3])
    expect(dialog.getByRole('region', { name: 'Statement' }).textContent).toContain('three VARCHAR')
    // A line in the middle begins where Enter was pressed.
    act(() => names()[0]?.focus())
    await type('{Enter}')
    expect(document.activeElement).toBe(names()[1])
    expect(names()).toHaveLength(5)
    await press('button', 'Remove column 2')
    expect(names()).toHaveLength(4)
  })
})

describe('the structure', () => {
  const path = '/query?db=defaultdb&table=people&tab=structure'
  const name = () => screen.findByRole('textbox', { name: 'Column name' })

  test('has the form of a new column as it was typed before a reload, until it is cancelled', async () => {
    await show(path)
    await press('button', 'Add column')
    await userEvent.setup().type(await name(), 'email')
    cleanup()
    await show(path)
    await press('button', 'Rename column name')
    expect(await screen.findByRole('textbox', { name: 'New name' })).toHaveProperty('value', '')
    await press('button', 'Cancel')
    await press('button', 'Add column')
    expect(await name()).toHaveProperty('value', 'email')
    await screen.findByText('You typed this before. Cancel discards it.')
    await press('button', 'Cancel')
    await press('button', 'Add column')
    expect(await name()).toHaveProperty('value', '')
    expect(screen.queryByText(/^You typed this before/)).toBeNull()
  })
})

describe('one row', () => {
  test('is shown whole, with the next one', async () => {
    const { grid } = await show('/query?db=defaultdb&table=people')
    const rows = await grid()
    act(() => rows.focus())
    await type('{Alt>}r{/Alt}')
    const sheet = within(await screen.findByRole('dialog', { name: 'Row id = 1 of people' }))
    expect(sheet.getByText('person 1')).toBeTruthy()
    await press('button', 'Next row')
    await screen.findByRole('dialog', { name: 'Row id = 2 of people' })
  })

  test('has a link, which opens it whole', async () => {
    const { grid } = await show('/query?db=defaultdb&table=people&q=%5Eby::desc')
    const rows = await grid()
    act(() => rows.focus())
    await type('{Alt>}r{/Alt}')
    await screen.findByRole('dialog', { name: 'Row id = 1500 of people' })
    const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    await press('button', 'Copy link')
    const link = new URL(copied.mock.lastCall?.[0] ?? '')
    expect(Object.fromEntries(link.searchParams)).toEqual({
      db: 'defaultdb',
      table: 'people',
      q: 'id:eq:1500',
      tab: 'row',
    })
    cleanup()
    const { address } = await show(`/query${link.search}`)
    await screen.findByRole('dialog', { name: 'Row id = 1500 of people' })
    await type('{Escape}')
    await waitFor(() => expect(address().has('tab')).toBe(false))
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('an old immudb', () => {
  const showFor = async (version: string, path: string) => {
    await show(path)
    await act(async () => reportVersion(tab.store, version))
  }
  const titleOf = (name: string) => screen.getByRole('button', { name }).title

  test('is offered no filter, no order and no change of rows that it has not', async () => {
    await showFor('1.9.5', '/query?db=defaultdb&table=people')
    const needed = 'Needs immudb 1.11. This server runs 1.9.5.'
    await waitFor(() => expect(titleOf('Delete')).toBe(needed))
    expect(titleOf('Add row')).toBe('')
    await press('button', 'Filter')
    await press('combobox', 'Column')
    await press('option', /^name/)
    await press('combobox', 'Operator')
    const refused = screen
      .getAllByRole('option')
      .filter((one) => one.getAttribute('aria-disabled') === 'true')
      .map(({ textContent }) => textContent)
    expect(refused.map((text) => text?.replace(/ Needs.*/, ''))).toEqual([
      'is between',
      'contains',
      'starts with',
      'is like',
      'is not like',
    ])
    expect(refused[0]).toMatch(/Needs immudb 1\.10\. This server runs 1\.9\.5\.$/)
  })

  test('of 1.5 drops nothing, and has its own types of columns', async () => {
    await showFor('1.5.0', '/query?db=defaultdb&table=people')
    await press('tab', 'Structure')
    const needed = 'Needs immudb 1.9. This server runs 1.5.'
    await waitFor(() => expect(titleOf('Drop column name')).toBe(needed))
    expect(titleOf('Drop table')).toBe(needed)
    expect(titleOf('Rename column name')).toBe('')
    await press('button', 'Add column')
    await press('combobox', 'Type')
    const refused = screen
      .getAllByRole('option')
      .filter((one) => one.getAttribute('aria-disabled') === 'true')
    expect(refused.map(({ textContent }) => textContent?.replace(/ Needs.*/, ''))).toEqual([
      'JSON',
      'UUID',
    ])
  })
})
