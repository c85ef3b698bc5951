import { act, fireEvent, screen, within } from '@testing-library/react'
import { createStore } from 'jotai'
import { expect, test, vi } from 'vitest'
import { createClient } from '~/api/client'
import type { ComparedServer } from '~/atoms/servers/histories'
import { Histories } from '~/screens/servers/Histories'
import { historyOf, ProvingServer } from '../../support/proving-server'
import { showPart } from '../../support/show-part'

vi.setConfig({ testTimeout: 30_000 })

function on(name: string, server: ProvingServer): ComparedServer {
  const client = createClient({ baseURL: '/api', token: () => 'token', fetch: server.fetch })
  return { name, database: 'db', client }
}

const press = (name: string) =>
  act(async () => fireEvent.click(screen.getByRole('button', { name })))
const itemsOf = async () =>
  within(await screen.findByRole('list', { name: 'Histories' })).findAllByRole('listitem')

test('names for each server how its history is related to the longest', async () => {
  const servers = [
    on('eu', new ProvingServer(historyOf(9))),
    on('us', new ProvingServer(historyOf(7))),
    on('fork', new ProvingServer(historyOf(8, 'b', 4))),
    on('twin', new ProvingServer(historyOf(9))),
    on('empty', new ProvingServer(historyOf(0))),
  ]
  await showPart(createStore(), <Histories openServer="eu" servers={servers} />)
  await press('Compare histories')
  await screen.findByText('Done. 4 of 4 compared.')
  const texts = (await itemsOf()).map((item) => item.textContent)
  expect(texts).toEqual([
    expect.stringMatching(/^fork.*Forked after tx 4/),
    expect.stringMatching(/^empty.*Not provable now/),
    expect.stringMatching(/^us.*Behind by 2/),
    expect.stringMatching(/^twin.*Same history/),
  ])
  // Only transactions of the server that is open can be opened.
  const fork = within(screen.getByText('Forked after tx 4').closest('li') ?? document.body)
  expect(fork.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/tx?db=db&id=4',
    '/tx?db=db&id=5',
  ])
  expect(fork.getByRole('button', { name: 'Save fork certificate' })).toBeTruthy()
})

test('offers no certificate for two histories that were never one', async () => {
  const [eu, us] = [new ProvingServer(historyOf(9)), new ProvingServer(historyOf(5, 'b', 0))]
  us.uuid = 'server-two'
  await showPart(createStore(), <Histories servers={[on('eu', eu), on('us', us)]} />)
  await press('Compare histories')
  await screen.findByText('No common history')
  const [item] = await itemsOf()
  expect(item?.innerHTML).not.toMatch(/(text|border|bg)-error/)
  expect(within(item ?? document.body).queryByRole('button', { name: /certificate/ })).toBeNull()
  expect(item?.textContent).not.toMatch(/certificate|Last of both/)
})

test('can be stopped, and says what it is looking at', async () => {
  const [eu, us] = [new ProvingServer(historyOf(9)), new ProvingServer(historyOf(9, 'b', 3))]
  us.instead = (path) => (path === '/db/state' ? undefined : new Promise(() => {}))
  await showPart(createStore(), <Histories servers={[on('eu', eu), on('us', us)]} />)
  await press('Compare histories')
  await screen.findByText(/Comparing us with eu: looking for the fork from tx 0 to tx 8\./)
  await press('Cancel')
  expect(await screen.findByText('Stopped. 0 of 1 compared.')).toBeTruthy()
  expect(screen.queryByRole('list', { name: 'Histories' })).toBeNull()
})

test('cannot begin with fewer than two servers', async () => {
  const eu = new ProvingServer(historyOf(9))
  await showPart(createStore(), <Histories servers={[on('eu', eu)]} />)
  await press('Compare histories')
  expect(eu.asked).toEqual([])
})
