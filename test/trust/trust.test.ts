// @vitest-environment node
import { describe, expect, test, vi } from 'vitest'
import { verifyRows } from '~/atoms/rows/proofs'
import { rowProofsAtom, summaryVerdictAtom } from '~/atoms/rows/row-marks'
import { connect, type Store } from '~/core/session/client'
import { openQueryCache } from '~/core/session/query-client'
import { databaseIdAtom } from '~/core/session/session'
import { importState } from '~/trust/compared-state'
import { type CommittedWrite, receiptAtom, receiptVerdictAtom, verifyWrite } from '~/trust/receipts'
import { keyWrite, uncomparedWrite } from '~/trust/sent'
import { late, memoryTrustStore } from '~/trust/store'
import { forgotten, trustAtom } from '~/trust/trust'
import { trustRecordsAtom } from '~/trust/trusted-states'
import { verifyState } from '~/trust/verify-state'
import { History } from '../support/history'
import { grow, historyOf, keptDoor, lateTab, ProvingServer, tabOf } from '../support/proving-server'
import { RowServer, showRows } from '../support/row-server'

/** Tabs that know nothing of what was recorded before, and the words for it. */
const tabs: readonly [string, (server: ProvingServer) => Store, string][] = [
  ['storage that has not answered', (server) => lateTab(server).tab, late.why],
  ['storage that keeps nothing', (server) => tabOf(server, memoryTrustStore()), forgotten.why],
]

const written = (tx: number) => ({ database: 'db', tx: String(tx) })
const write = (tx: number) => ({ ...written(tx), txBefore: String(tx - 1) })

/** A write of which nothing but its transaction is proven. */
const committed = (tx: number): CommittedWrite => ({
  ...written(tx),
  of: 'statement',
  questions: uncomparedWrite(write(tx)),
})

/** The key that a transaction has set. */
function keySet(tx: number): CommittedWrite {
  const key = btoa(`k${tx}`)
  const questions = keyWrite(write(tx), { key, value: btoa(`a${tx}`), expiresAt: null })
  return { ...written(tx), of: `key ${key}`, questions }
}

function verdictOn(tab: Store, written: CommittedWrite) {
  const receipt = tab.get(receiptAtom)(written)
  return receipt && tab.get(receiptVerdictAtom)(receipt)
}

describe.each(tabs)('with %s', (name, open, why) => {
  const isLate = name.includes('answered')

  test('what a check resolves with is what is shown', async () => {
    const tab = open(new ProvingServer(historyOf(5)))
    await verifyState(tab)
    const told = await verifyState(tab)
    expect(told).toEqual(tab.get(trustAtom))
    expect(told).toMatchObject({ kind: isLate ? 'unchecked' : 'first', why })
  })

  test('a write is not verified, and it is said why', async () => {
    const tab = open(new ProvingServer(historyOf(5)))
    for (const one of [committed(4), keySet(5)]) {
      await verifyWrite(tab, one)
      expect(verdictOn(tab, one)).toEqual({
        verdict: 'unproven',
        cause: isLate ? 'late' : 'memory',
      })
    }
  })

  test('what is newer than the point is proven all the same', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = open(server)
    await verifyState(tab)
    grow(server.history)
    await verifyWrite(tab, committed(6))
    expect(tab.get(receiptAtom)(committed(6))).toMatchObject({
      kind: 'checked',
      proofs: [{ verification: { outcome: { kind: 'ok' } } }],
    })
  })

  test('no row is marked as verified', async () => {
    const server = new RowServer(new History())
    const rows = Array.from({ length: 20 }, (_, at) => ({ id: at + 1, name: `n${at + 1}` }))
    server.add(...rows)
    const tab = open(server)
    connect(tab, '/api', server.answer)
    openQueryCache(tab)
    const rowSet = showRows(rows)
    await verifyRows(
      tab,
      rowSet,
      rows.map((_, at) => at),
    )
    const { marks } = tab.get(rowProofsAtom)(rowSet.number)
    expect(new Set([...marks.values()].map(({ cause }) => cause))).toEqual(
      new Set([isLate ? 'late' : 'memory']),
    )
    expect(tab.get(summaryVerdictAtom)(rowSet).judged.verdict).toBe('unproven')
  })

  test('a point from elsewhere agrees with nothing, but may contradict it', async () => {
    const server = new ProvingServer(historyOf(5))
    const tab = open(server)
    await verifyState(tab)
    const id = tab.get(databaseIdAtom)('db')
    for (const tx of [3, 5]) {
      expect(await importState(tab, id, server.history.point(tx))).toEqual({
        kind: 'unknown',
        why,
      })
      const other = historyOf(5, 'b').point(tx)
      expect(await importState(tab, id, other)).toMatchObject({ kind: 'differs' })
    }
  })
})

test('what was compared with memory stays so when storage answers; what comes then is not', async () => {
  const server = new ProvingServer(historyOf(5))
  const { tab, answer } = lateTab(server)
  await verifyWrite(tab, keySet(4))
  answer(keptDoor())
  await vi.waitFor(async () => expect(await verifyState(tab)).toMatchObject({ kind: 'first' }))
  expect(verdictOn(tab, keySet(4))?.verdict).toBe('unproven')
  await verifyWrite(tab, keySet(5))
  expect(verdictOn(tab, keySet(5))?.verdict).toBe('verified')
  // Of a transaction alone, nobody can say that it is what was sent.
  await verifyWrite(tab, committed(5))
  expect(verdictOn(tab, committed(5))?.verdict).toBe('verified-in-part')
})

test('a state that is asked for while storage answers is compared with what was recorded', async () => {
  const door = keptDoor()
  const server = new ProvingServer(historyOf(5))
  await verifyState(tabOf(server, door))
  server.history = historyOf(7, 'b')
  const { tab, answer } = lateTab(server)
  server.instead = async (path) => {
    if (path !== '/db/state') return undefined
    answer(door)
    await vi.waitFor(async () => expect((await tab.set(trustRecordsAtom)).keeping).toBe('kept'))
    return undefined
  }
  expect(await verifyState(tab)).toMatchObject({ broken: { kind: 'forked' } })
})
