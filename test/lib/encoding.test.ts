// @vitest-environment node
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { guessEncoding, isBroken, textReader } from '~/lib/encoding'

function read(parts: readonly Uint8Array[], encoding = 'utf-8' as const) {
  const reader = textReader(encoding)
  return [...parts.map((part) => reader.read(part)), reader.end()].join('')
}

test('UTF-8 is read whole, cut within its characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const bytes = new TextEncoder().encode(text)
      const whole = new TextDecoder('utf-8').decode(bytes)
      expect(read([...bytes].map((byte) => Uint8Array.of(byte)))).toBe(whole)
    }),
  )
})

test('bytes that are not UTF-8 are marked, and all others stay', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.nat(), (bytes, place) => {
      const at = place % (bytes.length + 1)
      const text = read([bytes.slice(0, at), bytes.slice(at)])
      const isValid = !new TextDecoder().decode(bytes).includes('\ufffd')
      if (isValid) expect(isBroken(text)).toBe(false)
      else expect(isBroken(text) || text.includes('\ufffd')).toBe(true)
    }),
  )
})

test('a replacement character of the file itself is no mark', () => {
  expect(isBroken(read([new TextEncoder().encode('a\ufffdb')]))).toBe(false)
  expect(isBroken(read([Uint8Array.of(0x61, 0xff, 0x62)]))).toBe(true)
  expect(isBroken(read([Uint8Array.of(0x61, 0xe2, 0x82)]))).toBe(true)
})

test('a byte order mark names UTF-16 and is not part of the text', () => {
  const bytes = Uint8Array.of(0xff, 0xfe, 0x61, 0, 0xe9, 0)
  expect(guessEncoding(bytes)).toBe('utf-16le')
  expect(textReader('utf-16le').read(bytes)).toBe('aé')
  expect(textReader('windows-1252').read(Uint8Array.of(0xe9, 0x80))).toBe('é€')
})
