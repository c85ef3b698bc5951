import { act, screen, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { changeRowProofs, withBeside } from '~/atoms/rows/row-marks'
import type { Store } from '~/core/session/client'
import { serverAtom } from '~/core/session/session'
import { ProofDrawer } from '~/screens/proof/ProofDrawer'
import { Receipt } from '~/screens/proof/Receipt'
import { VerifySummary } from '~/screens/query/VerifyBar'
import { CheckedList } from '~/screens/verify/check/CheckPane'
import { EvidencePane } from '~/screens/verify/evidence/EvidencePane'
import { ComparedState } from '~/screens/verify/states/Exchange'
import { openEvidence } from '~/trust/evidence'
import { writeEvidenceFile } from '~/trust/evidence-file'
import { checkById, closeProof } from '~/trust/proof-drawer'
import { saidLeaf } from '~/trust/questions'
import { verifyWrite } from '~/trust/receipts'
import { keyWrite, uncomparedWrite } from '~/trust/sent'
import { setTrust } from '~/trust/trust'
import type { Break, BreakKind } from '~/trust/trust-record'
import { trustedStatesAtom } from '~/trust/trusted-states'
import type { Verification } from '~/trust/verification'
import { verifyObject } from '~/trust/verify-object'
import { verifyState } from '~/trust/verify-state'
import { madeUp } from '../support/made-up'
import { historyOf, ProvingServer, tabOf } from '../support/proving-server'
import { txAlone } from '../support/questions'
import { showPart } from '../support/show-part'

// Parts are fetched when they are first shown.
vi.setConfig({ testTimeout: 30_000 })

let server: ProvingServer
let store: Store

beforeEach(async () => {
  server = new ProvingServer(historyOf(3))
  store = tabOf(server)
  await verifyState(store)
  await verifyState(store)
})

const show = (part: ReactNode) => showPart(store, part)

function breakIt(kind: BreakKind = 'rewritten', database = 'db') {
  const words = { reason: '', step: '', part: '', expected: '', what: '' }
  const received = store.get(serverAtom) ?? ''
  const broken: Break = {
    kind,
    ...words,
    received,
    at: 1,
    verification: null,
    acknowledgedAt: null,
  }
  act(() => setTrust(store, database, { kind: 'broken', record: null, broken }))
}

const green = /(text|border|bg)-verified/

describe('in a history that is broken, nothing stays green', () => {
  test('of the receipt of a write', async () => {
    const [place, key] = [{ database: 'db', tx: '3' }, btoa('k3')]
    const sent = { key, value: btoa('a3'), expiresAt: null }
    const questions = keyWrite({ ...place, txBefore: '2' }, sent)
    await verifyWrite(store, { ...place, of: 'it', questions })
    const shown = await show(<Receipt database="db" of="it" tx="3" />)
    expect(shown.innerHTML).toMatch(green)
    breakIt()
    expect(shown.innerHTML).not.toMatch(green)
    screen.getByRole('button', { name: 'Not verified: this history is broken' })
  })

  test('of the receipt of a write that was not compared, which was not green before', async () => {
    const write = { database: 'db', tx: '3', txBefore: '2' }
    await verifyWrite(store, { ...write, of: 'it', questions: uncomparedWrite(write) })
    const shown = await show(<Receipt database="db" of="it" tx="3" />)
    screen.getByRole('button', {
      name: 'Transaction 3 is in the history. Its content was not compared.',
    })
    expect(shown.innerHTML).not.toMatch(green)
    breakIt()
    expect(shown.innerHTML).not.toMatch(green)
    screen.getByRole('button', { name: 'Not verified: this history is broken' })
  })

  test('of the proof that is open, nor of its steps', async () => {
    await checkById(store, { kind: 'tx', tx: '2' })
    await show(<ProofDrawer />)
    const dialog = await screen.findByRole('dialog')
    await within(dialog).findByText('Verified in this browser')
    await within(dialog).findByRole('list', { name: 'Proof' })
    expect(dialog.innerHTML).toMatch(green)
    breakIt('other-server', 'elsewhere')
    expect(dialog.innerHTML).not.toMatch(green)
    expect(screen.getByRole('status').textContent).toContain('This history is broken')
  })

  test('of what was checked by its number', async () => {
    await checkById(store, { kind: 'tx', tx: '2' })
    closeProof(store)
    const shown = await show(<CheckedList />)
    screen.getByText('Verified')
    breakIt()
    expect(shown.innerHTML).not.toMatch(green)
    screen.getByText('History is broken')
  })

  test('of a point from elsewhere that was compared', async () => {
    const written = { ...server.history.point(2), database: 'db', server: '', origin: '', at: '' }
    const records = await store.get(trustedStatesAtom).all()
    const shown = await show(<ComparedState point={written} records={records} />)
    await act(async () =>
      screen.getByRole('button', { name: 'Ask the server for a proof' }).click(),
    )
    await screen.findByText('Agrees')
    expect(shown.innerHTML).toMatch(green)
    breakIt()
    expect(shown.innerHTML).not.toMatch(green)
  })

  test('of the rows of a result', async () => {
    const proven = { proof: 'holds', ground: 'recorded' } as const
    const known = { ...proven, shown: [], isOdd: false, open: [] }
    const of = { database: 'db', server: 'server-one', basis: null }
    const mark = { verdict: 'verified', cause: 'whole', known, of, tx: '2', ts: '1' } as const
    const marks = new Map([0, 1].map((row) => [row, mark] as const))
    const summary = { text: '2 rows verified.', rows: [0, 1] }
    changeRowProofs(store, 1, { marks, summary })
    const rows = { columns: [], rowCount: 2 }
    const rowSet = { database: 'db', number: 1, sql: 'SELECT * FROM t', rows, txBefore: '1' }
    const shown = await show(<VerifySummary rowSet={rowSet} />)
    expect(shown.innerHTML).toMatch(green)
    const said = [saidLeaf('the revision number', '3')]
    const beside = await show(
      <VerifySummary besides={(one) => withBeside(one, said, '1')} rowSet={rowSet} />,
    )
    expect(beside.innerHTML).not.toMatch(green)
    expect(beside.textContent).toContain('What stands beside them is not all proven.')
    breakIt()
    expect(shown.innerHTML).not.toMatch(green)
    expect(shown.textContent).toContain('2 rows verified. This history is broken.')
  })
})

describe('a file of evidence', () => {
  async function saved(): Promise<string> {
    const verification: Verification = await verifyObject(store, txAlone(2))
    return (await writeEvidenceFile(store, verification)).text
  }

  test('that contradicts what this browser recorded is red, with both hashes', async () => {
    const text = await saved()
    store = tabOf(new ProvingServer(historyOf(3, 'b', 1)))
    await verifyState(store)
    await openEvidence(store, new File([text], 'evidence.json'))
    const shown = await show(<EvidencePane />)
    await screen.findByRole('list', { name: 'Proof' })
    const verdict = screen.getByText('The file contradicts what this browser keeps')
    expect(verdict.closest('[role=status]')?.className).toContain('error')
    expect(shown.innerHTML).not.toMatch(green)
    expect(screen.queryByText('Proven content')).toBeNull()
    const hash = (name: string) =>
      screen.getByRole('button', { name }).closest('dd')?.querySelector('code')?.title
    expect(hash('Copy hash in the file')).toMatch(/^[0-9a-f]{64}$/)
    expect(hash('Copy hash in this browser')).toMatch(/^[0-9a-f]{64}$/)
    expect(hash('Copy hash in this browser')).not.toBe(hash('Copy hash in the file'))
  })

  test('that was made up behind a point that this browser knows is not green', async () => {
    const forged = new ProvingServer(historyOf(5, 'b', 3))
    const text = await madeUp(forged, '5', server.history.point(3))
    await openEvidence(store, new File([text], 'evidence.json'))
    const shown = await show(<EvidencePane />)
    await screen.findByText('It continues from the trusted state, and no more')
    await screen.findByRole('list', { name: 'Proof' })
    expect(shown.innerHTML).not.toMatch(green)
    expect(screen.queryByText('Proven content')).toBeNull()
    expect(screen.queryByText('Same')).toBeNull()
    screen.getByText('This browser knows the database, but not this transaction')
  })

  test('whose report is nested without end is refused, since nobody saved it like that', async () => {
    const depth = 20_000
    const text = await madeUp(server, '2', server.history.point(3), 'REPORT')
    const whole = text.replace('"REPORT"', `${'['.repeat(depth)}${']'.repeat(depth)}`)
    await openEvidence(store, new File([whole], 'evidence.json'))
    await show(<EvidencePane />)
    await screen.findByText(/^This file was not written by this console\. It is nested deeper/)
    expect(screen.queryByText('Verified in this browser')).toBeNull()
  })

  test('that agrees with what this browser recorded is green', async () => {
    const text = await saved()
    await openEvidence(store, new File([text], 'evidence.json'))
    await show(<EvidencePane />)
    const verdict = await screen.findByText('Verified in this browser')
    expect(verdict.closest('[role=status]')?.className).toContain('verified')
  })

  test('of a history that this browser knows nothing of is not green, whatever it says', async () => {
    const invented = new ProvingServer(historyOf(5, 'invented'))
    invented.uuid = 'server-nobody-has-seen'
    const text = await madeUp(invented, '2', invented.history.point(5))
    await openEvidence(store, new File([text], 'evidence.json'))
    const shown = await show(<EvidencePane />)
    await screen.findByText('Consistent in itself')
    await screen.findByRole('list', { name: 'Proof' })
    expect(shown.innerHTML).not.toMatch(green)
    expect(screen.queryByText('Proven content')).toBeNull()
    // Its steps do not speak of what this browser trusts or pinned.
    expect(shown.textContent).not.toMatch(/this browser trusts|pinned in this browser/)
  })
})
