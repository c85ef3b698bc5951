import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { limits } from '~/immudb/limits'
import { seeLimit } from '~/lib/limit-link'
import { ErrorNote } from '~/ui/ErrorNote'

test.each(limits.map(({ name }) => name))('leads to the limit “%s” of the present page', (name) => {
  window.history.replaceState(null, '', '/keys?db=a&key=6b#x')
  render(<ErrorNote title={`It was refused. ${seeLimit(name)} (line 3)`} />)
  expect(screen.getByRole('alert').textContent).toContain(`${seeLimit(name)} (line 3)`)
  fireEvent.click(screen.getByRole('button', { name: seeLimit(name) }))
  const { pathname, searchParams, hash } = new URL(window.location.href)
  expect([pathname, hash]).toEqual(['/keys', '#x'])
  expect(Object.fromEntries(searchParams)).toEqual({ db: 'a', key: '6b', limits: name })
})

test.each(['See “<b>x</b>” in Limits.', 'See “a\u202eb” in Limits.', 'in Limits.', ''])(
  'other words stay words: %j',
  (title) => {
    render(<ErrorNote title={title} />)
    expect(screen.queryByRole('button')).toBeNull()
  },
)
