import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { createStore, Provider } from 'jotai'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { noteAddressedMoment, stateAtom } from '~/core/history/newest-state'
import { connect, type Store } from '~/core/session/client'
import { openQueryCache } from '~/core/session/query-client'
import { databaseAtom } from '~/core/session/session'
import { momentForms } from '~/immudb/moment'
import TransactionsScreen from '~/screens/transactions/TransactionsScreen'
import { stubLayout } from '../../support/layout'
import { mixedTxs, PastServer, type PastTx, pastTxs } from '../../support/past-server'

// Looking things up by role is slow without a browser; a busy machine makes it slower.
vi.setConfig({ testTimeout: 30_000 })

let server: PastServer
let store: Store
let history: string[]
let go: (path: string) => void

beforeEach(() => {
  stubLayout({ width: 1_200, height: 600 })
  begin()
})

/** Opens a database with these transactions; its state is asked for at once. */
function begin(txs = pastTxs): void {
  server = new PastServer()
  server.txs = txs
  store = createStore()
  connect(store, '/api', server.answer)
  openQueryCache(store)
  store.set(databaseAtom, 'odd')
  store.sub(stateAtom, () => {})
}

async function show(path: string): Promise<void> {
  const location = memoryLocation({ path, record: true })
  history = location.history
  go = (path) => act(() => location.navigate(path))
  await act(async () =>
    render(
      <Provider store={store}>
        <Router hook={location.hook} searchHook={location.searchHook}>
          <main id="content" tabIndex={-1}>
            <TransactionsScreen />
          </main>
        </Router>
      </Provider>,
    ),
  )
}

const grid = () => screen.findByRole('grid', { name: 'Transactions' })
const rowOf = async (id: number) => {
  const name = new RegExp(`^tx ${id.toLocaleString('en-GB')}\\b`)
  return within(await grid()).findByRole('row', { name })
}

/** Lines of a list that are lower than its box, so that several are drawn. */
function lowLines(): void {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockImplementation(function (
    this: HTMLElement,
  ) {
    return this.tagName === 'LI' ? 40 : 600
  })
}

/** The recorded transactions again and again under new numbers. */
const longHistory = (count: number): PastTx[] =>
  Array.from({ length: count }, (_, at) => {
    const { header, entries = [] } = pastTxs[at % pastTxs.length] ?? { header: {} as never }
    return { header: { ...header, id: String(at + 1), prevAlh: '' }, entries }
  })

