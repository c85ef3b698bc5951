// @vitest-environment node
import { expect, test } from 'vitest'
import { changesOf } from '~/screens/revisions/shown-part'

const part = (type: string, value: string | null) => ({ name: 'a', type, value })

test('a value of another type with the same text is a change, and both types are named', () => {
  const [change] = changesOf([part('NUMBER', '5')], [part('STRING', '5')])
  expect([change?.change, change?.type]).toEqual(['changed', 'NUMBER → STRING'])
})

test('a value of the same type and text is no change', () => {
  const [change] = changesOf([part('NULL', null)], [part('NULL', null)])
  expect([change?.change, change?.type]).toEqual(['same', 'NULL'])
})
