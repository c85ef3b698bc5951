import * as v from 'valibot'
import { beforeEach, expect, test } from 'vitest'
import { isSameTyped, unappliedForms } from '~/core/storage/unapplied'
import { fakeImmudb } from '../../support/fake-immudb'
import { openTab, signIn } from '../../support/store'

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
