import { act, render, screen } from '@testing-library/react'
import { Provider } from 'jotai'
import { beforeEach, expect, test } from 'vitest'
import { changeRowProofs } from '~/atoms/rows/row-marks'
import { connect, type Store } from '~/core/session/client'
import { openQueryCache } from '~/core/session/query-client'
import { VerifyBar } from '~/screens/query/VerifyBar'
import { History } from '../../support/history'
import { keptDoor, tabOf } from '../../support/proving-server'
import { RowServer, showRows } from '../../support/row-server'

let store: Store
let server: RowServer

beforeEach(() => {
  server = new RowServer(new History())
  server.add({ id: 1, name: 'one' }, { id: 2, name: 'two' })
  store = tabOf(server, keptDoor())
  connect(store, '/api', server.answer)
  openQueryCache(store)
})

test('the button that verifies rows keeps the focus while it is at work', () => {
  const rows = server.rows.map(({ row }) => row)
  const rowSet = showRows(rows)
  render(
    <Provider store={store}>
      <VerifyBar rowSet={rowSet} selected={new Set()} />
    </Provider>,
  )
  const button = screen.getByRole('button', { name: /^Verify all/ })
  button.focus()
  const to = (run: { done: number; total: number } | null) =>
    act(() => changeRowProofs(store, rowSet.number, { run }))
  to({ done: 1, total: 2 })
  screen.getByText('Verifying: 1 of 2 rows')
  expect(button.getAttribute('aria-busy')).toBe('true')
  expect(document.activeElement).toBe(button)
  screen.getByRole('button', { name: 'Stop' })
  to(null)
  expect(document.activeElement).toBe(button)
  expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull()
})
