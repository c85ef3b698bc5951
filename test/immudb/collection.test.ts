// @vitest-environment node
import { expect, test } from 'vitest'
import {
  fieldOf,
  refusalOfCollection,
  refusalOfField,
  refusalOfIdField,
  refusalOfIndex,
} from '~/immudb/collection'

// Tried on immudb 1.11.1.
test.each([
  ['CaPs', true],
  ['a-b', true],
  ['_x', true],
  ['a b', false],
  ['é', false],
  ['a.b', false],
  ['a/b', false],
  ['..', false],
  ['1x', false],
  ['-', false],
  ['index', false],
  ['Document', false],
  ['documents', true],
  ['', false],
])('the name %s of a collection is taken or refused as by the server', (name, isTaken) => {
  expect(refusalOfCollection(name) === undefined).toBe(isTaken)
})

test.each([
  ['x.y', true],
  ['x-y', true],
  ['select', true],
  ['a b', false],
  ['é', false],
  ['"q"', false],
  ['_doc', false],
  ['FIELD', false],
  ['field.x', true],
  ['', false],
])('the name %s of a field is taken or refused as by the server', (name, isTaken) => {
  expect(refusalOfField(name) === undefined).toBe(isTaken)
})

test.each([
  ['code', true],
  ['a-b', true],
  ['a.b', false],
  ['_doc', false],
  ['_Doc', true],
  ['collection', false],
  ['', false],
])('the name %s of the field for ids is taken or refused as by the server', (name, isTaken) => {
  expect(refusalOfIdField(name) === undefined).toBe(isTaken)
})

test.each([
  [8, true],
  [9, false],
])('an index of %i fields is taken or refused as by the server', (count, isTaken) => {
  const fields = Array.from({ length: count }, (_, at) => `f${at}`)
  expect(refusalOfIndex({ fields }) === undefined).toBe(isTaken)
})

test('a declared field is found inside objects, and nothing that every object has', () => {
  const document = { a: { b: 0 }, 'x.y': 1 }
  expect(fieldOf(document, 'a.b')).toBe(0)
  expect(fieldOf(document, 'x.y')).toBe(undefined)
  expect(fieldOf(document, 'constructor')).toBe(undefined)
  expect(fieldOf(document, 'a.b.c')).toBe(undefined)
})
