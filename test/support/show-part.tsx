import { act, render } from '@testing-library/react'
import { Provider } from 'jotai'
import type { ReactNode } from 'react'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import type { Store } from '~/core/session/client'

/** Shows a part of a screen as it is on a page of its own; returns what holds it. */
export async function showPart(store: Store, part: ReactNode): Promise<HTMLElement> {
  const { hook, searchHook } = memoryLocation({ path: '/verify' })
  const { container } = await act(async () =>
    render(
      <Provider store={store}>
        <Router hook={hook} searchHook={searchHook}>
          {part}
        </Router>
      </Provider>,
    ),
  )
  return container
}
