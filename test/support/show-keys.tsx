import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { Provider } from 'jotai'
import { expect } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { AddressedDatabase } from '~/app/Console'
import { levelAtom } from '~/atoms/users/user-list'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { stateAtom } from '~/core/history/newest-state'
import KeysScreen from '~/screens/keys/KeysScreen'
import type { FakeImmudb } from './fake-immudb'
import { stubLayout } from './layout'
import { type FakeDriver, openTab, signIn } from './store'

export type ShownKeys = { driver: FakeDriver; history: string[] }

/** The Keys screen of a fake server, and what it leaves in storage and in the address. */
export async function showKeys(
  server: FakeImmudb,
  path = '/keys',
  { user = 'immudb', driver }: { user?: string; driver?: FakeDriver } = {},
): Promise<ShownKeys> {
  stubLayout({ width: 1_200, height: 600 })
  const tab = openTab(server, driver)
  await signIn(tab, user, user === 'immudb' ? 'immudb' : 'x')
  for (const of of [stateAtom, levelAtom, writeRefusalAtom]) tab.store.sub(of, () => {})
  const location = memoryLocation({ path, record: true })
  render(
    <Provider store={tab.store}>
      <Router hook={location.hook} searchHook={location.searchHook}>
        <AddressedDatabase />
        <KeysScreen />
      </Router>
    </Provider>,
  )
  return { driver: tab.driver, history: location.history }
}

/** What a press shows may have to be fetched, which React waits for only in an awaited act. */
export const click = (element: HTMLElement) => act(async () => void fireEvent.click(element))

/** Presses a button once it can be: what one may do is known a little later than the screen. */
export async function press(name: string | RegExp): Promise<void> {
  await waitFor(async () =>
    expect(
      (await screen.findByRole('button', { name })).getAttribute('aria-disabled'),
      String(name),
    ).toBeNull(),
  )
  await click(await screen.findByRole('button', { name }))
}
