import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { Provider } from 'jotai'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import type { Visit } from '~/core/history/last-visit'
import { stateAtom } from '~/core/history/newest-state'
import { connect, type Store } from '~/core/session/client'
import { openQueryCache } from '~/core/session/query-client'
import { databaseAtom, openIdAtom } from '~/core/session/session'
import { changeStoredPart } from '~/core/storage/stored'
import { momentsStorageKey } from '~/lib/storage-keys'
import CompareScreen from '~/screens/compare/CompareScreen'
import { fakeImmudb } from '../../support/fake-immudb'
import { stubLayout } from '../../support/layout'
import { reportVersion } from '../../support/server-version'
import { openTab, signIn } from '../../support/store'

// Looking things up by role is slow without a browser; a busy machine makes it slower.
vi.setConfig({ testTimeout: 30_000 })

let store: Store
/** Answers statements instead; undefined leaves them to the fake server. */
let statement: (sql: string) => Response | undefined
let history: string[]
let newest: number
let tables: string[]

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
  tables = ['t']
  sessionStorage.clear()
  stubLayout({ width: 1_200, height: 600 })
})

async function show(path: string, visits: Visit[] = [], version = '-') {
  const server = fakeImmudb()
  const own = new Map(tables.map((name) => [name, []]))
  server.databases.set('defaultdb', { isLoaded: true, txId: newest, tables: own })
  const tab = openTab(server)
  store = tab.store
  connect(store, '/api', async (input, init) => {
    const { sql } = JSON.parse(String(init?.body ?? '{}'))
    const own = typeof sql === 'string' ? statement(sql) : undefined
    return own ?? server.fetch(input, init)
  })
  openQueryCache(store)
  await signIn(tab)
  reportVersion(store, version)
  await changeStoredPart(store, (stored) => ({ ...stored, visits }))
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
        <CompareScreen />
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
    expect(await screen.findByText('There is no transaction 99.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'tx 9' })).toBeTruthy()
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

describe('the last visit', () => {
  const visit = () => ({
    ...store.get(openIdAtom),
    tx: '5',
    at: Date.now() - 3_600_000,
    before: null,
  })

  test('is where a comparison begins, and one of the moments', async () => {
    await show('/compare?db=defaultdb')
    await changeStoredPart(store, (stored) => ({ ...stored, visits: [visit()] }))
    cleanup()
    await show('/compare?db=defaultdb', [visit()])
    expect(await screen.findByRole('link', { name: 'tx 5' })).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'To: choose a moment' }))
    expect(await screen.findByRole('menuitem', { name: /^Your last visit/ })).toBeTruthy()
  })

  test('that is not remembered is offered nowhere', async () => {
    await show('/compare?db=defaultdb')
    expect(await screen.findByRole('link', { name: 'tx 1' })).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'From: choose a moment' }))
    expect(await screen.findByRole('menuitem', { name: /^before migration/ })).toBeTruthy()
    expect(screen.queryByRole('menuitem', { name: /^Your last visit/ })).toBeNull()
  })

  test('does not move while someone reads', async () => {
    await show('/compare?db=defaultdb')
    expect(await screen.findByRole('link', { name: 'tx 1' })).toBeTruthy()
    await changeStoredPart(store, (stored) => ({ ...stored, visits: [visit()] }))
    expect(screen.getByRole('link', { name: 'tx 1' })).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'tx 5' })).toBeNull()
  })
})

