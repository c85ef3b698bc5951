// @vitest-environment node
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { textParts, totalLength } from '~/lib/text-parts'

const everything = Number.POSITIVE_INFINITY

describe('the parts of a long text', () => {
  test('are the text, however it is made, and never half a character', () => {
    const piece = fc.constantFrom(
      'a',
      '\n',
      '\u200b',
      '😀',
      'ä',
      'x'.repeat(9_000),
      '\n'.repeat(900),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join('')
        const parts = textParts(text, everything)
        expect(parts.join('')).toBe(text)
        for (const part of parts) expect(part).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/)
      }),
    )
  })

  test('are shorter where a character takes longer to draw', () => {
    const first = (text: string) => textParts(text, 1)[0]?.length
    expect(first('x'.repeat(100_000))).toBe(16_384)
    expect(first('\n'.repeat(100_000))).toBe(2_048)
    expect(first('\u200b'.repeat(100_000))).toBe(128)
  })

  test('end with a line where there are lines', () => {
    const parts = textParts(`${'x'.repeat(99)}\n`.repeat(2_000), everything)
    expect(parts.every((part) => part.endsWith('\n'))).toBe(true)
    expect(totalLength(textParts(`${'x'.repeat(99)}\n`.repeat(2_000), 4))).toBeLessThan(65_537)
  })

  test('of a line without an end are cut anywhere', () => {
    const text = `one\n${'x'.repeat(40_000)}`
    expect(textParts(text, everything).map(({ length }) => length)).toEqual([16_377, 16_384, 7_243])
  })
})
