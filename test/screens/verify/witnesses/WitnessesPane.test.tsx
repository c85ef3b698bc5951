import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { Provider } from 'jotai'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import type { Store } from '~/core/session/client'
import { openQueryCache } from '~/core/session/query-client'
import { ProofDrawer } from '~/screens/proof/ProofDrawer'
import { TrustDrawer } from '~/screens/trust/TrustDrawer'
import { IncidentsPane } from '~/screens/verify/incidents/IncidentsPane'
import { WitnessesPane } from '~/screens/verify/witnesses/WitnessesPane'
import { checkById } from '~/trust/proof-drawer'
import { trustedStatesAtom } from '~/trust/trusted-states'
import { verifyState } from '~/trust/verify-state'
import { checkpointFile, newSigner } from '../../../support/checkpoints'
import type { History } from '../../../support/history'
import { historyOf, keptDoor, ProvingServer, tabOf } from '../../../support/proving-server'

// Signatures and proofs are calculated.
vi.setConfig({ testTimeout: 30_000 })

const signer = newSigner('night-watch.example')
const noteOf = (history: History, tx: number, by = signer) =>
  by.note({ server: 'server-one', database: 'db', ...history.point(tx) })

let server: ProvingServer
let store: Store
let door: ReturnType<typeof keptDoor>

beforeEach(async () => {
  server = new ProvingServer(historyOf(12))
  door = keptDoor()
  store = tabOf(server, door)
  openQueryCache(store)
  await verifyState(store)
})

async function show(part: React.ReactNode, of = store) {
  const { hook, searchHook } = memoryLocation({ path: '/verify' })
  await act(async () => {
    render(
      <Provider store={of}>
        <Router hook={hook} searchHook={searchHook}>
          {part}
        </Router>
      </Provider>,
    )
  })
}

const press = (name: string | RegExp) =>
  act(async () => fireEvent.click(screen.getByRole('button', { name })))
const type = (label: string, value: string) =>
  act(async () => fireEvent.change(screen.getByLabelText(label), { target: { value } }))
const choose = (label: string, content: string | Uint8Array<ArrayBuffer>, name = 'ledger') =>
  act(async () =>
    fireEvent.change(screen.getByLabelText(label), {
      target: { files: [new File([content], name)] },
    }),
  )

async function pin(key = signer.verifierKey) {
  await type('Verifier key', key)
  await press('Pin')
  await screen.findByRole('article')
}

const compare = (...notes: string[]) => choose('File with checkpoints', checkpointFile(notes))
const results = () => screen.findByRole('list', { name: 'Compared checkpoints' })
const results1 = async () => within(await results())
/** Nothing here is a mark of a proof. */
const noGreen = () => expect(document.body.innerHTML).not.toMatch(/(text|border|bg)-verified/)

describe('a witness', () => {
  test('is pinned by its key and stays after a reload', async () => {
    await show(<WitnessesPane />)
    expect(screen.getByText('No witness is pinned.')).toBeTruthy()
    await pin(`  ${signer.verifierKey}\n`)
    expect(screen.getByRole('heading', { level: 3 }).textContent).toBe('night-watch.example')
    expect(await store.get(trustedStatesAtom).others()).toMatchObject({
      witnesses: [{ key: signer.verifierKey }],
    })
    const again = tabOf(server, door)
    expect(await again.get(trustedStatesAtom).others()).toMatchObject({
      witnesses: [{ key: signer.verifierKey }],
    })
  })

  test('is pinned by a file', async () => {
    await show(<WitnessesPane />)
    await choose('Key file', `${signer.verifierKey}\n`, 'auditor.pub')
    await screen.findByRole('article', { name: /^night-watch\.example\+[0-9a-f]{8}$/ })
  })

  test.each([
    ['', 'Paste the key, or choose its file.'],
    ['hello', /This is not a verifier key/],
    [signer.verifierKey.replace('night', 'light'), /something in it was changed/],
  ])('is not pinned by “%s”', async (key, said) => {
    await show(<WitnessesPane />)
    await type('Verifier key', key)
    await press('Pin')
    await screen.findByText(said)
    expect(screen.getByText('No witness is pinned.')).toBeTruthy()
  })

  test('whose private key was dropped is refused, and the key is not shown', async () => {
    await show(<WitnessesPane />)
    await choose('Key file', `PRIVATE+KEY+${signer.verifierKey}`)
    await screen.findByText(/This is a private key/)
    expect(document.body.innerHTML).not.toContain('PRIVATE+KEY')
    expect((screen.getByLabelText('Verifier key') as HTMLTextAreaElement).value).toBe('')
  })

  test('is not pinned twice', async () => {
    await show(<WitnessesPane />)
    await pin()
    await type('Verifier key', signer.verifierKey)
    await press('Pin')
    await screen.findByText('This witness is pinned already.')
  })

  test('is unpinned after a question', async () => {
    await show(<WitnessesPane />)
    await pin()
    await press('Unpin…')
    const dialog = within(await screen.findByRole('dialog'))
    dialog.getByText('Unpin this witness?')
    await press('Unpin')
    await screen.findByText('No witness is pinned.')
  })
})

