// @vitest-environment node
import { createStore } from 'jotai'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import {
  appendOutput,
  clearOutput,
  severityAtom,
  shownHitAtom,
  togglePin,
} from '~/atoms/query/output'
import {
  hitIndexAtom,
  isSearchingAtom,
  outputHitsAtom,
  searchTextAtom,
  stepHit,
} from '~/atoms/query/output-search'
import type { ResultTable } from '~/sql/result'
import { newEntry } from '../../support/output-entry'

let store: ReturnType<typeof createStore>

function resultOf(columns: Record<string, readonly [type: string, ...values: (string | null)[]]>) {
  const made = Object.entries(columns).map(([label, [type, ...values]]) => ({
    name: label,
    label,
    type,
    values,
  }))
  return { columns: made, rowCount: made[0]?.values.length ?? 0 } as unknown as ResultTable
}

async function search(text: string) {
  store.set(searchTextAtom, text)
  await vi.waitFor(() => expect(store.get(isSearchingAtom)).toBe(false))
  return store.get(outputHitsAtom).hits
}

beforeEach(() => {
  store = createStore()
  store.sub(outputHitsAtom, () => {})
  appendOutput(
    store,
    newEntry({
      source: 'SELECT * FROM apples',
      message: '2 rows',
      tx: null,
      result: resultOf({
        id: ['INTEGER', '1', '20'],
        apple: ['VARCHAR', 'Cox', 'a (b) [c] Ç'],
        at: ['TIMESTAMP', '1700000000000000', null],
        raw: ['BLOB', btoa('\xca\xfe'), btoa('x')],
        key: ['UUID', '018f5f0a-7e4c-7a66-8d6f-2f6b3c1d9e10', null],
      }),
    }),
  )
  appendOutput(
    store,
    newEntry({ source: 'DELETE FROM pears', message: 'Committed, 1 row changed.', tx: '12904' }),
  )
})

describe('a search of the output', () => {
  test('finds statements, heads and values in order', async () => {
    expect(await search('APPLE')).toEqual([
      { entry: 1, kind: 'statement' },
      { entry: 1, kind: 'column', column: 1 },
    ])
    expect(await search('cox')).toEqual([{ entry: 1, kind: 'cell', row: 0, column: 1 }])
  })

  test.each([
    ['committed', { entry: 2, kind: 'answer' }],
    ['tx 12,904', { entry: 2, kind: 'answer' }],
    ['tx 12904', { entry: 2, kind: 'answer' }],
    ['result 2', { entry: 2, kind: 'answer' }],
    ['VARCHAR', { entry: 1, kind: 'column', column: 1 }],
    ['2023-11-14', { entry: 1, kind: 'cell', row: 0, column: 2 }],
    ['cafe', { entry: 1, kind: 'cell', row: 0, column: 3 }],
    ['8d6f-2f6b', { entry: 1, kind: 'cell', row: 0, column: 4 }],
    ['(b) [c]', { entry: 1, kind: 'cell', row: 1, column: 1 }],
    ['ç', { entry: 1, kind: 'cell', row: 1, column: 1 }],
  ])('finds %s where it is', async (text, hit) => {
    expect(await search(text)).toEqual([hit])
  })

  test('finds NULL as it is shown, and nothing for what is not there', async () => {
    expect(await search('null')).toHaveLength(2)
    expect(await search('nowhere')).toEqual([])
    expect(await search('   ')).toEqual([])
    expect(await search('.*')).toEqual([])
  })

  test('finds failures with what to do about them, and notes', async () => {
    const failure = { text: 'It broke.', hint: 'Mend it.', details: '', place: null }
    appendOutput(store, newEntry({ stream: 'error', failure, notes: ['Sent as text'] }))
    for (const text of ['broke', 'mend', 'sent as']) {
      expect(await search(text)).toEqual([{ entry: 3, kind: 'answer' }])
    }
  })

  test('finds the place of a failure, and what stands in its folded technical details', async () => {
    const place = { line: 4, column: 11 }
    const failure = { text: 'It broke.', hint: null, details: 'gRPC code 2 · detail XX000', place }
    appendOutput(store, newEntry({ stream: 'error', failure }))
    expect(await search('line 4, column 11')).toEqual([{ entry: 3, kind: 'answer' }])
    expect(await search('xx000')).toEqual([{ entry: 3, kind: 'details' }])
  })

  test('finds the text that was sent where it is shown, and only there', async () => {
    const sent = { source: 'SELECT "a2"', sent: "SELECT 'a2'" }
    appendOutput(store, newEntry(sent))
    expect(await search("'a2'")).toEqual([])
    appendOutput(store, newEntry({ ...sent, notes: ['Sent as text.'] }))
    const shown = [{ entry: 4, kind: 'answer' }]
    await vi.waitFor(async () => expect(await search("'a2'")).toEqual(shown))
  })

  test('steps from hit to hit, round at both ends, and begins again with another text', async () => {
    const hits = await search('row')
    expect(hits.map(({ entry }) => entry)).toEqual([1, 2])
    expect(store.get(shownHitAtom)).toBeNull()
    stepHit(store, 1)
    expect(store.get(shownHitAtom)).toEqual(hits[0])
    stepHit(store, 1)
    expect(store.get(hitIndexAtom)).toBe(1)
    stepHit(store, 1)
    expect(store.get(hitIndexAtom)).toBe(0)
    stepHit(store, -1)
    expect(store.get(hitIndexAtom)).toBe(1)
    await search('cox')
    expect(store.get(shownHitAtom)).toBeNull()
    stepHit(store, -1)
    expect(store.get(hitIndexAtom)).toBe(0)
    await search('nowhere')
    stepHit(store, 1)
    expect(store.get(shownHitAtom)).toBeNull()
  })

  test('follows what is shown: order, filter, new results and clearing', async () => {
    const entries = async () => (await search('row')).map(({ entry }) => entry)
    togglePin(store, 2)
    await vi.waitFor(async () => expect(await entries()).toEqual([2, 1]))
    store.set(severityAtom, 'error')
    await vi.waitFor(async () => expect(await entries()).toEqual([2]))
    store.set(severityAtom, 'all')
    appendOutput(store, newEntry({ message: 'a third row' }))
    await vi.waitFor(async () => expect(await entries()).toEqual([2, 1, 3]))
    clearOutput(store)
    await vi.waitFor(async () => expect(await entries()).toEqual([2]))
  })

  test('pauses in a long result, and keeps no more hits than anybody steps through', async () => {
    const values = Array.from({ length: 60_000 }, (_, at) => `row ${at} of a long result`)
    appendOutput(store, newEntry({ result: resultOf({ text: ['VARCHAR', ...values] }) }))
    const waited = vi.spyOn(globalThis, 'setTimeout')
    expect(await search('59999')).toEqual([{ entry: 3, kind: 'cell', row: 59_999, column: 0 }])
    expect(waited.mock.calls.length).toBeGreaterThan(1)
    waited.mockRestore()
    expect(await search('long')).toHaveLength(10_000)
    expect(store.get(outputHitsAtom).isWhole).toBe(false)
  })
})
