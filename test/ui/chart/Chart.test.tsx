import { act, fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { Chart, type ChartProps } from '~/ui/chart/Chart'
import { formatTick, formatValue, lineLook, mostLines } from '~/ui/chart/look'
import { stubLayout } from '../../support/layout'

const at = Date.UTC(2026, 10, 21, 9, 0, 0)
const minute = 60_000
const lines = [
  {
    name: 'orders',
    points: [
      { at, value: 1_024 },
      { at: at + minute, value: 2_048 },
      { at: at + minute + 1, value: null },
      { at: at + 5 * minute, value: 4_096 },
    ],
  },
  { name: '<b>bold</b>', points: [{ at: at + minute, value: 10 }] },
]

/** Parts that are fetched later come only while React is waited for. */
async function show(change: Partial<ChartProps> = {}) {
  const props: ChartProps = {
    title: 'Size',
    lines,
    from: at,
    to: at + 10 * minute,
    unit: 'bytes',
    zone: 'utc',
    empty: 'Nothing yet.',
    ...change,
  }
  await act(async () => render(<Chart {...props} />))
}

describe('a chart', () => {
  test('says in words what it draws', async () => {
    await show()
    const [orders, bold] = screen.getAllByRole('listitem')
    expect(orders?.textContent).toBe('orders: 4 KiB now, between 1 KiB and 4 KiB.')
    expect(bold?.textContent).toBe('<b>bold</b>: 10 bytes now, between 10 bytes and 10 bytes.')
  })

  test('is a slider from point to point, which says time and values, gaps included', async () => {
    await show()
    const slider = await screen.findByRole('slider', { name: 'Size, points in time' })
    expect(slider.getAttribute('aria-valuetext')).toBe('09:05:00 UTC: orders 4 KiB')
    fireEvent.keyDown(slider, { key: 'ArrowLeft' })
    expect(slider.getAttribute('aria-valuetext')).toBe('09:01:00 UTC: orders not measured')
    fireEvent.keyDown(slider, { key: 'PageDown' })
    expect(slider.getAttribute('aria-valuetext')).toBe('09:00:00 UTC: orders 1 KiB')
    fireEvent.keyDown(slider, { key: 'a' })
    expect(slider.getAttribute('aria-valuenow')).toBe('0')
    fireEvent.keyDown(slider, { key: 'End' })
    expect(slider.getAttribute('aria-valuenow')).toBe('3')
  })

  test('has a table of every point, the newest first, that says what was not measured', async () => {
    stubLayout()
    await show()
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Table of: Size' })))
    const grid = await screen.findByRole('grid', { name: 'Size, as a table' })
    const rows = screen.getAllByRole('row').map((row) => row.textContent)
    expect(grid.getAttribute('aria-rowcount')).toBe('5')
    expect(rows[1]).toMatch(/09:05:00 UTC4 KiB/)
    expect(rows[2]).toMatch(/09:01:00 UTC/)
    expect(rows.at(-1)).toMatch(/09:00:00 UTC1 KiB/)
    fireEvent.click(screen.getByRole('button', { name: 'Chart of: Size' }))
    expect(screen.queryByRole('grid')).toBeNull()
  })

  test('without a measurement in its time says so, and has no table', async () => {
    await show({ from: at + 6 * minute })
    expect(screen.getByText('Nothing yet.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /^Table/ })).toBeNull()
    expect(screen.queryByRole('slider')).toBeNull()
  })
})

test.each([
  [0, 'bytes', '0 bytes', '0'],
  [1_536, 'bytes', '1.5 KiB', '1.5 KiB'],
  [0, 'perSecond', '0 a second', '0'],
  [0.016_66, 'perSecond', '0.017 a second', '0.017'],
  [1_234.567, 'perSecond', '1,234.57 a second', '1,234.57'],
] as const)('%s %s is written %s, on an axis %s', (value, unit, whole, tick) => {
  expect(formatValue(value, unit)).toBe(whole)
  expect(formatTick(value, unit)).toBe(tick)
})

test('lines differ by colour or dashes, and repeat only when there are too many', () => {
  const looks = Array.from({ length: mostLines }, (_, index) => JSON.stringify(lineLook(index)))
  expect(new Set(looks).size).toBe(mostLines)
  expect(lineLook(mostLines)).toBe(lineLook(0))
})
