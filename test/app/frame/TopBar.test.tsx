import { act, fireEvent, render, screen } from '@testing-library/react'
import { Provider } from 'jotai'
import { expect, test } from 'vitest'
import { DatabaseSelect } from '~/app/frame/TopBar'
import { fakeImmudb } from '../../support/fake-immudb'
import { openTab, signIn } from '../../support/store'

test('a list of databases that could not be read is said, and read again', async () => {
  const server = fakeImmudb({ databases: ['defaultdb', 'harbour'] })
  let isListBroken = true
  const fetchWithoutList: typeof fetch = (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    return isListBroken && url.includes('/db/list/v2')
      ? Promise.resolve(new Response('nobody home', { status: 500 }))
      : server.fetch(input, init)
  }
  const tab = openTab({ ...server, fetch: fetchWithoutList })
  await signIn(tab)
  render(
    <Provider store={tab.store}>
      <DatabaseSelect />
    </Provider>,
  )
  const again = await screen.findByRole('button', { name: /list of databases could not be read/ })
  expect(screen.getByRole('combobox', { name: 'Database' }).textContent).toContain('defaultdb')
  isListBroken = false
  await act(async () => fireEvent.click(again))
  await act(async () => fireEvent.click(screen.getByRole('combobox', { name: 'Database' })))
  expect(await screen.findByRole('option', { name: 'harbour' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: /could not be read/ })).toBeNull()
})
