import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { Provider } from 'jotai'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { TrustChip } from '~/app/frame/TrustChip'
import { TrustParts } from '~/app/trust/TrustParts'
import { followLater } from '~/app/watch/follower'
import { stateAtom } from '~/core/history/newest-state'
import type { Store } from '~/core/session/client'
import { openQueryCache } from '~/core/session/query-client'
import { databaseAtom } from '~/core/session/session'
import { readStates } from '~/proof/immuclient-state'
import { acknowledgeBreak } from '~/trust/decisions'
import { followHistory } from '~/trust/follow-history'
import { checkById, closeProof } from '~/trust/proof-drawer'
import { memoryTrustStore, type TrustStore } from '~/trust/store'
import { setTrust, type Trust } from '~/trust/trust'
import { type Break, startedRecord } from '~/trust/trust-record'
import { TrustedStates, trustedStatesAtom } from '~/trust/trusted-states'
import { verifyState } from '~/trust/verify-state'
import { loadOrReload } from '~/ui/lazy-with-retry'
import { grow, historyOf, ProvingServer, refusal, tabOf } from '../../support/proving-server'

let server: ProvingServer
let store: Store

beforeEach(() => {
  server = new ProvingServer(historyOf(3))
  store = tabOf(server)
  openQueryCache(store)
})

function show(follow = followHistory) {
  onTestFinished(follow(store))
  render(
    <Provider store={store}>
      <TrustChip />
      <TrustParts />
    </Provider>,
  )
}

const chip = () => screen.getByRole('button', { name: /^Trust: / }).getAttribute('aria-label')

describe('the chip', () => {
  const id = { origin: 'http://localhost', server: 's', database: 'db' }
  const record = startedRecord(id, historyOf(3).point(3), 'first', 1)
  const words = { reason: '', step: '', part: '', expected: '', received: '', what: '' }
  const broken: Break = {
    kind: 'forked',
    ...words,
    at: 1,
    verification: null,
    acknowledgedAt: null,
  }

  test.each<[Trust, string]>([
    [{ kind: 'unchecked', why: null }, 'Trust: Not checked'],
    [{ kind: 'checking', record: null }, 'Trust: Checking'],
    [{ kind: 'first', record, why: null }, 'Trust: First contact'],
    [{ kind: 'consistent', record, why: null }, 'Trust: Consistent since tx 3'],
    [
      { kind: 'consistent', record, why: 'away' },
      'Trust: Consistent up to tx 3 · not checked since',
    ],
    [{ kind: 'broken', record, broken }, 'Trust: BROKEN'],
  ])('says $kind in a word', (trust, said) => {
    setTrust(store, 'db', trust)
    render(
      <Provider store={store}>
        <TrustChip />
      </Provider>,
    )
    expect(chip()).toBe(said)
    const isGreen = screen.getByRole('button').className.includes('verified')
    expect(isGreen).toBe(trust.kind === 'consistent' && trust.why === null)
  })
})

test('the chip of a first contact does not turn green by what was verified against it', async () => {
  await verifyState(store)
  await checkById(store, { kind: 'tx', tx: '2' })
  closeProof(store)
  show()
  const button = await screen.findByRole('button', { name: 'Trust: First contact' })
  expect(button.className).not.toContain('verified')
  expect(button.title).toMatch(/Compared with the state that the server gave/)
})

