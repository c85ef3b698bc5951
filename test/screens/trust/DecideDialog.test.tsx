import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { Provider } from 'jotai'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { TrustParts } from '~/app/trust/TrustParts'
import type { Store } from '~/core/session/client'
import { openQueryCache } from '~/core/session/query-client'
import { databaseIdAtom } from '~/core/session/session'
import { hexOf } from '~/lib/bytes'
import { acknowledgeBreak } from '~/trust/decisions'
import { trustAtom } from '~/trust/trust'
import { trustedStatesAtom } from '~/trust/trusted-states'
import { verifyObject } from '~/trust/verify-object'
import { verifyState } from '~/trust/verify-state'
import { historyOf, ProvingServer, refusal, tabOf } from '../../support/proving-server'
import { keyAlone } from '../../support/questions'

// Parts are fetched when they are first shown.
vi.setConfig({ testTimeout: 30_000 })

let server: ProvingServer
let store: Store

beforeEach(async () => {
  server = new ProvingServer(historyOf(5))
  store = tabOf(server)
  openQueryCache(store)
  await verifyState(store)
})

async function forge() {
  server.change = (answer, path) => (path.endsWith('/get') ? { ...answer, entry: {} } : answer)
  await verifyObject(store, keyAlone('k2'))
  server.change = (answer) => answer
}

async function rollBack() {
  server.history = historyOf(3)
  await verifyState(store)
}

async function show() {
  const { hook, searchHook } = memoryLocation({ path: '/query' })
  await act(async () => {
    render(
      <Provider store={store}>
        <Router hook={hook} searchHook={searchHook}>
          <TrustParts />
        </Router>
      </Provider>,
    )
  })
  return within(await screen.findByRole('region', { name: 'Broken history' }))
}

async function openDialog() {
  const bar = await show()
  await act(async () => fireEvent.click(bar.getByRole('button', { name: 'Resolve…' })))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.change(dialog.getByLabelText('Name of the database'), { target: { value: 'db' } })
  return dialog
}

type Dialog = Awaited<ReturnType<typeof openDialog>>

async function choose(dialog: Dialog, choice: RegExp, action: string) {
  fireEvent.click(dialog.getByRole('radio', { name: choice }))
  await act(async () => fireEvent.click(dialog.getByRole('button', { name: action })))
}

describe('an alarm that is to end', () => {
  test('says that nothing was checked while the server is away', async () => {
    await rollBack()
    const dialog = await openDialog()
    server.instead = () => Promise.reject(new TypeError('fetch failed'))
    await choose(dialog, /^Check once more/, 'Check once more')
    await dialog.findByText(
      'It could not be checked once more. The immudb server cannot be reached.',
    )
    server.instead = () => undefined
    await choose(dialog, /^Check once more/, 'Check once more')
    await dialog.findByText('It was checked again, and is still broken.')
  })

  test('ends on the word of an operator, with a reason, when it can be proven no more', async () => {
    await forge()
    const dialog = await openDialog()
    expect(dialog.queryByRole('radio', { name: /^End the alarm/ })).toBeNull()
    server.instead = (path) =>
      path.endsWith('/get') ? refusal('tbtree: key not found') : undefined
    await choose(dialog, /^Check it once more/, 'Check it once more')
    await dialog.findByText(
      'It could not be proven now. The server finds nothing there. No proof can show that something is missing. You can end the alarm without a proof.',
      {},
      { timeout: 5_000 },
    )
    await choose(dialog, /^End the alarm/, 'End the alarm')
    dialog.getByText('Say why, for the log.')
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'it expired' } })
    await choose(dialog, /^End the alarm/, 'End the alarm')
    expect(store.get(trustAtom).kind).toBe('first')
    expect(screen.queryByRole('region', { name: 'Broken history' })).toBeNull()
    expect(await store.get(trustedStatesAtom).log()).toContainEqual(
      expect.objectContaining({ what: 'acknowledged', reason: 'it expired' }),
    )
  })

  test('by what is proven keeps the reason that was given, too', async () => {
    const honest = server.history
    await rollBack()
    const dialog = await openDialog()
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'disk was exchanged' } })
    server.history = honest
    await choose(dialog, /^Check once more/, 'Check once more')
    expect(screen.queryByRole('region', { name: 'Broken history' })).toBeNull()
    expect((await store.get(trustedStatesAtom).log()).at(-1)).toMatchObject({
      what: 'matched-again',
      reason: 'disk was exchanged',
    })
  })

  test('keeps a typed reason from Escape', async () => {
    await rollBack()
    const dialog = await openDialog()
    fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'found by' } })
    await act(async () => fireEvent.keyDown(document.activeElement ?? document, { key: 'Escape' }))
    expect(dialog.getByLabelText<HTMLInputElement>('Reason').value).toBe('found by')
    screen.getByRole('dialog')
    await act(async () => fireEvent.click(dialog.getByRole('button', { name: 'Cancel' })))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('forgets nothing without a reason', async () => {
    await rollBack()
    const dialog = await openDialog()
    await choose(dialog, /^Forget the trusted state/, 'Forget the state')
    dialog.getByText('Say why, for the log.')
    expect(store.get(trustAtom).kind).toBe('broken')
  })
})

test('a second finding opens the folded bar, and the first one keeps its evidence', async () => {
  await forge()
  await acknowledgeBreak(store, 'keep', 'seen')
  const bar = await show()
  bar.getByText(/^You chose at/)
  await act(rollBack)
  const now = within(await screen.findByRole('region', { name: 'Broken history' }))
  expect(now.getByRole('alert').textContent).toBe(
    'BROKEN: the history of db is shorter than recorded.',
  )
  expect(now.queryByText(/^You chose at/)).toBeNull()
  const others = within(now.getByRole('region', { name: 'Other findings' }))
  expect(others.getByRole('listitem').textContent).toContain('in key k2: ')
  others.getByRole('button', { name: 'Save evidence' })
  now.getByRole('button', { name: 'Write anyway…' })
})

test('a finding of a proof is told by the reason why it was refused', async () => {
  await forge()
  const bar = await show()
  bar.getByText(/The answer is about something other than what was asked for\./)
})

test('a state without a signature is not said to have another hash', async () => {
  const { origin, server: name } = store.get(databaseIdAtom)('db')
  const key =
    'BIkpHnN7KWOJR8pVNpfjLbzKHzpkLj70X4Aa2EDNeqjkM9dNBIcNz681GE4OixO7lOAtRIwj5ITTEAPCTFDt0kI='
  await store.get(trustedStatesAtom).pinKey(origin, name, key)
  await verifyState(store)
  const bar = await show()
  bar.getByText(/is not signed\.$/)
  expect(bar.getByText('Expected').nextSibling?.textContent).toBe('a signature of the pinned key')
  expect(bar.getByText('Received').nextSibling?.textContent).toBe('no signature')
  expect(bar.queryByRole('button', { name: /^Copy/ })).toBeNull()
})

test('a hash of a finding stands beside the transaction that it is of', async () => {
  server.history = historyOf(7, 'b')
  await verifyState(store)
  const bar = await show()
  bar.getByText(/does not continue what was recorded\.$/)
  expect(bar.getByText('Expected').nextSibling?.textContent).toMatch(/^tx 5 /)
  // The proof has another hash for it; what transaction 7 has was not compared.
  const received = bar.getByText('Received').nextSibling
  expect(received?.textContent).toMatch(/^tx 5 /)
  const shown = (received as HTMLElement).querySelector('code')?.title
  expect(shown).toBe(hexOf(server.history.point(5).txHash))
})