describe('checkpoints', () => {
  test('that lie in the history are said to, without a green mark', async () => {
    await show(<WitnessesPane />)
    await pin()
    await compare(...[2, 5, 12].map((tx) => noteOf(server.history, tx)))
    const found = await results1()
    found.getByText('All in this history')
    found.getByText('Proven to lie in this history: 3 of 3 checkpoints, from tx 2 to tx 12.')
    within(screen.getByRole('article')).getByText(
      (_, element) =>
        /^db: 3 checkpoints of this history proven here, from tx 2 to tx 12\./.test(
          element?.textContent ?? '',
        ),
      { selector: 'p' },
    )
    noGreen()
  })

  test('that do not are red and an incident, with what was signed and the proof', async () => {
    const fork = historyOf(12, 'b', 6)
    await show(
      <>
        <WitnessesPane />
        <IncidentsPane />
        <ProofDrawer />
      </>,
    )
    await pin()
    await compare(...[2, 5, 8, 11].map((tx) => noteOf(fork, tx)))
    const found = await results1()
    found.getByText('Different')
    found.getByText(/The checkpoint at tx 8 does not lie in this history/)
    found.getByText(/The last one before it that does is tx 5\./)
    const card = within(screen.getByRole('article'))
    card.getByText('Different')
    card.getByText(/Keep the evidence/)
    card.getByRole('button', { name: 'Save what it signed' })
    await screen.findByText('A witness signed another hash for this transaction.')
    screen.getByText('tx 8 as signed by night-watch.example')
    await act(async () => fireEvent.click(card.getByRole('button', { name: 'Show proof' })))
    const drawer = within(await screen.findByRole('dialog'))
    drawer.getByRole('button', { name: 'Save evidence' })
    noGreen()
  })

  test('of a witness that contradicts itself accuse no server', async () => {
    await show(
      <>
        <WitnessesPane />
        <IncidentsPane />
      </>,
    )
    await pin()
    await compare(noteOf(server.history, 5), noteOf(historyOf(12, 'b', 2), 5))
    const found = await results1()
    found.getByText('Contradicts itself')
    found.getByText(/This says nothing about the server/)
    expect(screen.getByText('No incidents recorded.')).toBeTruthy()
  })

  test('that are newer than the server are named', async () => {
    await show(<WitnessesPane />)
    await pin()
    await compare(noteOf(historyOf(30), 5), noteOf(historyOf(30), 29))
    const found = await results1()
    found.getByText('Not reached')
    found.getByText(/Newer than the server’s newest transaction, tx 12: 1\./)
  })

  test('of unknown keys are counted, not compared', async () => {
    await show(<WitnessesPane />)
    await pin()
    await compare(noteOf(server.history, 5, newSigner('stranger')))
    await screen.findByText('Nothing was compared.')
    screen.getByText(/1 checkpoint of db in the file\. Not signed by a pinned witness/)
    screen.getByText(/They name stranger\+[0-9a-f]{8}\./)
  })

  test('of another server are named, not compared', async () => {
    await show(<WitnessesPane />)
    await pin()
    await compare(signer.note({ server: 'server-two', database: 'db', ...server.history.point(6) }))
    await screen.findByText('Nothing was compared.')
    screen.getByText(/They are of another server, server-two, so nothing was compared\./)
  })

  test.each([
    [
      'a wrong signature',
      (note: string) => note.replace(/^5$/m, '6'),
      /^Line 1: The signature does not belong/,
    ],
    ['line ends of Windows', (note: string) => note.replaceAll('\n', '\r\n'), /^Line 1: .*CR LF/],
    ['a byte order mark', (note: string) => `\ufeff${note}`, /^Line 1: .*byte order mark/],
    ['something else', () => '{"a":\n1}\n', /^Line 1: A checkpoint begins here with immudb/],
    ['nothing', () => '', /^Line 1: The file is empty\./],
    ['its end cut off', (note: string) => note.slice(0, -20), /^Line 5: The file ends within/],
  ])('in a file with %s are refused with the line', async (_, change, said) => {
    await show(<WitnessesPane />)
    await pin()
    await choose('File with checkpoints', change(noteOf(server.history, 5)))
    const alert = within(await screen.findByRole('alert'))
    alert.getByText(said)
    alert.getByText('Nothing of “ledger” was compared.')
  })

  test('of more than 64 MiB are not read', async () => {
    await show(<WitnessesPane />)
    const file = new File([], 'huge')
    Object.defineProperty(file, 'size', { value: 67_108_865 })
    await act(async () =>
      fireEvent.change(screen.getByLabelText('File with checkpoints'), {
        target: { files: [file] },
      }),
    )
    await screen.findByText(/It is larger than 64 MiB/)
  })
})

