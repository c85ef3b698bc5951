import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Provider } from 'jotai'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { AddressedDatabase } from '~/app/Console'
import { changeEdits, stageEdits } from '~/atoms/tables/edits'
import { privilegeRefusalAtom } from '~/atoms/users/privileges'
import { chooseReadOnly } from '~/core/settings'
import QueryScreen from '~/screens/query/QueryScreen'
import { TablePane } from '~/screens/query/query-doors'
import { EditStrip, RowSheet, SchemaDialog } from '~/screens/tables/table-doors'
import { addRow, changeCell, type EditTable } from '~/sql/row-edits'
import { setTrust } from '~/trust/trust'
import type { Break } from '~/trust/trust-record'
import { releaseWrites } from '~/trust/write-block'
import { clearToasts } from '~/ui/toast'
import { type FakeImmudb, fakeImmudb } from '../../../support/fake-immudb'
import { stubLayout } from '../../../support/layout'
import type { RowModel } from '../../../support/row-model'
import { sentence } from '../../../support/sentence'
import { openTab, signIn, type Tab } from '../../../support/store'

let server: FakeImmudb
let tab: Tab

const people: RowModel = {
  table: 'people',
  columns: [
    { name: 'id', type: 'INTEGER' },
    { name: 'name', type: 'VARCHAR(5)' },
    { name: 'age', type: 'INTEGER' },
  ],
  key: ['id'],
  counts: true,
  indexes: [['age']],
  rows: [
    ['1', 'Ada', '36'],
    ['2', 'Bob', null],
  ],
}

const editTable: EditTable = {
  name: 'people',
  columns: people.columns.map((column, at) => ({
    ...column,
    type: column.type.replace(/\W.*/, ''),
    length: null,
    isNullable: true,
    isPrimaryKey: at === 0,
    isAutoIncrement: at === 0,
  })),
  primaryKey: ['id'],
  indexes: null,
}

beforeAll(async () => {
  await Promise.all([
    import('~/ui/editors'),
    TablePane.prepare(),
    EditStrip.prepare(),
    RowSheet.prepare(),
    SchemaDialog.prepare(),
  ])
}, 60_000)
beforeEach(() => {
  sessionStorage.clear()
  stubLayout()
})
afterEach(() => act(() => clearToasts()))

async function show(of: { entryLimit?: number; privileges?: readonly string[] } = {}) {
  const { entryLimit, privileges } = of
  const clerk = {
    password: 'x',
    permissions: { defaultdb: 2 },
    ...(privileges ? { privileges: new Map([['defaultdb', privileges]]) } : {}),
  }
  server = fakeImmudb({ users: { clerk } })
  server.databases.set('defaultdb', {
    isLoaded: true,
    txId: 9,
    tables: new Map(),
    models: new Map([['people', people]]),
    ...(entryLimit === undefined ? {} : { entryLimit }),
  })
  tab = openTab(server)
  await signIn(tab, ...(privileges ? (['clerk', 'x'] as const) : []))
  const grid = await draw()
  const needs = 'This needs the SQL privilege INSERT on the database.'
  const title = privileges?.includes('INSERT') === false ? needs : ''
  await waitFor(() => expect(button('Add row').title).toBe(title))
  return grid
}

async function draw() {
  const path = '/query?db=defaultdb&table=people'
  const location = memoryLocation({ path, record: true })
  render(
    <Provider store={tab.store}>
      <Router hook={location.hook} searchHook={location.searchHook}>
        <AddressedDatabase />
        <QueryScreen />
      </Router>
    </Provider>,
  )
  return within(await screen.findByRole('grid', { name: 'Rows of people' }))
}

type Grid = Awaited<ReturnType<typeof show>>

const button = (name: string) => screen.getByRole('button', { name })
const press = (name: string) => userEvent.setup().click(button(name))
const rows = () => server.databases.get('defaultdb')?.models?.get('people')?.rows

async function edit(grid: Grid, cell: string, field: string, text: string) {
  const user = userEvent.setup()
  await user.dblClick(grid.getByRole('gridcell', { name: cell }))
  const box = await grid.findByRole('textbox', { name: field })
  await user.clear(box)
  await user.type(box, text)
}

