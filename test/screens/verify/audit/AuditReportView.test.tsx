import { act, render, screen, waitFor } from '@testing-library/react'
import { Provider } from 'jotai'
import { describe, expect, test } from 'vitest'
import type { Store } from '~/core/session/client'
import type { AuditProgress } from '~/proof/audit-messages'
import type { TableFinding } from '~/proof/compare-tables'
import { type ExceptionReason, type Exceptions, except, noExceptions } from '~/proof/exceptions'
import { AuditReportView } from '~/screens/verify/audit/AuditReportView'
import { type AuditReport, type Before, reportOf } from '~/trust/audit/audit-record'
import { memoryTrustStore, type TrustStore } from '~/trust/store'
import { setTrust, trustAtom } from '~/trust/trust'
import type { TrustRecord } from '~/trust/trust-record'
import { trustedStatesAtom } from '~/trust/trusted-states'
import { verifyState } from '~/trust/verify-state'
import { grow, historyOf, keptDoor, ProvingServer, tabOf } from '../../../support/proving-server'
import { sentence } from '../../../support/sentence'

type Content = {
  tables?: TableFinding[] | null
  exceptions?: Exceptions
  withValues?: boolean
  first?: string
  before?: Before | null
  counts?: AuditProgress['counts']
  /** Where what was recorded is kept. */
  door?: TrustStore
  /** How often the server was asked for its state. */
  checks?: number
}

/** A tab with a report that ends at the trusted state. */
async function audited(content: Content) {
  const { tables = [], exceptions = noExceptions(), withValues = true, first = '1' } = content
  const { before = null, door = keptDoor(), checks = 2 } = content
  const { counts = { values: 5, bytes: 10, documents: 0 } } = content
  const server = new ProvingServer(historyOf(5))
  const store = tabOf(server, door)
  for (let at = 0; at < checks; at += 1) await verifyState(store)
  const trust = store.get(trustAtom)
  const record = 'record' in trust ? trust.record : null
  if (!record) throw new Error('no trusted state')
  const progress: AuditProgress = {
    first,
    txId: '5',
    last: '5',
    withValues,
    entries: 5,
    counts,
    exceptions,
    pending: 0,
    active: 1_000,
    rate: 5,
    step: 'transactions',
  }
  const keeping = await store.get(trustedStatesAtom).keeping()
  const report = reportOf(record, progress, {
    tables,
    end: null,
    target: record.point,
    keeping,
    before,
  })
  return { server, store, record, report }
}

function show({ store, report }: { store: Store; report: AuditReport }) {
  return render(
    <Provider store={store}>
      <AuditReportView report={report} />
    </Provider>,
  )
}

const proven = () => screen.queryByText(/^Every transaction from 1 to 5 is proven/)
/** What the report says that it means. */
const meaning = () => {
  const title = screen.getByRole('heading', { name: 'What this says, and what it does not' })
  return title.parentElement?.textContent ?? ''
}

const isGreen = (container: Element) => container.querySelector('.text-verified') !== null

