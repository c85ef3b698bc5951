import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { CopyButton } from '~/ui/CopyButton'

const written: string[] = []
vi.stubGlobal('navigator', {
  ...navigator,
  clipboard: { writeText: async (text: string) => void written.push(text) },
})

afterEach(() => vi.useRealTimers())

test('says for a moment that it copied, and leaves nothing to do when it is taken away', async () => {
  vi.useFakeTimers()
  const { unmount } = render(<CopyButton text="exact" what="the key" worded />)
  const press = () =>
    act(async () => {
      fireEvent.click(screen.getByRole('button', { name: 'Copy the key' }))
    })
  await press()
  expect(screen.getAllByText('Copied')).not.toHaveLength(0)
  await act(() => vi.advanceTimersByTimeAsync(1_500))
  expect(screen.queryByText('Copied')).toBeNull()
  await press()
  unmount()
  expect(vi.getTimerCount()).toBe(0)
})

test('is taken away while it copies, and starts nothing then', async () => {
  vi.useFakeTimers()
  const { unmount } = render(<CopyButton text="exact" what="the key" />)
  fireEvent.click(screen.getByRole('button', { name: 'Copy the key' }))
  unmount()
  await vi.advanceTimersByTimeAsync(0)
  expect(vi.getTimerCount()).toBe(0)
})