test('a cell is changed where it is; Escape gives it back, Done keeps it', async () => {
  const grid = await show()
  await edit(grid, 'Ada', 'name', 'Eve')
  expect(screen.getByText('Staged: 1 changed row. Nothing is sent yet.')).toBeTruthy()
  await userEvent.setup().keyboard('{Escape}')
  expect(screen.queryByText(/^Staged/)).toBeNull()
  await edit(grid, 'Ada', 'name', 'Eve')
  await press('Done')
  expect(grid.getByRole('gridcell', { name: /Ada.*Eve/ })).toBeTruthy()
  await press('Undo')
  expect(screen.queryByText(/^Staged/)).toBeNull()
  expect(server.calls.some(({ path }) => path === '/db/sqlexec')).toBe(false)
})

test('a value is checked as it is typed, and holds the commit', async () => {
  const grid = await show()
  await edit(grid, 'Ada', 'name', 'Eveline')
  expect(grid.getByText('7 bytes: the column holds at most 5 bytes.')).toBeTruthy()
  await press('Done')
  await press('Review changes')
  const dialog = within(await screen.findByRole('dialog', { name: 'Review changes of people' }))
  expect(dialog.getByRole('alert').textContent).toMatch(/id = 1, name: 7 bytes/)
  expect(dialog.getByRole('button', { name: 'Commit' }).getAttribute('title')).toBe(
    'Correct the values that are named first.',
  )
})

test('rows are reviewed before and after, and committed together', async () => {
  const grid = await show()
  await edit(grid, 'Bob', 'name', 'Eve')
  await press('Done')
  await press('Add row')
  const headers = grid.getAllByRole('rowheader')
  await userEvent.setup().click(headers[0] as HTMLElement)
  await press('Delete')
  await press('Review changes')
  const dialog = within(await screen.findByRole('dialog', { name: 'Review changes of people' }))
  const values = (row: string) => {
    const region = within(dialog.getByRole('region', { name: row }))
    const texts = (role: string) => region.queryAllByRole(role).map((one) => one.textContent)
    return [texts('term'), texts('definition')]
  }
  expect(values('Change id = 2')).toEqual([['name'], ['Bob → Eve']])
  expect(values('Delete id = 1')).toEqual([
    ['id', 'name', 'age'],
    ['1', 'Ada', '36'],
  ])
  expect(values('Add new row 1')).toEqual([[], []])
  expect(dialog.getByText('Every value is left to the server.')).toBeTruthy()
  expect(dialog.queryByText(/DELETE FROM/)).toBeNull()
  await userEvent.setup().click(dialog.getByRole('switch', { name: 'Show the SQL' }))
  expect(dialog.getByText(/^DELETE FROM people/)).toBeTruthy()
  expect(dialog.getByText("'Ada'")).toBeTruthy()
  await userEvent.setup().click(dialog.getByRole('button', { name: 'Commit' }))
  expect(await screen.findByText(sentence('3 rows committed in tx 10.'))).toBeTruthy()
  expect(rows()).toEqual([
    ['2', 'Eve', null],
    ['3', null, null],
  ])
})

test('of many staged rows only those in sight are drawn', async () => {
  await show()
  act(() =>
    stageEdits(tab.store, { database: 'defaultdb', table: 'people' }, (all) => {
      let edits = all
      for (let at = 0; at < 900; at += 1)
        edits = addRow(edits, new Map([['name', { value: `n${at}` }]])).edits
      return edits
    }),
  )
  await press('Review changes')
  const dialog = within(await screen.findByRole('dialog', { name: 'Review changes of people' }))
  expect(dialog.getByText('900 new rows.')).toBeTruthy()
  const list = within(await dialog.findByRole('region', { name: 'Staged rows' }))
  expect(await list.findByRole('region', { name: 'Add new row 1' })).toBeTruthy()
  expect(list.getAllByRole('region').length).toBeLessThan(60)
})

