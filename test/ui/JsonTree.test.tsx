import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { JsonTree } from '~/ui/JsonTree'
import { corpusBytes } from '../support/corpus-bytes'
import { stubLayout } from '../support/layout'

beforeEach(() => stubLayout({ width: 800, height: 200 }))

const show = (value: unknown) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return render(<JsonTree label="Value" text={text} />)
}
const tree = () => screen.getByRole('tree', { name: 'Value' })
const items = () => screen.getAllByRole('treeitem')
const texts = () => items().map((item) => item.textContent)
const active = () => document.getElementById(tree().getAttribute('aria-activedescendant') ?? '')

describe('the JSON tree', () => {
  test('has items 20 px high, 10 of them in sight', () => {
    show({ a: 1 })
    expect(items()[0]?.style.height).toBe('20px')
    expect(tree().style.maxHeight).toBe('202px')
  })

  test('shows members at first and what is in them when it is opened', () => {
    show({ a: [true, null], b: {}, c: 'x' })
    expect(texts()).toEqual(['{ 3 members }', '"a": [ 2 items ]', '"b": {}', '"c": "x"'])
    fireEvent.click(screen.getByText('[ 2 items ]'))
    expect(texts()).toContain('0: true')
    expect(texts()).toContain('1: null')
    fireEvent.click(screen.getByText('[ 2 items ]'))
    expect(texts()).not.toContain('0: true')
  })

  test('keeps numbers, names and escapes exactly', () => {
    show('{"n":9007199254740993,"f":1.50,"n":1E400,"s":"\\u202e","raw":"a\u202eb"}')
    expect(texts().slice(1)).toEqual([
      '"n": 9007199254740993',
      '"f": 1.50',
      '"n": 1E400',
      '"s": "\\u202e"',
      '"raw": "a⟨U+202E⟩b"',
    ])
  })

  test('is walked by keys, and says where one is', async () => {
    show({ a: { b: [1, 2] }, 'c d': 3 })
    await userEvent.tab()
    expect(document.activeElement).toBe(tree())
    await userEvent.keyboard('{ArrowDown}{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}')
    expect(active()?.textContent).toBe('0: 1')
    expect(active()?.getAttribute('aria-level')).toBe('4')
    expect(screen.getByText('$.a.b[0]')).toBeTruthy()
    await userEvent.keyboard('{ArrowLeft}{ArrowLeft}')
    expect(active()?.getAttribute('aria-expanded')).toBe('false')
    await userEvent.keyboard('{End}')
    expect(screen.getByText('$["c d"]')).toBeTruthy()
    await userEvent.keyboard('{Home}{Enter}')
    expect(items()).toHaveLength(1)
  })

  test('copies exactly what was chosen', async () => {
    const written = vi.fn(async () => {})
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText: written } })
    show('{"n": 9007199254740993, "s": "a\\nb", "o": { "x" : 1.0 }}')
    tree().focus()
    for (const [key, copied] of [
      ['ArrowDown', '9007199254740993'],
      ['ArrowDown', 'a\nb'],
      ['ArrowDown', '{ "x" : 1.0 }'],
    ] as const) {
      fireEvent.keyDown(tree(), { key })
      fireEvent.keyDown(tree(), { key: 'c', ctrlKey: true })
      expect(written).toHaveBeenLastCalledWith(copied)
    }
  })

  test('draws only what is in sight of 50,000 members', () => {
    const wide =
      corpusBytes()
        .find(({ id }) => id === 'C290')
        ?.bytes.toString() ?? ''
    show(wide)
    expect(items().length).toBeLessThan(40)
    expect(items()[1]?.getAttribute('aria-setsize')).toBe('50000')
  })

  test('gives a sentence for what is no tree', () => {
    const { rerender } = show('{"a":')
    expect(screen.getByText(/This is not JSON\. Line 1, column 6/)).toBeTruthy()
    rerender(<JsonTree label="Value" text={'['.repeat(10_000)} />)
    expect(screen.getByText(/more than 200 deep/)).toBeTruthy()
    rerender(<JsonTree label="Value" text={`"${'x'.repeat(1_048_576)}"`} />)
    expect(screen.getByText(/more than 1 MiB/)).toBeTruthy()
    expect(screen.queryByRole('tree')).toBeNull()
  })

  test('A01, A13: hostile names and values are text', () => {
    const hostile = corpusBytes('value')
      .map(({ bytes }) => bytes.toString())
      .filter((text) => text.length < 2_000)
    const members = hostile.map((text) => `${JSON.stringify(text)}:${JSON.stringify(text)}`)
    for (let at = 0; at < members.length; at += 10) {
      const { container, unmount } = show(`{${members.slice(at, at + 10).join()}}`)
      expect(items().length).toBe(Math.min(10, members.length - at) + 1)
      expect(container.querySelectorAll('script, img, iframe, style, a, form')).toHaveLength(0)
      unmount()
    }
    expect('__pwn' in window).toBe(false)
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})
