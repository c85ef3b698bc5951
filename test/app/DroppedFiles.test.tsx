import { readFileSync } from 'node:fs'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { Provider } from 'jotai'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { DroppedFiles } from '~/app/DroppedFiles'
import { evidenceAtom } from '~/trust/evidence'
import { Dialog } from '~/ui/Dialog'
import { FileDrop } from '~/ui/FileDrop'
import { clearToasts, Toaster } from '~/ui/toast'
import { fakeImmudb } from '../support/fake-immudb'
import { openTab, signIn, type Tab } from '../support/store'

let tab: Tab
const chosen = vi.fn()

beforeAll(() => import('~/trust/dropped-file'), 60_000)

beforeEach(async () => {
  cleanup()
  act(() => clearToasts())
  chosen.mockClear()
  history.replaceState(null, '', '/keys?db=defaultdb')
  tab = openTab(fakeImmudb())
  await signIn(tab)
})

const show = (isAsking = false) =>
  render(
    <Provider store={tab.store}>
      <DroppedFiles />
      <main>
        <textarea aria-label="Some text" />
        <FileDrop accept="*" action="Choose" label="Own" onFile={chosen}>
          or drop it here.
        </FileDrop>
      </main>
      {isAsking && <Dialog onClose={() => {}} open title="Delete it?" />}
      <Toaster />
    </Provider>,
  )

const evidence = () =>
  new File([readFileSync('test/fixtures/files/get.json')], 'get.json', { type: 'application/json' })

/** Whether the browser was kept from showing the file in the place of the page. */
async function drop(target: Element, ...files: File[]) {
  let isKept = false
  await act(async () => {
    const dataTransfer = { files, types: ['Files'] }
    isKept =
      !fireEvent.dragOver(target, { dataTransfer }) && !fireEvent.drop(target, { dataTransfer })
  })
  return isKept
}

test('a file of evidence dropped anywhere opens Verify with it', async () => {
  show()
  expect(await drop(screen.getByRole('textbox'), evidence())).toBe(true)
  await waitFor(() => expect(location.pathname).toBe('/verify'))
  expect(location.search).toBe('?db=defaultdb&tab=evidence')
  expect(tab.store.get(evidenceAtom)).toMatchObject({ name: 'get.json' })
})

test('any other file says so, and the page stays as it was', async () => {
  show()
  expect(await drop(document.body, new File(['a,b\n1,2'], 'rows\u202e.csv'))).toBe(true)
  const note = await screen.findByText(/was not opened/)
  expect(note.textContent).toContain('this file is none of them')
  expect(note.textContent).not.toContain('\u202e')
  await drop(document.body, evidence(), evidence())
  expect(await screen.findByText(/Drop one file at a time/)).toBeTruthy()
  expect(location.pathname).toBe('/keys')
})

test('a place for files keeps its own', async () => {
  show()
  await drop(screen.getByText('or drop it here.'), evidence())
  expect(chosen).toHaveBeenCalledTimes(1)
  expect(location.pathname).toBe('/keys')
  expect(tab.store.get(evidenceAtom).kind).toBe('none')
})

test('an editor takes any file as text but one that Verify reads', async () => {
  class Dragged extends MouseEvent {
    readonly dataTransfer: DataTransfer | undefined
    constructor(type: string, { dataTransfer, ...init }: DragEventInit) {
      super(type, init)
      this.dataTransfer = dataTransfer ?? undefined
    }
  }
  vi.stubGlobal('DragEvent', Dragged)
  show()
  const taken: string[] = []
  const editor = document.body.appendChild(document.createElement('div'))
  editor.className = 'cm-editor'
  editor.addEventListener('drop', (event) => {
    event.preventDefault()
    taken.push(...[...(event.dataTransfer?.files ?? [])].map(({ name }) => name))
  })
  await drop(editor, new File(['SELECT 1'], 'one.sql'))
  expect(taken).toEqual(['one.sql'])
  await drop(editor, new File(['a,b'], 'rows.csv'))
  await waitFor(() => expect(taken).toEqual(['one.sql', 'rows.csv']))
  expect(screen.queryByText(/was not opened/)).toBeNull()
  await drop(editor, evidence())
  await waitFor(() => expect(location.pathname).toBe('/verify'))
  expect(taken).toEqual(['one.sql', 'rows.csv'])
  editor.remove()
  vi.unstubAllGlobals()
})

test('over a dialog nothing is opened', async () => {
  show(true)
  expect(await drop(document.body, evidence())).toBe(true)
  expect(await screen.findByText(/close what is open over the page first/)).toBeTruthy()
  expect(location.pathname).toBe('/keys')
})

test('a dragged text is left to the page', async () => {
  show()
  const dataTransfer = { files: [], types: ['text/plain'] }
  expect(fireEvent.dragOver(document.body, { dataTransfer })).toBe(true)
  expect(fireEvent.drop(document.body, { dataTransfer })).toBe(true)
})
