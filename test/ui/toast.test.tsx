import { act, render, screen } from '@testing-library/react'
import { toast } from 'react-hot-toast/headless'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { showToast, Toaster } from '~/ui/toast'

beforeEach(() => {
  vi.useFakeTimers()
  render(<Toaster />)
})

afterEach(() => {
  toast.remove()
})

const passing = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const isVisible = () => screen.getByRole('status').dataset.visible

describe('how long a message stays', () => {
  test('one of the console stays 5 s', async () => {
    act(() => void showToast({ kind: 'success', text: 'Saved.' }))
    await passing(4_950)
    expect(isVisible()).toBe('true')
    await passing(100)
    expect(isVisible()).toBe('false')
  })
})
