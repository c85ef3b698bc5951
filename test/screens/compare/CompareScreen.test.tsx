import { fireEvent, render, screen, within } from '@testing-library/react'
import { Provider } from 'jotai'
import { Suspense } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { stateAtom } from '~/atoms/history/state'
import { connect, type Store } from '~/atoms/session/client'
import { openQueryCache } from '~/atoms/session/query-client'
import { databaseAtom, openIdAtom } from '~/atoms/session/session'
import { momentsStorageKey } from '~/lib/constants'
import CompareScreen from '~/screens/compare/CompareScreen'
import { fakeImmudb } from '../../support/fake-immudb'
import { stubLayout } from '../../support/layout'
import { openTab, signIn } from '../../support/store'

// Looking things up by role is slow without a browser; a busy machine makes it slower.
vi.setConfig({ testTimeout: 30_000 })

let store: Store
/** Answers statements instead; undefined leaves them to the fake server. */
let statement: (sql: string) => Response | undefined
let history: string[]
let newest: number

const table = (names: string[], rows: (string | null)[][]) =>
  Response.json({
    columns: names.map((name) => ({
      name: `(t.${name})`,
      type: name === 'n' ? 'INTEGER' : 'VARCHAR',
    })),
    rows: rows.map((values) => ({
      values: values.map((value, at) =>
        value === null ? { null: null } : names[at] === 'n' ? { n: value } : { s: value },
      ),
    })),
  })

/** The differences of a table with one row of each kind. */
function differences(sql: string): Response | undefined {
  if (/COUNT/.test(sql)) {
    const rows = [
      ['DELETE', '1'],
      ['INSERT', '1'],
      ['UPDATE', '2100'],
    ]
    return table(['_diff_action', 'n'], rows)
  }
  if (/DIFF OF/.test(sql)) {
    const rows = [
      ['UPDATE', '1', 'new'],
      ['DELETE', '2', 'gone'],
      ['INSERT', '3', null],
    ]
    return table(['_diff_action', 'id', 'v'], rows)
  }
  return / UNTIL TX 2 WHERE/.test(sql) ? table(['id', 'v'], [['1', '']]) : undefined
}

beforeEach(() => {
  statement = differences
  newest = 9
  sessionStorage.clear()
  stubLayout({ width: 1_200, height: 600 })
})

async function show(path: string) {
  const server = fakeImmudb()
  const tables = new Map([['t', []]])
  server.databases.set('defaultdb', { isLoaded: true, txId: newest, tables })
  const tab = openTab(server)
  store = tab.store
  connect(store, '/api', async (input, init) => {
    const { sql } = JSON.parse(String(init?.body ?? '{}'))
    const own = typeof sql === 'string' ? statement(sql) : undefined
    return own ?? server.fetch(input, init)
  })
  openQueryCache(store)
  await signIn(tab)
  store.sub(stateAtom, () => {})
  const named = {
    ...store.get(openIdAtom),
    name: 'before migration',
    txId: '4',
    txHash: `${'A'.repeat(43)}=`,
    at: 1,
  }
  await tab.driver.setItem(momentsStorageKey, { moments: [named] })
  const location = memoryLocation({ path, record: true })
  history = location.history
  render(
    <Provider store={store}>
      <Router hook={location.hook} searchHook={location.searchHook}>
        <Suspense fallback={null}>
          <CompareScreen />
        </Suspense>
      </Router>
    </Provider>,
  )
}

const cells = async (row: number) => {
  const grid = await screen.findByRole('grid', { name: 'Differences' })
  const rows = within(grid).getAllByRole('row')
  return within(rows[row] as HTMLElement)
    .getAllByRole('gridcell')
    .map((cell) => cell.textContent)
}

describe('the rows of a table', () => {
  test('are counted by kind and shown with old and new values', async () => {
    await show('/compare?db=defaultdb&table=t&from=tx:2&to=tx:9')
    for (const text of ['1 added', '2,100 changed', '1 deleted']) {
      expect(await screen.findByText(text)).toBeTruthy()
    }
    expect(await cells(1)).toEqual(['~ changed', '1', "''→new"])
    expect(await cells(2)).toEqual(['− deleted', '2', 'gone'])
    expect(await cells(3)).toEqual(['+ added', '3', 'NULL'])
  })

  test('lead to their history', async () => {
    await show('/compare?db=defaultdb&table=t&from=tx:2&to=tx:9')
    const [mark] = await screen.findAllByRole('button', { name: /History of this row/ })
    fireEvent.click(mark as HTMLElement)
    expect(history.at(-1)).toBe('/query?db=defaultdb&table=t&row=s%3A1')
  })

  test('say why the server compares none of them', async () => {
    const why = 'invalid value provided'
    statement = (sql) =>
      /DIFF OF/.test(sql)
        ? Response.json({ error: why, code: 2, message: why }, { status: 500 })
        : undefined
    await show('/compare?db=defaultdb&table=t&from=tx:2&to=tx:9')
    expect(await screen.findByText(/refuses tables with a row whose JSON is null/)).toBeTruthy()
    expect(screen.getByText('The differences of this table are not shown.')).toBeTruthy()
  })

  test('of a table that is not there now are not asked for', async () => {
    await show('/compare?db=defaultdb&table=nosuch&from=tx:2&to=tx:9')
    expect(await screen.findByText('There is no table nosuch now')).toBeTruthy()
  })
})

describe('the moments', () => {
  test('that stand the wrong way round are refused, and can be swapped', async () => {
    await show('/compare?db=defaultdb&table=t&from=tx:9&to=tx:2')
    expect(
      await screen.findByText('The first moment, tx 9, is after the second, tx 2.'),
    ).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Swap' }))
    expect(history.at(-1)).toMatch(/from=tx%3A2&to=tx%3A9/)
    expect(await screen.findByText('2,100 changed')).toBeTruthy()
  })

  test('that are the same are told', async () => {
    await show('/compare?db=defaultdb&from=tx:4&to=tx:4')
    expect(await screen.findByText('Both moments are tx 4, so nothing differs')).toBeTruthy()
  })

  test('that are both before the first transaction are told as such', async () => {
    await show('/compare?db=defaultdb&to=tx:0')
    expect(
      await screen.findByText('Both moments are before the first transaction, so nothing differs'),
    ).toBeTruthy()
  })

  test('that do not exist are answered with the newest', async () => {
    await show('/compare?db=defaultdb&from=tx:2&to=tx:99')
    expect(await screen.findByText('There is no transaction 99. The newest is 9.')).toBeTruthy()
  })

  test('end with the moment that is looked at, and begin with the first transaction', async () => {
    await show('/compare?db=defaultdb&at=tx:7')
    expect(await screen.findByRole('link', { name: 'tx 7' })).toBeTruthy()
    expect(await screen.findByRole('link', { name: 'tx 1' })).toBeTruthy()
  })

  test('may be chosen by their names', async () => {
    await show('/compare?db=defaultdb&from=tx:2&to=tx:9')
    fireEvent.click(await screen.findByRole('button', { name: 'From: choose a moment' }))
    fireEvent.click(await screen.findByRole('menuitem', { name: /^before migration/ }))
    expect(history.at(-1)).toBe('/compare?db=defaultdb&from=tx%3A4&to=tx%3A9')
  })

  test('need a transaction', async () => {
    newest = 0
    await show('/compare?db=defaultdb')
    expect(await screen.findByText('No transactions')).toBeTruthy()
  })

  test('need a database', async () => {
    await show('/compare')
    store.set(databaseAtom, null)
    expect(await screen.findByText('No database is open')).toBeTruthy()
  })
})
