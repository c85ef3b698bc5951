// @vitest-environment node
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { formatCell, formatMicroseconds, previewLength } from '~/sql/cells'

const text = (type: string, value: string | null) => formatCell(type, value, 'utc').text

const loneSurrogate = /\p{Surrogate}/u

describe('formatCell', () => {
  it('gives NULL a kind of its own', () => {
    expect(formatCell('VARCHAR', null, 'utc')).toEqual({ kind: 'null', text: 'NULL', isCut: false })
    expect(formatCell('VARCHAR', '', 'utc')).toEqual({ kind: 'text', text: '', isCut: false })
    expect(formatCell('VARCHAR', 'NULL', 'utc').kind).toBe('text')
    expect(formatCell('INTEGER', '0', 'utc')).toEqual({ kind: 'number', text: '0', isCut: false })
  })

  it.each([
    ['INTEGER', '-9223372036854775808', 'number', '-9223372036854775808'],
    ['FLOAT', 'NaN', 'number', 'NaN'],
    ['BOOLEAN', 'false', 'boolean', 'false'],
    ['UUID', '0e6a', 'uuid', '0e6a'],
    ['JSON', '{"__proto__":1}', 'json', '{"__proto__":1}'],
    ['ANY', 'x', 'text', 'x'],
    ['BLOB', 'AP8Q', 'blob', '0x00ff10 (3 bytes)'],
    ['BLOB', 'AA==', 'blob', '0x00 (1 byte)'],
    ['BLOB', '', 'blob', '0 bytes'],
    ['TIMESTAMP', '1714979289123456', 'time', '2024-05-06 07:08:09.123456 UTC'],
  ])('%s %s', (type, value, kind, shown) => {
    expect(formatCell(type, value, 'utc')).toEqual({ kind, text: shown, isCut: false })
  })

  it('shows the beginning of what is long, in whole characters', () => {
    const long = formatCell('VARCHAR', '😀'.repeat(previewLength), 'utc')
    expect(long.isCut).toBe(true)
    expect(long.text.length).toBeLessThanOrEqual(previewLength + 1)
    expect(long.text).not.toMatch(loneSurrogate)
    expect(text('VARCHAR', `x${'😀'.repeat(previewLength)}`)).not.toMatch(loneSurrogate)
    const blob = formatCell('BLOB', Buffer.alloc(4_000_000, 255).toString('base64'), 'utc')
    expect(blob.text).toBe(`0x${'ff'.repeat(32)}… (4000000 bytes)`)
  })

  it('counts the bytes of any blob', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
        const shown = text('BLOB', Buffer.from(bytes).toString('base64'))
        expect(shown).toContain(`${bytes.length} byte`)
        expect(shown).toContain(Buffer.from(bytes.slice(0, 32)).toString('hex'))
      }),
    )
  })
})

describe('formatMicroseconds', () => {
  it.each([
    ['0', '1970-01-01 00:00:00.000000 UTC'],
    ['-1', '1969-12-31 23:59:59.999999 UTC'],
    ['-500000', '1969-12-31 23:59:59.500000 UTC'],
    ['-1000000', '1969-12-31 23:59:59.000000 UTC'],
    ['253402300799999999', '9999-12-31 23:59:59.999999 UTC'],
    ['-62135596800000000', '0001-01-01 00:00:00.000000 UTC'],
    ['9223372036854775807', '9223372036854775807 µs since 1970'],
    ['what', 'what'],
  ])('%s µs', (value, shown) => {
    expect(formatMicroseconds(value, 'utc')).toBe(shown)
  })

  it('keeps the instant: reading the text again gives the same microsecond', () => {
    const range = { min: -8_000_000_000_000_000n, max: 250_000_000_000_000_000n }
    fc.assert(
      fc.property(fc.bigInt(range), (value) => {
        const shown = formatMicroseconds(value.toString(), 'utc')
        const iso = `${shown.slice(0, 10)}T${shown.slice(11, 19)}Z`
        expect(BigInt(Date.parse(iso)) * 1000n + BigInt(shown.slice(20, 26))).toBe(value)
      }),
    )
  })

  describe('in a local zone', () => {
    beforeAll(() => void vi.stubEnv('TZ', 'America/St_Johns'))
    afterAll(() => void vi.unstubAllEnvs())

    it.each([
      ['1714979289123456', '2024-05-06 04:38:09.123456 -02:30'],
      ['1704067200000000', '2023-12-31 20:30:00.000000 -03:30'],
    ])('%s µs', (value, shown) => {
      expect(formatMicroseconds(value, 'local')).toBe(shown)
    })
  })
})
