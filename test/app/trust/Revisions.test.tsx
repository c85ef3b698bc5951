import { act, render, screen } from '@testing-library/react'
import { Provider } from 'jotai'
import { beforeAll, expect, test, vi } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { Revisions } from '~/app/trust/Revisions'
import { openRevisionsAtom } from '~/atoms/revisions/open-revisions'
import { databaseAtom } from '~/core/session/session'
import { RevisionServer, tabWith } from '../../support/revision-server'

// Fetched when it is first shown, which may take a busy machine long.
beforeAll(async () => void (await import('~/screens/revisions/RevisionDrawer')), 60_000)

const row = { kind: 'row', database: 'db', table: 't', key: [{ n: '1' }] } as const
const title = 'History of row id = 1 of t'

async function show(path: string) {
  const store = tabWith(new RevisionServer([{ tx: 5, v: 'one' }], 9))
  const { hook, searchHook, navigate } = memoryLocation({ path })
  render(
    <Provider store={store}>
      <Router hook={hook} searchHook={searchHook}>
        <Revisions />
      </Router>
    </Provider>,
  )
  return { store, go: (to: string) => act(async () => navigate(to)) }
}

const isClosed = () =>
  vi.waitFor(() => expect(screen.queryByRole('dialog', { name: /^History of/ })).toBeNull())

test('a history over a page goes with the page, and stays closed', async () => {
  const { store, go } = await show('/tx?db=db&id=5')
  await act(() => store.set(openRevisionsAtom, { ...row }))
  await screen.findByRole('dialog', { name: title })
  await go('/tx?db=db')
  await isClosed()
  await go('/tx?db=db&id=5')
  await isClosed()
  await act(() => store.set(openRevisionsAtom, { ...row }))
  await screen.findByRole('dialog', { name: title })
})

test('a history of one database is not shown over another', async () => {
  const { store } = await show('/tx?db=db&id=5')
  await act(() => store.set(openRevisionsAtom, { ...row }))
  await screen.findByRole('dialog', { name: title })
  await act(() => store.set(databaseAtom, 'other'))
  await isClosed()
})

test('that of an address is not shown while its database is about to be opened', async () => {
  const { store } = await show('/query?db=other&table=t&row=n:1')
  await isClosed()
  await act(() => store.set(databaseAtom, 'other'))
  await screen.findByRole('dialog', { name: /^History of/ })
})
