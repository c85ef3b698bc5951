// @vitest-environment node
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { beginning, hasHidden, visibleParts } from '~/lib/visible-text'

const shown = (text: string, options?: { lines: boolean }) =>
  visibleParts(text, options)
    .map((part) => (part.kind === 'plain' ? part.text : part.shown))
    .join('')

describe('visibleParts', () => {
  test.each([
    ['plain text', 'plain text'],
    ['', ''],
    ['pay\u202elater', 'pay⟨U+202E⟩later'],
    ['a\u200bb\u200db', 'a⟨U+200B⟩b⟨U+200D⟩b'],
    ['\ufeffid', '⟨U+FEFF⟩id'],
    ['one\ntwo\tthree', 'one↵two⇥three'],
    ['nul\0', 'nul⟨U+0000⟩'],
    ['soft\u00adhyphen', 'soft⟨U+00AD⟩hyphen'],
    ['tag\u{e0041}', 'tag⟨U+E0041⟩'],
    ['half \ud83d pair', 'half ⟨U+D83D⟩ pair'],
    ['filler \u3164', 'filler ⟨U+3164⟩'],
  ])('%j is shown as %j', (text, expected) => {
    expect(shown(text)).toBe(expected)
  })

  test('leaves letters of every script and whole emoji alone', () => {
    for (const text of ['Añb', 'شكرا', '中文', 'ﬁle', '😀', 'é'.normalize('NFD')]) {
      expect(hasHidden(text)).toBe(false)
      expect(visibleParts(text)).toEqual([{ kind: 'plain', text }])
    }
  })

  test('keeps tabs and line ends where lines are kept, and nothing else', () => {
    expect(shown('a\r\n\tb\u2028c', { lines: true })).toBe('a\r\n\tb⟨U+2028⟩c')
  })

  test('says the name of a character where it has one', () => {
    expect(visibleParts('\u202e')[0]).toMatchObject({ name: 'right-to-left override, U+202E' })
    expect(visibleParts('\u0001')[0]).toMatchObject({ name: 'hidden character U+0001' })
  })

  test('loses no character of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const parts = visibleParts(text)
        expect(parts.map((part) => part.text).join('')).toBe(text)
        expect(parts.some((part) => part.kind === 'mark')).toBe(hasHidden(text))
        for (const part of parts) {
          expect(hasHidden(part.kind === 'plain' ? part.text : part.shown)).toBe(false)
        }
      }),
    )
  })

  test('takes time in proportion to the length', () => {
    const long = `${' '.repeat(1_000_000)}\u202e`
    const start = performance.now()
    expect(visibleParts(long)).toHaveLength(2)
    expect(performance.now() - start).toBeLessThan(1000)
  })
})

describe('beginning', () => {
  test.each([
    ['abc', 5, 'abc'],
    ['abcdef', 3, 'abc'],
    ['ab😀', 3, 'ab'],
    ['ab😀', 4, 'ab😀'],
  ])('of %j up to %i is %j', (text, limit, expected) => {
    expect(beginning(text, limit)).toBe(expected)
  })
})
