import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { connect, type Store } from '~/core/session/client'
import { openQueryCache } from '~/core/session/query-client'
import { EvidencePane } from '~/screens/verify/evidence/EvidencePane'
import { openEvidence } from '~/trust/evidence'
import { verifyState } from '~/trust/verify-state'
import { recordedEvidence } from '../../../support/evidence'
import { forkFile } from '../../../support/fork-certificate'
import { History } from '../../../support/history'
import { madeUp, madeUpRow } from '../../../support/made-up'
import { historyOf, ProvingServer, tabOf } from '../../../support/proving-server'
import { deriveTable, RowServer } from '../../../support/row-server'
import { showPart } from '../../../support/show-part'

vi.setConfig({ testTimeout: 30_000 })

const lie = 'payment 4711 of 12,000 EUR, approved by the CFO'

let server: ProvingServer
let store: Store

beforeEach(async () => {
  server = new ProvingServer(historyOf(3))
  store = tabOf(server)
  await verifyState(store)
  await verifyState(store)
})

/** Opens a file with these words of its own; returns its heading, its verdict and the page. */
async function shown(text: string, own: object = {}, name = 'evidence.json') {
  const file = JSON.stringify({ ...JSON.parse(text), ...own })
  await openEvidence(store, new File([file], name))
  const page = await showPart(store, <EvidencePane />)
  const article = await screen.findByRole('article')
  return {
    page,
    heading: within(article).getByRole('heading', { level: 2 }).textContent,
    verdict: within(article).getByRole('status'),
    article,
  }
}

test('the name of a file that cannot be read is quoted, and cut', async () => {
  const name = `the forged part, all else ${'x'.repeat(300)}.json`
  await openEvidence(store, new File(['{}'], name))
  await showPart(store, <EvidencePane />)
  const said = await screen.findByText(/^Nothing of/)
  expect(said.textContent).toMatch(
    /^Nothing of the file “the forged part, all else x+…” was verified\.$/,
  )
})

describe('the heading of evidence', () => {
  test('is of what is proven, whatever the file calls itself', async () => {
    const text = await madeUp(server, '2', server.history.point(3))
    const { heading, verdict, article } = await shown(text, { what: lie }, `${lie}.json`)
    expect(verdict.className).toContain('border-verified')
    expect(heading).toBe('Evidence: Transaction 2')
    for (const each of within(article).getAllByRole('heading')) {
      expect(each.textContent).not.toContain('4711')
    }
    expect(verdict.textContent).not.toContain('4711')
    // Quoted below, and said to be the file's own.
    const quoted = within(article).getByText(lie)
    expect(quoted.closest('dd')?.textContent).toBe(`“${lie}”`)
    expect(quoted.closest('section')?.textContent).toMatch(/^What the file says of itself/)
    within(article).getByText(/^Name of the file:/)
    // The database is one that this browser keeps a record of.
    const own = within(within(article).getByRole('region', { name: /^This browser has the same/ }))
    expect(own.getByText('Database').nextElementSibling?.textContent).toBe('db')
  })

  test('is of a key, as it is proven', async () => {
    const text = await recordedEvidence(
      '03-kv',
      ({ verify, expect: { verdict } }) => verify === 'get' && verdict === 'ok',
    )
    const { heading } = await shown(text, { what: lie })
    expect(heading).toMatch(/^Evidence: Key \S+, written in tx \d+$/)
  })

  test('is of a refused proof without a word of the file', async () => {
    const text = await recordedEvidence(
      '03-kv',
      ({ verify, expect: { verdict, reason } }) =>
        verify === 'get' && verdict === 'fail' && reason === 'entry-not-included',
    )
    expect((await shown(text, { what: lie })).heading).toBe('Evidence: Refused proof of a key')
  })

  test('names the columns of a row only where this browser derived them', async () => {
    const rows = new RowServer(new History())
    rows.add({ id: 1, name: 'one' })
    store = tabOf(rows)
    connect(store, '/api', rows.answer)
    openQueryCache(store)
    await verifyState(store)
    const text = await madeUpRow(rows, 1, rows.history.point(1))
    const before = await shown(text, { what: lie })
    expect(before.heading).toBe('Evidence: Row 1 of table number 1, written in tx 1')
    before.page.remove()
    await deriveTable(store, rows)
    const after = await shown(text, { what: lie })
    expect(after.verdict.className).toContain('border-verified')
    expect(after.heading).toBe('Evidence: Row id = 1 of table t (number 1), written in tx 1')
  })

  test('of two histories without a common transaction accuses nobody', async () => {
    const [eu, us] = [
      { name: 'eu', history: historyOf(9, 'b', 0) },
      { name: 'us', history: historyOf(5, 'a', 0) },
    ]
    const { heading, verdict, article } = await shown(await forkFile(eu, us))
    expect(heading).toBe('Evidence: Two histories without a common transaction')
    expect(verdict.textContent).toMatch(/^Two separate histories/)
    expect(article.innerHTML).not.toMatch(/(text|border|bg)-(error|verified)/)
    expect(article.textContent).not.toMatch(/Forked/)
  })

  test('of a fork does not call a side what the file calls it', async () => {
    const [eu, us] = [
      {
        name: `the forger, ${lie}`,
        history: historyOf(30, 'b', 17),
        server: { uuid: null, origin: 'https://eu' },
      },
      { name: 'us', history: historyOf(45, 'a', 0) },
    ]
    const { heading, article } = await shown(await forkFile(eu, us), { what: lie })
    expect(heading).toBe('Evidence: Fork after tx 17')
    const sides = within(within(article).getByRole('list', { name: 'Sides of the fork' }))
    sides.getByText('First history')
    const named = sides.getByText(/the forger/)
    expect(named.closest('dd')?.previousElementSibling?.textContent).toBe('The file says')
  })
})
