// @vitest-environment node
import { expect, test } from 'vitest'
import { comparedParts } from '~/atoms/revisions/compare-document'
import type { DocumentFacts } from '~/proof/facts'

const matches = (shown: string | null, proven: object, deleted = false) => {
  const facts = { document: proven, deleted } as DocumentFacts
  const document = shown === null ? null : JSON.parse(shown)
  return comparedParts(document, shown === null, facts).map(({ name, match }) => [name, match])
}

test('numbers that answers write as texts do not differ from the proven ones', () => {
  const proven = { a: Number.NaN, b: [-Infinity], c: -0, d: 'NaN' }
  expect(matches('{"a":"NaN","b":["-Infinity"],"c":-0,"d":"NaN"}', proven)).toEqual([
    ['a', 'same'],
    ['b', 'same'],
    ['c', 'same'],
    ['d', 'same'],
  ])
})

test.each([
  ['another sign of zero', '{"a":0}', { a: -0 }],
  ['another type', '{"a":"1"}', { a: 1 }],
  ['a missing field', '{}', { a: 1 }],
  ['a field too many', '{"a":1}', {}],
  ['a name that objects inherit', '{"__proto__":{}}', {}],
  ['a name that objects inherit, not shown', '{}', JSON.parse('{"__proto__":{}}')],
])('%s differs', (_what, shown, proven) => {
  expect(matches(shown, proven).map(([, match]) => match)).toEqual(['differs'])
})

test('the order of fields does not matter, that of lists does', () => {
  expect(matches('{"a":{"x":1,"y":[1,2]}}', { a: { y: [1, 2], x: 1 } })).toEqual([['a', 'same']])
  expect(matches('{"a":[1,2]}', { a: [2, 1] })).toEqual([['a', 'differs']])
})

test('a deletion is compared as such', () => {
  expect(matches(null, { a: 1 }, true)).toEqual([['the deletion of the document', 'same']])
  expect(matches(null, { a: 1 })).toEqual([['the deletion of the document', 'differs']])
})
