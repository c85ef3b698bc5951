// @vitest-environment node
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  byteFormats,
  hexDump,
  isEditableAs,
  type Parsed,
  parseBytes,
  writeBytes,
} from '~/lib/byte-formats'
import {
  bytesToHex,
  decodeUtf8,
  encodeUtf8,
  hexToBytes,
  looksLikeText,
  survivesTextField,
} from '~/lib/bytes'
import { base64Size, formatSize } from '~/lib/size'
import { corpusBytes } from '../support/corpus-bytes'

const bytesOf = (parsed: Parsed) => {
  if ('error' in parsed) throw new Error(parsed.error)
  return Buffer.from(parsed.bytes)
}

const anyBytes = fc.uint8Array({ maxLength: 300 })

/** What a text field makes of a text, by the HTML standard. */
const inTextField = (text: string) => text.replace(/\r\n?/g, '\n')

describe('bytes come back exactly', () => {
  test('as hex and base64, whatever they are', () => {
    fc.assert(
      fc.property(anyBytes, fc.constantFrom('hex', 'base64'), (bytes, format) => {
        const written = writeBytes(bytes, format) ?? ''
        expect(bytesOf(parseBytes(inTextField(written), format))).toEqual(Buffer.from(bytes))
      }),
    )
  })

  test('in every format a text field is offered for', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyBytes,
          fc.string({ unit: 'binary' }).map(encodeUtf8),
          fc.json().map(encodeUtf8),
        ),
        (bytes) => {
          for (const format of byteFormats) {
            if (!isEditableAs(bytes, format)) continue
            const field = inTextField(writeBytes(bytes, format) ?? '')
            expect(bytesOf(parseBytes(field, format))).toEqual(Buffer.from(bytes))
          }
        },
      ),
    )
  })

  test.each(corpusBytes())('$id $category: $name', ({ bytes, category }) => {
    for (const format of byteFormats) {
      if (!isEditableAs(bytes, format)) continue
      const field = inTextField(writeBytes(bytes, format) ?? '')
      expect(bytesOf(parseBytes(field, format)).equals(bytes)).toBe(true)
    }
    const text = decodeUtf8(bytes)
    if (text !== null) expect(Buffer.from(encodeUtf8(text)).equals(bytes)).toBe(true)
    if (category === 'bytes') {
      expect(looksLikeText(bytes)).toBe(false)
      expect(isEditableAs(bytes, 'text')).toBe(false)
      expect(isEditableAs(bytes, 'json')).toBe(false)
    }
  })

  test('text is never repaired: what is not UTF-8 has no text', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const text = decodeUtf8(bytes)
        if (text !== null) expect(Buffer.from(encodeUtf8(text))).toEqual(Buffer.from(bytes))
        else expect(Buffer.from(bytes).toString()).toContain('\ufffd')
      }),
    )
    expect(decodeUtf8(Buffer.from('efbbbf61', 'hex'))).toBe('\ufeffa')
  })
})

describe('a text field', () => {
  test.each([
    ['a\r\nb', false],
    ['a\rb', false],
    ['a\nb\tc', true],
    ['\u001b[31m', true],
    ['\0', false],
    ['\u202e\ufeff', true],
    ['', true],
  ])('holds %j unchanged: %s', (text, isHeld) => {
    expect(survivesTextField(encodeUtf8(text))).toBe(isHeld)
  })
})

describe('what was typed', () => {
  test.each([
    ['hex', 'FF 00\n0a', 'ff000a'],
    ['hex', '', ''],
    ['base64', '_-8=', 'ffef'],
    ['base64', '/+8', 'ffef'],
    ['base64', 'AA\nAA', '000000'],
    ['text', 'é', 'c3a9'],
    ['json', ' {"a" : 1.50 }\n', '207b226122203a20312e3530207d0a'],
  ] as const)('as %s, %j is %s', (format, text, hex) => {
    expect(bytesOf(parseBytes(text, format)).toString('hex')).toBe(hex)
  })

  test.each([
    ['hex', 'f'],
    ['hex', '0x00'],
    ['hex', 'gg'],
    ['base64', 'A'],
    ['base64', 'AB=C'],
    ['base64', 'AB'],
    ['base64', '%'],
    ['text', '\ud800'],
    ['json', ''],
    ['json', '{"a":1,}'],
    ['json', '"\ud800"'],
    ['json', '['.repeat(300)],
  ] as const)('as %s, %j has no bytes, and says why', (format, text) => {
    expect(parseBytes(text, format)).toEqual({ error: expect.stringMatching(/\.$/) })
  })

  test('JSON too deep for a tree is still stored when it is JSON', () => {
    const deep = '['.repeat(10_000) + ']'.repeat(10_000)
    expect(bytesOf(parseBytes(deep, 'json')).length).toBe(20_000)
  })
})

describe('hex', () => {
  test('is told from what is none', () => {
    expect(hexToBytes('zz')).toBeNull()
    expect(bytesToHex(Uint8Array.of(0, 15, 255))).toBe('000fff')
  })

  test('is written in lines with places and ASCII', () => {
    const lines = hexDump(Buffer.from('<b>0123456789abcdef\n')).split('\n')
    expect(lines).toEqual([
      '00000000  3c 62 3e 30 31 32 33 34 35 36 37 38 39 61 62 63  <b>0123456789abc',
      `00000010  64 65 66 0a ${' '.repeat(36)} def·`,
    ])
    expect(hexDump(new Uint8Array())).toBe('')
  })
})

describe('sizes', () => {
  test.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [1_023, '1,023 bytes'],
    [1_536, '1.5 KiB'],
    [4_194_304, '4 MiB'],
    [5 * 1_024 ** 4, '5 TiB'],
    [5_000 * 1_024 ** 4, '5,000 TiB'],
  ])('%d is %s', (bytes, text) => {
    expect(formatSize(bytes)).toBe(text)
  })

  test('of base64 are those of its bytes', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        expect(base64Size(Buffer.from(bytes).toString('base64'))).toBe(bytes.length)
      }),
    )
  })
})
