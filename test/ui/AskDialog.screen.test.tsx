import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { atom, createStore, Provider, useAtomValue } from 'jotai'
import { useState } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '~/api/errors'
import { type Io, useAct } from '~/core/act'
import type { Exportable } from '~/core/files/exports'
import { useExport } from '~/core/files/use-export'
import { defineWrite } from '~/trust/write'
import { AskDialog } from '~/ui/AskDialog'
import { Button } from '~/ui/Button'
import { ExportBar, lineFormats } from '~/ui/ExportBar'
import { Field } from '~/ui/Field'
import { NameFilter } from '~/ui/NameFilter'
import { Table } from '~/ui/Table'

// A screen of a noun that does not exist, put together from the kit as every other one is. It shows
// what a new screen takes: a table, a filter, a dialog that writes and looks up what became of that,
// and an export.

type Label = { name: string; uses: number }

/** The server of it; an answer may be lost after the label was added. */
const server = { labels: [] as Label[], isLost: false }

async function sendLabel(name: string): Promise<string> {
  server.labels = [...server.labels, { name, uses: 0 }]
  if (server.isLost) throw new ApiError({ kind: 'network', text: 'No answer came.' })
  return name
}

const labelsAtom = atom<readonly Label[]>([])

const adding = defineWrite<{ database: null; name: string }, string>({
  send: (_io, { name }) => sendLabel(name),
  settle: (io, _sent, outcome) => {
    io.set(labelsAtom, server.labels)
    return outcome
  },
  look: async (_io, { name }) =>
    server.labels.some((one) => one.name === name)
      ? { kind: 'committed', value: name }
      : 'There is no such label.',
})

const isDone = (ended: { kind: string } | null) => ended?.kind === 'committed'
const addLabel = async (io: Io, name: string) =>
  isDone(await adding.write(io, { database: null, name }))
const checkLabel = async (io: Io) => isDone(await adding.check(io, ''))

function LabelsScreen() {
  const labels = useAtomValue(labelsAtom)
  const [filter, setFilter] = useState('')
  const [isAdding, setAdding] = useState(false)
  const shown = labels.filter(({ name }) => name.includes(filter))
  return (
    <>
      <NameFilter onChange={setFilter} text={filter} />
      <Button onClick={() => setAdding(true)}>Add label…</Button>
      <ExportBar
        {...useExport(labelsExport(shown))}
        formats={lineFormats}
        title="Every label of this list, as NDJSON"
      />
      <Table caption="Labels" titles={['Name', { title: 'Uses', look: 'text-end' }]}>
        {shown.map(({ name, uses }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td className="text-end">{uses}</td>
          </tr>
        ))}
      </Table>
      {isAdding && <AddLabel onClose={() => setAdding(false)} />}
    </>
  )
}

function AddLabel({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const state = useAtomValue(adding.stateAtom)('')
  const add = useAct(addLabel)
  const check = useAct(checkLabel)
  return (
    <AskDialog
      action="Add label"
      isTyped={name !== ''}
      onAction={() => add(name)}
      onClose={onClose}
      refusal={name === '' ? 'Enter a name first.' : undefined}
      title="Add a label"
      write={{ state, notDone: 'No label was added.', onCheck: () => check() }}
    >
      <Field label="Name" onChange={setName} value={name} />
    </AskDialog>
  )
}

const labelsExport = (labels: readonly Label[]): Exportable<'ndjson'> => ({
  kind: 'labels',
  name: '',
  begin: () => ({
    what: 'label',
    kept: 'the first',
    type: 'application/x-ndjson',
    nameOf: () => 'labels.ndjson',
    sentence: String,
    pages: async function* () {
      yield { parts: labels.map((one) => `${JSON.stringify(one)}\n`), count: labels.length }
    },
  }),
})

const user = userEvent.setup({ delay: null })
const click = (name: string) => user.click(screen.getByRole('button', { name }))
const names = () =>
  within(screen.getByRole('table', { name: 'Labels' }))
    .getAllByRole('rowheader')
    .map(({ textContent }) => textContent)

beforeEach(() => {
  server.labels = ['red', 'green'].map((name) => ({ name, uses: 3 }))
  server.isLost = false
  const store = createStore()
  store.set(labelsAtom, server.labels)
  render(<LabelsScreen />, {
    wrapper: ({ children }) => <Provider store={store}>{children}</Provider>,
  })
})

test('a screen of the kit filters its table', async () => {
  expect(names()).toEqual(['red', 'green'])
  await user.type(screen.getByLabelText('Filter by name'), 'gr')
  expect(names()).toEqual(['green'])
})

test('a dialog of the kit writes, and closes when that is committed', async () => {
  await click('Add label…')
  await user.type(screen.getByLabelText('Name'), 'blue{Enter}')
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(names()).toEqual(['red', 'green', 'blue'])
})

test('without an answer it stays until it is known what became of the write', async () => {
  server.isLost = true
  await click('Add label…')
  await user.type(screen.getByLabelText('Name'), 'blue')
  await click('Add label')
  expect((await screen.findByRole('alert')).textContent).toContain('It is not known whether')
  await click('Check now')
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(server.labels.filter(({ name }) => name === 'blue')).toHaveLength(1)
})

test('an export of the kit saves what the table shows, and says that it is complete', async () => {
  const saved = vi.spyOn(URL, 'createObjectURL')
  await user.type(screen.getByLabelText('Filter by name'), 'red')
  await click('Export')
  await screen.findByText('Complete: 1 label in labels.ndjson.')
  const file = saved.mock.calls[0]?.[0]
  expect(file instanceof Blob && (await file.text())).toBe('{"name":"red","uses":3}\n')
})
