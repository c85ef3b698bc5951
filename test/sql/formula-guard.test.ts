// @vitest-environment node
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { guarded, withoutGuards } from '~/sql/formula-guard'

test.each([
  ['=1+1', "'=1+1"],
  ['-5', "'-5"],
  ['+49 30', "'+49 30"],
  ['@x', "'@x"],
  ['  =1', "'  =1"],
  ["'=1", "''=1"],
  ['"=1', '\'"=1'],
  ['＝1', "'＝1"],
  ['\tx', "'\tx"],
  ["'\tx", "''\tx"],
  [';=1+1', ";'=1+1"],
  ['a;=1+1', "a;'=1+1"],
  ['a\t=1', "a\t'=1"],
  ['a|@x', "a|'@x"],
  ['a\n=1', "a\n'=1"],
  ['a,=1', 'a,=1'],
  ['a-b', 'a-b'],
  ["it's", "it's"],
  ['', ''],
])('%j is guarded as %j', (text, expected) => {
  expect(guarded(text, ',')).toBe(expected)
  expect(withoutGuards(expected, ',')).toBe(text)
})

test('a comma begins a cell where another separator is that of the file', () => {
  expect(guarded('a,=1;=2', ';')).toBe("a,'=1;=2")
})

test('whatever is guarded is the same again without', () => {
  const unit = fc.constantFrom('=', '-', "'", '"', ';', ',', '\t', '|', '\n', '\r', ' ', 'a', '＝')
  fc.assert(
    fc.property(fc.string({ unit }), fc.constantFrom(',', ';', '\t', '|'), (text, separator) => {
      expect(withoutGuards(guarded(text, separator), separator)).toBe(text)
    }),
    { numRuns: 2_000 },
  )
})

test('a long text of blanks takes time in proportion to its length', () => {
  const started = performance.now()
  guarded('\n '.repeat(500_000), ',')
  expect(performance.now() - started).toBeLessThan(5_000)
})
