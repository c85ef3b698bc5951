import { act, fireEvent, render, screen } from '@testing-library/react'
import { createStore, Provider } from 'jotai'
import { afterEach, expect, test, vi } from 'vitest'
import { connect } from '~/core/session/client'
import { VerifyPageOffer } from '~/screens/proof/VerifyPageOffer'
import { verifyPage } from '../../support/stamps'

afterEach(() => vi.restoreAllMocks())

/** Presses the button beside a server that answers so; returns what was asked for and saved. */
async function pressed(answer: () => Response | Promise<Response>) {
  const asked: string[] = []
  const saved: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    saved.push(blob as Blob)
    return 'blob:page'
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  const store = createStore()
  connect(store, '/console/api', (async (input) => {
    asked.push(String(input))
    return answer()
  }) as typeof fetch)
  render(
    <Provider store={store}>
      <VerifyPageOffer />
    </Provider>,
  )
  const button = screen.getByRole('button', { name: 'Save verify.html' })
  await act(async () => fireEvent.click(button))
  return { asked, saved }
}

test('the page of this build is fetched beside the console, and saved as it came', async () => {
  const { asked, saved } = await pressed(() => new Response(verifyPage))
  await vi.waitFor(() => expect(saved).toHaveLength(1))
  expect(asked).toEqual(['/console/verify.html'])
  expect(await saved[0]?.text()).toBe(verifyPage)
  expect(screen.queryByRole('alert')).toBeNull()
})

test.each([
  ['another page', () => new Response(`${verifyPage}<script>`), 'its SHA-256 differs'],
  ['no page', () => new Response('404', { status: 404 }), 'did not deliver the page'],
  ['nothing', () => Promise.reject(new TypeError('away')), 'did not deliver the page'],
])('%s is not saved, and it says why', async (_, answer, words) => {
  const { saved } = await pressed(answer)
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain(words)
  expect(alert.textContent).toContain('The page was not saved.')
  expect(saved).toEqual([])
})
