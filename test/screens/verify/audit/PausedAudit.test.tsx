import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { Provider } from 'jotai'
import { expect, test, vi } from 'vitest'
import type { Store } from '~/core/session/client'
import { databaseIdAtom } from '~/core/session/session'
import { startDeepAudit } from '~/proof/deep-audit'
import { readTarget, saveDeepAudit } from '~/proof/saved-audit'
import { AuditPane } from '~/screens/verify/audit/AuditPane'
import { type AuditRecord, noRecord } from '~/trust/audit/audit-record'
import { keepRecord } from '~/trust/audit/audit-store'
import { deepAuditAtom, readDeepAudit, setDeepAudit } from '~/trust/audit/deep-audit'
import { trustAtom } from '~/trust/trust'
import { verifyState } from '~/trust/verify-state'
import { historyOf, ProvingServer, tabOf } from '../../../support/proving-server'

// Parts are fetched when they are first shown.
vi.setConfig({ testTimeout: 30_000 })

function show(store: Store) {
  render(
    <Provider store={store}>
      <AuditPane />
    </Provider>,
  )
}

const button = (name: string) => screen.getByRole('button', { name })
const press = (name: string) => act(async () => fireEvent.click(button(name)))

test('the work of a paused audit is given up only after a question', async () => {
  const server = new ProvingServer(historyOf(5))
  const store = tabOf(server)
  await verifyState(store)
  const trust = store.get(trustAtom)
  const record = 'record' in trust ? trust.record : null
  if (!record) throw new Error('no trusted state')
  const saved = saveDeepAudit(startDeepAudit(readTarget(record.point), true))
  if (!saved) throw new Error('nothing to be kept')
  const counts = { values: 3, bytes: 9, documents: 0 }
  const done = { first: '1', txId: '3', last: '5', withValues: true, entries: 3 }
  const progress = { ...done, counts, active: 65_000 }
  const resting: AuditRecord['resting'] = { saved, progress, at: 1 }
  await keepRecord({ get: store.get, set: store.set }, record, { ...noRecord, resting })
  await readDeepAudit(store)
  show(store)
  await screen.findByText('Paused at transaction 3 of 5')
  await press('Start over…')
  const dialog = await screen.findByRole('dialog', {
    name: 'Give up the progress of this audit?',
  })
  within(dialog).getByText(/as far as transaction 3 in 1 m 5 s of work and can continue from there/)
  await press('Cancel')
  expect(store.get(deepAuditAtom).state.kind).toBe('paused')
  await press('Start over…')
  await press('Give it up')
  expect(store.get(deepAuditAtom).state.kind).toBe('idle')
  button('Start the audit')
})

test('what is pressed passes the focus on to the title when it goes', async () => {
  const store = tabOf(new ProvingServer(historyOf(5)))
  await verifyState(store)
  show(store)
  const start = await screen.findByRole('button', { name: 'Start the audit' })
  expect(document.activeElement).toBe(document.body)
  start.focus()
  const state = { kind: 'running', progress: null, waiting: null } as const
  act(() => setDeepAudit(store, store.get(databaseIdAtom)('db'), { state }))
  button('Pause')
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: /^Deep audit of/ }))
})