describe('the report of an audit', () => {
  test('says what it covers, and until when', async () => {
    const tab = await audited({})
    const { container } = show(tab)
    expect(proven()).toBeTruthy()
    expect(
      screen.getByText(sentence(/^This covers the history through transaction 5, as of /)),
    ).toBeTruthy()
    expect(isGreen(container)).toBe(true)
    // On paper nothing else says whose history it is.
    expect(screen.getByText('Server').nextSibling?.textContent).toBe(
      'server-one at http://localhost:3000',
    )
    expect(screen.getByText('Followed since').nextSibling?.textContent).toMatch(/, at tx 5$/)
  })

  test('says what it does not cover once the history went on', async () => {
    const tab = await audited({})
    grow(tab.server.history)
    grow(tab.server.history)
    await verifyState(tab.store)
    const { container } = show(tab)
    expect(proven()).toBeTruthy()
    expect(screen.getByText(/The 2 transactions since then are not in it\.$/)).toBeTruthy()
    expect(isGreen(container)).toBe(true)
  })

  test('is no more green once the history is broken', async () => {
    const tab = await audited({})
    const { container } = show(tab)
    tab.server.history = historyOf(4)
    await act(() => verifyState(tab.store))
    expect(tab.store.get(trustAtom).kind).toBe('broken')
    expect(proven()).toBeNull()
    expect(screen.getByText('This history is broken')).toBeTruthy()
    expect(isGreen(container)).toBe(false)
  })

  test('is no more green once its trusted state is another one', async () => {
    const tab = await audited({})
    const { container } = show(tab)
    const record: TrustRecord = { ...tab.record, firstContact: { ...tab.record.point, at: 1 } }
    act(() => setTrust(tab.store, 'db', { kind: 'first', record, why: null }))
    expect(
      screen.getByText(/^The trusted state that this audit ended at was forgotten/),
    ).toBeTruthy()
    expect(isGreen(container)).toBe(false)
  })

  test.each([
    ['in a page', 0],
    ['although the history went on', 2],
  ])('says where nothing is kept that nothing recorded was compared: %s', async (_what, more) => {
    const tab = await audited({ door: memoryTrustStore() })
    for (let at = 0; at < more; at += 1) grow(tab.server.history)
    await verifyState(tab.store)
    const { container } = show(tab)
    expect(proven()).toBeNull()
    expect(screen.getByText('Transactions 1 to 5 are consistent in themselves')).toBeTruthy()
    expect(screen.getByText(/^They lead, one after the other, to the trusted state\./)).toBeTruthy()
    expect(screen.getByText(/^This browser keeps nothing for this page, so/)).toBeTruthy()
    expect(meaning()).not.toContain('recorded')
    expect(isGreen(container)).toBe(false)
  })

  test('of a first contact was compared with nothing that was recorded before', async () => {
    const tab = await audited({ checks: 1 })
    const { container } = show(tab)
    expect(tab.store.get(trustAtom).kind).toBe('first')
    expect(proven()).toBeNull()
    expect(screen.getByText('Transactions 1 to 5 are consistent in themselves')).toBeTruthy()
    expect(
      screen.getByText(/has compared nothing with that state since it recorded it/),
    ).toBeTruthy()
    expect(screen.queryByText(/keeps nothing/)).toBeNull()
    expect(isGreen(container)).toBe(false)
    await act(() => verifyState(tab.store))
    expect(proven()).toBeTruthy()
    expect(isGreen(container)).toBe(true)
  })

  test('is not green yet before the point is checked', async () => {
    const tab = await audited({})
    const { container } = show(tab)
    const why = 'The immudb server cannot be reached.'
    act(() => setTrust(tab.store, 'db', { kind: 'unchecked', why }))
    expect(screen.getByText(new RegExp(`is not known\\. ${why}`))).toBeTruthy()
    expect(isGreen(container)).toBe(false)
  })
})

const withheldOnce = (reason: ExceptionReason) => {
  const exceptions = noExceptions()
  except(exceptions, { reason, words: '', tx: '4', key: '' })
  return exceptions
}

