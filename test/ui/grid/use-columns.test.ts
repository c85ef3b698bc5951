// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { copiedText } from '~/ui/grid/cell'
import { nextPosition } from '~/ui/grid/use-active-cell'
import { columnStarts, columnWidths, minWidth } from '~/ui/grid/use-columns'

describe('moved', () => {
  const size = { rows: 100, columns: 5, page: 10 }
  const from = { row: 50, column: 2 }
  const press = (key: string, ctrlKey = false) =>
    nextPosition(from, { key, ctrlKey, metaKey: false, shiftKey: false, altKey: false }, size)

  test.each([
    ['ArrowUp', false, 49, 2],
    ['ArrowDown', false, 51, 2],
    ['ArrowLeft', false, 50, 1],
    ['ArrowRight', false, 50, 3],
    ['Home', false, 50, 0],
    ['End', false, 50, 4],
    ['Home', true, 0, 0],
    ['End', true, 99, 4],
    ['ArrowUp', true, 0, 2],
    ['ArrowDown', true, 99, 2],
    ['PageUp', false, 40, 2],
    ['PageDown', false, 60, 2],
  ])('%s (Ctrl %s) goes to row %i, column %i', (key, ctrl, row, column) => {
    expect(press(key, ctrl)).toEqual({ row, column })
  })

  test('stops at the edges', () => {
    const key = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false }
    const corner = { row: 99, column: 4 }
    expect(nextPosition(corner, { ...key, key: 'ArrowRight' }, size)).toEqual(corner)
    expect(nextPosition(corner, { ...key, key: 'PageDown' }, size)).toEqual(corner)
    expect(nextPosition({ row: 3, column: 0 }, { ...key, key: 'PageUp' }, size)?.row).toBe(0)
  })

  test('leaves other keys, and keys with Shift or Alt, to others', () => {
    const key = { key: 'ArrowUp', ctrlKey: false, metaKey: false, shiftKey: true, altKey: false }
    expect(nextPosition(from, key, size)).toBeUndefined()
    expect(press('a')).toBeUndefined()
    expect(press('Tab')).toBeUndefined()
  })
})

describe('columnWidths', () => {
  const columns = [
    { title: 'id', align: 'end' as const },
    { title: 'note', align: 'start' as const },
    { title: 'a_rather_long_title', detail: 'VARCHAR', align: 'start' as const },
  ]
  const widths = columnWidths(columns, 1000, (row, column) =>
    column === 1 ? { text: 'x'.repeat(5000), kind: 'text' } : { text: String(row), kind: 'number' },
  )

  test('follow content and title, within limits', () => {
    expect(widths[0]).toBe(minWidth)
    expect(widths[1]).toBeGreaterThan(400)
    expect(widths[1]).toBeLessThanOrEqual(640)
    expect(widths[2]).toBeGreaterThan(150)
  })

  const made = (count: number) =>
    Array.from({ length: count }, () => ({ title: 'x', align: 'start' as const }))
  const mono = 7.9

  test.each([
    ['time', '2026-11-21 09:00:00.123456 +01:00'],
    ['uuid', '018f5f0a-7e4c-7a66-8d6f-2f6b3c1d9e10'],
    ['number', '-9223372036854775808'],
  ] as const)('%s is shown whole among however many columns', (kind, text) => {
    for (const count of [1, 6, 40]) {
      const [width = 0] = columnWidths(made(count), 3, () => ({ text, kind }))
      expect(width).toBeGreaterThanOrEqual(text.length * mono + 24)
    }
  })

  test('texts grow into the room that narrow columns leave, and many share it', () => {
    const long = { text: 'x'.repeat(100), kind: 'text' as const }
    const short = { text: '7', kind: 'number' as const }
    const one = columnWidths(made(6), 3, (_, column) => (column === 2 ? long : short))
    expect(one[2]).toBe(620)
    const all = columnWidths(made(9), 3, () => long)
    expect(new Set(all)).toEqual(new Set([280]))
  })

  test('wide letters and marks of hidden characters count for what they take', () => {
    const [latin = 0] = columnWidths(made(1), 1, () => ({ text: 'a'.repeat(20), kind: 'text' }))
    const [asian = 0] = columnWidths(made(1), 1, () => ({ text: '語'.repeat(20), kind: 'text' }))
    const hidden = '\u202e'.repeat(20)
    const [marked = 0] = columnWidths(made(1), 1, () => ({ text: hidden, kind: 'text' }))
    expect(asian).toBeGreaterThan(latin * 1.5)
    expect(marked).toBeGreaterThan(latin * 3)
  })

  test('a table of thousands of columns is looked at in little time', () => {
    let calls = 0
    columnWidths(made(2_000), 5_000, () => {
      calls += 1
      return { text: '', kind: 'empty' }
    })
    expect(calls).toBeLessThan(20_000)
  })

  test('look at a sample only', () => {
    let calls = 0
    columnWidths(columns.slice(0, 1), 1_000_000, () => {
      calls++
      return { text: '', kind: 'empty' }
    })
    expect(calls).toBeLessThan(100)
  })

  test('columns start where the one before ends', () => {
    expect(columnStarts([10, 20, 30])).toEqual([0, 10, 30, 60])
  })
})

describe('copiedText', () => {
  test('is exact, and nothing for NULL', () => {
    expect(copiedText({ text: 'NULL', kind: 'null' })).toBe('')
    expect(copiedText({ text: 'NULL', kind: 'text' })).toBe('NULL')
    expect(copiedText({ text: ' a\r\n\u202e ', kind: 'text' })).toBe(' a\r\n\u202e ')
    expect(copiedText({ text: '9007199254740993', kind: 'number' })).toBe('9007199254740993')
  })

  test('makes a value whose text is only a preview', () => {
    expect(copiedText({ text: "x'00…", kind: 'blob', exact: () => "x'00FF'" })).toBe("x'00FF'")
  })
})
