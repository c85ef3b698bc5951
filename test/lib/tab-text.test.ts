// @vitest-environment node
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readTabText, tabText } from '~/lib/tab-text'

const cell = fc.option(
  fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('"', '\t', '\n', '\r', ' ', 'a', '\\', ',', "'") }),
    fc.constantFrom('', '""', '"', 'NULL', '\r\n', '=1+1', '\ufeff', '00501'),
  ),
)
const block = fc
  .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 }))
  .chain(([rows, columns]) =>
    fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), {
      minLength: rows,
      maxLength: rows,
    }),
  )

describe('cells on the clipboard', () => {
  test('come back as they were, whatever they hold', () => {
    fc.assert(
      fc.property(block, (cells) => {
        expect(readTabText(tabText(cells))).toEqual(cells)
      }),
      { numRuns: 2_000 },
    )
  })

  test('are written as spreadsheets write them, and NULL is not an empty text', () => {
    expect(
      tabText([
        ['a', null, ''],
        ['5" pipe', 'x\ty', 'one\ntwo'],
      ]),
    ).toBe('a\t\t""\n"5"" pipe"\t"x\ty"\t"one\ntwo"')
    expect(tabText([[null]])).toBe('')
    expect(tabText([['a'], [null]])).toBe('a\n\n')
  })

  test.each([
    [
      'a\tb\r\n1\t2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['a\rb\r', [['a'], ['b']]],
    ['one', [['one']]],
    ['', [[null]]],
    ['\n', [[null]]],
    ['a\t', [['a', null]]],
    ['"one\ntwo"\tx', [['one\ntwo', 'x']]],
    // Quotes that are part of the text.
    ['5" pipe\tx', [['5" pipe', 'x']]],
    ['"hi" there\tx', [['"hi" there', 'x']]],
    ['"open\tx\ny', [['"open', 'x'], ['y']]],
  ])('%j is read as %j', (text, cells) => {
    expect(readTabText(text)).toEqual(cells)
  })
})
