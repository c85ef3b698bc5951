import { describe, expect, test } from 'vitest'
import type { ChartChoice } from '~/sql/chart-choice'
import { chartPoints } from '~/sql/chart-points'
import type { ResultTable } from '~/sql/result'
import { barsOf, drawnOf, frameOf, pixelOf, svgOf } from '~/ui/chart/picture'
import { roomyReach, ticksOf } from '~/ui/chart/scale'

const column = (label: string, type: string, values: readonly (string | null)[]) => ({
  name: `(t.${label})`,
  table: 't',
  label,
  type,
  values,
})
const result = (...columns: ReturnType<typeof column>[]): ResultTable => ({
  columns,
  rowCount: columns[0]?.values.length ?? 0,
})

function drawn(kind: ChartChoice['kind'], of: ResultTable) {
  const [x, ...y] = of.columns.map(({ name }, at) => ({ name, at }))
  const choice: ChartChoice = { kind, x: x ?? null, y, split: null }
  return drawnOf(kind, chartPoints(of, choice, 'utc', 8), 'utc')
}

const axis = (change: object) => ({
  kind: 'integer' as const,
  base: 0n,
  names: [],
  low: 0,
  high: 0,
  ...change,
})
const labels = (of: ReturnType<typeof axis>, most: number, zone = 'utc') =>
  ticksOf(of, { low: of.low, high: of.high }, most, zone).map(({ label }) => label)

describe('the marks of an axis', () => {
  test('are round numbers, exact beyond doubles', () => {
    expect(labels(axis({ low: 0, high: 100 }), 5)).toEqual(['0', '20', '40', '60', '80', '100'])
    expect(labels(axis({ low: 1, high: 3 }), 10)).toEqual(['1', '2', '3'])
    expect(labels(axis({ base: 9223372036854775800n, low: 0, high: 7 }), 4)).toEqual([
      '9,223,372,036,854,775,800',
      '9,223,372,036,854,775,802',
      '9,223,372,036,854,775,804',
      '9,223,372,036,854,775,806',
    ])
    expect(labels(axis({ base: -9223372036854775808n, low: 0, high: 10 }), 2)).toEqual([
      '-9,223,372,036,854,775,805',
      '-9,223,372,036,854,775,800',
    ])
  })

  test('are fractions without a tail', () => {
    expect(labels(axis({ kind: 'float', low: 0, high: 0.5 }), 5)).toEqual([
      ...['0', '0.1', '0.2', '0.3', '0.4', '0.5'],
    ])
    expect(labels(axis({ kind: 'float', low: 0, high: 1e300 }), 2)).toEqual([
      '0',
      '5e+299',
      '1e+300',
    ])
  })

  const time = (from: string, microseconds: number) =>
    axis({ kind: 'time', base: BigInt(Date.parse(from)) * 1_000n, low: 0, high: microseconds })

  test('are round times of the zone, from microseconds to centuries', () => {
    const day = 86_400e6
    expect(labels(time('2026-11-21T09:00:00Z', 3), 8)).toEqual([
      ...['09:00:00.000000', '09:00:00.000001', '09:00:00.000002', '09:00:00.000003'],
    ])
    expect(labels(time('2026-11-21T09:00:00Z', 20e6), 4)).toEqual([
      ...['09:00:00', '09:00:05', '09:00:10', '09:00:15', '09:00:20'],
    ])
    expect(labels(time('2026-11-21T09:20:00Z', 7_200e6), 3)).toEqual(['10:00', '11:00'])
    expect(labels(time('2026-11-20T12:00:00Z', 3 * day), 4)).toEqual(['21 Nov', '22 Nov', '23 Nov'])
    expect(labels(time('2026-01-15T00:00:00Z', 360 * day), 4)).toEqual([
      ...['Apr 2026', 'Jul 2026', 'Oct 2026', 'Jan 2027'],
    ])
    expect(labels(time('1980-06-01T00:00:00Z', 39.5 * 365.25 * day), 4)).toEqual([
      ...['1990', '2000', '2010'],
    ])
    expect(labels(time('2026-11-21T09:20:00Z', 7_200e6), 3, 'Asia/Kolkata')).toEqual([
      ...['15:00', '16:00'],
    ])
    // Beyond all dates the numbers themselves are said.
    const far = axis({ kind: 'time', base: 2n ** 63n - 2n ** 51n, low: 0, high: 1e15 })
    expect(labels(far, 2)[0]).toMatch(/ µs since 1970$/)
  })

  test('of categories leave out what has no room, and are cut', () => {
    const names = Array.from({ length: 10 }, (_, at) => `name ${at} ${'x'.repeat(40)}`)
    const of = axis({ kind: 'category', names, low: 0, high: 9 })
    expect(ticksOf(of, roomyReach(of, 0, false), 5, 'utc')).toHaveLength(5)
    expect(labels(of, 5)[0]).toBe('name 0 xxx…')
  })

  test('of categories do not lie over each other, and use the room that there is', () => {
    const names = [
      '北京市朝阳区建国路八十八号旗舰店',
      'W'.repeat(30),
      'x'.repeat(30),
      '🏪'.repeat(20),
    ]
    const marks = (of: readonly string[], most: number) =>
      labels(axis({ kind: 'category', names: of, low: 0, high: of.length - 1 }), most)
    // 96 pixels for each, in which a wide character of the marks takes 12, a W 11.9 and an x 7.1.
    expect(marks(names, 4)).toEqual(['北京市朝阳…', 'WWWWWW…', 'xxxxxxxxxx…', '🏪🏪🏪🏪🏪…'])
    expect(marks(names.slice(0, 1), 4)).toEqual([names[0]])
    expect(marks(['A name of some length', 'b'], 4)[0]).toBe('A name of some length')
    expect(marks(['x'.repeat(300)], 10)[0]).toHaveLength(41)
  })
})

