// @vitest-environment node
import { describe, expect, test } from 'vitest'
import {
  aligned,
  extent,
  filledUp,
  newest,
  onlyGrowing,
  type Point,
  rates,
  since,
  withGaps,
} from '~/lib/measurements'

const points = (...pairs: readonly (readonly [number, number | null])[]): Point[] =>
  pairs.map(([at, value]) => ({ at, value }))

describe('gaps', () => {
  test('are marked where measurements lie too far apart, and only there', () => {
    expect(withGaps(points([0, 1], [60, 2], [211, 3], [361, 4]), 150)).toEqual(
      points([0, 1], [60, 2], [61, null], [211, 3], [361, 4]),
    )
    expect(withGaps([], 150)).toEqual([])
  })
})

describe('rates', () => {
  test('are the growth in each second since the measurement before', () => {
    expect(rates(points([0, 10], [60_000, 70], [120_000, 70]), 150_000)).toEqual(
      points([60_000, 1], [120_000, 0]),
    )
  })

  test.each([
    ['after a gap', points([0, 10], [150_001, 70])],
    ['after a restart, when the counter begins again', points([0, 10], [60_000, 3])],
    ['when two measurements have the same time', points([0, 10], [0, 12])],
    ['next to a break', points([0, null], [60_000, 3])],
  ])('are not known %s', (_when, list) => {
    expect(rates(list, 150_000)).toEqual([{ at: list[1]?.at, value: null }])
  })

  test('are not known for a single measurement', () => {
    expect(rates(points([0, 10]), 150_000)).toEqual([])
  })
})

test('a second source fills only where the first has nothing near', () => {
  const first = points([100, 1], [200, 2])
  const second = points([10, 9], [60, 9], [150, 9], [260, 9])
  expect(filledUp(first, second, 50)).toEqual(points([10, 9], [100, 1], [200, 2], [260, 9]))
  expect(filledUp([], second, 50)).toEqual(second)
})

test('an older answer that comes late does not make a counter fall', () => {
  expect(onlyGrowing(points([0, 5], [1, 4], [2, null], [3, 5], [4, 6]))).toEqual(
    points([0, 5], [2, null], [3, 5], [4, 6]),
  )
})

test('lines of different times share one list of times; a break is not the same as nothing', () => {
  const lines = [
    { name: 'a', points: points([1, 10], [3, null], [5, 30]) },
    { name: 'b', points: points([2, 7], [3, 8]) },
  ]
  expect(aligned(lines)).toEqual({
    times: [1, 2, 3, 5],
    values: [
      [10, undefined, null, 30],
      [undefined, 7, 8, undefined],
    ],
  })
  expect(since(lines, 3).map((line) => line.points.length)).toEqual([2, 1])
})

test('newest value and reach of a line leave out what was not measured', () => {
  const line = { name: 'a', points: points([1, 10], [2, 4], [3, null]) }
  expect(newest(line)).toBe(4)
  expect(extent(line)).toEqual({ low: 4, high: 10 })
  expect(newest({ name: 'b', points: points([1, null]) })).toBeNull()
  expect(extent({ name: 'b', points: [] })).toBeNull()
})
