import { act, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { Provider } from 'jotai'
import { describe, expect, test } from 'vitest'
import { databaseIdAtom } from '~/core/session/session'
import { storedAtom } from '~/core/storage/stored'
import { ArrivalsPart } from '~/screens/verify/audit/ArrivalsPart'
import { type ArrivalsState, arrivalsAtom, setArrivalsState } from '~/trust/audit/arrivals'
import { verifyState } from '~/trust/verify-state'
import { historyOf, ProvingServer, tabOf } from '../../../support/proving-server'

async function shown(server = new ProvingServer(historyOf(5))) {
  server.instead = (path) =>
    path === '/db/tx' ? Response.json({ txs: [server.history.tx(5)] }) : undefined
  const store = tabOf(server)
  await verifyState(store)
  render(
    <Provider store={store}>
      <ArrivalsPart />
    </Provider>,
  )
  return store
}

const button = (name: string) => screen.queryByRole('button', { name })

describe('the check of every transaction as it arrives', () => {
  test('is off, and says what it costs before it is turned on', async () => {
    const store = await shown()
    expect(screen.getByRole('heading').textContent).toBe(
      'Check every transaction as it arrives: off',
    )
    await userEvent.click(screen.getByRole('button', { name: 'Turn on…' }))
    expect(
      await screen.findByText('Now: nothing to read. It begins with the next transaction.'),
    ).toBeTruthy()
    expect(
      screen.getByText(
        /^Later: one call for up to 1,000 new transactions, about \d+ bytes for each/,
      ),
    ).toBeTruthy()
    expect(store.get(storedAtom).arrivals).toEqual([])
    await userEvent.click(screen.getByRole('button', { name: 'Turn on' }))
    expect(store.get(storedAtom).arrivals).toHaveLength(1)
    expect(screen.getByRole('heading').textContent).toMatch(/: on$/)
    await userEvent.click(screen.getByRole('button', { name: 'Turn off' }))
    expect(store.get(storedAtom).arrivals).toEqual([])
  })

  test.each<[ArrivalsState, RegExp, string[]]>([
    [{ kind: 'waiting' }, /^Waiting for the next state\.$/, []],
    [
      { kind: 'reading', txId: '7', last: '9', words: null },
      /^Reading: transaction 7 of 9\.$/,
      ['Pause'],
    ],
    [{ kind: 'paused' }, /^Paused in this tab\.$/, ['Continue']],
    [{ kind: 'elsewhere' }, /^Another tab of this browser reads them\.$/, []],
    [
      { kind: 'done', first: '6', to: '5', at: 0 },
      /^Nothing new since the trusted state, tx 5\.$/,
      [],
    ],
    [
      { kind: 'done', first: '6', to: '9', at: 0 },
      /^Read: transactions 6 to 9, last on .* Tree and chain agree there\.$/,
      [],
    ],
    [
      { kind: 'stopped', words: 'The disk is full.', advice: 'It goes on.', isTried: true },
      /^The disk is full\. It goes on\.$/,
      ['Continue'],
    ],
    [
      { kind: 'stopped', words: 'Damaged.', advice: '', isTried: false, saved: 'damaged' },
      /^Damaged\.$/,
      ['Start at the trusted state'],
    ],
  ])('says where it stands: %j', async (state, words, buttons) => {
    const store = await shown()
    const id = store.get(databaseIdAtom)('db')
    act(() => {
      store.set(storedAtom, {
        ...store.get(storedAtom),
        arrivals: [{ server: id.server, database: 'db' }],
      })
      setArrivalsState(store, id, state)
    })
    expect(store.get(arrivalsAtom)).toEqual(state)
    expect(screen.getByText(words)).toBeTruthy()
    for (const name of ['Pause', 'Continue', 'Start at the trusted state']) {
      expect(button(name) !== null, name).toBe(buttons.includes(name))
    }
  })

  test('says nothing of what it read once the history is broken', async () => {
    const server = new ProvingServer(historyOf(5))
    const store = await shown(server)
    const id = store.get(databaseIdAtom)('db')
    act(() => {
      const arrivals = [{ server: id.server, database: 'db' }]
      store.set(storedAtom, { ...store.get(storedAtom), arrivals })
      setArrivalsState(store, id, { kind: 'done', first: '1', to: '5', at: 0 })
    })
    expect(screen.getByText(/Tree and chain agree/)).toBeTruthy()
    server.history = historyOf(4)
    await act(() => verifyState(store))
    expect(
      screen.getByText(/until the alarm ends: choose “Resolve…” in the red bar\.$/),
    ).toBeTruthy()
    const stopped = { kind: 'stopped', words: 'Stopped.', advice: '', isTried: false } as const
    act(() => setArrivalsState(store, id, stopped))
    expect(button('Continue')).toBeNull()
    expect(screen.queryByText(/Tree and chain agree/)).toBeNull()
  })
})
