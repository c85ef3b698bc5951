import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { Provider } from 'jotai'
import { queryClientAtom } from 'jotai-tanstack-query'
import { describe, expect, test, vi } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { noteAddressedMoment, stateAtom } from '~/core/history/newest-state'
import { databaseAtom, openIdAtom } from '~/core/session/session'
import { momentForms } from '~/immudb/moment'
import { momentsStorageKey } from '~/lib/storage-keys'
import { AsOfButton, AsOfStrip } from '~/screens/moments/AsOf'
import { fakeImmudb } from '../../support/fake-immudb'
import { openTab, signIn } from '../../support/store'

/** The button and the strip of a database of 20 transactions, of which the twelfth has a name. */
async function show(at: string, name: string, isImported = false) {
  const server = fakeImmudb()
  let slow: Promise<unknown> = Promise.resolve()
  const ask = server.fetch
  const slowly: typeof fetch = async (...asked) => {
    if (String(asked[0]).endsWith('/db/tx')) await slow
    return ask(...asked)
  }
  server.databases.set('defaultdb', { isLoaded: true, txId: 20, tables: new Map() })
  const tab = openTab({ ...server, fetch: slowly })
  await signIn(tab)
  const { store } = tab
  store.set(databaseAtom, 'defaultdb')
  store.sub(stateAtom, () => {})
  const { origin, server: id } = store.get(openIdAtom)
  const moment = {
    name,
    origin,
    server: id,
    database: 'defaultdb',
    txId: '12',
    txHash: btoa('x'.repeat(32)),
    at: 1_700_000_000_000,
    isImported,
  }
  tab.driver.values.set(momentsStorageKey, { moments: [moment] })
  noteAddressedMoment(store, 'defaultdb', at)
  const location = memoryLocation({ path: '/keys', record: true })
  render(
    <Provider store={store}>
      <Router hook={location.hook} searchHook={location.searchHook}>
        <AsOfStrip />
        <AsOfButton />
      </Router>
    </Provider>,
  )
  const slowDown = (until: Promise<unknown>) => {
    slow = until
  }
  return { location, slowDown, queries: store.get(queryClientAtom) }
}

const button = (name: string | RegExp) => screen.findByRole('button', { name })

describe('the moment that is shown', () => {
  test('has its name and its transaction, in the button and in the strip', async () => {
    await show('tx:12', 'before migration')
    expect((await button('As of before migration (tx 12)')).textContent).toMatch(/^As of/)
    await screen.findByText('before migration', { selector: '[role=status] *' })
    const strip = screen.getByRole('status')
    expect(strip.textContent).toMatch(/^As of before migration, tx 12/)
    const link = within(strip).getByRole('link', { name: 'tx 12' })
    expect(link.getAttribute('href')).toBe('/tx?db=defaultdb&id=12')
  })

  test('has no name where another transaction, a time or now is shown', async () => {
    await show('tx:11', 'before migration')
    await button('As of tx 11')
    await screen.findByText('tx 11', { selector: '[role=status] *' })
    expect(screen.getByRole('status').textContent).toMatch(/^As of tx 11/)
  })

  test('is text, whatever its name says, and whole in the title', async () => {
    const hostile = `<img src=x onerror=alert(1)>\u202E${'n'.repeat(50)}`
    await show('tx:12', hostile)
    const found = await button(/^As of <img src=x onerror=alert\(1\)>.*\(tx 12\)$/)
    expect(document.querySelector('img')).toBeNull()
    expect(found.textContent).not.toContain('\u202E')
    expect(found.querySelector('[title^="<img"]')?.getAttribute('title')).toContain('n'.repeat(50))
  })
})

describe('the choice of a moment', () => {
  const opened = async () => {
    fireEvent.click(await button('As of now'))
    return within(await screen.findByRole('dialog', { name: 'As of' }))
  }
  const type = (dialog: Awaited<ReturnType<typeof opened>>, value: string) =>
    fireEvent.change(dialog.getByLabelText('Transaction or time'), { target: { value } })

  test('offers the named ones, each one press away', async () => {
    await show('', 'before migration')
    const dialog = await opened()
    dialog.getByText(/Query, Keys, Documents, Transactions and Compare/)
    fireEvent.click(await dialog.findByRole('button', { name: 'before migration tx 12' }))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('changes nothing any more once it is left while the server looks for a time', async () => {
    const { location, slowDown, queries } = await show('', 'before migration')
    let answer = () => {}
    slowDown(new Promise<void>((resolve) => (answer = resolve)))
    const dialog = await opened()
    type(dialog, '29 Nov 2025, 02:15:12 UTC')
    fireEvent.click(dialog.getByRole('button', { name: 'Apply' }))
    await vi.waitFor(() => expect(queries.isFetching()).toBe(1))
    fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
    answer()
    await vi.waitFor(() => expect(queries.isFetching()).toBe(0))
    await act(async () => {})
    expect(location.history).toEqual(['/keys'])
  })

  test('marks those of a file', async () => {
    await show('', 'before migration', true)
    const dialog = await opened()
    await dialog.findByRole('button', { name: /before migration tx 12 from a file, not checked/ })
  })

  test.each([
    ['12', 'Shows the state right after transaction 12.'],
    ['tx 12', 'Shows the state right after transaction 12.'],
    [
      '29 Nov 2025, 02:15:12 UTC',
      'Shows the state right after 2025-11-29 02:15:12 UTC. = 29 Nov 2025, 02:15:12 UTC',
    ],
    [
      '2025-11-29T02:15:12.5+01:00',
      'Shows the state right after 2025-11-29 01:15:12 UTC. = 29 Nov 2025, 01:15:12 UTC',
    ],
  ])('reads %s and says how', async (typed, reading) => {
    await show('', 'before migration')
    const dialog = await opened()
    type(dialog, typed)
    expect(dialog.getByRole('status').textContent).toContain(reading)
  })

  test.each([
    ['soon', momentForms],
    ['0', 'The first transaction is 1.'],
    ['99', 'The newest transaction is 20.'],
  ])('refuses %s with words', async (typed, words) => {
    await show('', 'before migration')
    const dialog = await opened()
    type(dialog, typed)
    expect(dialog.getAllByText(words).length).toBeGreaterThan(0)
    const apply = dialog.getByRole('button', { name: 'Apply' })
    expect(apply.getAttribute('aria-disabled')).toBe('true')
  })
})