test('a text that is NULL is told from NULL, and long texts by their lines', async () => {
  await show()
  const before = new Map([
    ['id', '2'],
    ['name', 'NULL'],
    ['age', null],
  ])
  act(() =>
    stageEdits(tab.store, { database: 'defaultdb', table: 'people' }, (all) =>
      changeCell(
        changeCell(all, editTable, before, 'name', { value: null }),
        editTable,
        new Map([...before, ['id', '3'], ['name', 'one\ntwo']]),
        'name',
        { value: 'one\n2' },
      ),
    ),
  )
  await press('Review changes')
  const dialog = within(await screen.findByRole('dialog', { name: 'Review changes of people' }))
  const cell = (row: string) =>
    within(dialog.getByRole('region', { name: row })).getByRole('definition')
  const [text, , none] = cell('Change id = 2').children
  expect(text?.className).not.toBe('null')
  expect(none?.className).toBe('null')
  expect(cell('Change id = 3').textContent).toBe(' one−removedtwo+added2')
})

test('the primary key of a row that is there is only shown', async () => {
  const grid = await show()
  await userEvent.setup().dblClick(grid.getByRole('gridcell', { name: '1' }))
  expect(await screen.findByRole('dialog', { name: 'id' })).toBeTruthy()
  expect(grid.queryByRole('textbox')).toBeNull()
})

test('a value is edited in the drawer of its row, and is staged there', async () => {
  const grid = await show()
  await userEvent.setup().click(grid.getByRole('gridcell', { name: 'Ada' }))
  await userEvent.setup().keyboard('{Alt>}r{/Alt}')
  const sheet = within(await screen.findByRole('dialog', { name: 'Row id = 1 of people' }))
  expect(sheet.getByRole('button', { name: 'Edit id' }).title).toMatch(/^immudb does not change/)
  const user = userEvent.setup()
  const type = async (text: string) => {
    await user.click(sheet.getByRole('button', { name: 'Edit name' }))
    const box = sheet.getByRole('textbox', { name: 'name' })
    await user.clear(box)
    await user.type(box, text)
  }
  await type('Eve')
  await user.keyboard('{Escape}')
  expect(sheet.queryByText(/^Staged/)).toBeNull()
  expect(document.activeElement).toBe(sheet.getByRole('button', { name: 'Edit name' }))
  await type('Eveline')
  await user.click(sheet.getByRole('button', { name: 'Done' }))
  expect(sheet.getByText('Eveline: 7 bytes: the column holds at most 5 bytes.')).toBeTruthy()
  await type('Eve')
  await user.click(sheet.getByRole('button', { name: 'Done' }))
  expect(sheet.getByText('Eve')).toBeTruthy()
  await user.click(sheet.getByRole('button', { name: 'Close' }))
  expect(screen.getByText('Staged: 1 changed row. Nothing is sent yet.')).toBeTruthy()
  expect(grid.getByRole('gridcell', { name: /Ada.*Eve/ })).toBeTruthy()
})

test('a new row opens in the drawer as well, and is edited there', async () => {
  const grid = await show()
  const user = userEvent.setup()
  await user.click(button('Add row'))
  await user.click(
    within(grid.getAllByRole('row').at(-1) as HTMLElement).getAllByRole(
      'gridcell',
    )[2] as HTMLElement,
  )
  await user.keyboard('{Escape}{Alt>}r{/Alt}')
  const sheet = within(await screen.findByRole('dialog', { name: /^New row \d+ of people$/ }))
  for (const name of ['Verify', 'History']) {
    expect(sheet.getByRole('button', { name }).title).toBe('The row is not committed yet.')
  }
  await user.click(sheet.getByRole('button', { name: 'Edit name' }))
  await user.type(sheet.getByRole('textbox', { name: 'name' }), 'Eve')
  await user.click(sheet.getByRole('button', { name: 'Done' }))
  expect(sheet.getByText('Eve')).toBeTruthy()
  await user.click(sheet.getByRole('button', { name: 'Close' }))
  expect(screen.getByText('Staged: 1 new row. Nothing is sent yet.')).toBeTruthy()
  expect(grid.getByRole('gridcell', { name: /Eve/ })).toBeTruthy()
})

