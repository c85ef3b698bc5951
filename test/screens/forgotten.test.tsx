import { act, fireEvent, screen, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { openRowProof, verifyRows } from '~/atoms/rows/proofs'
import { connect, type Store } from '~/core/session/client'
import { openQueryCache } from '~/core/session/query-client'
import { sessionAtom } from '~/core/session/session'
import { ProofDrawer } from '~/screens/proof/ProofDrawer'
import { Receipt } from '~/screens/proof/Receipt'
import { ResultRows } from '~/screens/query/ResultRows'
import { CheckedList } from '~/screens/verify/check/CheckPane'
import { acceptServer, acknowledgeBreak } from '~/trust/decisions'
import { writeEvidenceFile } from '~/trust/evidence-file'
import { checkById, closeProof, proofDrawerAtom } from '~/trust/proof-drawer'
import { verifyWrite } from '~/trust/receipts'
import { keyWrite } from '~/trust/sent'
import { memoryTrustStore } from '~/trust/store'
import { trustAtom } from '~/trust/trust'
import { trustedStatesAtom } from '~/trust/trusted-states'
import { verifyState } from '~/trust/verify-state'
import { History } from '../support/history'
import { outputEntry } from '../support/output-entry'
import { historyOf, lateTab, ProvingServer, tabOf } from '../support/proving-server'
import { deriveTable, RowServer, showRows } from '../support/row-server'
import { showPart } from '../support/show-part'

// Parts are fetched when they are first shown.
vi.setConfig({ testTimeout: 30_000 })

let server: ProvingServer
let store: Store

beforeEach(async () => {
  server = new ProvingServer(historyOf(5))
  store = tabOf(server)
  await verifyState(store)
  await verifyState(store)
})

const show = (part: ReactNode) => showPart(store, part)

const green = /(text|border|bg)-verified/

/** The server was rolled back, and the operator begins again. */
async function forget() {
  server.history = historyOf(3)
  await act(async () => {
    await verifyState(store)
    await acknowledgeBreak(store, 'forget', 'restored')
    await verifyState(store)
  })
  expect(store.get(trustAtom)).toMatchObject({ record: { point: { txId: '3' } } })
}

/** Another server answers by now, and the operator lets it. */
async function accept() {
  server.uuid = 'server-two'
  // Where there is no login, nobody has to come back first.
  store.set(sessionAtom, (session) => session && { ...session, mode: 'open' as const })
  await act(async () => {
    await verifyState(store)
    await acceptServer(store, 'moved')
    await verifyState(store)
  })
  expect(store.get(trustAtom).kind).toBe('first')
}

describe.each([
  ['was forgotten', forget],
  ['is of another server', accept],
])('what was verified in a history that %s does not turn green again', (_name, leave) => {
  test('in the receipt of a write', async () => {
    const [place, key] = [{ database: 'db', tx: '5' }, btoa('k5')]
    const sent = { key, value: btoa('a5'), expiresAt: null }
    const questions = keyWrite({ ...place, txBefore: '4' }, sent)
    await verifyWrite(store, { ...place, of: 'it', questions })
    const shown = await show(<Receipt database="db" of="it" tx="5" />)
    expect(shown.innerHTML).toMatch(green)
    await leave()
    expect(shown.innerHTML).not.toMatch(green)
    screen.getByRole('button', { name: 'Stored in a history that was forgotten' })
  })

  test('in the proof that is open, which does not tell of the new first contact', async () => {
    await checkById(store, { kind: 'tx', tx: '5' })
    await show(<ProofDrawer />)
    const dialog = await screen.findByRole('dialog')
    await within(dialog).findByText('Verified in this browser')
    await within(dialog).findByRole('list', { name: 'Proof' })
    expect(screen.getByRole('status').textContent).toContain('Followed since')
    await leave()
    expect(dialog.innerHTML).not.toMatch(green)
    const said = screen.getByRole('status').textContent
    expect(said).toContain('Of a history that was forgotten')
    expect(said).not.toContain('Followed since')
    expect(within(dialog).queryByRole('heading', { name: 'Proven' })).toBeNull()
  })

  test('in the list of what was checked', async () => {
    await checkById(store, { kind: 'tx', tx: '5' })
    closeProof(store)
    const shown = await show(<CheckedList />)
    screen.getByText('Verified')
    await leave()
    expect(shown.innerHTML).not.toMatch(green)
    screen.getByText('Forgotten history')
  })
})

test('what is verified again is green, beside what was verified in the history before', async () => {
  await checkById(store, { kind: 'tx', tx: '2' })
  await forget()
  await checkById(store, { kind: 'tx', tx: '2' })
  closeProof(store)
  await show(<CheckedList />)
  expect(screen.getAllByRole('listitem').map((line) => line.firstChild?.textContent)).toEqual([
    'Verified',
    'Forgotten history',
  ])
})

test('the evidence of a proof tells of the first contact that it was compared with', async () => {
  const contactNow = async () => {
    const [record] = await store.get(trustedStatesAtom).all()
    return record?.firstContact
  }
  const before = await contactNow()
  await checkById(store, { kind: 'tx', tx: '5' })
  await forget()
  const state = store.get(proofDrawerAtom)?.state
  const proof = state?.kind === 'here' ? state.proofs[0] : undefined
  if (!proof) throw new Error('no proof')
  const { text } = await writeEvidenceFile(store, proof.verification)
  expect((await contactNow())?.txId).toBe('3')
  expect(JSON.parse(text).firstContact).toMatchObject({ txId: before?.txId })
})

test('rows of a result lose their marks with the history that they were verified in', async () => {
  const rows = [
    { id: 1, name: 'one' },
    { id: 2, name: 'two' },
  ]
  const table = new RowServer(new History())
  table.add(...rows)
  server = table
  store = tabOf(table)
  connect(store, '/api', table.answer)
  openQueryCache(store)
  await deriveTable(store, table)
  const rowSet = showRows(rows)
  await verifyRows(store, rowSet, [0, 1])
  const shown = await show(
    <ResultRows
      entry={outputEntry({ database: 'db', number: rowSet.number, source: rowSet.sql })}
      result={rowSet.rows}
    />,
  )
  expect(shown.textContent).toContain('2 of 2 rows verified.')
  expect(shown.innerHTML).toMatch(green)
  await act(async () => {
    await acknowledgeBreak(store, 'forget', 'restored')
    await verifyState(store)
  })
  expect(shown.innerHTML).not.toMatch(green)
  expect(shown.textContent).toContain('This history was forgotten since: verify again.')
})

test('a description of a table is not accepted for another history than it was seen with', async () => {
  const rows = [{ id: 1, name: 'one' }]
  const table = new RowServer(new History())
  table.add(...rows)
  store = tabOf(table)
  connect(store, '/api', table.answer)
  openQueryCache(store)
  const rowSet = showRows(rows)
  await openRowProof(store, rowSet, 0)
  table.column = 'title'
  await openRowProof(store, rowSet, 0)
  await show(<ProofDrawer />)
  const button = await screen.findByRole('button', { name: 'Accept the new description' })
  await act(async () => {
    await acknowledgeBreak(store, 'forget', 'restored')
    await verifyState(store)
  })
  await act(async () => fireEvent.click(button))
  const part = within(screen.getByRole('region', { name: 'Description of the table' }))
  expect((await part.findByRole('alert')).textContent).toMatch(
    /^The trusted state that this was compared with has since been forgotten/,
  )
  expect(button.getAttribute('aria-busy')).toBeNull()
  const [record] = await store.get(trustedStatesAtom).all()
  expect(record?.schemas.size).toBe(0)
})

describe('without what was recorded before, a proof', () => {
  const shown = async () => {
    await checkById(store, { kind: 'tx', tx: '2' })
    await show(<ProofDrawer />)
    const dialog = await screen.findByRole('dialog')
    await within(dialog).findByRole('list', { name: 'Proof' })
    expect(dialog.innerHTML).not.toMatch(green)
    return screen.getByRole('status').textContent
  }

  test('is no more than a first contact in a window that keeps nothing', async () => {
    store = tabOf(server, memoryTrustStore())
    expect(await shown()).toContain('First contact')
    await show(<CheckedList />)
    screen.getByText('First contact', { selector: 'li span' })
  })

  test('is not checked while storage does not answer', async () => {
    store = lateTab(server).tab
    expect(await shown()).toContain('Not checked')
    await show(<CheckedList />)
    screen.getByText('Not checked', { selector: 'li span' })
  })
})