describe('the host of the page', () => {
  const json = (body: unknown) => new Response(JSON.stringify(body))
  const served = (answer: (path: string) => Response | undefined) => {
    server.instead = (path) => (path.includes('/checkpoints/') ? answer(path) : undefined)
  }

  test('lists files, and one is compared', async () => {
    const file = { name: 'db 1.txt', origin: 'immudb/server-one/db', size: 300, modified: '' }
    served((path) =>
      path.endsWith('/checkpoints/')
        ? json({ files: [file], isCut: false })
        : path.endsWith('/checkpoints/db%201.txt')
          ? new Response(noteOf(server.history, 5))
          : undefined,
    )
    await show(<WitnessesPane />)
    await pin()
    await press('List those beside this page')
    await screen.findByRole('list', { name: 'Served beside this page' })
    await press('Compare db 1.txt')
    ;(await results1()).getByText('All in this history')
  })

  test('that serves none is said to, with what to do', async () => {
    served(() => new Response('<!doctype html>', { status: 404 }))
    await show(<WitnessesPane />)
    expect(server.count('/checkpoints/')).toBe(0)
    await press('List those beside this page')
    await screen.findByText(/Nothing is served beside this page/)
  })

  test('whose folder has only folders, as of an auditor of several servers, is told where to look', async () => {
    served(() => json({ files: [], isCut: false }))
    await show(<WitnessesPane />)
    await press('List those beside this page')
    await screen.findByText(/has no file of checkpoints\. .* are in a folder for each server\.$/)
  })

  test('is the only one that is asked for an address', async () => {
    served((path) => (path.endsWith('/x') ? new Response(noteOf(server.history, 5)) : undefined))
    await show(<WitnessesPane />)
    await pin()
    await type('Address on this site', 'https://elsewhere.example/checkpoints/x')
    await press('Fetch and compare')
    await screen.findByText(/This address is of another site/)
    expect(server.asked.filter((path) => path.includes('elsewhere'))).toEqual([])
    await type('Address on this site', '/checkpoints/x')
    await press('Fetch and compare')
    ;(await results1()).getByText('All in this history')
  })

  test('that has no such file is said to', async () => {
    served(() => new Response('no', { status: 404 }))
    await show(<WitnessesPane />)
    await type('Address on this site', '/checkpoints/x')
    await press('Fetch and compare')
    const alert = within(await screen.findByRole('alert'))
    alert.getByText(/Nothing was compared\.$/)
  })

  test('that never ends its answer is stopped at 64 MiB', async () => {
    const part = new Uint8Array(8_388_608)
    const pull = vi.fn((body: ReadableStreamDefaultController) => body.enqueue(part))
    served((path) => (path.endsWith('/x') ? new Response(new ReadableStream({ pull })) : undefined))
    await show(<WitnessesPane />)
    await type('Address on this site', '/checkpoints/x')
    await press('Fetch and compare')
    await screen.findByText(/It is larger than 64 MiB/)
    expect(pull.mock.calls.length).toBeLessThan(15)
  })
})

describe('drawers say what a witness has seen', () => {
  const text = (dialog: HTMLElement) => dialog.textContent?.replace(/\s+/g, ' ')

  async function shown(part: React.ReactNode, ...seen: number[]) {
    await show(<WitnessesPane />)
    await pin()
    await compare(...seen.map((tx) => noteOf(server.history, tx)))
    await results()
    document.body.innerHTML = ''
    await show(part)
    return screen.findByRole('dialog')
  }

  test('of a proof, by the first checkpoint that covers it', async () => {
    await checkById(store, { kind: 'tx', tx: '6' })
    const drawer = await shown(<ProofDrawer />, 4, 9, 11)
    expect(text(drawer)).toContain(
      'Also seen by night-watch.example at transaction 9. It signed that transaction of this history, which covers this one.',
    )
  })

  test('of a proof that none covers, that none does', async () => {
    await checkById(store, { kind: 'tx', tx: '12' })
    const drawer = await shown(<ProofDrawer />, 4, 9)
    expect(text(drawer)).toContain(
      'Not covered by night-watch.example: the last that it signed and that was proven here is transaction 9.',
    )
    expect(text(drawer)).not.toContain('Also seen')
  })

  test('of the trusted state, up to where', async () => {
    const drawer = await shown(<TrustDrawer />, 4, 9)
    expect(text(drawer)).toContain(
      'Also seen by night-watch.example at transaction 9. It signed that transaction of this history. What came later is not covered.',
    )
    // A first contact is no more with a witness.
    expect(drawer.innerHTML).not.toMatch(/(text|border|bg)-verified/)
    expect(text(drawer)).toMatch(/First contact/i)
  })

  test('of the trusted state itself', async () => {
    const drawer = await shown(<TrustDrawer />, 4, 12)
    expect(text(drawer)).toContain('at transaction 12. It signed the trusted state itself.')
  })
})