test('everything staged is discarded after a question', async () => {
  const grid = await show()
  await edit(grid, 'Ada', 'name', 'Eve')
  await press('Done')
  await press('Discard all…')
  const dialog = within(await screen.findByRole('dialog', { name: 'Discard all staged edits?' }))
  await userEvent.setup().click(dialog.getByRole('button', { name: 'Discard all' }))
  expect(screen.queryByText(/^Staged/)).toBeNull()
})

test('a database that is read-only in this browser says why nothing can be changed', async () => {
  await show()
  await act(() => chooseReadOnly(tab.store, 'defaultdb', true))
  const why = 'defaultdb is set to read-only in this browser (Settings, Safety).'
  expect(button('Add row').title).toBe(why)
  expect(button('Create table').getAttribute('aria-disabled')).toBe('true')
})

/** What the check of the trusted state finds when the history is another one. */
async function breakHistory() {
  const words = { reason: '', step: '', part: '', expected: '', received: '', what: '' }
  const found = { kind: 'rolled-back', ...words, at: 1, verification: null, acknowledgedAt: null }
  const broken: Break = { ...found, kind: 'rolled-back' }
  await act(async () => setTrust(tab.store, 'defaultdb', { kind: 'broken', record: null, broken }))
}

test('while the history is broken nothing is sent, with the reason, and what is staged stays', async () => {
  const held = /The history of defaultdb is broken\. To write anyway/
  const grid = await show()
  await edit(grid, 'Ada', 'name', 'Eve')
  await press('Done')
  await press('Review changes')
  await breakHistory()
  const dialog = within(await screen.findByRole('dialog', { name: 'Review changes of people' }))
  const commit = dialog.getByRole('button', { name: 'Commit' })
  expect(commit.title).toMatch(held)
  await userEvent.setup().click(commit)
  await userEvent.setup().click(dialog.getAllByRole('button', { name: 'Close' }).at(-1) as Element)
  for (const name of ['Add row', 'Duplicate', 'Delete', 'Create table']) {
    expect(button(name).title).toMatch(held)
  }
  await userEvent.setup().dblClick(grid.getByRole('gridcell', { name: 'Bob' }))
  expect(grid.queryByRole('textbox')).toBeNull()
  await screen.findByRole('dialog', { name: 'name' })
  await userEvent.setup().keyboard('{Escape}')
  expect(screen.getByText('Staged: 1 changed row. Nothing is sent yet.')).toBeTruthy()
  expect(sentWrites()).toEqual([])
  act(() => releaseWrites(tab.store, 'defaultdb'))
  await press('Review changes')
  await press('Commit')
  expect(await screen.findByText(sentence('1 row committed in tx 10.'))).toBeTruthy()
})

const sentWrites = () => server.calls.filter(({ path }) => path === '/db/sqlexec')

test('a change of the schema is held too, and the form says why', async () => {
  await show()
  await press('Create table')
  const dialog = within(await screen.findByRole('dialog', { name: 'Create a table' }))
  await breakHistory()
  const create = dialog.getByRole('button', { name: 'Create table' })
  expect(create.title).toMatch(/^The history of defaultdb is broken/)
  await userEvent.setup().click(create)
  expect(sentWrites()).toEqual([])
})

test('what is typed for a new table survives Escape and a reload, until Cancel', async () => {
  await show()
  const user = userEvent.setup()
  const form = async () => {
    await press('Create table')
    return within(await screen.findByRole('dialog', { name: 'Create a table' }))
  }
  const isTyped = (dialog: Awaited<ReturnType<typeof form>>) => {
    expect(dialog.getByRole('textbox', { name: 'Table name' })).toHaveProperty('value', 'plans')
    expect(dialog.getByText('You typed this before. Cancel discards it.')).toBeTruthy()
  }
  await user.type((await form()).getByRole('textbox', { name: 'Table name' }), 'plans')
  await user.keyboard('{Escape}')
  isTyped(await form())
  cleanup()
  tab = openTab(server, tab.driver)
  await signIn(tab)
  await draw()
  await waitFor(() => expect(button('Create table').title).toBe('Create table'))
  const dialog = await form()
  isTyped(dialog)
  await user.click(dialog.getByRole('button', { name: 'Cancel' }))
  expect((await form()).getByRole('textbox', { name: 'Table name' })).toHaveProperty('value', '')
})

