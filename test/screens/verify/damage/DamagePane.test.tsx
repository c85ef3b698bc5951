import { act, fireEvent, screen, within } from '@testing-library/react'
import { strFromU8, unzipSync } from 'fflate'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openQueryCache } from '~/core/session/query-client'
import { databaseIdAtom } from '~/core/session/session'
import { DamagePane } from '~/screens/verify/damage/DamagePane'
import { loadCheckpoints } from '~/trust/checkpoint-run'
import { verifyState } from '~/trust/verify-state'
import { pinWitness } from '~/trust/witnesses'
import { newSigner } from '../../../support/checkpoints'
import { historyOf, ProvingServer, tabOf } from '../../../support/proving-server'
import { showPart } from '../../../support/show-part'
import { verifyPage } from '../../../support/stamps'

vi.setConfig({ testTimeout: 30_000 })

let server: ProvingServer
let store: ReturnType<typeof tabOf>

beforeEach(async () => {
  server = new ProvingServer(historyOf(5))
  server.instead = (path) => (path.endsWith('/verify.html') ? new Response(verifyPage) : undefined)
  store = tabOf(server)
  openQueryCache(store)
  await verifyState(store)
})
afterEach(() => vi.restoreAllMocks())

const step = (number: number) => {
  const heading = screen.getByRole('heading', { name: new RegExp(`^${number}\\. `) })
  return within(heading.closest('li') ?? document.body)
}
const mark = (number: number) =>
  screen.getByRole<HTMLInputElement>('checkbox', { name: new RegExp(`^Step ${number} is done`) })

test('leads through six steps, and says which database is in doubt since when', async () => {
  server.history = historyOf(3)
  await verifyState(store)
  await showPart(store, <DamagePane />)
  await screen.findByText(/^Something was found wrong with/)
  expect(screen.getAllByRole('heading').map(({ textContent }) => textContent?.[0])).toEqual([
    ...'123456',
  ])
  const row = step(3).getByRole('row', { name: /^db/ })
  expect(row.textContent).toContain('tx 5')
  expect(row.textContent).toContain('does not have a transaction that this browser recorded')
  for (const [number, name] of [
    [2, 'Compare trusted states'],
    [2, 'Compare with checkpoints'],
    [4, 'Deep audit'],
    [4, 'Compare two servers'],
  ] as const) {
    step(number).getByRole('link', { name })
  }
})

test('names what a witness signed beside the database', async () => {
  const signer = newSigner('night-watch')
  await pinWitness(store, signer.verifierKey)
  const id = store.get(databaseIdAtom)('db')
  const note = signer.note({ ...id, ...historyOf(5, 'b', 3).point(4) })
  const bytes = new TextEncoder().encode(note)
  await loadCheckpoints(store, { name: 'ledger', read: async () => ({ bytes }) })
  await showPart(store, <DamagePane />)
  await screen.findByText(/^Something was found wrong with/)
  expect(step(3).getByRole('row', { name: /^db/ }).textContent).toContain(
    'night-watch signed another hash for tx 4.',
  )
})

test('saves one archive, marks that step as done, and takes a mark back', async () => {
  const saved: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    saved.push(blob as Blob)
    return 'blob:archive'
  })
  const names: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    names.push(this.download)
  })
  await showPart(store, <DamagePane />)
  await screen.findByText(/^Nothing wrong is recorded for/)
  expect(mark(1).checked).toBe(false)
  const button = step(1).getByRole('button', { name: 'Save all as one archive' })
  await act(async () => fireEvent.click(button))
  await vi.waitFor(() => expect(mark(1).checked).toBe(true))
  expect(names).toEqual([expect.stringMatching(/^immudb-evidence-[\dT-]+\.zip$/)])
  const bytes = new Uint8Array((await saved[0]?.arrayBuffer()) ?? new ArrayBuffer(0))
  const files = unzipSync(bytes)
  expect(Object.keys(files)).toContain('trusted-states.txt')
  expect(strFromU8(files['verify.html'] ?? new Uint8Array())).toBe(verifyPage)
  await act(async () => fireEvent.click(mark(1)))
  expect(mark(1).checked).toBe(false)
})

test('says what the archive lacks where the page that checks it does not come', async () => {
  server.instead = (path) =>
    path.endsWith('/verify.html') ? new Response('', { status: 404 }) : undefined
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:archive')
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  await showPart(store, <DamagePane />)
  const button = await screen.findByRole('button', { name: 'Save all as one archive' })
  await act(async () => fireEvent.click(button))
  const status = await screen.findByText('The archive was saved, without:')
  expect(status.parentElement?.textContent).toContain('verify.html is missing.')
})

test('checks all databases of the server, and says so', async () => {
  await showPart(store, <DamagePane />)
  const button = await screen.findByRole('button', { name: 'Check all of them now' })
  const before = server.count('/db/state')
  await act(async () => fireEvent.click(button))
  await screen.findByText('1 database checked.')
  expect(server.count('/db/state')).toBeGreaterThan(before)
})
