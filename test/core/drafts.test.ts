import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import { draftsAtRiskAtom, draftsOf } from '~/core/draft-slots'
import { isSameTyped, unappliedForms } from '~/core/drafts'
import type { Store } from '~/core/session/client'
import { fakeImmudb } from '../support/fake-immudb'
import { type FakeDriver, fakeDriver, openTab, signIn } from '../support/store'

const { readAtom, keepAtom } = unappliedForms('test', v.string())

beforeEach(() => sessionStorage.clear())

async function openForms() {
  const tab = openTab(fakeImmudb())
  await signIn(tab)
  return {
    keep: (name: string, typed: string | null) => tab.store.set(keepAtom, typed, name),
    read: (name: string) => tab.store.get(readAtom)(name),
  }
}

const stored = () => Object.values(sessionStorage).join('').length

test('the newest 50 forms are kept', async () => {
  const { keep, read } = await openForms()
  for (let at = 0; at < 60; at += 1) keep(`form ${at}`, 'typed')
  expect([read('form 9'), read('form 10'), read('form 59')]).toEqual([null, 'typed', 'typed'])
  keep('form 59', null)
  expect(read('form 59')).toBeNull()
})

test('forms that are long together make room by the oldest ones', async () => {
  const { keep, read } = await openForms()
  for (const name of ['a', 'b', 'c']) keep(name, name.repeat(200_000))
  expect(['a', 'b', 'c'].map((name) => read(name)?.length)).toEqual([undefined, 200_000, 200_000])
  expect(stored()).toBeLessThan(501_000)
})

test('a form that is too long alone is not kept, nor what was typed in it before', async () => {
  const { keep, read } = await openForms()
  keep('short', 'typed')
  keep('long', 'before')
  keep('long', 'x'.repeat(499_990))
  expect([read('short'), read('long')]).toEqual(['typed', null])
})

test('the same is typed whatever ids the parts got', () => {
  expect(isSameTyped([{ id: 1, text: 'a' }], [{ id: 2, text: 'a' }])).toBe(true)
  expect(isSameTyped([{ id: 1, text: 'a' }], [{ id: 1, text: 'b' }])).toBe(false)
})

describe('drafts by their slots', () => {
  const drafts = draftsOf<string, { database: string; typed: string }>({
    kind: 'collections',
    schema: v.object({ database: v.string(), typed: v.string() }),
    read: ({ database, typed }) => [database, typed],
    write: (typed, database) => (typed === '' ? null : { database, typed }),
    lengthOf: (typed) => typed.length,
  })

  async function open(driver: FakeDriver, isOtherTab = true) {
    if (isOtherTab) sessionStorage.clear()
    const { store } = openTab(fakeImmudb(), driver)
    await signIn({ store })
    await drafts.load(store)
    return store
  }

  const inSlot = (store: Store, slot: string) => store.get(drafts.draftsAtom).get(slot)

  test('of two tabs do not undo each other', async () => {
    const driver = fakeDriver()
    const [one, other] = [await open(driver), await open(driver)]
    drafts.put(one, 'a', 'of one')
    drafts.put(other, 'b', 'of the other')
    await drafts.keep(one)
    await drafts.keep(other)
    const third = await open(driver)
    expect([inSlot(third, 'a'), inSlot(third, 'b')]).toEqual(['of one', 'of the other'])
    drafts.put(one, 'a', null)
    await drafts.keep(one)
    const fourth = await open(driver)
    expect([inSlot(fourth, 'a'), inSlot(fourth, 'b')]).toEqual([undefined, 'of the other'])
  })

  test('do not come back in a tab that dropped them, however quickly it is loaded again', async () => {
    const driver = fakeDriver()
    const store = await open(driver)
    drafts.put(store, 'a', 'sent')
    await drafts.keep(store)
    drafts.put(store, 'a', null)
    // The page is gone before the browser's storage was written.
    const after = await open(driver, false)
    expect(inSlot(after, 'a')).toBeUndefined()
    drafts.put(after, 'a', 'typed again')
    expect(inSlot(await open(driver, false), 'a')).toBe('typed again')
  })

  test('that a tab only looked at are those of the tab that typed since, also after a reload', async () => {
    const driver = fakeDriver()
    const typing = await open(driver)
    drafts.put(typing, 'a', 'first')
    drafts.put(typing, 'b', 'gone soon')
    await drafts.keep(typing)
    const idle = await open(driver)
    expect(inSlot(idle, 'a')).toBe('first')
    const ofIdle = { ...sessionStorage }
    drafts.put(typing, 'a', 'second')
    drafts.put(typing, 'b', null)
    await drafts.keep(typing)
    sessionStorage.clear()
    for (const [key, value] of Object.entries(ofIdle)) sessionStorage.setItem(key, value)
    const reloaded = await open(driver, false)
    expect([inSlot(reloaded, 'a'), inSlot(reloaded, 'b')]).toEqual(['second', undefined])
    const third = await open(driver)
    expect([inSlot(third, 'a'), inSlot(third, 'b')]).toEqual(['second', undefined])
  })

  test('that are many are in the tab as far as there is room, and all of them when it is left', async () => {
    const driver = fakeDriver()
    const store = await open(driver)
    for (let at = 0; at < 30; at += 1) drafts.put(store, `s${at}`, 'x'.repeat(50_000))
    expect(stored()).toBeLessThan(210_000)
    drafts.put(store, 's3', 'typed last')
    drafts.leave(store)
    expect(stored()).toBeGreaterThan(29 * 50_000)
    const reloaded = await open(fakeDriver(), false)
    expect(inSlot(reloaded, 's3')).toBe('typed last')
    expect(inSlot(reloaded, 's4')).toHaveLength(50_000)
  })

  test('are at risk while they are stored nowhere, whatever their kind', async () => {
    const store = await open({ ...fakeDriver(), setItem: () => Promise.reject(new Error('full')) })
    drafts.put(store, 'a', 'typed')
    expect(await drafts.keep(store)).toBe(false)
    expect([...store.get(draftsAtRiskAtom)]).toEqual(['collections'])
    drafts.put(store, 'a', '')
    expect([...store.get(draftsAtRiskAtom)]).toEqual([])
  })
})
