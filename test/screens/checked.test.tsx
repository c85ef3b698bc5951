import { act, fireEvent, screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { ProofDrawer } from '~/screens/proof/ProofDrawer'
import { CheckedList } from '~/screens/verify/check/CheckPane'
import { checkById, closeProof } from '~/trust/proof-drawer'
import { verifyState } from '~/trust/verify-state'
import type { Json } from '../support/history'
import { historyOf, ProvingServer, tabOf } from '../support/proving-server'
import { showPart } from '../support/show-part'

// Parts are fetched when they are first shown.
vi.setConfig({ testTimeout: 30_000 })

test('a transaction whose entries are left out is verified in part, now and in the list', async () => {
  const server = new ProvingServer(historyOf(5))
  const store = tabOf(server)
  await verifyState(store)
  await verifyState(store)
  server.change = (answer, path) => {
    if (!path.startsWith('/db/verifiable/tx/2')) return answer
    return { ...answer, tx: { header: (answer.tx as Json).header } }
  }
  await checkById(store, { kind: 'tx', tx: '2' })
  const shown = await showPart(
    store,
    <>
      <CheckedList />
      <ProofDrawer />
    </>,
  )
  const isInPart = async () => {
    const dialog = await screen.findByRole('dialog')
    await within(dialog).findByText('Verified in part')
    within(dialog).getByText(/its entries were not given/i)
  }
  await isInPart()
  act(() => closeProof(store))
  expect(within(screen.getByRole('listitem')).getByText('In part')).toBeDefined()
  expect(shown.innerHTML).not.toMatch(/(text|border|bg)-verified/)
  await act(async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Show the proof of transaction 2' }))
  })
  await isInPart()
})
