import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { TxText } from '~/ui/TxText'

function links(text: string) {
  const { container, unmount } = render(<TxText database="d b" text={text} />)
  const found = screen
    .queryAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')])
  expect(container.textContent).toBe(text)
  unmount()
  return found
}

test('numbers of transactions become links, and the sentence stays as it was', () => {
  expect(links('tx 1,234 holds it. Possible copies: tx 7, tx 8.')).toEqual([
    ['tx 1,234', '/tx?db=d+b&id=1234'],
    ['tx 7', '/tx?db=d+b&id=7'],
    ['tx 8', '/tx?db=d+b&id=8'],
  ])
  expect(links('Reading: transaction 12 of 40.')).toEqual([['transaction 12', '/tx?db=d+b&id=12']])
})

test.for(['No number here.', 'transactions 4 to 9', 'ctx 5', 'tx 1,23', 'tx <b>1</b>', ''])(
  'nothing else does: %s',
  (text) => {
    expect(links(text)).toEqual([])
  },
)

test('no number leads into systemdb, where a page would show password hashes and session IDs', () => {
  const { container } = render(<TxText database="systemdb" text="The trusted state is tx 7." />)
  expect(container.textContent).toBe('The trusted state is tx 7.')
  expect(screen.queryByRole('link')).toBeNull()
})
