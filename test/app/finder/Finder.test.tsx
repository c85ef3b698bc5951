import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Provider } from 'jotai'
import { queryClientAtom } from 'jotai-tanstack-query'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { ignoreComposing } from '~/app/composing'
import { FinderField } from '~/app/finder/FinderField'
import { databasesAtom } from '~/atoms/databases/database-list'
import { scriptRequestAtom } from '~/atoms/scripts/script-request'
import { schemaFormAtom } from '~/atoms/tables/schema-change'
import { usersAtom } from '~/atoms/users/user-list'
import { noteAddressedMoment, stateAtom } from '~/core/history/newest-state'
import { themeChoiceAtom } from '~/core/page-view'
import { sessionAtom } from '~/core/session/session'
import { textToBase64 } from '~/lib/bytes'
import { Dialog } from '~/ui/Dialog'
import { corpusBytes } from '../../support/corpus-bytes'
import { type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import { storeKey } from '../../support/fake-kv'
import { openTab, signIn, stored, type Tab } from '../../support/store'

vi.setConfig({ testTimeout: 20_000 })

// They are fetched when first used.
beforeAll(
  () => Promise.all([import('~/app/finder/Finder'), import('~/app/finder/guide-sections')]),
  60_000,
)

let server: FakeImmudb
let tab: Tab

const table = (name: string) => ({
  table: name,
  columns: [{ name: 'id', type: 'INTEGER' }],
  key: ['id'],
  rows: [['7']],
})

beforeEach(() => {
  Element.prototype.scrollIntoView = vi.fn()
  server = fakeImmudb({
    databases: ['defaultdb', 'ledger'],
    users: {
      bob: { password: 'x', permissions: { defaultdb: 2 } },
      eve: { password: 'x', permissions: { defaultdb: 1 } },
    },
  })
  server.databases.set('defaultdb', {
    isLoaded: true,
    txId: 42,
    tables: new Map(),
    models: new Map([
      ['orders', table('orders')],
      ['order_items', table('order_items')],
    ]),
  })
})

async function show(user = 'immudb', path = '/keys?db=defaultdb', beside: React.ReactNode = null) {
  history.replaceState(null, '', path)
  tab = openTab(server)
  await signIn(tab, user, user === 'immudb' ? 'immudb' : 'x')
  for (const of of [stateAtom, databasesAtom, usersAtom]) tab.store.sub(of, () => {})
  tab.store.get(queryClientAtom).setQueryData(['collections', 'defaultdb'], [])
  await waitFor(() => expect(tab.store.get(stateAtom).data?.txId).toBe('42'))
  await waitFor(() => expect(tab.store.get(usersAtom).data).toBeTruthy())
  render(
    <Provider store={tab.store}>
      <FinderField />
      <main id="content" tabIndex={-1} />
      {beside}
    </Provider>,
  )
}

const press = (
  key: string,
  more: object = {},
  on: Element = document.activeElement ?? document.body,
) =>
  act(async () => {
    fireEvent.keyDown(on, { key, ...more })
  })
const field = () => screen.findByRole('combobox', { name: 'Find anything' })
async function open() {
  await press('k', { ctrlKey: true })
  return field()
}
async function type(text: string) {
  const box = await open()
  await act(async () => fireEvent.change(box, { target: { value: text } }))
  return box
}
const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent ?? '')
const active = async () => {
  const id = (await field()).getAttribute('aria-activedescendant')
  return document.getElementById(id ?? '')?.textContent
}
const questions = () =>
  within(screen.getByRole('region', { name: 'Questions to the server' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

describe('the panel', () => {
  test('opens by its button and by its key, offers screens and actions, and gives the focus back', async () => {
    await show()
    const button = screen.getByRole('button', { name: /Find anything/ })
    button.focus()
    await act(async () => fireEvent.click(button))
    const box = await field()
    expect(document.activeElement).toBe(box)
    expect(screen.getByRole('dialog', { name: 'Find anything' })).toBeTruthy()
    expect(screen.getByRole('listbox', { name: 'Results' })).toBeTruthy()
    expect(options()).toContain('ScreenTransactions')
    expect(options()).toContain('ActionDeep audit')
    await press('Escape')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(document.activeElement).toBe(button)
    await press('k', { metaKey: true })
    expect(await field()).toBeTruthy()
  })

  test('opens from a field where text is typed, but not over a dialog that asks', async () => {
    const asks = (
      <Dialog onClose={() => {}} open title="Delete it?">
        <input aria-label="Name" />
      </Dialog>
    )
    await show('immudb', '/keys', <input aria-label="Some field" />)
    screen.getByRole('textbox', { name: 'Some field' }).focus()
    expect(await open()).toBeTruthy()
    cleanup()
    await show('immudb', '/keys', asks)
    ;(await screen.findByRole('textbox', { name: 'Name' })).focus()
    await press('k', { ctrlKey: true })
    expect(screen.queryByRole('combobox', { name: 'Find anything' })).toBeNull()
  })

  test('moves by keys, opens by Enter, and gives the focus to the page', async () => {
    await show()
    await type('order')
    await waitFor(() => expect(options()[1]).toBe('Tableorder_items'))
    expect(await active()).toBe('Tableorders')
    await press('ArrowDown')
    expect(await active()).toBe('Tableorder_items')
    await press('PageUp')
    expect(await active()).toBe('Tableorders')
    await press('ArrowDown')
    await press('Enter')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(location.pathname + location.search).toBe('/query?db=defaultdb&table=order_items')
    await waitFor(() => expect(document.activeElement?.id).toBe('content'))
  })

  test('opens a new tab by Ctrl+Enter, and keeps the moment that is looked at', async () => {
    const opened: string[] = []
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      opened.push([this.getAttribute('href'), this.target, this.rel].join(' '))
    })
    await show('immudb', '/keys?db=defaultdb&at=tx:5')
    act(() => noteAddressedMoment(tab.store, 'defaultdb', 'tx:5'))
    await type('orders')
    await waitFor(() => expect(options()[0]).toBe('Tableorders'))
    await press('Enter', { ctrlKey: true })
    expect(opened).toEqual(['/query?db=defaultdb&table=orders&at=tx%3A5 _blank noopener'])
    vi.restoreAllMocks()
    expect(screen.getByRole('dialog')).toBeTruthy()
    await press('Enter')
    expect(location.search).toBe('?db=defaultdb&table=orders&at=tx%3A5')
  })

  test('tells a screen reader how many results there are', async () => {
    await show()
    await type('zzzz')
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe('Nothing found.'))
    await act(async () => fireEvent.change(await field(), { target: { value: 'deep audit' } }))
    expect(screen.getByRole('status').textContent).toMatch(/^\d+ results?\.$/)
  })

  test('accepts a composed word by Enter, and sends nothing meanwhile', async () => {
    const end = ignoreComposing(window)
    await show()
    const box = await open()
    server.clear()
    fireEvent.compositionStart(box)
    await act(async () => fireEvent.change(box, { target: { value: 'たなか' } }))
    await press('Enter', { isComposing: true })
    await press('Enter', { keyCode: 229 })
    await act(() => new Promise((resolve) => setTimeout(resolve, 400)))
    expect(screen.getByRole('dialog')).toBeTruthy()
    expect(server.log().filter((call) => call.includes('scan'))).toEqual([])
    fireEvent.compositionEnd(box)
    await waitFor(() => expect(server.log()).toContain('POST /db/scan'))
    end()
  })
})

