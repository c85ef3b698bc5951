import { beforeEach, describe, expect, test, vi } from 'vitest'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import {
  asOfAtom,
  asOfTxAtom,
  atAtom,
  findMoment,
  readPeriod,
  resolveTime,
  writePeriod,
} from '~/core/history/as-of'
import {
  noteAddressedMoment,
  refreshState,
  stateAtom,
  writesOffAtom,
} from '~/core/history/newest-state'
import { steadyOffsetAtom } from '~/core/session/session'
import { steadyNow } from '~/lib/time'
import { type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import { openTab, signIn, soon, type Tab } from '../../support/store'

let server: FakeImmudb
let tab: Tab

/** Transaction n of the fake server was committed n seconds after this. */
const start = 1_700_000_000
const timeOf = (tx: number) => new Date((start + tx) * 1_000).toISOString().replace('.000', '')

beforeEach(async () => {
  server = fakeImmudb()
  server.databases.set('defaultdb', { isLoaded: true, txId: 300, tables: new Map() })
  tab = openTab(server)
  await signIn(tab)
  for (const one of [stateAtom, asOfAtom, writeRefusalAtom]) tab.store.sub(one, () => {})
  await soon(() => expect(tab.store.get(stateAtom).data?.txId).toBe('300'))
  server.clear()
})

const look = (at: string | undefined) => noteAddressedMoment(tab.store, 'defaultdb', at)
const asOf = () => tab.store.get(asOfAtom)

describe('what the address says', () => {
  test('nothing is now, and writes are on', () => {
    expect([asOf(), tab.store.get(writesOffAtom)]).toEqual([{ kind: 'now' }, null])
  })

  test('a transaction is shown as it is, and writes are off with the reason', () => {
    look('tx:42')
    expect(asOf()).toMatchObject({ kind: 'past', tx: '42', isAbout: false })
    expect(tab.store.get(atAtom)).toEqual({ kind: 'tx', id: '42' })
    expect(tab.store.get(writeRefusalAtom)).toMatch(/past, which cannot be changed/)
    expect(server.log()).toEqual([])
  })

  test('a time is found by bisection, once', async () => {
    look(timeOf(217))
    expect(asOf()).toMatchObject({ kind: 'finding' })
    await soon(() => expect(tab.store.get(asOfTxAtom)).toBe('217'))
    const calls = server.log().length
    look(undefined)
    look(timeOf(217))
    expect(tab.store.get(asOfTxAtom)).toBe('217')
    expect([server.log().length, calls < 8]).toEqual([calls, true])
    expect(await resolveTime(tab.store, timeOf(217))).toEqual({ tx: '217' })
  })

  test.each([10, -10])(
    'C21 the clock of this computer, set by %s years, does not say what has come',
    async (years) => {
      const offset = Date.now() - steadyNow()
      tab.store.set(steadyOffsetAtom, offset)
      const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + years * 31_536_000_000)
      const soonAt = new Date(steadyNow() + offset + 86_400_000).toISOString()
      expect(await resolveTime(tab.store, timeOf(217))).toEqual({ tx: '217' })
      expect(await resolveTime(tab.store, soonAt)).toEqual({
        problem: 'This time has not come yet.',
      })
      clock.mockRestore()
    },
  )

  test('a time after the newest transaction follows what is still written by then', async () => {
    look('2025-01-01T00:00:00Z')
    await soon(() => expect(tab.store.get(asOfTxAtom)).toBe('300'))
    server.databases.set('defaultdb', { isLoaded: true, txId: 301, tables: new Map() })
    await refreshState(tab.store)
    await soon(() => expect(tab.store.get(asOfTxAtom)).toBe('301'))
  })

  test.each([
    ['tx:301', /There is no transaction 301\. The newest is 300\./],
    ['tx:18446744073709551615', /There is no transaction 18,446,744,073,709,551,615\./],
    ['tx:0', /cannot read/],
    ['tx:-1', /cannot read/],
    ['tx:99999999999999999999', /cannot read/],
    ['<b>', /cannot read/],
    ['2999-01-01T00:00:00Z', /not come yet/],
  ])('%s is no moment, in words', (at, words) => {
    look(at)
    const found = asOf()
    expect(found.kind === 'refused' && found.text).toMatch(words)
    expect([tab.store.get(asOfTxAtom), tab.store.get(writesOffAtom) !== null]).toEqual([null, true])
  })

  test('a time before the first transaction is refused with the first', async () => {
    look('2001-01-01T00:00:00Z')
    await soon(() => expect(asOf().kind).toBe('refused'))
    expect(asOf()).toMatchObject({ text: expect.stringMatching(/14 Nov 2023, 22:13:21 UTC/) })
  })

  test('a server that is away is asked again', async () => {
    server.unplug()
    look(timeOf(5))
    await soon(() => expect(asOf().kind).toBe('not-found'))
    server.plug()
    const found = asOf()
    if (found.kind === 'not-found') found.retry()
    await soon(() => expect(tab.store.get(asOfTxAtom)).toBe('5'))
  })

  test('in an empty database there is no past', async () => {
    server.databases.set('defaultdb', { isLoaded: true, txId: 0, tables: new Map() })
    await refreshState(tab.store)
    look('tx:1')
    await soon(() =>
      expect(asOf()).toMatchObject({ text: expect.stringMatching(/so it has no past/) }),
    )
    // A statement is refused with the same words.
    expect(await findMoment(tab.store)).toEqual({
      refusal: expect.stringMatching(/so it has no past/),
    })
  })
})

test.each(['before:tx:5', 'since:tx:1', 'after:2026-11-21T09:00:00Z'])(
  'the period %s is read and written again',
  (text) => {
    const period = readPeriod(text)
    expect(period && writePeriod(period)).toBe(text)
  },
)

test.each(['tx:5', 'until:tx:5', 'after:', 'after:tx:0', 'AFTER:tx:5', 'constructor:tx:5'])(
  '%j is no period',
  (text) => {
    expect(readPeriod(text)).toBeNull()
  },
)
