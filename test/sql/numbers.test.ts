// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { checkNumbers } from '~/sql/numbers'

/** The warned-of text and what the server reads instead. */
const warned = (source: string) =>
  checkNumbers(source).map(({ from, to, message }) => [source.slice(from, to), message])

describe('checkNumbers', () => {
  it.each([
    ['9223372036854775808', '-9223372036854775808'],
    ['18446744073709551615', '-1'],
    ['00009223372036854775808', '-9223372036854775808'],
  ])('warns that %s wraps to %s', (digits, read) => {
    expect(warned(`SELECT ${digits}`)).toEqual([[digits, expect.stringContaining(`as ${read}.`)]])
  })

  it.each([
    ['1e5', '1'],
    ['1.79e308', '1.79'],
    ['0x10', '0'],
    ['1_000', '1'],
    ['5e', '5'],
  ])('warns that %s is read as %s and a name', (typed, read) => {
    expect(warned(`SELECT ${typed} FROM t`)).toEqual([
      [typed, expect.stringContaining(`as the number ${read} followed`)],
    ])
  })

  it.each([
    'SELECT 9223372036854775807, -9223372036854775808, 007, 1.5, .5, 1 e5',
    'SELECT (-9223372036854775808), 1 * - /* c */ 9223372036854775808',
    "SELECT '1e5', t1e5, \"1e5\", x'10', @p9, $1 -- 1e5",
    'SELECT 99999999999999999999999',
  ])('accepts %s', (source) => {
    expect(warned(source)).toEqual([])
  })

  it('knows a subtraction from a sign', () => {
    expect(warned('SELECT a -9223372036854775808')).toHaveLength(1)
    expect(warned('SELECT (a) - 9223372036854775808')).toHaveLength(1)
  })

  it('is quick about very long numbers', () => {
    const started = performance.now()
    checkNumbers(`SELECT ${'9'.repeat(500_000)}, ${'9223372036854775808,'.repeat(20_000)}`)
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})