describe('a page', () => {
  test('asks once for each poll of an empty database too', async () => {
    server.history = historyOf(0)
    show()
    await screen.findByRole('button', { name: 'Trust: First contact' })
    for (let polls = 1; polls <= 3; polls += 1) {
      await act(async () => void (await store.get(stateAtom).refetch()))
    }
    // Comes after all checks that the polls began, and asks once itself.
    await act(async () => void (await verifyState(store)))
    expect(server.count('/db/state')).toBe(1 + 3 + 1)
  })

  test('checks every state that it is answered, and asks for nothing more but a proof', async () => {
    show()
    await screen.findByRole('button', { name: 'Trust: First contact' })
    expect(server.asked).toEqual(['/db/state'])
    grow(server.history)
    await act(async () => void (await store.get(stateAtom).refetch()))
    await screen.findByRole('button', { name: 'Trust: Consistent since tx 3' })
    expect(server.asked).toEqual([
      '/db/state',
      '/db/state',
      expect.stringMatching(/^\/db\/verifiable\/tx\/4\?proveSinceTx=3&.*EXCLUDE$/),
    ])
  })

  test('says a broken history over everything, and never as a message that goes away', async () => {
    show()
    await screen.findByRole('button', { name: 'Trust: First contact' })
    server.history = historyOf(2)
    await act(async () => void (await store.get(stateAtom).refetch()))
    const bar = await screen.findByRole('region', { name: 'Broken history' })
    within(bar).getByText(/the history of/)
    expect(chip()).toBe('Trust: BROKEN')
    fireEvent.click(within(bar).getByRole('button', { name: 'Hide details' }))
    expect(within(bar).queryByRole('button', { name: 'Save evidence' })).toBeNull()
    within(bar).getByRole('alert')
  })

  test('F49 says that another server answers although that one has not been logged in to', async () => {
    show()
    await screen.findByRole('button', { name: 'Trust: First contact' })
    server.uuid = 'server-two'
    server.instead = () => refusal('not logged in')
    act(() => void store.get(stateAtom).refetch())
    const bar = await screen.findByRole('region', { name: 'Broken history' })
    within(bar).getByText(/is answered by another server/)
    expect(server.count('/db/state')).toBe(2)
  })

  test('that found something wrong is not loaded again for a part that is gone', async () => {
    sessionStorage.clear()
    show(followLater)
    await screen.findByRole('button', { name: 'Trust: First contact' })
    server.history = historyOf(2)
    await act(async () => void (await store.get(stateAtom).refetch()))
    await screen.findByRole('region', { name: 'Broken history' })
    const page = { reload: vi.fn() }
    const gone = () => Promise.reject(new Error('gone'))
    await expect(loadOrReload(gone, page)).rejects.toThrow('gone')
    // Nor while another database is open.
    act(() => store.set(databaseAtom, 'db2'))
    await expect(loadOrReload(gone, page)).rejects.toThrow('gone')
    expect(page.reload).not.toHaveBeenCalled()
    act(() => store.set(databaseAtom, 'db'))
    await act(async () => void (await acknowledgeBreak(store, 'forget', 'restored')))
    expect(screen.queryByRole('region', { name: 'Broken history' })).toBeNull()
    void loadOrReload(gone, page)
    await vi.waitFor(() => expect(page.reload).toHaveBeenCalledTimes(1))
  })

  test('opens what is known: the point, the first contact, and what it does not mean', async () => {
    show()
    const opener = await screen.findByRole('button', { name: 'Trust: First contact' })
    await act(async () => void fireEvent.click(opener))
    const drawer = await screen.findByRole('dialog', { name: 'Trusted history of db' })
    within(drawer).getByText(/^This page came from the server that it checks/)
    within(drawer).getByText('No moves so far')
    fireEvent.click(within(drawer).getByRole('button', { name: 'Check now' }))
    await within(drawer).findByText(/^First contact · unchanged since /)
    grow(server.history)
    fireEvent.click(within(drawer).getByRole('button', { name: 'Check now' }))
    await within(drawer).findByText('Consistent since tx 3')
    expect(within(drawer).queryByText(/This browser keeps nothing/)).toBeNull()
  })

  test('gives immuclient the lines to go on from', async () => {
    const written = vi.fn(async (_text: string) => {})
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText: written } })
    show()
    const opener = await screen.findByRole('button', { name: 'Trust: First contact' })
    await act(async () => void fireEvent.click(opener))
    const drawer = await screen.findByRole('dialog', { name: 'Trusted history of db' })
    within(drawer).getByText(`.state-${server.uuid}`)
    const copy = within(drawer).getByRole('button', { name: 'Copy the lines for immuclient' })
    await act(async () => void fireEvent.click(copy))
    const [[lines = ''] = []] = written.mock.calls
    const point = server.history.point(3)
    expect(readStates(lines)).toMatchObject([{ database: 'db', ...point }])
  })

  test('says of a newer state that could not be checked that it was not', async () => {
    show()
    const opener = await screen.findByRole('button', { name: 'Trust: First contact' })
    grow(server.history)
    server.instead = (path) =>
      path.includes('verifiable') ? refusal('permission denied', 403) : undefined
    await act(async () => void (await store.get(stateAtom).refetch()))
    await act(async () => void fireEvent.click(opener))
    const drawer = await screen.findByRole('dialog', { name: 'Trusted history of db' })
    await within(drawer).findByText(/^The newest state could not be checked: /)
    expect(within(drawer).getByText(/^\(newer/).textContent).toBe('(newer, not checked)')
  })

  test('that cannot keep what is known says so, and shows no more than a first contact', async () => {
    store = tabOf(server, memoryTrustStore())
    openQueryCache(store)
    show()
    const opener = await screen.findByRole('button', { name: 'Trust: First contact' })
    expect(opener.title).toMatch(/^This browser keeps nothing for this page/)
    await act(async () => void fireEvent.click(opener))
    const drawer = await screen.findByRole('dialog', { name: 'Trusted history of db' })
    await within(drawer).findByText(/This browser keeps nothing/)
    await act(async () => void (await store.get(stateAtom).refetch()))
    screen.getByRole('button', { name: 'Trust: First contact', hidden: true })
  })

  test('tells of storage that does not answer, and says nothing of the history till it does', async () => {
    const points = new TrustedStates(() => new Promise<TrustStore>(() => {}), 0)
    store.set(trustedStatesAtom, points)
    show()
    await act(async () => void (await verifyState(store)))
    const opener = await screen.findByRole('button', { name: 'Trust: Not checked' })
    expect(opener.title).toMatch(/storage of this browser has not answered.*in memory only/)
    await act(async () => void fireEvent.click(opener))
    const drawer = await screen.findByRole('dialog', { name: 'Trusted history of db' })
    within(drawer).getByText(/storage of this browser has not answered/)
  })
})
