import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Provider } from 'jotai'
import { expect, test, vi } from 'vitest'
import { loadDraft, setEditorText } from '~/atoms/query/editor'
import { typeParameters } from '~/atoms/query/parameters'
import { ParameterForm } from '~/screens/query/ParameterForm'
import { fakeImmudb } from '../../support/fake-immudb'
import { openTab, signIn } from '../../support/store'

test('a field keeps the focus and its text when its type gets known, and Enter runs', async () => {
  const { store } = openTab(fakeImmudb())
  await signIn({ store })
  await loadDraft(store)
  setEditorText(store, 'SELECT @x')
  const run = vi.fn()
  await act(async () =>
    render(
      <Provider store={store}>
        <ParameterForm onRun={run} onRunAll={() => {}} />
      </Provider>,
    ),
  )
  const user = userEvent.setup()
  const field = await screen.findByRole('textbox', { name: '@x' })
  await act(() => user.type(field, '1'))
  act(() => typeParameters(store, [{ name: 'x', type: 'INTEGER', text: '1' }]))
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: '@x' }))
  await act(() => user.keyboard('2'))
  expect(screen.getByRole('textbox', { name: '@x' })).toHaveProperty('value', '12')
  await act(() => user.keyboard('{Enter}'))
  expect(run).toHaveBeenCalledTimes(1)
  expect(screen.getByRole('textbox', { name: '@x' })).toHaveProperty('value', '12')
})
