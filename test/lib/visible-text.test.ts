// @vitest-environment node
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { visibleParts } from '~/lib/visible-parts'
import { beginning, hasHidden, type TextKind } from '~/lib/visible-text'
import { corpus } from '../support/recorded'

const kinds = ['text', 'name', 'value'] as const

const shown = (text: string, options?: { kind?: TextKind; lines?: boolean }) =>
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
    ['a\r\nb\rc', 'a⟨CR⟩↵b⟨CR⟩c'],
    ['\u0301x', '⟨U+0301⟩x'],
    ['x \u0301', 'x ⟨U+0301⟩'],
  ])('%j is shown as %j', (text, expected) => {
    expect(shown(text)).toBe(expected)
  })

  test('leaves letters of every script and whole emoji alone', () => {
    for (const text of ['Añb', 'شكرا', '中文', 'ﬁle', '😀', 'é'.normalize('NFD')]) {
      expect(hasHidden(text)).toBe(false)
      expect(visibleParts(text)).toEqual([{ kind: 'plain', text }])
    }
  })

  test.each([
    0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x180b, 0x180e, 0x200b, 0x2065, 0x206a, 0x2800, 0x3000,
    0x3164, 0xa0, 0xfe00, 0xfe0f, 0xfeff, 0xffa0, 0xfff0, 0xfff9, 0xfffc, 0xffff, 0x1d159, 0x1d173,
    0xe0001, 0xe0041, 0xe0100, 0xe01ef, 0x2003, 0x202f, 0x205f, 0x85, 0x0b,
  ])('U+%X does not hide in a word', (code) => {
    const word = `ad${String.fromCodePoint(code)}min`
    for (const kind of ['text', 'name', 'value'] as const) {
      expect(shown(word, { kind })).toMatch(/^ad⟨U\+[\dA-F]{4,5}⟩min$/)
    }
  })

  const plain = new Set(['arabic', 'hebrew + digits'])

  test.each(corpus('bidi-invisible').filter(({ name }) => !plain.has(name)))(
    '$id $name: is marked in names, values and everything else',
    ({ text = '' }) => {
      for (const kind of ['text', 'name', 'value'] as const)
        expect(hasHidden(text, kind)).toBe(true)
    },
  )

  const pictures = ['❤️', '👍🏽', '👩‍👩‍👧', '🏳️‍🌈', '🏃🏽‍♀️', '1️⃣', '©️', '🏴󠁧󠁢󠁳󠁣󠁴󠁿']

  test.each(pictures)('%s is whole in a value and comes apart in a name', (picture) => {
    expect(hasHidden(`so ${picture} it is`, 'value')).toBe(false)
    expect(hasHidden(picture, 'name')).toBe(picture !== '👍🏽')
  })

  test.each([
    'a\ufe0f',
    '1\ufe0f',
    '😀\u200d',
    '\u200d😀',
    '❤\ufe0f\ufe0f',
    '🏴\u{e0061}\u{e007f}',
  ])('what belongs to no picture is marked in a value: %j', (text) => {
    expect(hasHidden(text, 'value')).toBe(true)
  })

  test('marks in a name each space that would be lost, in other texts none', () => {
    expect(shown(' a b  c ', { kind: 'name' })).toBe('␣a b␣␣c␣')
    expect(shown(' ', { kind: 'name' })).toBe('␣')
    expect(shown(' a b  c ')).toBe(' a b  c ')
  })

  test('marks what is piled on a letter from the seventh on, and no writing of people', () => {
    expect(shown(`Z${'\u0301'.repeat(8)}`)).toBe(`Z${'\u0301'.repeat(6)}⟨U+0301⟩⟨U+0301⟩`)
    for (const text of ['ကြွော့', 'שָׁלוֹם', 'नमस्ते', 'ที่', 'ế'.normalize('NFD'), 'བསྒྲུབས']) {
      expect(hasHidden(text)).toBe(false)
    }
  })

  test('keeps tabs and line feeds where lines are kept, and nothing else', () => {
    expect(shown('a\r\n\tb\u2028c\rd', { lines: true })).toBe('a⟨CR⟩\n\tb⟨U+2028⟩c⟨CR⟩d')
  })

  test('says the name of a character where it has one', () => {
    expect(visibleParts('\u202e')[0]).toMatchObject({ name: 'right-to-left override, U+202E' })
    expect(visibleParts('\u0001')[0]).toMatchObject({ name: 'hidden character U+0001' })
  })

  test('loses no character of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(...kinds), (text, kind) => {
        const parts = visibleParts(text, { kind })
        expect(parts.map((part) => part.text).join('')).toBe(text)
        expect(parts.some((part) => part.kind === 'mark')).toBe(hasHidden(text, kind))
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
    const piled = `a${'\u0301'.repeat(20_000)}`
    expect(visibleParts(piled)).toHaveLength(19_995)
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
