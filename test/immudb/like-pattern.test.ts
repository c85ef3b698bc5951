// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { afterPrefix, asPattern, unmatchable } from '~/immudb/like-pattern'

describe('a pattern of LIKE', () => {
  test('takes the signs of a text as they are', () => {
    expect(asPattern('50%')).toBe('50\\%')
    expect(asPattern('a_b')).toBe('a\\_b')
    expect(asPattern('\\')).toBe('\\\\')
    expect(asPattern('.*[x](y)^$')).toBe('.*[x](y)^$')
  })

  test('matches ASCII only', () => {
    expect(unmatchable('a%_\\\n\0')).toBe(undefined)
    expect(unmatchable('aé')).toBe('é')
    expect(unmatchable('a😀b')).toBe('😀')
  })
})

describe('what comes after all texts with a beginning', () => {
  test.each([
    ['An', 'Ao'],
    ['Ü', 'Ý'],
    ['\u{d7ff}', '\u{e000}'],
    ['\u{ffff}', '\u{10000}'],
    ['a\u{10ffff}', 'b'],
    ['\u{10ffff}', null],
    ['', null],
  ])('%j', (text, end) => {
    expect(afterPrefix(text)).toBe(end)
    if (end === null || text === '') return
    // The server compares bytes.
    const [from, inside, to] = [text, `${text}\u{10ffff}`, end].map((one) => Buffer.from(one))
    expect(Buffer.compare(from ?? Buffer.of(), inside ?? Buffer.of())).toBe(-1)
    expect(Buffer.compare(inside ?? Buffer.of(), to ?? Buffer.of())).toBe(-1)
  })
})