describe('what a report means', () => {
  test.each<[string, Content, RegExp, RegExp | null]>([
    [
      'with all content',
      {},
      /from the content of its entries\. They lead to tx 5, a state that this browser recorded/,
      null,
    ],
    [
      'with some of it',
      { exceptions: withheldOnce('too-large') },
      /where that was read\. Of the rest it knows at most digests\./,
      /, not all with content$/,
    ],
    [
      'with digests',
      { withValues: false },
      /It read no content but definitions of tables\./,
      / by digest$/,
    ],
    [
      'with digests that were left out',
      { withValues: false, exceptions: withheldOnce('entries-too-large') },
      /from the digests of its entries that it was given\. It read no content but definitions of tables\./,
      / by digest$/,
    ],
    [
      'at a first contact',
      { checks: 1 },
      /a state that was compared with nothing: they fit each other, and no more is known/,
      null,
    ],
    [
      'where nothing is kept',
      { door: memoryTrustStore() },
      /a state that was compared with nothing/,
      null,
    ],
  ])('claims no more than was read: %s', async (_what, content, words, title) => {
    show(await audited(content))
    expect(meaning()).toMatch(words)
    if (title) expect(proven()?.textContent).toMatch(title)
  })

  test.each<[string, (tab: Awaited<ReturnType<typeof audited>>) => Promise<unknown>, RegExp]>([
    [
      'broken',
      ({ store, server }) => {
        server.history = historyOf(4)
        return verifyState(store)
      },
      /The history is broken now, so this report proves nothing/,
    ],
    [
      'forgotten',
      async ({ store, record }) => {
        const other: TrustRecord = { ...record, firstContact: { ...record.point, at: 1 } }
        setTrust(store, 'db', { kind: 'first', record: other, why: null })
      },
      /That state was forgotten, so this report proves nothing/,
    ],
    [
      'unchecked',
      async ({ store }) => setTrust(store, 'db', { kind: 'unchecked', why: 'Away.' }),
      /Whether that still belongs to the trusted history was not checked yet/,
    ],
  ])('proves nothing of a history that is %s', async (_what, become, words) => {
    const tab = await audited({})
    const { container } = show(tab)
    await act(() => become(tab))
    expect(meaning()).toMatch(words)
    expect(container.textContent).not.toMatch(
      /(is|are|were) proven|as (it was|they were) committed/,
    )
  })
})

const tables = (count: number, kind: TableFinding['kind'], row: TableFinding['row']) =>
  Array.from({ length: count }, (_, n) => ({ table: `${kind} ${row} ${n}`, kind, what: '', row }))

const withheld = (reason: ExceptionReason) => {
  const exceptions = noExceptions()
  except(exceptions, { reason, words: '', tx: '4', key: '' })
  return exceptions
}

describe('a report of documents that were not seen', () => {
  test('is not green on the word of the server, but no warning either', async () => {
    const { container } = show(await audited({ exceptions: withheld('collection-gone') }))
    expect(proven()).toBeTruthy()
    expect(screen.getByText(/reasons that only the server states/)).toBeTruthy()
    expect(screen.getByText(/^The server says that their collection/)).toBeTruthy()
    expect(isGreen(container)).toBe(false)
    expect(container.querySelector('.text-warning')).toBeNull()
  })

  test('warns when the server lists a collection that may be theirs', async () => {
    const { container } = show(await audited({ exceptions: withheld('collection-unclear') }))
    expect(screen.getByText(/^Documents of no listed collection: 1/)).toBeTruthy()
    expect(screen.getByText(/^Some content could not be read/)).toBeTruthy()
    expect(isGreen(container)).toBe(false)
  })
})

describe('a collection with another number than before', () => {
  const one = { name: 'orders', pinned: 1, found: 2 }

  test('is odd, and says what to do', async () => {
    const tab = await audited({})
    const report = { ...tab.report, collections: [one] }
    const { container } = show({ ...tab, report })
    expect(isGreen(container)).toBe(false)
    expect(screen.getByText(/was number 1 before, and an audit found number 2\./)).toBeTruthy()
    await act(async () => screen.getByRole('button', { name: 'Accept number 2' }).click())
    const points = tab.store.get(trustedStatesAtom)
    expect((await points.read(report.id))?.collections.get('orders')).toBe(2)
    // Not nowhere, where the button was.
    await waitFor(() =>
      expect(document.activeElement?.textContent).toMatch(/^orders was number 1 before/),
    )
  })

  test('is not odd any more once it is accepted', async () => {
    const tab = await audited({})
    const report = { ...tab.report, collections: [{ ...one, isAccepted: true } as const] }
    const { container } = show({ ...tab, report })
    expect(isGreen(container)).toBe(true)
    expect(screen.queryByRole('button', { name: 'Accept number 2' })).toBeNull()
  })
})

