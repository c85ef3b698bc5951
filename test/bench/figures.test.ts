// @vitest-environment node
import { expect, test } from 'vitest'
import { comparisonTable, figure } from './figures'

test('median and p95 are samples, by nearest rank', () => {
  const samples = Array.from({ length: 20 }, (_, index) => 20 - index)
  expect(figure(samples)).toEqual({ median: 10, p95: 19 })
  expect(figure([7])).toEqual({ median: 7, p95: 7 })
  expect(() => figure([])).toThrow('no samples')
})

test('the table shows multiples of the floor', () => {
  const table = comparisonTable([
    { name: 'run', measured: { median: 30, p95: 50 }, floor: { median: 20, p95: 20 } },
  ])
  expect(table.split('\n')[1]).toMatch(/^run\s+30\.0\s+50\.0\s+20\.0\s+20\.0\s+1\.50×\s+2\.50×$/)
})