describe('on a phone', () => {
  beforeEach(() => {
    vi.stubGlobal('matchMedia', () => ({
      matches: true,
      addEventListener: () => {},
      removeEventListener: () => {},
    }))
  })

  test('the moments of a comparison fold to a line, and can be edited', async () => {
    await show('/compare?db=defaultdb&table=t&from=tx:2&to=tx:9')
    expect(await screen.findByText('1 added')).toBeTruthy()
    const edit = screen.getByRole('button', { name: 'Edit the moments' })
    expect(edit.parentElement?.textContent).toBe('From tx 2 to tx 9Edit')
    expect(screen.queryByRole('textbox', { name: 'From' })).toBeNull()
    fireEvent.click(edit)
    const from = screen.getByRole('textbox', { name: 'From' })
    expect(document.activeElement).toBe(from)
    fireEvent.change(from, { target: { value: '4' } })
    fireEvent.submit(screen.getByRole('form', { name: 'Moments' }))
    expect(history.at(-1)).toBe('/compare?db=defaultdb&table=t&from=tx%3A4&to=tx%3A9')
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit the moments' }))
  })

  test('moments that cannot be compared stay to be edited', async () => {
    await show('/compare?db=defaultdb&from=tx:9&to=tx:2')
    expect(await screen.findByText(/is after the second/)).toBeTruthy()
    expect(screen.getByRole('textbox', { name: 'From' })).toBeTruthy()
  })
})

describe('what cannot be read', () => {
  test('is said of a database without tables', async () => {
    tables = []
    await show('/compare?db=defaultdb&from=tx:2&to=tx:9')
    expect(await screen.findByText('This database has no tables')).toBeTruthy()
  })

  test('of a page is asked for again on request, and what is here stays', async () => {
    let isBusy = false
    const rows = (first: number) =>
      Array.from({ length: 501 }, (_, at) => ['INSERT', String(first + at), 'new'])
    statement = (sql) => {
      if (/COUNT/.test(sql)) return table(['_diff_action', 'n'], [['INSERT', '600']])
      if (!/DIFF OF/.test(sql)) return undefined
      if (!/OFFSET 500|id > /.test(sql)) return table(['_diff_action', 'id', 'v'], rows(1))
      if (isBusy) return new Response('Too Many Requests', { status: 429 })
      return table(['_diff_action', 'id', 'v'], rows(501).slice(0, 100))
    }
    await show('/compare?db=defaultdb&table=t&from=tx:2&to=tx:9')
    expect(await screen.findByText('500 rows read. More follow.')).toBeTruthy()
    isBusy = true
    fireEvent.click(screen.getByRole('button', { name: 'All rows' }))
    expect(await screen.findByText('The rows that are here stay.')).toBeTruthy()
    expect(screen.getByText('500 rows read. More follow.')).toBeTruthy()
    isBusy = false
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('600 rows read, all there are.')).toBeTruthy()
  })

  test('of a row that no answer holds is said without asking for fewer', async () => {
    const message = 'grpc: received message larger than max (5000000 vs. 4194304)'
    statement = (sql) =>
      /COUNT/.test(sql)
        ? differences(sql)
        : Response.json({ error: message, code: 8, message }, { status: 429 })
    await show('/compare?db=defaultdb&table=t&from=tx:2&to=tx:9')
    expect(await screen.findByText(/^A row is larger than 4 MiB/)).toBeTruthy()
    expect(screen.queryByText(/fewer/)).toBeNull()
  })

  test('of a database that is unloaded meanwhile is said, and what is here stays', async () => {
    statement = (sql) =>
      /COUNT/.test(sql)
        ? differences(sql)
        : Response.json({ error: 'already closed', code: 2 }, { status: 500 })
    await show('/compare?db=defaultdb&table=t&from=tx:2&to=tx:9')
    expect(await screen.findByText('The database is unloaded on the server.')).toBeTruthy()
    expect(screen.getByText('The differences of this table are not shown.')).toBeTruthy()
    expect(screen.getByText('1 added')).toBeTruthy()
  })
})

describe('immudb 1.10', () => {
  test('is asked for no comparison of tables, which needs 1.11, and the rest can be compared', async () => {
    const asked: string[] = []
    statement = (sql) => {
      asked.push(sql)
      return undefined
    }
    await show('/compare?db=defaultdb&table=t', [], '1.10.0')
    expect(await screen.findByText('This server cannot compare tables')).toBeTruthy()
    expect(
      screen.getByText(/^Needs immudb 1\.11\. This server runs 1\.10\. Keys, documents/),
    ).toBeTruthy()
    expect(screen.getByRole('tab', { name: 'Schema' })).toBeTruthy()
    expect(asked).toEqual([])
  })
})
