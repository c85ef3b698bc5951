// @vitest-environment node
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { type ChartChoice, chartChoice } from '~/sql/chart-choice'
import {
  chartPoints,
  columnLabel,
  firstChoice,
  fitsChoice,
  kindOfColumn,
  lackedColumns,
  plainColumn,
  textOfX,
} from '~/sql/chart-points'
import type { ResultTable } from '~/sql/result'

type Column = readonly [label: string, type: string, values: readonly (string | null)[]]

const table = (...columns: Column[]): ResultTable => ({
  rowCount: columns[0]?.[2].length ?? 0,
  columns: columns.map(([label, type, values]) => ({
    name: `(t.${label})`,
    table: 't',
    label,
    type,
    values,
  })),
})
const at = (label: string, place: number) => ({ name: `(t.${label})`, at: place })
const draw = (result: ResultTable, choice: ChartChoice, most = 8) =>
  chartPoints(result, choice, 'utc', most)

describe('a first choice', () => {
  test('is a line over time, bars over texts, a line over rows, or nothing', () => {
    const time = table(['n', 'INTEGER', ['1']], ['at', 'TIMESTAMP', ['5']])
    expect(firstChoice(time)).toMatchObject({ kind: 'line', x: at('at', 1), y: [at('n', 0)] })
    const text = table(['shop', 'VARCHAR', ['a']], ['n', 'FLOAT', ['1']])
    expect(firstChoice(text)).toMatchObject({ kind: 'bar', x: at('shop', 0), y: [at('n', 1)] })
    expect(firstChoice(table(['n', 'INTEGER', ['1']]))).toMatchObject({ x: null, y: [at('n', 0)] })
    expect(firstChoice(table(['s', 'VARCHAR', ['1']]))).toBeNull()
    const made = firstChoice(text)
    expect(v.is(chartChoice, made)).toBe(true)
  })

  test('draws what is measured, and columns that name things only where there is nothing else', () => {
    const column = (label: string): [string, 'INTEGER', string[]] => [label, 'INTEGER', ['1']]
    const drawn = (...labels: string[]) =>
      firstChoice(table(['at', 'TIMESTAMP', ['5']], ...labels.map(column)))?.y.map(({ at }) => at)
    expect(drawn('id', 'shop_id', 'shopId', 'pieces', 'paid')).toEqual([4, 5])
    expect(drawn('id', 'SHOP_ID')).toEqual([1, 2])
    expect(drawn('a', 'b', 'c', 'd')).toEqual([1, 2, 3])
  })

  test('of an unnamed type looks at the values', () => {
    expect(kindOfColumn({ type: 'ANY', values: ['1', null, '-2'] })).toBe('integer')
    expect(kindOfColumn({ type: 'ANY', values: ['1.5', 'NaN'] })).toBe('float')
    expect(kindOfColumn({ type: 'ANY', values: ['1', 'x'] })).toBe('category')
    expect(kindOfColumn({ type: 'ANY', values: [null] })).toBe('category')
  })
})

describe('a kept choice', () => {
  const choice: ChartChoice = { kind: 'line', x: at('id', 0), y: [at('n', 1)], split: null }

  test('finds its columns by place, and by name where they have moved', () => {
    const moved = table(['n', 'INTEGER', ['7']], ['id', 'INTEGER', ['1']])
    expect(fitsChoice(moved, choice)).toBe(true)
    expect(draw(moved, choice).ys).toEqual([[7]])
    expect(fitsChoice(table(['id', 'INTEGER', ['1']]), choice)).toBe(false)
    expect(fitsChoice(moved, { ...choice, y: [] })).toBe(false)
  })

  test('fits no result whose column of that name holds no numbers', () => {
    const texts = table(['id', 'INTEGER', ['1']], ['n', 'VARCHAR', ['7']])
    expect(fitsChoice(texts, choice)).toBe(false)
  })

  test('names what a result lacks', () => {
    const texts = table(['id', 'INTEGER', ['1']], ['n', 'VARCHAR', ['7']])
    const names = (of: Partial<typeof choice>) =>
      lackedColumns(texts, { ...choice, ...of }).map(plainColumn)
    expect(names({})).toEqual(['t.n'])
    expect(names({ y: [at('id', 0)], x: at('day', 5), split: at('shop', 2) })).toEqual([
      't.day',
      't.shop',
    ])
  })

  test('tells columns of one name apart by their place', () => {
    const twice = table(['n', 'INTEGER', ['1']], ['n', 'INTEGER', ['2']])
    expect(draw(twice, { ...choice, x: null, y: [at('n', 1)] }).ys).toEqual([[2]])
    expect(columnLabel(twice.columns, 1)).toBe('n (column 2)')
  })
})

