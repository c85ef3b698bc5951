// @vitest-environment node
import { createStore } from 'jotai'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  appendOutputAtom,
  outputAtom,
  setOutputAtom,
  severityAtom,
  visibleOutputAtom,
} from '~/atoms/output'
import { newEntry } from '../support/output-entry'

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
    store.set(appendOutputAtom, entry)
    store.set(appendOutputAtom, { ...entry, flux: 'stderr' })
    expect(store.get(outputAtom).map(({ kind, number }) => [kind, number])).toEqual([
      ['entry', 1],
      ['divider', 1],
      ['entry', 2],
      ['divider', 2],
    ])
  })

  test('can be set as a whole, and emptied', () => {
    store.set(appendOutputAtom, entry)
    const other = { ...entry, kind: 'entry', number: 9 } as const
    store.set(setOutputAtom, [other])
    expect(store.get(outputAtom)).toEqual([other])
    store.set(setOutputAtom, [])
    expect(store.get(outputAtom)).toEqual([])
  })

  test('lets everything through until a kind is chosen', () => {
    store.set(appendOutputAtom, entry)
    store.set(appendOutputAtom, { ...entry, flux: 'stderr' })
    expect(store.get(severityAtom)).toBe('all')
    expect(store.get(visibleOutputAtom)).toBe(store.get(outputAtom))
    for (const flux of ['stdtable', 'stderr'] as const) {
      store.set(severityAtom, flux)
      expect(store.get(visibleOutputAtom)).toMatchObject([{ kind: 'entry', flux }])
    }
  })
})
