// @vitest-environment node
import { createStore } from 'jotai'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  appendOutput,
  clearOutput,
  droppedCountAtom,
  outputAtom,
  pinnedResultsAtom,
  setOutput,
  severityAtom,
  togglePin,
  visibleOutputAtom,
} from '~/atoms/query/output'
import { outputLimit } from '~/lib/constants'
import { newEntry } from '../../support/output-entry'

const entry = newEntry()

let store: ReturnType<typeof createStore>

beforeEach(() => {
  store = createStore()
})

describe('the output', () => {
  test('is empty at first', () => {
    expect(store.get(outputAtom)).toEqual([])
  })

  test('gets a result and a divider behind it', () => {
    appendOutput(store, entry)
    appendOutput(store, { ...entry, stream: 'error' })
    expect(store.get(outputAtom).map(({ kind, number }) => [kind, number])).toEqual([
      ['entry', 1],
      ['divider', 1],
      ['entry', 2],
      ['divider', 2],
    ])
  })

  test('can be set as a whole, and emptied', () => {
    appendOutput(store, entry)
    const other = { ...entry, kind: 'entry', number: 9 } as const
    setOutput(store, [other])
    expect(store.get(outputAtom)).toEqual([other])
    setOutput(store, [])
    expect(store.get(outputAtom)).toEqual([])
  })

  test('lets everything through until a kind is chosen', () => {
    appendOutput(store, entry)
    appendOutput(store, { ...entry, stream: 'error' })
    expect(store.get(severityAtom)).toBe('all')
    expect(store.get(visibleOutputAtom)).toBe(store.get(outputAtom))
    for (const stream of ['rows', 'error'] as const) {
      store.set(severityAtom, stream)
      expect(store.get(visibleOutputAtom)).toMatchObject([{ kind: 'entry', stream }])
    }
  })
})

describe('a pinned result', () => {
  const numbers = () =>
    store.get(visibleOutputAtom).flatMap(({ kind, number }) => (kind === 'entry' ? [number] : []))

  beforeEach(() => {
    for (let count = 0; count < 4; count += 1) appendOutput(store, entry)
    togglePin(store, 3)
  })

  test('comes first, and goes back to its place', () => {
    expect(numbers()).toEqual([3, 1, 2, 4])
    togglePin(store, 1)
    expect(numbers()).toEqual([1, 3, 2, 4])
    togglePin(store, 3)
    togglePin(store, 1)
    expect(numbers()).toEqual([1, 2, 3, 4])
  })

  test('stays through clearing, with its divider; what comes next has a new number', () => {
    clearOutput(store)
    expect(store.get(outputAtom).map(({ kind, number }) => [kind, number])).toEqual([
      ['entry', 3],
      ['divider', 3],
    ])
    expect(appendOutput(store, entry)).toBe(5)
    expect(numbers()).toEqual([3, 5])
  })

  test('is not filtered away', () => {
    store.set(severityAtom, 'error')
    expect(numbers()).toEqual([3])
  })

  test('is not dropped when there are too many; the newest neither', () => {
    for (let count = 0; count < outputLimit; count += 1) appendOutput(store, entry)
    expect(numbers()).toHaveLength(outputLimit)
    expect(numbers().slice(0, 2)).toEqual([3, 6])
    expect(store.get(droppedCountAtom)).toBe(4)
    for (const number of numbers()) {
      if (!store.get(pinnedResultsAtom).has(number)) togglePin(store, number)
    }
    const newest = appendOutput(store, entry)
    expect(numbers()).toContain(newest)
    expect(numbers()).toHaveLength(outputLimit + 1)
  })
})