describe('points', () => {
  test('keep integers apart that no double tells apart', () => {
    const big = table(
      ['id', 'INTEGER', ['9007199254740993', '9007199254740992', '-9223372036854775808']],
      ['n', 'INTEGER', ['9223372036854775807', '9223372036854775806', '9223372036854775805']],
    )
    const { x, y, xs, ys, rows } = draw(big, {
      kind: 'line',
      x: at('id', 0),
      y: [at('n', 1)],
      split: null,
    })
    expect(rows).toEqual([2, 1, 0])
    expect(x.base + BigInt(xs[0] ?? 1)).toBe(-9223372036854775808n)
    expect(ys).toEqual([[0, 1, 2]])
    expect(y.base).toBe(9223372036854775805n)
    expect(y).toMatchObject({ kind: 'integer', low: 0, high: 2 })
  })

  test('have times to the microsecond', () => {
    const times = table(
      ['at', 'TIMESTAMP', ['1732179600123457', '1732179600123456']],
      ['n', 'INTEGER', ['1', '2']],
    )
    const choice: ChartChoice = { kind: 'line', x: at('at', 0), y: [at('n', 1)], split: null }
    const { xs, rows } = draw(times, choice)
    expect(xs).toEqual([0, 1])
    expect(textOfX(times, choice, rows[0] ?? 0, 'utc')).toBe('2024-11-21 09:00:00.123456 UTC')
  })

  test('leave gaps for NULL, NaN and Infinity, and count them', () => {
    const odd = table(
      ['x', 'FLOAT', ['1', 'NaN', '3', null, '2']],
      ['n', 'FLOAT', ['-Infinity', '1', null, '1', '-0']],
    )
    const { xs, ys, left, drawn } = draw(odd, {
      kind: 'line',
      x: at('x', 0),
      y: [at('n', 1)],
      split: null,
    })
    expect(xs).toEqual([1, 2, 3])
    expect(ys).toEqual([[null, -0, null]])
    expect(left).toMatchObject({ rows: 2, nulls: 1, unbounded: 1 })
    // A row of nothing but gaps is not drawn.
    expect(drawn).toBe(1)
  })

  test('have a place for each text, NULL and the text NULL apart', () => {
    const shops = table(
      ['shop', 'VARCHAR', ['b', null, 'NULL', 'b']],
      ['n', 'INTEGER', ['1', '2', '3', '4']],
    )
    const { x, xs, left } = draw(shops, {
      kind: 'bar',
      x: at('shop', 0),
      y: [at('n', 1)],
      split: null,
    })
    expect(x.names).toEqual(['b', 'NULL', 'NULL'])
    expect(xs).toEqual([0, 0, 1, 2])
    expect(left.covered).toBe(1)
  })

  test('are of a series for each value, as many as can be told apart', () => {
    const long = table(
      ['day', 'INTEGER', ['1', '1', '2', '2']],
      ['shop', 'VARCHAR', ['a', 'b', 'a', 'c']],
      ['n', 'INTEGER', ['1', '2', '3', '4']],
    )
    const choice: ChartChoice = {
      kind: 'line',
      x: at('day', 0),
      y: [at('n', 2)],
      split: at('shop', 1),
    }
    const { series, ys, left } = draw(long, choice, 2)
    expect(series.map(({ name }) => name)).toEqual(['a', 'b'])
    // The row of the third is no point of the drawing.
    expect(ys).toEqual([
      [1, undefined, 3],
      [undefined, 2, undefined],
    ])
    expect(left.series).toBe(1)
    const two = draw(long, { ...choice, y: [at('day', 0), at('n', 2)] })
    expect(two.series[3]?.name).toBe('n · a')
  })

  test('of an empty result are none', () => {
    const empty = table(['n', 'INTEGER', []])
    const { xs, x } = draw(empty, { kind: 'line', x: null, y: [at('n', 0)], split: null })
    expect(xs).toEqual([])
    expect(x).toMatchObject({ low: 0, high: 0 })
  })
})
