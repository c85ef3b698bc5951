import { act, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Provider } from 'jotai'
import { Suspense } from 'react'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { AddressedDatabase } from '~/app/Console'
import { setReadOnlyAtom } from '~/atoms/settings/settings'
import QueryScreen from '~/screens/query/QueryScreen'
import { clearToasts } from '~/ui/toast'
import { type FakeImmudb, fakeImmudb } from '../../../support/fake-immudb'
import { stubLayout } from '../../../support/layout'
import type { RowModel } from '../../../support/row-model'
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
  rows: [
    ['1', 'Ada', '36'],
    ['2', 'Bob', null],
  ],
}

beforeAll(async () => {
  await Promise.all([import('~/ui/SqlEditor'), import('~/screens/tables/TablePane')])
}, 60_000)
beforeEach(() => {
  sessionStorage.clear()
  stubLayout()
})
afterEach(() => act(() => clearToasts()))

async function show() {
  server = fakeImmudb()
  const models = new Map([['people', people]])
  server.databases.set('defaultdb', { isLoaded: true, txId: 9, tables: new Map(), models })
  tab = openTab(server)
  await signIn(tab)
  const path = '/query?db=defaultdb&table=people'
  const location = memoryLocation({ path, record: true })
  render(
    <Provider store={tab.store}>
      <Router hook={location.hook} searchHook={location.searchHook}>
        <AddressedDatabase />
        <Suspense fallback={null}>
          <QueryScreen />
        </Suspense>
      </Router>
    </Provider>,
  )
  const grid = await screen.findByRole('grid', { name: 'Rows of people' })
  await waitFor(() => expect(button('Add row').getAttribute('aria-disabled')).toBeNull())
  return within(grid)
}

type Grid = Awaited<ReturnType<typeof show>>

const button = (name: string) => screen.getByRole('button', { name })
const press = async (name: string) => act(() => userEvent.setup().click(button(name)))
const rows = () => server.databases.get('defaultdb')?.models?.get('people')?.rows

async function edit(grid: Grid, cell: string, field: string, text: string) {
  const user = userEvent.setup()
  await act(() => user.dblClick(grid.getByRole('gridcell', { name: cell })))
  const box = await grid.findByRole('textbox', { name: field })
  await act(() => user.clear(box))
  await act(() => user.type(box, text))
}

test('a cell is changed where it is; Escape gives it back, Done keeps it', async () => {
  const grid = await show()
  await edit(grid, 'Ada', 'name', 'Eve')
  expect(screen.getByText('Staged: 1 changed row. Nothing is sent yet.')).toBeTruthy()
  await act(() => userEvent.setup().keyboard('{Escape}'))
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

test('new and deleted rows are reviewed as statements and committed together', async () => {
  const grid = await show()
  await press('Add row')
  const headers = grid.getAllByRole('rowheader')
  await act(() => userEvent.setup().click(headers[0] as HTMLElement))
  await press('Delete')
  await press('Review changes')
  const dialog = within(await screen.findByRole('dialog', { name: 'Review changes of people' }))
  expect(dialog.getByText(/^DELETE FROM people/)).toBeTruthy()
  expect(dialog.getByText("'Ada'")).toBeTruthy()
  await act(() => userEvent.setup().click(dialog.getByRole('button', { name: 'Commit' })))
  expect(await screen.findByText('2 rows committed in tx 10.')).toBeTruthy()
  expect(rows()).toEqual([
    ['2', 'Bob', null],
    ['3', null, null],
  ])
})

test('the primary key of a row that is there is only shown', async () => {
  const grid = await show()
  await act(() => userEvent.setup().dblClick(grid.getByRole('gridcell', { name: '1' })))
  expect(await screen.findByRole('dialog', { name: 'id' })).toBeTruthy()
  expect(grid.queryByRole('textbox')).toBeNull()
})

test('everything staged is discarded after a question', async () => {
  const grid = await show()
  await edit(grid, 'Ada', 'name', 'Eve')
  await press('Done')
  await press('Discard all…')
  const dialog = within(await screen.findByRole('dialog', { name: 'Discard all staged edits?' }))
  await act(() => userEvent.setup().click(dialog.getByRole('button', { name: 'Discard all' })))
  expect(screen.queryByText(/^Staged/)).toBeNull()
})

test('a database that is read-only in this browser says why nothing can be changed', async () => {
  await show()
  await act(() => tab.store.set(setReadOnlyAtom, 'defaultdb', true))
  const why = 'defaultdb is set to read-only in this browser (Settings, Safety).'
  expect(button('Add row').title).toBe(why)
  expect(button('Create table').getAttribute('aria-disabled')).toBe('true')
})