describe('questions', () => {
  test('are sent once typing rests, each as it says, and for the last text alone', async () => {
    await show()
    await type('orders')
    await waitFor(() => expect(options()[0]).toBe('Tableorders'))
    await waitFor(() => expect(questions().join()).toMatch(/“orders”: nothing found/))
    await waitFor(() => expect(questions().join()).toMatch(/shared in defaultdb: nothing found/))
    server.clear()
    const box = await field()
    const database = server.databases.get('defaultdb')
    if (database) storeKey(database, textToBase64('shop/1'), 'AA==')
    await act(async () => {
      for (const value of ['s', 'sh', 'sho', 'shop/']) fireEvent.change(box, { target: { value } })
    })
    await waitFor(() => expect(options()[0]).toBe('Keyshop/1'))
    const scans = server.calls.filter(({ path }) => path === '/db/scan')
    expect(scans.map(({ body }) => body.prefix)).toEqual([textToBase64('shop/')])
    expect(questions()).toContain(
      'Asks the server for keys of defaultdb that begin with “shop/”: 1 found.',
    )
  })

  test('each fail alone, and what was not answered is no result', async () => {
    const fetch: typeof server.fetch = (input, init) =>
      String(input).includes('/db/scan') && isOutOfOrder
        ? Promise.resolve(
            new Response('{"error":"out of order","code":2,"message":"out of order"}', {
              status: 500,
              headers: { 'content-type': 'application/json' },
            }),
          )
        : whole(input, init)
    const whole = server.fetch
    let isOutOfOrder = true
    server = { ...server, fetch }
    await show()
    await type('orders 7')
    await waitFor(() => expect(options()[0]).toBe('Roworders 7'))
    const failed = questions().find((line) => line?.includes('keys of'))
    expect(failed).toMatch(/“orders 7”: not answered\. Out of order\.$/)
    expect(options().filter((one) => one.startsWith('Key'))).toEqual([])
    isOutOfOrder = false
    await userEvent.click(screen.getByRole('button', { name: 'Ask again' }))
    await waitFor(() => expect(questions().join()).toMatch(/“orders 7”: nothing found/))
    expect(screen.queryByRole('button', { name: 'Ask again' })).toBeNull()
    expect(document.activeElement).toBe(await field())
    // Only what failed was asked again.
    expect(options()[0]).toBe('Roworders 7')
  })

  test('leave nothing typed in storage, in the address or in attributes', async () => {
    await show()
    await type('sesame-6b1f')
    await waitFor(() => expect(questions().join()).toMatch(/keys of .*: nothing found\./))
    expect(location.href).not.toContain('sesame')
    expect(JSON.stringify([...tab.driver.values])).not.toContain('sesame')
    expect(JSON.stringify(await stored(tab))).not.toContain('sesame')
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain('sesame')
    expect((await field()).getAttribute('value')).toBeNull()
    // Not even in the address of a request.
    expect(server.calls.filter(({ path }) => path.includes('sesame'))).toEqual([])
  })

  test('go to other databases only where that is asked for', async () => {
    const ledger = server.databases.get('ledger')
    if (ledger) storeKey(ledger, textToBase64('shop/9'), 'AA==')
    await show()
    await type('shop/')
    await waitFor(() => expect(questions().join()).toMatch(/keys of .*: nothing found\./))
    expect(server.calls.some(({ database }) => database === 'ledger')).toBe(false)
    await userEvent.click(screen.getByRole('radio', { name: 'All databases' }))
    await waitFor(() => expect(options()[0]).toBe('Keyshop/9database ledger'))
    expect(screen.queryByRole('radio', { name: 'All servers' })).toBeNull()
    ;(await field()).focus()
    await press('Enter')
    expect(location.search).toBe('?db=ledger&key=shop%2F9')
  })
})