const privileges = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'CREATE', 'ALTER', 'DROP']
const needs = (privilege: string) => `This needs the SQL privilege ${privilege} on the database.`

const buttonsOf = {
  INSERT: /^(Add row|Duplicate|Import CSV)$/,
  DELETE: /^Delete$/,
  CREATE: /^Create (table|index)$/,
  ALTER: /^(Add column|Rename column \w+)$/,
  DROP: /^Drop (table|column \w+|index \(age\))$/,
} as const

test.each(['INSERT', 'DELETE', 'CREATE', 'ALTER', 'DROP'] as const)(
  'without the SQL privilege %s its buttons say so, and no others',
  async (lacking) => {
    await show({ privileges: privileges.filter((one) => one !== lacking) })
    const why = needs(lacking)
    const nameOf = (one: HTMLElement) =>
      one.getAttribute('aria-label') ?? (one.textContent ?? '').replace(why, '')
    const seen = new Set<string>()
    for (const part of ['Rows', 'Structure', 'Indexes']) {
      // It fetches a script of its own.
      await act(async () => fireEvent.mouseDown(screen.getByRole('tab', { name: part })))
      if (part !== 'Rows') await screen.findByRole('table', { name: /^(Columns|Indexes)$/ })
      await waitFor(() => {
        const all = screen.getAllByRole('button')
        const held = all.filter((one) => one.title.endsWith(why)).map(nameOf)
        expect(held).toEqual(all.map(nameOf).filter((name) => buttonsOf[lacking].test(name)))
        for (const name of held) seen.add(name)
      })
    }
    const least = { INSERT: 3, DELETE: 1, CREATE: 2, ALTER: 4, DROP: 5 }
    expect(seen.size).toBe(least[lacking])
  },
)

test('without UPDATE no cell can be changed, and what was staged before is held', async () => {
  const grid = await show({ privileges: privileges.filter((one) => one !== 'UPDATE') })
  await waitFor(() => expect(tab.store.get(privilegeRefusalAtom)('UPDATE')).toBe(needs('UPDATE')))
  await userEvent.setup().dblClick(grid.getByRole('gridcell', { name: 'Ada' }))
  await screen.findByRole('dialog', { name: 'name' })
  expect(grid.queryByRole('textbox')).toBeNull()
  await userEvent.setup().keyboard('{Escape}')
  const before = new Map([
    ['id', '1'],
    ['name', 'Ada'],
    ['age', '36'],
  ])
  const change = {
    kind: 'change',
    id: '["1"]',
    before,
    after: new Map([['name', { value: 'Eve' }]]),
  } as const
  const place = { database: 'defaultdb', table: 'people' }
  act(() => stageEdits(tab.store, place, () => [change]))
  await press('Review changes')
  await waitFor(() => expect(button('Commit').title).toBe(needs('UPDATE')))
})

test('the limit of entries is that of the database', async () => {
  await show({ entryLimit: 2 })
  for (let at = 0; at < 3; at += 1) await press('Add row')
  await press('Review changes')
  const dialog = within(await screen.findByRole('dialog', { name: 'Review changes of people' }))
  await dialog.findByText(/3 of 2 entries/)
  expect(button('Commit').title).toMatch(/^This makes 3 entries .* this database holds 2\./)
  await userEvent.setup().click(dialog.getAllByRole('button', { name: 'Discard' })[0] as Element)
  await dialog.findByText(/2 of 2 entries/)
  await press('Commit')
  expect(await screen.findByText(sentence('2 rows committed in tx 10.'))).toBeTruthy()
})

