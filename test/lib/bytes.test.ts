// @vitest-environment node
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  base64Of,
  base64ToBytes,
  base64ToText,
  bytesToBase64,
  bytesToHex,
  textToBase64,
} from '~/lib/bytes'

describe('base64', () => {
  test('of text is that of its UTF-8 bytes, for every text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(textToBase64(text)).toBe(Buffer.from(text).toString('base64'))
        expect(base64ToText(textToBase64(text))).toBe(text)
      }),
    )
  })

  test('of bytes works for lengths that do not fit one call', () => {
    const bytes = new Uint8Array(300_001).map((_byte, at) => at % 251)
    expect(bytesToBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'))
    expect(Buffer.compare(base64ToBytes(bytesToBase64(bytes)), bytes)).toBe(0)
  })

  test('a byte order mark is part of the text', () => {
    expect(base64ToText(textToBase64('\uFEFFx'))).toBe('\uFEFFx')
  })

  test.each(['%', 'a', '/w==', 'gICA'])('%s is not text', (base64) => {
    expect(() => base64ToText(base64)).toThrow()
  })
})

describe('hex', () => {
  test('is two lower-case digits for each byte, of any length', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(bytesToHex(bytes)).toBe(Buffer.from(bytes).toString('hex'))
      }),
    )
    const long = new Uint8Array(300_001).map((_byte, at) => at % 251)
    expect(bytesToHex(long)).toBe(Buffer.from(long).toString('hex'))
  })

  test('becomes base64, and nothing where it is none', () => {
    expect(base64Of('00ff10')).toBe('AP8Q')
    expect([base64Of(''), base64Of('0'), base64Of('zz')]).toEqual(['', '', ''])
  })
})