test('all databases include one that was created since the console was opened', async () => {
  await show()
  await type('shop/')
  await waitFor(() => expect(questions().join()).toMatch(/keys of .*: nothing found\./))
  const later = { isLoaded: true, txId: 1, tables: new Map(), models: new Map() }
  server.databases.set('later', later)
  storeKey(later, textToBase64('shop/1'), 'AA==')
  await userEvent.click(screen.getByRole('radio', { name: 'All databases' }))
  await waitFor(() => expect(options()[0]).toBe('Keyshop/1database later'))
})

describe('looking through keys', () => {
  test('starts only on request, says how far it looked, and adds what it found', async () => {
    await show()
    const database = server.databases.get('defaultdb')
    if (database) storeKey(database, textToBase64('a/needle/b'), 'AA==')
    await type('needle')
    await waitFor(() => expect(questions().join()).toMatch(/keys of .*: nothing found\./))
    server.clear()
    expect(options()).toEqual(['SearchLook through the keys of defaultdb for this text'])
    await press('Enter')
    await waitFor(() => expect(options()[0]).toBe('Keya/needle/b'))
    await screen.findByText('Looked at all 1 key: 1 found.')
    await act(async () => fireEvent.change(await field(), { target: { value: 'needles' } }))
    expect(screen.queryByText(/^Looked at/)).toBeNull()
    expect(options()).not.toContain('Keya/needle/b')
  })
})