describe('the tables of a report', () => {
  test('are counted all, whatever is listed, with what was compared of them', async () => {
    const found = [
      ...tables(90, 'agrees', 'compared'),
      ...tables(40, 'agrees', 'none'),
      ...tables(1, 'agrees', 'refused'),
      ...tables(20, 'missing', 'none'),
    ]
    show(await audited({ tables: found }))
    const text = screen.getByText(/^The server describes /).textContent
    expect(text).toBe(
      'The server describes 131 of 151 tables by the names, types, lengths and key columns that the history has. Column numbers: compared for 90 of them, with the proof of a row. 40 tables without a row. 1 table without a proof of a row.',
    )
    expect(screen.getByText(/and 51 more$/)).toBeTruthy()
    expect(screen.getByText(/Results of queries were not compared/)).toBeTruthy()
  })

  test('without a row say that only columns were compared', async () => {
    show(await audited({ tables: tables(1, 'agrees', 'none') }))
    expect(screen.getByText(/Column numbers: not compared\. 1 table without a row/)).toBeTruthy()
  })

  test('with something odd are told first, and how many more there are', async () => {
    show(await audited({ tables: tables(120, 'surplus', 'none') }))
    expect(screen.getByText(/^and 20 more/)).toBeTruthy()
    expect(screen.getByText(/^The server describes 0 of 120 tables/)).toBeTruthy()
  })
})

describe('tables that are not known although values were read', () => {
  const lost = (reason: ExceptionReason): Exceptions => ({ counts: { [reason]: 4_000 }, list: [] })
  const whole = { isOdd: false, isWhole: true, exceptions: noExceptions(), tables: [] }

  test.each<[string, Content, RegExp]>([
    [
      'their definitions were not seen',
      { exceptions: lost('catalog-unseen') },
      /\(see above\) may hold/,
    ],
    [
      'they may be in what was not seen',
      { exceptions: lost('entries-too-large') },
      /\(see above\) may hold/,
    ],
    [
      'an older console kept no better reason',
      { exceptions: lost('too-large') },
      /was not seen or/,
    ],
    ['they were not kept', {}, /too many to keep during a pause/],
    [
      'an audit before did not see them',
      {
        first: '3',
        before: { ...whole, withValues: true, exceptions: lost('entries-too-large') },
      },
      /\(see above\) may hold/,
    ],
  ])('are a reason to look into it: %s', async (_why, content, words) => {
    const { container } = show(await audited({ ...content, tables: null }))
    expect(screen.getByText(words)).toBeTruthy()
    expect(screen.getByText(/^The tables could not be compared with what/)).toBeTruthy()
    expect(isGreen(container)).toBe(false)
  })

  test('are none where an audit before was not to read values', async () => {
    const before = { ...whole, withValues: false }
    const { container } = show(await audited({ first: '3', before, tables: null }))
    expect(
      screen.getByText(/an earlier audit, which this one continues, read no values/),
    ).toBeTruthy()
    expect(screen.queryByText(/could not be compared/)).toBeNull()
    expect(isGreen(container)).toBe(false)
  })
})

describe('the report of an audit that went on from another one', () => {
  const before = { isOdd: false, isWhole: true, withValues: true, tables: [] }
  const refused = { reason: 'refused', tx: '2', key: '', words: 'data is corrupted' } as const

  test('says what was read now, and what an earlier one of which time had read', async () => {
    const endedAt = Date.UTC(2026, 10, 22, 10, 0)
    const earlier = { ...before, first: '1', endedAt, exceptions: noExceptions() }
    const { container } = show(await audited({ first: '3', before: earlier }))
    expect(screen.getByText('Every transaction from 3 to 5 is proven')).toBeTruthy()
    expect(screen.getByText(/^Read now: transactions 3 to 5\./).textContent).toMatch(
      /Transactions 1 to 2 were read by earlier audits; the last one ended on .*22.*2026/,
    )
    expect(screen.queryByText(/^From earlier audits/)).toBeNull()
    expect(isGreen(container)).toBe(true)
  })

  test('still tells what had to be looked into then', async () => {
    const exceptions = noExceptions()
    except(exceptions, refused)
    const hidden = { table: 'orders', kind: 'missing', what: '', row: 'none' } as const
    const odd = { ...before, isOdd: true, isWhole: false, exceptions, tables: [hidden] }
    const { container } = show(await audited({ first: '3', before: odd }))
    expect(screen.getByText(/up to transaction 2, found something to look into/)).toBeTruthy()
    expect(screen.getByText('From earlier audits, up to transaction 2')).toBeTruthy()
    expect(screen.getByText('Refused by the server: 1')).toBeTruthy()
    expect(screen.getByText('data is corrupted')).toBeTruthy()
    expect(screen.getByText('orders')).toBeTruthy()
    expect(isGreen(container)).toBe(false)
  })

  test('says what that did not see, though nobody needs to look into it', async () => {
    const exceptions: Exceptions = { counts: { expired: 7 }, list: [] }
    const content = { first: '3', before: { ...before, isWhole: false, exceptions } }
    const { container } = show(await audited(content))
    expect(screen.getByText('Expired: 7')).toBeTruthy()
    expect(screen.queryByText(/look into/)).toBeNull()
    expect(isGreen(container)).toBe(false)
  })

  test('is not green where that is the word of the server alone', async () => {
    const exceptions: Exceptions = { counts: { 'collection-gone': 7 }, list: [] }
    const content = { first: '3', before: { ...before, isWhole: false, exceptions } }
    const { container } = show(await audited(content))
    expect(isGreen(container)).toBe(false)
  })

  test('as an older console kept it says nothing of what was proven before', async () => {
    const tab = await audited({ first: '3' })
    const { before: _, ...report } = tab.report
    const { container } = show({ ...tab, report })
    expect(screen.getByText('Every transaction from 3 to 5 is proven')).toBeTruthy()
    expect(isGreen(container)).toBe(false)
    expect(screen.getByText(/What was read before them is not known any more\.$/)).toBeTruthy()
  })
})

