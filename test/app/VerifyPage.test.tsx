import { readFileSync } from 'node:fs'
import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { VerifyPage } from '~/app/VerifyPage'
import { checkpointFile, newSigner } from '../support/checkpoints'

const folder = 'test/fixtures/files'
const content = (name: string) => readFileSync(`${folder}/${name}`, 'utf8')

async function choose(label: string, name: string, of: string) {
  const files = [new File([of], name)]
  await act(async () => fireEvent.change(screen.getByLabelText(label), { target: { files } }))
}

const title = async (words: string) => {
  const found = await screen.findByText(words)
  return found.closest('[role=status]')
}

test('a file is consistent in itself until something is given, and the page speaks of no browser', async () => {
  render(<VerifyPage />)
  await choose('Evidence file', 'get.json', content('get.json'))
  const before = await title('Consistent in itself')
  expect(before?.className).not.toContain('border-verified')
  screen.getByText('Nothing given yet, so nothing here can be called verified.')
  const { context } = JSON.parse(content('get.json'))
  const { txId, txHash } = context.trusted
  const hash = Buffer.from(txHash, 'base64').toString('hex')
  const text = `database: ${context.db}\ntransaction: ${txId}\nhash: ${hash}\n`
  await choose('File with trusted states or a public key', 'trusted-states.txt', text)
  const after = await title('Verified against what you gave')
  expect(after?.className).toContain('border-verified')
  const given = within(screen.getByRole('list', { name: 'Given' }))
  expect(given.getByRole('listitem').textContent).toMatch(/^Trusted state tx /)
  expect(document.body.textContent).not.toMatch(/this browser (keeps|knows|pinned)/i)
  // What was answered by it is not said to be open.
  expect(screen.queryByText(/^The trusted state: it is the file’s own/)).toBeNull()
})

test('what is typed and is neither a state nor a key is refused beside the field', async () => {
  render(<VerifyPage />)
  const field = screen.getByLabelText('Trusted state or public key')
  fireEvent.change(field, { target: { value: 'transaction: 7\nhash: 12' } })
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Compare with this' })))
  await screen.findByText('The hash is not 64 hex digits or base64 of 32 bytes.')
  // What was typed can be mended.
  expect((field as HTMLTextAreaElement).value).toContain('hash: 12')
})

test('a file of states that is too large is refused', async () => {
  render(<VerifyPage />)
  await choose('File with trusted states or a public key', 'x.txt', 'x'.repeat(1_000_001))
  await screen.findByText('This file is too large for states or a key.')
})

test('checkpoints that no known key signed, or that are forged, are called so', async () => {
  const [signer, other] = [newSigner('night-watch'), newSigner('somebody-else')]
  render(<VerifyPage />)
  await choose('Evidence file', 'get.json', content('get.json'))
  const { context, server } = JSON.parse(content('get.json'))
  const state = { ...context.trusted, database: context.db, server: server.uuid ?? '' }
  const given = 'File with trusted states or a public key'
  await choose(given, 'key', signer.verifierKey)
  const first = { ...state, txId: '1' }
  await choose(given, 'ledger', checkpointFile([other.note(first), signer.note(state)]))
  await screen.findByText(/^The state is on a checkpoint signed by/)
  const said = () => within(screen.getByRole('list', { name: 'Given' })).getAllByRole('listitem')
  expect(said().at(-1)?.textContent).toMatch(/in ledger, not signed by a known key: 1$/)
  expect(screen.queryByText(/was not used/)).toBeNull()

  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Remove all' })))
  await choose(given, 'key', signer.verifierKey)
  // The signature of another state.
  const [, signature = ''] = signer.note(first).split('\n\n')
  const forged = signer.note(state).replace(/— .*\n/, signature)
  await choose(given, 'ledger', forged)
  const verdict = await title('Consistent in itself')
  const words = `The checkpoint of tx ${state.txId} was not used: its signature by night-watch is wrong.`
  expect(verdict?.textContent).toContain(words)
})