describe('actions', () => {
  const line = (name: string) =>
    screen.queryByRole('option', { name: new RegExp(`^Action ?${name}`) })

  test.each([
    ['immudb', [undefined, undefined, undefined]],
    ['bob', ['Only', 'Only the system admin can create databases.', undefined]],
    ['eve', ['Only', 'Only the system admin can create databases.', 'This needs the permission']],
  ])('of %s are those that the screens allow, with the reason', async (user, reasons) => {
    await show(user)
    await open()
    const names = ['New user', 'New database', 'Several operations on keys']
    for (const [at, name] of names.entries()) {
      const found = line(name)
      expect(found?.getAttribute('aria-disabled') ?? null, name).toBe(reasons[at] ? 'true' : null)
    }
    expect(line('New database')?.textContent).toContain(reasons[1] ?? '')
    // What no one may write, no form is for.
    await act(async () => fireEvent.change(await field(), { target: { value: 'new' } }))
    for (const name of ['New table', 'New collection']) {
      const isRefused = user === 'eve'
      expect(line(name)?.getAttribute('aria-disabled') ?? null, name).toBe(
        isRefused ? 'true' : null,
      )
    }
    // What is refused opens nothing.
    await act(async () => fireEvent.change(await field(), { target: { value: 'new database' } }))
    await press('Enter')
    expect(location.pathname).toBe(user === 'immudb' ? '/databases' : '/keys')
  })

  test('open the forms for tables, collections and scripts, and the limits', async () => {
    await show()
    await type('create table')
    expect(await active()).toBe('ActionNew table')
    await press('Enter')
    expect(location.pathname).toBe('/query')
    expect(tab.store.get(schemaFormAtom)?.start.kind).toBe('create-table')
    await type('new collection')
    await press('Enter')
    expect(`${location.pathname}${location.search}`).toBe(
      '/documents?db=defaultdb&dialog=collection',
    )
    await type('pg_dump')
    expect(await active()).toBe('ActionBring a script')
    await press('Enter')
    expect(location.pathname).toBe('/query')
    expect(tab.store.get(scriptRequestAtom)).toEqual({ file: null })
    await type('limits of')
    expect(await active()).toBe('ActionLimits of this server')
    await press('Enter')
    expect(`${location.pathname}${location.search}`).toBe('/?db=defaultdb&limits=all')
  })

  test('change the theme, log out, and begin a search for a moment', async () => {
    await show()
    const box = await type('light theme')
    await press('Enter')
    expect(tab.store.get(themeChoiceAtom)).toBe('light')
    await waitFor(() => expect(box.isConnected).toBe(false))
    await type('as of …')
    await press('Enter')
    expect((await field()).closest('[role=dialog]')).toBeTruthy()
    await act(async () => fireEvent.change(await field(), { target: { value: 'as of tx 5' } }))
    await press('Enter')
    expect(location.search).toBe('?db=defaultdb&at=tx%3A5')
    await type('log out')
    expect(await active()).toBe('ActionLog out')
    await press('Enter')
    expect(tab.store.get(sessionAtom)).toBeNull()
  })
})

test('screens that a role is not offered are not found', async () => {
  await show('bob')
  await open()
  expect(options()).not.toContain('ScreenAudit log')
  cleanup()
  await show('immudb')
  await open()
  expect(options()).toContain('ScreenAudit log')
})

test('sections of settings and of the guide are found by what they hold', async () => {
  await show()
  await type('font size')
  expect(await active()).toBe('SettingFont sizein SQL editor')
  await act(async () =>
    fireEvent.change(await field(), { target: { value: 'what a proof shows' } }),
  )
  await waitFor(() => expect(options()[0]).toBe('GuideWhat a proof showsin Verifying'))
})

test('the hostile corpus as names and as searches is text, and imitates nothing', async () => {
  const names = corpusBytes('tableName').map(({ bytes }) => bytes.toString().slice(0, 100))
  await show()
  tab.store.get(queryClientAtom).setQueryData(['tables', 'defaultdb'], [...new Set(names)])
  await open()
  for (const name of names) {
    if (name.trim() === '') continue
    await act(async () => fireEvent.change(await field(), { target: { value: name } }))
    const found = screen.getAllByRole('option')[0]
    expect(found?.querySelector('img, script, a, b, iframe, svg'), name).toBeNull()
    // The kind stands first, whatever the name says.
    expect(found?.firstElementChild?.textContent, name).toMatch(
      /^(Table|Transaction|As of|Row|Key|Screen|Action|Setting|Guide|Search)$/,
    )
    expect(found?.textContent).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
  }
})