describe('a picture', () => {
  const hostile = '</text><script>alert(1)</script>\u0000\u202e"&'
  const rows = result(
    column('x', 'INTEGER', ['1', '2', '3']),
    column(hostile, 'INTEGER', ['10', null, '30']),
  )
  const svg = (kind: ChartChoice['kind'], of = rows) =>
    svgOf({ drawn: drawn(kind, of), title: hostile, sources: [hostile], colour: () => '#123456' })

  test.each(['line', 'bar', 'scatter'] as const)(
    'as %s is a whole document with nothing foreign',
    (kind) => {
      const text = svg(kind)
      const parsed = new DOMParser().parseFromString(text, 'image/svg+xml')
      expect(parsed.querySelector('parsererror')).toBeNull()
      expect(
        [...new Set([...parsed.querySelectorAll('*')].map(({ tagName }) => tagName))].sort(),
      ).toEqual(['desc', 'path', 'rect', 'svg', 'text', 'title'])
      expect(text).not.toMatch(/style=|href=|<script|\u202e|NaN/)
      expect(text).not.toContain('\0')
      expect(text.match(/https?:[^"]*/g)).toEqual(['http://www.w3.org/2000/svg'])
    },
  )

  test('breaks a line at NULL and draws what is left alone as a dot', () => {
    const text = svg('line')
    const dots = /<path d="(M[^"]*h0)+" fill="none"/.exec(text)?.[0] ?? ''
    expect(dots.match(/h0/g)).toHaveLength(2)
  })

  test('has a dot for each point of a short line, as the screen has', () => {
    const line = (length: number) =>
      result(
        ...['x', 'n'].map((name) =>
          column(
            name,
            'INTEGER',
            Array.from({ length }, (_, at) => String(at)),
          ),
        ),
      )
    expect(svg('line', line(60)).match(/h0/g)).toHaveLength(60)
    expect(svg('line', line(61)).match(/h0/g)).toBeNull()
  })

  test('has bars from zero, side by side, to where the scale says', () => {
    const two = result(
      column('shop', 'VARCHAR', ['a', 'b']),
      column('n', 'INTEGER', ['10', '-5']),
      column('m', 'INTEGER', ['5', '5']),
    )
    const of = drawn('bar', two)
    const frame = frameOf(of, 500, 300)
    const [first, second] = barsOf(of, 0, frame)
    const [other] = barsOf(of, 1, frame)
    const zero = pixelOf(0, of.y, frame.height - frame.bottom, frame.top)
    expect(first?.y).toBeCloseTo(pixelOf(10, of.y, frame.height - frame.bottom, frame.top))
    expect((first?.y ?? 0) + (first?.h ?? 0)).toBeCloseTo(zero)
    expect(second?.y).toBeCloseTo(zero)
    expect(other?.x).toBeCloseTo((first?.x ?? 0) + (first?.w ?? 0))
  })

  test('has bars of the whole width where no two series share a place', () => {
    const apart = result(
      column('day', 'INTEGER', ['1', '2']),
      column('n', 'INTEGER', ['10', null]),
      column('m', 'INTEGER', [null, '5']),
    )
    expect(drawn('bar', apart).slots).toBe(1)
    const shared = result(
      column('day', 'INTEGER', ['1', '1']),
      column('n', 'INTEGER', ['10', null]),
      column('m', 'INTEGER', [null, '5']),
    )
    expect(drawn('bar', shared).slots).toBe(2)
  })

  test('of zeros alone, or of NULL alone, has bars and marks with places', () => {
    for (const values of [
      ['0', '0'],
      [null, null],
    ]) {
      const text = svg(
        'bar',
        result(column('x', 'VARCHAR', ['a', 'b']), column('n', 'INTEGER', values)),
      )
      expect(text).not.toMatch(/NaN|Infinity/)
    }
  })

  test('leaves out numbers so large that no distance between them is a number', () => {
    const of = result(
      column('x', 'FLOAT', ['1', '2', '1.7e308']),
      column('n', 'FLOAT', ['1.7976931348623157e+308', '-1e307', '5']),
    )
    expect(drawn('line', of).points.left).toMatchObject({ rows: 1, beyond: 1, unbounded: 0 })
    expect(svg('line', of)).not.toMatch(/NaN|Infinity/)
  })

  test('of 100,000 points has each of them in one path', () => {
    const values = Array.from({ length: 100_000 }, (_, at) => String(at % 1_000))
    const many = result(
      column(
        'x',
        'INTEGER',
        values.map((_, at) => String(at)),
      ),
      column('n', 'INTEGER', values),
    )
    const text = svg('scatter', many)
    expect(text.match(/h0/g)).toHaveLength(100_000)
    expect(text.length).toBeLessThan(3_000_000)
  })

  test('as bars has one for each pixel of 100,000, as high and low as those there', () => {
    const values = Array.from({ length: 100_000 }, (_, at) =>
      at === 70_001 ? '900' : at === 30_001 ? '-900' : String((at % 3) - 1),
    )
    const many = result(
      column(
        'x',
        'INTEGER',
        values.map((_, at) => String(at)),
      ),
      column('n', 'INTEGER', values),
    )
    const of = drawn('bar', many)
    const bars = barsOf(of, 0, frameOf(of, 1_000, 500))
    expect(bars.length).toBeGreaterThan(800)
    expect(bars.length).toBeLessThanOrEqual(1_000)
    const heights = bars.map(({ h }) => Math.round(h)).sort((one, other) => other - one)
    expect(heights[0]).toBe(heights[1])
    expect(heights[1]).toBeGreaterThan(200)
    expect(heights[2]).toBeLessThan(2)
  })
})
