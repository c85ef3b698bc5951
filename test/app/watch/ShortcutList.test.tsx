import { act, fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Provider } from 'jotai'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ignoreComposing } from '~/app/composing'
import { AccountMenu } from '~/app/frame/AccountMenu'
import { Shortcuts } from '~/app/watch/Watch'
import { changeSettings } from '~/core/settings'
import { places, shortcutsOf, titleOf } from '~/lib/shortcuts'
import { Dialog } from '~/ui/Dialog'
import { fakeImmudb } from '../../support/fake-immudb'
import { openTab, signIn, type Tab } from '../../support/store'

let tab: Tab

beforeAll(() => import('~/app/watch/ShortcutList').then(() => undefined))

beforeEach(async () => {
  tab = openTab(fakeImmudb())
  await signIn(tab)
})

async function show(isDialogOpen = false) {
  await act(async () => {
    render(
      <Provider store={tab.store}>
        <AccountMenu />
        <input aria-label="Name" />
        <div contentEditable="true" data-testid="editor" />
        <button type="button">Elsewhere</button>
        <Dialog onClose={() => {}} open={isDialogOpen} title="Open" />
        <Shortcuts />
      </Provider>,
    )
  })
}

const list = () => screen.queryByRole('dialog', { name: 'Keyboard shortcuts' })
const ask = (on: Element, more: KeyboardEventInit = {}) =>
  act(async () => {
    fireEvent.keyDown(on, { key: '?', shiftKey: true, ...more })
  })

describe('the list of shortcuts', () => {
  test('opens by ? and holds every shortcut of the table', async () => {
    await show()
    await ask(screen.getByRole('button', { name: 'Elsewhere' }))
    const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
    for (const place of places) {
      const part = within(within(dialog).getByRole('region', { name: titleOf(place) }))
      expect(part.getAllByRole('term').map(({ textContent }) => textContent)).toEqual(
        shortcutsOf(place).map(({ does }) => does),
      )
    }
    await act(() => userEvent.setup().keyboard('{Escape}'))
    expect(list()).toBeNull()
  })

  test('does not open while something is typed, nor with Ctrl or Alt', async () => {
    const end = ignoreComposing(window)
    await show()
    await ask(screen.getByRole('textbox', { name: 'Name' }))
    await ask(screen.getByTestId('editor'))
    await ask(document.body, { ctrlKey: true })
    await ask(document.body, { altKey: true })
    await ask(document.body, { isComposing: true })
    end()
    expect(list()).toBeNull()
    await ask(document.body)
    expect(list()).not.toBeNull()
  })

  test('does not open over another dialog', async () => {
    await show(true)
    await ask(document.body)
    expect(list()).toBeNull()
  })

  test('does not open by its key where single keys are switched off, but from the menu', async () => {
    await act(() => changeSettings(tab.store, { singleKeys: false }))
    await show()
    await ask(document.body)
    expect(list()).toBeNull()
    const user = userEvent.setup()
    await act(() => user.click(screen.getByRole('button', { name: 'Account' })))
    await act(() => user.click(screen.getByRole('menuitem', { name: /Keyboard shortcuts/ })))
    expect(list()).not.toBeNull()
  })
})