test('what was typed for a column that is gone is shown, and can be given up by itself', async () => {
  await show()
  await press('Add row')
  const place = { database: 'defaultdb', table: 'people' }
  const cells = new Map([
    ['name', { value: 'Eve' }],
    ['nick', { value: 'typed' }],
  ])
  act(() => stageEdits(tab.store, place, () => addRow([], cells).edits))
  await press('Review changes')
  const dialog = within(await screen.findByRole('dialog', { name: 'Review changes of people' }))
  expect(dialog.getByRole('alert').textContent).toMatch(
    /new row 1, nick: The table no longer has this column\. You staged: typed/,
  )
  expect(button('Commit').title).toBe('Correct the values that are named first.')
  await press('Discard this value')
  await press('Commit')
  expect(await screen.findByText(sentence('1 row committed in tx 10.'))).toBeTruthy()
  expect(rows()?.at(-1)).toEqual(['3', 'Eve', null])
})

const place = { database: 'defaultdb', table: 'people' }
const reviewed = () => screen.findByRole('dialog', { name: 'Review changes of people' })
const stays = async () => {
  const dialog = within(await reviewed())
  await waitFor(() => expect(dialog.getByRole('button', { name: 'Commit' })).toBeTruthy())
  expect(sentWrites()).toEqual([])
  return dialog
}

test('one key deletes the row of the cell, undoes with the others, and says why it cannot', async () => {
  const grid = await show()
  const user = userEvent.setup()
  await user.click(grid.getByRole('gridcell', { name: 'Bob' }))
  await user.keyboard('{Alt>}{Delete}{/Alt}')
  expect(screen.getByText('Staged: 1 deleted row. Nothing is sent yet.')).toBeTruthy()
  expect(grid.getByRole('gridcell', { name: 'Bob' }).querySelector('del')).not.toBeNull()
  await user.keyboard('{Control>}z{/Control}')
  expect(screen.queryByText(/^Staged/)).toBeNull()
  // Rows that are chosen come before the row of the cell.
  await user.click(grid.getAllByRole('rowheader')[0] as HTMLElement)
  await user.click(grid.getByRole('gridcell', { name: 'Bob' }))
  await user.keyboard('{Alt>}{Backspace}{/Alt}')
  expect(grid.getByRole('gridcell', { name: 'Ada' }).querySelector('del')).not.toBeNull()
  expect(grid.getByRole('gridcell', { name: 'Bob' }).querySelector('del')).toBeNull()
  await user.keyboard('{Control>}z{/Control}')
  await act(() => chooseReadOnly(tab.store, 'defaultdb', true))
  await user.click(grid.getByRole('gridcell', { name: 'Bob' }))
  await user.keyboard('{Alt>}{Delete}{/Alt}')
  expect(screen.queryByText(/^Staged/)).toBeNull()
  expect(sentWrites()).toEqual([])
})

test('one key in the field of a cell commits what was typed, and leads back to the cell', async () => {
  const grid = await show()
  await edit(grid, 'Ada', 'name', 'Eve')
  await userEvent.setup().keyboard('{Control>}{Shift>}{Enter}{/Shift}{/Control}')
  expect(await screen.findByText(sentence('1 row committed in tx 10.'))).toBeTruthy()
  expect(rows()?.[0]).toEqual(['1', 'Eve', '36'])
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sentWrites()).toHaveLength(1)
  // Nothing is left to be committed.
  await userEvent.setup().keyboard('{Control>}{Shift>}{Enter}{/Shift}{/Control}')
  expect(sentWrites()).toHaveLength(1)
})

test('a key that is held commits nothing', async () => {
  const grid = await show()
  await edit(grid, 'Ada', 'name', 'Eve')
  const held = { key: 'Enter', ctrlKey: true, shiftKey: true, repeat: true }
  fireEvent.keyDown(grid.getByRole('textbox', { name: 'name' }), held)
  await press('Done')
  fireEvent.keyDown(screen.getByRole('grid', { name: 'Rows of people' }), held)
  fireEvent.keyDown(button('Undo'), held)
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(sentWrites()).toEqual([])
  expect(screen.getByText('Staged: 1 changed row. Nothing is sent yet.')).toBeTruthy()
})

