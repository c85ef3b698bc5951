import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useNarrow, useOneColumn } from '~/ui/use-narrow'

/** The window's size, and who hears of its changes. */
let width: number
let height: number
const listeners = new Set<() => void>()
let asked: string

function resize(to: number) {
  width = to
  for (const tell of listeners) tell()
}

beforeEach(() => {
  vi.useFakeTimers()
  width = 1_440
  height = 900
  vi.stubGlobal('matchMedia', (query: string) => {
    asked = query
    const [, limit] = /\(width < (\d+)px\)/.exec(query) ?? []
    const [, highest = 'Infinity'] = /\(height < (\d+)px\)/.exec(query) ?? []
    return {
      get matches() {
        return width < Number(limit) && height < Number(highest)
      },
      addEventListener: (_name: string, tell: () => void) => listeners.add(tell),
      removeEventListener: (_name: string, tell: () => void) => listeners.delete(tell),
    }
  })
})

afterEach(() => listeners.clear())

const Width = () => <p>{useNarrow() ? 'narrow' : 'wide'}</p>
const passing = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

test.each([
  [599, 'narrow'],
  [600, 'wide'],
])('a window of %i px is %s', (px, said) => {
  width = px
  render(<Width />)
  expect(screen.getByText(said)).toBeTruthy()
  expect(asked).toBe('(width < 600px)')
})

const Columns = () => <p>{useOneColumn() ? 'one' : 'several'}</p>

test.each([
  ['1280×800', 1_280, 800, 'several'],
  ['1280×800 at 200 %', 640, 400, 'one'],
  ['a phone on its side', 844, 390, 'one'],
  ['a phone', 390, 844, 'one'],
  ['a window as wide as a screen and low', 1_280, 400, 'several'],
  ['a tablet', 768, 1_024, 'several'],
])('the columns of %s', (_what, wide, high, said) => {
  width = wide
  height = high
  render(<Columns />)
  expect(screen.getByText(said)).toBeTruthy()
})

test('a window that is being resized is laid out again 200 ms after it has settled', async () => {
  render(<Width />)
  resize(500)
  await passing(150)
  resize(700)
  await passing(150)
  resize(400)
  await passing(199)
  expect(screen.getByText('wide')).toBeTruthy()
  await passing(1)
  expect(screen.getByText('narrow')).toBeTruthy()
})

test('nothing is left behind', () => {
  const { unmount } = render(<Width />)
  resize(500)
  unmount()
  expect(listeners.size).toBe(0)
  expect(vi.getTimerCount()).toBe(0)
})