describe('what was not seen', () => {
  function unlisted(): Exceptions {
    const exceptions = noExceptions()
    const found = { reason: 'entries-too-large', key: '', words: '' } as const
    for (let tx = 1; tx <= 12; tx += 1)
      except(exceptions, { ...found, tx: String(tx), count: 1_000 })
    return exceptions
  }

  test.each([
    [true, 'Content that was not read'],
    [false, 'Digests that were not seen'],
  ])('is listed with its reason, with values (%s) or without', async (withValues, title) => {
    show(await audited({ withValues, exceptions: unlisted() }))
    expect(screen.getByText(title)).toBeTruthy()
    expect(screen.getByText('Too many entries to be sent: 12,000')).toBeTruthy()
    expect(screen.getByText('The first 10')).toBeTruthy()
    expect(screen.getByText('and 2,000 more')).toBeTruthy()
  })

  test('is told apart from what the server had no reason to leave out', async () => {
    const exceptions = noExceptions()
    const found = { reason: 'entries-withheld', key: '', words: '' } as const
    except(exceptions, { ...found, tx: '2', count: 1 })
    const { container } = show(await audited({ exceptions }))
    expect(screen.getByText('Entries left out without a reason: 1')).toBeTruthy()
    expect(screen.getByText(/^Some content could not be read/)).toBeTruthy()
    expect(isGreen(container)).toBe(false)
  })

  test('is as the server says where nobody can tell', async () => {
    const exceptions = noExceptions()
    for (const reason of ['too-large', 'entries-too-large'] as const) {
      except(exceptions, { reason, tx: '2', key: '', words: '' })
    }
    const { container } = show(await audited({ exceptions }))
    expect(screen.getAllByText(/^The server says that /)).toHaveLength(2)
    expect(screen.queryByText(/look into/)).toBeNull()
    expect(isGreen(container)).toBe(false)
  })

  test('is counted before anything else, with its size', async () => {
    const exceptions = noExceptions()
    except(exceptions, { reason: 'expired', tx: '2', key: '', words: '' })
    const counts = { values: 4, bytes: 4_096, documents: 0, unseen: 2_048 }
    show(await audited({ exceptions, counts }))
    screen.getByText(
      '5 transactions, 4 KiB of content read. 1 entry known by digest only (2 KiB by the server’s word).',
    )
  })

  test('is all content of an audit by digests, which is not green', async () => {
    const { container } = show(await audited({ withValues: false, tables: null }))
    screen.getByText('5 transactions. No content was read: entries are known by digest only.')
    expect(screen.queryByText(/not seen/)).toBeNull()
    expect(isGreen(container)).toBe(false)
  })
})
