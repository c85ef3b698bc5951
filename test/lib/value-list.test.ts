// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { lineOfValues, valuesOf } from '~/lib/value-list'
import { corpusBytes } from '../support/corpus-bytes'

describe('values in a line', () => {
  test.each([
    ['', []],
    [' ', []],
    ['4', ['4']],
    ['4,5 , 6', ['4', '5', '6']],
    ['4,', ['4']],
    [', ,4', ['4']],
    ['"a, b", c', ['a, b', 'c']],
    ['"", ""', ['', '']],
    ['" x "', [' x ']],
    ['"say ""hi"""', ['say "hi"']],
    ['"a"b', null],
    ['a"b', null],
    ['"a', null],
  ])('%j', (line, values) => {
    expect(valuesOf(line)).toEqual(values)
  })

  test('every text of the corpus comes back', () => {
    for (const { id, bytes } of corpusBytes()) {
      const text = bytes.toString()
      expect(valuesOf(lineOfValues([text, 'x', text])), id).toEqual([text, 'x', text])
    }
  })
})
