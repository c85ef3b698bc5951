import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { Provider } from 'jotai'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import type { NamedMoment } from '~/atoms/moments/moments'
import { momentsFile } from '~/atoms/moments/naming'
import { stateAtom } from '~/core/history/newest-state'
import { NamedMoments } from '~/screens/moments/NamedMoments'
import { clearToasts, Toaster } from '~/ui/toast'
import { serverWords } from '~/words/comparison'
import { fakeImmudb } from '../../support/fake-immudb'
import { corpus } from '../../support/recorded'
import { openTab, signIn, type Tab } from '../../support/store'

let tab: Tab

async function show(moments: readonly unknown[] = []) {
  const server = fakeImmudb()
  server.databases.set('defaultdb', { isLoaded: true, txId: 5, tables: new Map() })
  tab = openTab(server)
  tab.driver.values.set('webconsole.moments', { moments })
  await signIn(tab)
  tab.store.sub(stateAtom, () => {})
  const location = memoryLocation({ path: '/verify', record: true })
  render(
    <Provider store={tab.store}>
      <Router hook={location.hook} searchHook={location.searchHook}>
        <NamedMoments wordsOf={serverWords} />
        <Toaster />
      </Router>
    </Provider>,
  )
  await screen.findByRole('region', { name: 'Named moments' })
}

const moment = (more: Partial<NamedMoment> = {}): NamedMoment => ({
  name: 'before migration',
  origin: 'http://localhost',
  server: 'elsewhere',
  database: 'defaultdb',
  txId: '3',
  txHash: btoa('x'.repeat(32)),
  at: 1_700_000_000_000,
  isImported: false,
  ...more,
})

const click = (element: HTMLElement) => act(async () => void fireEvent.click(element))
const choose = (text: string) =>
  act(
    async () =>
      void fireEvent.change(screen.getByLabelText('File with named moments'), {
        target: { files: [new File([text], 'moments.json')] },
      }),
  )
const lines = () =>
  screen.queryAllByRole('listitem').map((one) => one.querySelector('h3')?.textContent)

beforeEach(() => sessionStorage.clear())
afterEach(() => act(() => clearToasts()))

describe('named moments', () => {
  test('of another server are shown as such and cannot be checked here', async () => {
    await show([moment()])
    const line = within(await screen.findByRole('listitem'))
    line.getByText(/^Of another server/)
    expect(line.queryByRole('button', { name: 'Check' })).toBeNull()
  })

  test('are deleted with a way back', async () => {
    await show([moment({ name: 'one' }), moment({ name: 'two' })])
    await waitFor(() => expect(lines()).toEqual(['one', 'two']))
    const [first] = screen.getAllByRole('button', { name: 'Delete' })
    if (first) await click(first)
    await waitFor(() => expect(lines()).toEqual(['two']))
    await click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(lines()).toEqual(['one', 'two']))
  })

  test('need a name and an existing transaction', async () => {
    await show()
    const name = await screen.findByRole('button', { name: 'Prove and name it' })
    await waitFor(() =>
      expect(
        screen.getByRole<HTMLInputElement>('textbox', { name: 'Transaction or time' }).value,
      ).toBe('5'),
    )
    await click(name)
    await screen.findByText('A moment needs a name.')
    fireEvent.change(screen.getByRole('textbox', { name: 'Transaction or time' }), {
      target: { value: '6' },
    })
    await screen.findByText('The newest transaction is 5.')
    fireEvent.change(screen.getByRole('textbox', { name: 'Transaction or time' }), {
      target: { value: 'some day' },
    })
    await screen.findByText(/^Write a transaction, such as 42, or a time/)
    expect(lines()).toEqual([])
  })

  test('of a bad file are refused in words, and those here stay', async () => {
    await show([moment()])
    await choose('{"product":"else"}')
    expect((await screen.findByRole('alert')).textContent).toMatch(/Nothing was taken over\.$/)
    expect(lines()).toEqual(['before migration'])
    await choose(momentsFile([moment({ name: 'other' })]))
    await screen.findByText(/^1 moment taken over/)
    await waitFor(() => expect(lines()).toEqual(['Transaction 3', 'before migration']))
    await screen.findByText('From a file')
  })

  test('of a file do not have its words as a heading, nor its time as one of this browser', async () => {
    const name = 'payment 4711, approved and proven'
    await show([moment({ name, isImported: true })])
    const line = await screen.findByRole('listitem')
    expect(lines()).toEqual(['Transaction 3'])
    expect(line.textContent).toMatch(/Called “payment 4711, approved and proven” and named .*2023/)
    expect(line.textContent).toMatch(/No proof covers the name and this time/)
    expect(within(line).queryByText(/^Named /)).toBeNull()
  })

  test.each(corpus('name').flatMap(({ text }) => (text?.trim() ? [text.slice(0, 80)] : [])))(
    'show the name %j without taking it for anything else (A02)',
    async (name) => {
      await show([moment({ name, database: name, server: name })])
      await screen.findByRole('listitem')
      expect(document.querySelector('script, img, iframe')).toBeNull()
      expect(Reflect.get(window, '__pwn')).toBeUndefined()
    },
  )
})
