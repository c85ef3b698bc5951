import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { Provider } from 'jotai'
import { beforeEach, expect, test, vi } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { TrustParts } from '~/app/trust/TrustParts'
import type { Store } from '~/core/session/client'
import { openQueryCache } from '~/core/session/query-client'
import { ProofDrawer } from '~/screens/proof/ProofDrawer'
import type { DecideDialog } from '~/screens/trust/DecideDialog'
import type { Finding } from '~/screens/trust/Finding'
import { checkById } from '~/trust/proof-drawer'
import { verifyState } from '~/trust/verify-state'
import { historyOf, keptDoor, ProvingServer, tabOf } from '../../support/proving-server'

/** Modules that have come, and what is to fail. */
const { come, broken } = vi.hoisted(() => ({
  come: new Set<string>(),
  broken: new Set<'finding' | 'dialog' | 'file'>(),
}))

vi.mock('~/screens/trust/DecideDialog', async (original) => {
  come.add('DecideDialog')
  const real = await original<{ DecideDialog: typeof DecideDialog }>()
  const Shown: typeof DecideDialog = (props) => {
    if (broken.has('dialog')) throw new Error('no dialog')
    return <real.DecideDialog {...props} />
  }
  return { DecideDialog: Shown }
})

vi.mock('~/screens/trust/TrustBars', async (original) => {
  come.add('WriteDialog')
  return original<object>()
})

vi.mock('~/screens/trust/Finding', async (original) => {
  const real = await original<{ Finding: typeof Finding }>()
  const Shown: typeof Finding = (props) => {
    if (broken.has('finding')) throw new Error('no finding')
    return <real.Finding {...props} />
  }
  return { Finding: Shown }
})

vi.mock('~/proof/evidence', async (original) => {
  come.add('evidence')
  return original<object>()
})

vi.mock('~/ui/file', async (original) => ({
  ...(await original<object>()),
  saveFile: () => {
    if (broken.has('file')) throw new Error('no room')
  },
}))

let server: ProvingServer
let store: Store

beforeEach(async () => {
  broken.clear()
  const door = keptDoor()
  await verifyState(tabOf(new ProvingServer(historyOf(5)), door))
  server = new ProvingServer(historyOf(3))
  store = tabOf(server, door)
  openQueryCache(store)
  await verifyState(store)
  // What React says of a part that failed is what these tests are about.
  vi.spyOn(console, 'error').mockImplementation(() => {})
})

async function show(part = <TrustParts />) {
  const { hook, searchHook } = memoryLocation({ path: '/query' })
  await act(async () =>
    render(
      <Provider store={store}>
        <Router hook={hook} searchHook={searchHook}>
          {part}
        </Router>
      </Provider>,
    ),
  )
}

const bar = () => screen.findByRole('region', { name: 'Broken history' })
const press = (button: HTMLElement) => act(async () => void fireEvent.click(button))

test('the bar brings all along that its buttons need, as long as someone is there to give it', () => {
  expect([...come].sort()).toEqual(['DecideDialog', 'WriteDialog', 'evidence'])
})

test('evidence that could not be saved is said, with what to do, and can be saved again', async () => {
  await show()
  broken.add('file')
  const save = within(await bar()).getByRole('button', { name: 'Save evidence' })
  await press(save)
  const note = (await within(await bar()).findByText('The evidence could not be saved.')).closest(
    '[role=alert]',
  )
  expect(note?.textContent).toContain('Keep this page open')
  expect(save.getAttribute('aria-busy')).not.toBe('true')
  broken.clear()
  await press(save)
  expect(within(await bar()).queryByText('The evidence could not be saved.')).toBeNull()
})

test('evidence of a proof that could not be saved is said in its drawer', async () => {
  store = tabOf(new ProvingServer(historyOf(3)))
  await checkById(store, { kind: 'tx', tx: '2' })
  await show(<ProofDrawer />)
  const dialog = await screen.findByRole('dialog')
  const save = await within(dialog).findByRole('button', { name: 'Save evidence' })
  broken.add('file')
  await press(save)
  await within(dialog).findByText('The evidence could not be saved.')
  expect(save.getAttribute('aria-busy')).not.toBe('true')
})

test('a dialog that cannot be shown leaves the bar and its evidence', async () => {
  await show()
  broken.add('dialog')
  await press(within(await bar()).getByRole('button', { name: 'Resolve…' }))
  within(await bar()).getByText('The dialog could not be shown.')
  within(await bar()).getByRole('button', { name: 'Save evidence' })
  broken.clear()
  await press(within(await bar()).getByRole('button', { name: 'Try again' }))
  await screen.findByRole('dialog', { name: 'The history of db is broken' })
})

test('a bar that cannot be shown says at least that the history is broken', async () => {
  broken.add('finding')
  await show()
  const alert = within(await bar()).getByRole('alert')
  expect(alert.textContent).toMatch(/^BROKEN: the history of .*db.* is shorter than recorded\./)
  broken.clear()
  await press(within(await bar()).getByRole('button', { name: 'Try again' }))
  within(await bar()).getByRole('button', { name: 'Save evidence' })
})
