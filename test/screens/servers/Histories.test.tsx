import { act, fireEvent, screen, within } from '@testing-library/react'
import { createStore } from 'jotai'
import { describe, expect, test, vi } from 'vitest'
import { createClient } from '~/api/client'
import type { ComparedServer } from '~/atoms/servers/histories'
import type { Store } from '~/core/session/client'
import { databaseIdAtom } from '~/core/session/session'
import { Histories } from '~/screens/servers/Histories'
import type { Break } from '~/trust/trust-record'
import { TrustedStates, trustedStatesAtom } from '~/trust/trusted-states'
import { historyOf, keptDoor, ProvingServer } from '../../support/proving-server'
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

describe('the colour of proof', () => {
  const finding: Break = {
    kind: 'rewritten',
    reason: 'history-changed',
    step: 'link',
    part: 'header',
    expected: '',
    received: '',
    at: 2_000,
    what: 'the newest state',
    verification: null,
    acknowledgedAt: null,
  }

  async function badgeOf(
    [one, other]: readonly [ComparedServer, ComparedServer],
    store: Store = createStore(),
  ) {
    await showPart(store, <Histories servers={[one, other]} />)
    await press('Compare histories')
    await screen.findByText('Done. 1 of 1 compared.')
    const [item] = await itemsOf()
    const badge = item?.querySelector('.rounded-full')
    return { isGreen: /verified/.test(badge?.outerHTML ?? ''), text: item?.textContent ?? '' }
  }

  /** Two servers below addresses of their own. */
  function twins(): readonly [ComparedServer, ComparedServer] {
    const [eu, us] = [new ProvingServer(historyOf(9)), new ProvingServer(historyOf(9))]
    us.uuid = 'server-two'
    const at = (name: string) => ({ origin: `https://console/s/${name}` })
    return [
      { ...on('eu', eu), ...at('eu') },
      { ...on('us', us), ...at('us') },
    ]
  }

  test('is that of one history, which both servers proved', async () => {
    const { isGreen, text } = await badgeOf(twins())
    expect(text).toContain('Same history')
    expect(isGreen).toBe(true)
  })

  test('is not that of a server that is only behind, though that is proven', async () => {
    const [eu, us] = [new ProvingServer(historyOf(9)), new ProvingServer(historyOf(7))]
    const { isGreen, text } = await badgeOf([on('eu', eu), on('us', us)])
    expect(text).toContain('Behind by 2')
    expect(isGreen).toBe(false)
  })

  test('is not that of two names of one server, which was compared with itself', async () => {
    const [eu, us] = twins()
    const same = on('us', new ProvingServer(historyOf(9)))
    const { isGreen, text } = await badgeOf([eu, { ...us, client: same.client }])
    expect(text).toContain('Both give the same server ID.')
    expect(isGreen).toBe(false)
  })

  test('is not that of a history that this browser found broken on one of them', async () => {
    const store = createStore()
    const states = new TrustedStates(() => Promise.resolve(keptDoor()))
    store.set(trustedStatesAtom, states)
    const id = { ...store.get(databaseIdAtom)('db'), origin: 'https://console/s/us' }
    const point = { txId: '3', txHash: `${'A'.repeat(43)}=` }
    await states.move(id, null, point, 'state')
    await states.noteBreak(id, point, finding)
    const { isGreen, text } = await badgeOf(twins(), store)
    expect(text).toContain('Same broken history')
    expect(isGreen).toBe(false)
  })
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