test('the bar commits at once, by its button and by the key on any of its buttons', async () => {
  const grid = await show()
  await edit(grid, 'Ada', 'name', 'Eve')
  await press('Done')
  act(() => button('Discard all…').focus())
  await userEvent.setup().keyboard('{Control>}{Shift>}{Enter}{/Shift}{/Control}')
  expect(await screen.findByText(sentence('1 row committed in tx 10.'))).toBeTruthy()
  expect(screen.queryByRole('dialog', { name: 'Discard all staged edits?' })).toBeNull()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await edit(grid, 'Bob', 'name', 'Eva')
  await press('Done')
  await press('Commit')
  expect(await screen.findByText(sentence('1 row committed in tx 11.'))).toBeTruthy()
})

test('what does not fit is not committed at once, nor when it fits by itself later', async () => {
  const grid = await show()
  await edit(grid, 'Ada', 'name', 'Eveline')
  await press('Done')
  await press('Commit')
  const dialog = await stays()
  expect(dialog.getByRole('alert').textContent).toMatch(/id = 1, name: 7 bytes/)
  await press('Discard this value')
  act(() => stageEdits(tab.store, place, (all) => addRow(all).edits))
  await waitFor(() => expect(dialog.getByRole('button', { name: 'Commit' }).title).toBe(''))
  expect(sentWrites()).toEqual([])
})

test('a row that someone else changed is asked about, and nothing is sent', async () => {
  const grid = await show()
  await edit(grid, 'Ada', 'name', 'Eve')
  server.databases
    .get('defaultdb')
    ?.models?.set('people', { ...people, rows: [['1', 'Zoe', '36']] })
  await userEvent.setup().keyboard('{Control>}{Shift>}{Enter}{/Shift}{/Control}')
  const dialog = await stays()
  expect(await dialog.findByText('Someone else changed id = 1.')).toBeTruthy()
  expect(sentWrites()).toEqual([])
})

test('while it is not known what became of a commit, another one begins by a press alone', async () => {
  const grid = await show()
  act(() => stageEdits(tab.store, place, (all) => addRow(all).edits))
  act(() => changeEdits(tab.store, place, { sent: { txBefore: '9', at: Date.now() } }))
  const why = 'Check first what became of the edits that you sent.'
  await waitFor(() => expect(button('Commit').title).toBe(why))
  await press('Commit')
  act(() => button('Undo').focus())
  await userEvent.setup().keyboard('{Control>}{Shift>}{Enter}{/Shift}{/Control}')
  expect(screen.queryByRole('dialog')).toBeNull()
  await press('Check now')
  await waitFor(() => expect(button('Continue editing')).toBeTruthy())
  await userEvent.setup().click(grid.getByRole('gridcell', { name: 'Ada' }))
  await userEvent.setup().keyboard('{Control>}{Shift>}{Enter}{/Shift}{/Control}')
  const dialog = await stays()
  expect(dialog.getByRole('button', { name: 'Commit' }).title).toBe('')
  expect(sentWrites()).toEqual([])
})

test('rows that are not in sight are shown before they are committed', async () => {
  await show()
  const other = new Map([
    ['id', '77'],
    ['name', 'Far'],
    ['age', null],
  ])
  act(() =>
    stageEdits(tab.store, place, (all) =>
      changeCell(all, editTable, other, 'name', { value: 'Near' }),
    ),
  )
  await press('Commit')
  const dialog = await stays()
  expect(dialog.getByText(/^Some of these rows are not on the page that was shown/)).toBeTruthy()
  expect(dialog.getByRole('region', { name: 'Change id = 77' })).toBeTruthy()
  expect(sentWrites()).toEqual([])
})

test('a database that became read-only, or whose history broke, sends nothing', async () => {
  const grid = await show()
  await edit(grid, 'Ada', 'name', 'Eve')
  await press('Done')
  await breakHistory()
  await press('Commit')
  const dialog = await stays()
  expect(dialog.getByRole('button', { name: 'Commit' }).title).toMatch(
    /history of defaultdb is broken/,
  )
  act(() => releaseWrites(tab.store, 'defaultdb'))
  await waitFor(() => expect(dialog.getByRole('button', { name: 'Commit' }).title).toBe(''))
  expect(sentWrites()).toEqual([])
})
