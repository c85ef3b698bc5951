// @vitest-environment node
import { atom, createStore } from 'jotai'
import { describe, expect, test } from 'vitest'
import { rememberedSeries } from '~/atoms/overview/time-series'

type Value = { at: number; of?: string; value: number }

function opened(limit: number) {
  const source = atom<Value | null>(null)
  const list = rememberedSeries(source, limit)
  const store = createStore()
  return { store, source, list, values: () => store.get(list).map(({ value }) => value) }
}

describe('what is remembered', () => {
  test('is bounded: only the newest stay', () => {
    const { store, source, list, values } = opened(720)
    store.sub(list, () => {})
    for (let at = 1; at <= 2_000; at += 1) store.set(source, { at, value: at })
    expect(values()).toHaveLength(720)
    expect(values()[0]).toBe(1_281)
  })

  test('stays when nobody looks any more, without what came meanwhile', () => {
    const { store, source, list, values } = opened(10)
    const stop = store.sub(list, () => {})
    store.set(source, { at: 1, value: 1 })
    stop()
    store.set(source, { at: 2, value: 2 })
    store.set(source, { at: 3, value: 3 })
    expect(values()).toEqual([1, 3])
  })

  test('has one value for each moment and thing, in the order of time', () => {
    const { store, source, list, values } = opened(10)
    store.sub(list, () => {})
    store.set(source, { at: 5, of: 'a', value: 1 })
    store.set(source, { at: 5, of: 'a', value: 2 })
    store.set(source, { at: 5, of: 'b', value: 3 })
    store.set(source, null)
    store.set(source, { at: 2, of: 'b', value: 4 })
    expect(values()).toEqual([4, 1, 3])
  })

  test('belongs to one store', () => {
    const { store, source, list } = opened(10)
    store.sub(list, () => {})
    store.set(source, { at: 1, value: 1 })
    expect(createStore().get(list)).toEqual([])
  })
})