describe('the list', () => {
  test('names what each transaction touched, by kind', async () => {
    await show('/tx?db=odd')
    await within(await rowOf(31)).findByText('greeting')
    await within(await rowOf(29)).findByText('Documents')
    await within(await rowOf(29)).findByText('orders')
    await within(await rowOf(22)).findByText('gone')
    within(await rowOf(27)).getByText('Schema')
  })

  test('tells a collection from a table of the same number', async () => {
    begin(mixedTxs)
    await show('/tx?db=odd')
    const changed = within(await rowOf(13))
    changed.getByText('Documents')
    changed.getByText('collection 1')
    expect(changed.queryByText('SQL')).toBeNull()
  })

  test('C12 names, and the numbers that stand for unread ones, are not for a browser to translate', async () => {
    begin(mixedTxs)
    await show('/tx?db=odd')
    await rowOf(13)
    const translated = (text: string) =>
      screen
        .getAllByText(text)
        .map((one) => one.closest('[translate]')?.getAttribute('translate') ?? 'yes')
    expect(new Set(translated('collection 1'))).toEqual(new Set(['no']))
    cleanup()
    begin(mixedTxs)
    await show('/tx?db=odd&id=13')
    await screen.findByRole('heading', { name: 'Entries of indexes (2)' })
    expect(new Set(translated('collection 1'))).toEqual(new Set(['no']))
  })

  test('of any length asks for the same', async () => {
    const costs: number[] = []
    for (const count of [1_000, 20_000]) {
      server.txs = longHistory(count)
      server.asked.length = 0
      store.set(databaseAtom, `long${count}`)
      await show('/tx?db=odd')
      await rowOf(count)
      expect((await grid()).getAttribute('aria-rowcount')).toBe(String(count + 1))
      costs.push(server.asked.filter((one) => /^\d+ \d+$/.test(one)).length)
      cleanup()
    }
    expect(costs[1]).toBe(costs[0])
    expect(costs[0]).toBe(1)
  })

  test('stays while transactions arrive, which wait until they are asked for', async () => {
    begin(longHistory(1_000))
    await show('/tx?db=odd')
    await rowOf(1_000)
    const box = await grid()
    for (const count of [1_001, 1_003]) {
      server.txs = longHistory(count)
      await act(() => store.get(stateAtom).refetch())
      await screen.findByRole('button', { name: `${count - 1_000} newer` })
    }
    expect(box.scrollTop).toBe(0)
    expect(history.at(-1)).toBe('/tx?db=odd')
    expect(screen.queryByText('tx 1,003')).toBeNull()
    expect(box.getAttribute('aria-rowcount')).toBe('1001')
    fireEvent.click(screen.getByRole('button', { name: '3 newer' }))
    await rowOf(1_003)
    expect(box.scrollTop).toBe(0)
    expect(screen.queryByRole('button', { name: /newer/ })).toBeNull()
  })

  test('stays where it was scrolled to, and newer ones bring it back to its top', async () => {
    begin(longHistory(1_000))
    await show('/tx?db=odd&tx=500')
    await rowOf(500)
    const box = await grid()
    expect(box.scrollTop).toBe(500 * 36)
    server.txs = longHistory(1_001)
    await act(() => store.get(stateAtom).refetch())
    const newer = await screen.findByRole('button', { name: '1 newer' })
    expect(box.scrollTop).toBe(500 * 36)
    fireEvent.click(newer)
    await rowOf(1_001)
    expect(box.scrollTop).toBe(0)
    expect(history.at(-1)).toBe('/tx?db=odd')
  })

  test.each(['/tx?db=odd', '/tx?db=odd&tx=1500'])(
    'of millions reaches its last one from %s',
    async (path) => {
      server.txs = longHistory(2_000)
      const million = 2_000_000
      connect(store, '/api', async (input, init) => {
        const path = String(input)
        if (path.endsWith('/db/state'))
          return Response.json({ db: 'odd', txId: `${million}`, txHash: 'AAAA' })
        if (!path.endsWith('/db/tx')) return server.answer(input, init)
        const { initialTx, limit } = JSON.parse(String(init?.body))
        const txs = Array.from({ length: limit }, (_, at) => Number(initialTx) + at)
          .filter((id) => id <= million)
          .map((id) => ({ header: { id: String(id), prevAlh: '', ts: '1' }, entries: [] }))
        return Response.json({ txs })
      })
      await act(() => store.get(stateAtom).refetch())
      await show(path)
      const box = await grid()
      fireEvent.keyDown(box, { key: 'End' })
      const last = await rowOf(1)
      expect(Number.parseInt(last.style.top, 10)).toBeLessThan(3_000_000)
      expect(last.getAttribute('aria-rowindex')).toBe('2000001')
      fireEvent.keyDown(box, { key: 'Home' })
      await rowOf(million)
    },
  )

  test('is walked by keys, and Enter opens', async () => {
    await show('/tx?db=odd')
    await rowOf(31)
    const box = await grid()
    fireEvent.keyDown(box, { key: 'ArrowDown' })
    fireEvent.keyDown(box, { key: 'ArrowDown' })
    expect(box.getAttribute('aria-activedescendant')).toMatch(/-30$/)
    fireEvent.keyDown(box, { key: 'End' })
    fireEvent.keyDown(box, { key: 'ArrowUp' })
    fireEvent.keyDown(box, { key: 'Enter' })
    expect(history.at(-1)).toBe('/tx?db=odd&id=2')
  })

  test('continues by keys where a jump led to', async () => {
    await show('/tx?db=odd')
    await rowOf(31)
    const field = screen.getByLabelText('Go to a transaction or time')
    fireEvent.change(field, { target: { value: '20' } })
    fireEvent.submit(field)
    expect(history.at(-1)).toBe('/tx?db=odd&tx=20')
    const box = await grid()
    act(() => box.focus())
    fireEvent.keyDown(box, { key: 'Enter' })
    expect(history.at(-1)).toBe('/tx?db=odd&id=20')
  })

  test('keeps the keyboard on its way to a transaction and back', async () => {
    await show('/tx?db=odd')
    await rowOf(31)
    const box = await grid()
    act(() => box.focus())
    fireEvent.keyDown(box, { key: 'ArrowDown' })
    fireEvent.keyDown(box, { key: 'Enter' })
    await screen.findByRole('heading', { name: 'Transaction 30' })
    expect(document.activeElement?.id).toBe('content')
    go('/tx?db=odd')
    await rowOf(31)
    expect(document.activeElement).toBe(await grid())
    expect((await grid()).getAttribute('aria-activedescendant')).toMatch(/-30$/)
  })

  test('keeps the filter in the address, and says how far it looked', async () => {
    await show('/tx?db=odd&kind=documents')
    await screen.findByText(
      /^3 matches\. Looked at tx 31 down to tx 1\. That is the whole history\./,
    )
    expect(screen.getAllByRole('row')).toHaveLength(4)
    expect(screen.queryByRole('button', { name: 'Look further' })).toBeNull()
  })

  test.each([
    ['greeting', /^\d+ matches\. Looked at tx 31 down to tx 1\./, [31, 1]],
    ['FLOUR', /whole history/, [10, 16]],
    ['gone', /whole history/, [22]],
    ['orders', /whole history/, [27, 28, 29]],
    ['nothing of this name', /^0 matches\. Looked at tx 31 down to tx 1\./, []],
  ])('finds what touched %s, and says how far it looked', async (typed, words, ids) => {
    await show('/tx?db=odd')
    await rowOf(31)
    const field = screen.getByLabelText('What it touched')
    fireEvent.change(field, { target: { value: typed } })
    fireEvent.submit(field)
    await screen.findByText(words, { selector: '[role=status]' })
    expect(history.at(-1)).toBe(`/tx?${new URLSearchParams({ db: 'odd', touched: typed })}`)
    for (const id of ids) await rowOf(id)
  })

  test('finds the documents of a user', async () => {
    await show('/tx?db=odd&touched=immudb')
    await screen.findByText(/^\d+ matches\./, { selector: '[role=status]' })
    await rowOf(28)
    expect(within(await grid()).queryByText('greeting')).toBeNull()
  })

  test('looks further when asked to', async () => {
    server.txs = longHistory(3_000)
    store.set(databaseAtom, 'long')
    await show('/tx?db=odd&kind=truncation')
    await screen.findByText(/Looked at tx 3,000 down to tx 1,001\./, { selector: '[role=status]' })
    fireEvent.click(screen.getByRole('button', { name: 'Look further' }))
    await screen.findByText(/down to tx 1\. That is the whole history\./)
  })

  test('stops looking when asked to, says how far it came, and goes on from there', async () => {
    server.txs = longHistory(3_000)
    let isHeld = true
    connect(store, '/api', (input, init) =>
      isHeld && String(init?.body).includes('"initialTx":"2501"')
        ? new Promise<Response>((_, refuse) => {
            init?.signal?.addEventListener('abort', () => refuse(init.signal?.reason))
          })
        : server.answer(input, init),
    )
    await show('/tx?db=odd&kind=truncation')
    const says = (text: RegExp) => screen.findByText(text, { selector: '[role=status]' })
    await says(/^0 matches\. Looked at tx 3,000 down to tx 2,751\. Looking further…/)
    expect(screen.queryByRole('button', { name: 'Look further' })).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'Stop' }))
    await says(/^0 matches\. Looked at tx 3,000 down to tx 2,751\.$/)
    isHeld = false
    fireEvent.click(screen.getByRole('button', { name: 'Look further' }))
    await says(/^0 matches\. Looked at tx 3,000 down to tx 751\.$/)
    expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull()
  })

  test.each([
    ['999', 'No transaction 999; the newest is 31.'],
    ['-1', 'Transactions are numbered from 1.'],
    ['0', 'Transactions are numbered from 1.'],
    ['99999999999999999999', 'No transaction 99,999,999,999,999,999,999; the newest is 31.'],
    ['soon', momentForms],
  ])('a jump to %s is answered', async (typed, answer) => {
    await show('/tx?db=odd')
    await rowOf(31)
    const field = screen.getByLabelText('Go to a transaction or time')
    fireEvent.change(field, { target: { value: typed } })
    fireEvent.submit(field)
    await screen.findByText(answer)
  })

  test('shows what failed and reads it again', async () => {
    let isDown = true
    connect(store, '/api', async (input, init) =>
      isDown && String(input).endsWith('/db/tx')
        ? Response.json({ error: 'no', code: 2, message: 'no' }, { status: 500 })
        : server.answer(input, init),
    )
    await show('/tx?db=odd')
    await screen.findByText(/^These transactions could not be read\./)
    isDown = false
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await within(await rowOf(31)).findByText('greeting')
  })

  test('ends at the moment in the address', async () => {
    noteAddressedMoment(store, 'odd', 'tx:12')
    await show('/tx?db=odd&at=tx:12')
    await rowOf(12)
    screen.getByText('Ends at tx 12')
    screen.getByRole('button', { name: 'As of tx 12' })
    screen.getByRole('button', { name: 'Back to now' })
    expect(within(await grid()).queryByText('tx 13')).toBeNull()
  })

  test.for([
    ['the whole list', '/tx?db=odd', 31, 13],
    ['a filtered list', '/tx?db=odd&kind=keys&tx=31', 31, 4],
  ] as const)(
    'ends at a moment that is chosen while it is open, and goes on from there: %s',
    async ([, path, first, then]) => {
      await show(path)
      await rowOf(first)
      const ids = async () =>
        within(await grid())
          .getAllByRole('link')
          .flatMap((link) => Number(/^tx (\d+)$/.exec(link.textContent ?? '')?.[1] ?? []))
      act(() => noteAddressedMoment(store, 'odd', `tx:${then}`))
      await rowOf(then)
      expect(Math.max(...(await ids()))).toBe(then)
      act(() => noteAddressedMoment(store, 'odd', undefined))
      await rowOf(first)
      expect(Math.max(...(await ids()))).toBe(first)
    },
  )

  test('of a moment that never was is none, and says why', async () => {
    await act(async () => noteAddressedMoment(store, 'odd', 'tx:999'))
    await show('/tx?db=odd&at=tx:999')
    await screen.findByText('There is no transaction 999. The newest is 31.')
    screen.getByText(/^No transactions are shown, because this moment cannot be\./)
    expect(screen.queryByRole('grid', { name: 'Transactions' })).toBeNull()
    expect(screen.getByText('Newest: tx 31')).toBeTruthy()
  })

  test('of an empty database says so', async () => {
    begin([])
    await show('/tx?db=odd')
    await screen.findByText('Nothing was ever written to this database.')
  })
})

