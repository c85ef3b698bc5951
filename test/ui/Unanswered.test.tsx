import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { Unanswered } from '~/ui/Unanswered'

const words = (error: unknown) => ({ title: `Failed: ${error}.`, details: 'code 14' })

test('an answer that is awaited is named, and nothing failed', () => {
  const asked = { error: null, refetch: () => {} }
  render(<Unanswered asked={asked} label="Reading the keys" lines={3} words={words} />)
  expect(screen.getByRole('status').textContent).toBe('Reading the keys')
  expect(screen.queryByRole('alert')).toBeNull()
  expect(screen.queryByRole('button')).toBeNull()
})

test('a failure says what failed and why, and can be tried again', async () => {
  const refetch = vi.fn()
  const asked = { error: 'too large', refetch }
  render(<Unanswered asked={asked} lines={3} what="No key was read." words={words} />)
  const alert = screen.getByRole('alert')
  expect(alert.textContent).toContain('No key was read. Failed: too large.')
  expect(alert.textContent).toContain('code 14')
  expect(screen.queryByRole('status')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(refetch).toHaveBeenCalledOnce()
})