describe('one transaction', () => {
  test('explains its header', async () => {
    await show('/tx?db=odd&id=28')
    await screen.findByRole('heading', { name: 'Transaction 28' })
    await screen.findByText('for documents the user who wrote them', { exact: false })
    fireEvent.click(screen.getByRole('button', { name: 'Show all header fields' }))
    screen.getByText('the root of a tree over the digests of all entries', { exact: false })
    const asOf = screen.getByRole('link', { name: 'Open the database as of this transaction' })
    expect(asOf.getAttribute('href')).toBe('/query?db=odd&at=tx%3A28')
  })

  test('shows changes of the catalogue as SQL', async () => {
    await show('/tx?db=odd&id=16')
    await screen.findByText('ALTER TABLE flour RENAME COLUMN grade TO kind;')
  })

  test('shows a row before and after', async () => {
    const columns = ['id', 'name', 'amount'].map((name) => ({
      name: `(pieces.${name})`,
      type: name === 'name' ? 'VARCHAR' : 'INTEGER',
    }))
    const rows = [{ values: [{ n: '1' }, { s: 'bolt' }, { n: '3' }] }]
    server.queries = () => ({ columns, rows })
    await show('/tx?db=odd&id=13')
    const row = (await screen.findByRole('rowheader', { name: 'name changed' })).closest('tr')
    expect([...(row?.querySelectorAll('td') ?? [])].map((cell) => cell.textContent)).toEqual([
      'bolt',
      'screw',
    ])
    expect(server.asked).toContain('/db/sqlquery')
  })

  test('says why what was before is not known', async () => {
    connect(store, '/api', async (input, init) =>
      String(input).endsWith('/db/sqlquery')
        ? Response.json({ error: 'denied', code: 7, message: 'denied' }, { status: 403 })
        : server.answer(input, init),
    )
    await show('/tx?db=odd&id=13')
    await screen.findByText(/^What it was before could not be read\./)
  })

  test('counts what the server hides, and shows it by its digest', async () => {
    connect(store, '/api', async (input, init) =>
      String(input).includes('entriesSpec')
        ? Response.json({ header: pastTxs[0]?.header })
        : server.answer(input, init),
    )
    await show('/tx?db=odd&id=1')
    await screen.findByText(/^The server does not send the values of 1 entry\./)
    screen.getByText(/shown by its digest:/)
  })

  test('names the collection of a document whose indexed fields change, never a table', async () => {
    lowLines()
    begin(mixedTxs)
    await show('/tx?db=odd&id=13')
    await screen.findByRole('heading', { name: 'Entries of indexes (2)' })
    const titled = (text: string) => (_: string, element: Element | null) =>
      element?.tagName !== 'BDI' && element?.textContent === text
    await screen.findAllByText(titled('index 1 of collection 1'))
    await screen.findAllByText(titled('index 2 of collection 1'))
    screen.getAllByText('The document left its place', { exact: false })
    screen.getByRole('heading', { name: 'Documents (1)' })
    expect(screen.queryByText('SQL')).toBeNull()
    expect(screen.queryByText(/table/)).toBeNull()
  })

  test('says in plain words what the schema of a collection got', async () => {
    lowLines()
    begin(mixedTxs)
    await show('/tx?db=odd&id=11')
    await screen.findByText('Primary index: documents by their ids.')
    await screen.findByText('Index number 1, over one field.')
    await screen.findByText('Index number 2, over 2 fields.')
    screen.getByText('Field number 1, type STRING.')
    screen.getByText('Field number 2, type INTEGER.')
    expect(screen.queryByText(/was written/)).toBeNull()
  })

  test('is named as a moment from its page', async () => {
    await show('/tx?db=odd&id=28')
    fireEvent.click(await screen.findByRole('button', { name: 'Name this moment…' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Name tx 28' }))
    fireEvent.click(dialog.getByRole('button', { name: 'Prove and name it' }))
    await dialog.findByText('A moment needs a name.')
  })

  test('with more entries than one answer takes shows its header', async () => {
    server.wide = new Set(['7'])
    await show('/tx?db=odd&id=7')
    await screen.findByText(/^The digests of its 11 entries are more than one answer takes/)
  })

  test('goes to its neighbours by brackets', async () => {
    await show('/tx?db=odd&id=30')
    await screen.findByRole('heading', { name: 'Transaction 30' })
    fireEvent.keyDown(document.body, { key: ']' })
    await screen.findByRole('heading', { name: 'Transaction 31' })
    const next = await screen.findByRole('button', { name: 'Next transaction' })
    expect(next.getAttribute('aria-disabled')).toBe('true')
    fireEvent.keyDown(document.body, { key: '[' })
    await screen.findByRole('heading', { name: 'Transaction 30' })
  })

  test.each([
    ['99', 'No transaction 99; the newest is 31.'],
    ['0', '“0” is not the number of a transaction. They are numbered from 1.'],
    ['-1', '“-1” is not the number of a transaction. They are numbered from 1.'],
    ['18446744073709551616', /^“18446744073709551616” is not the number of a transaction\./],
  ])('%s is answered in the page', async (id, answer) => {
    await show(`/tx?db=odd&id=${id}`)
    await screen.findByText(answer)
  })
})
