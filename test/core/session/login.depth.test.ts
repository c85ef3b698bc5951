// @vitest-environment node

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { tablesAtom } from '~/atoms/tables/table-list'
import { namedTxAtom, newestKnown, presentTxAtom, stateAtom } from '~/core/history/newest-state'
import { recentTransactionsAtom } from '~/core/history/transactions'
import { askIdentityEarly } from '~/core/session/server-identity'
import { loginNoticeAtom, phaseAtom } from '~/core/session/session'
import { readStored, storedAtom } from '~/core/storage/stored'
import { identityFor } from '~/lib/constants'
import { emptyDatabase, type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import { openTab, signIn, type Tab } from '../../support/store'

/** Milliseconds on the way there and back, so that the clock counts rounds of requests. */
const roundTrip = 1_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function far(server: FakeImmudb): FakeImmudb {
  return {
    ...server,
    fetch: async (...request) => {
      await new Promise((resolve) => setTimeout(resolve, roundTrip))
      return server.fetch(...request)
    },
  }
}

/** A tab of a distant server, on which the first screens are open as soon as the login is through. */
function farTab(user = 'immudb') {
  const server = fakeImmudb({
    databases: ['defaultdb', 'shop'],
    users: { zoe: { password: 'Zoe-1234!', permissions: { shop: 2 } } },
  })
  server.databases.set('shop', { ...emptyDatabase(), txId: 52, tables: new Map([['t', []]]) })
  const tab = openTab(far(server))
  const { store } = tab
  tab.store.sub(phaseAtom, () => {
    if (store.get(phaseAtom) !== 'ready') return
    for (const shown of [stateAtom, tablesAtom, recentTransactionsAtom]) store.sub(shown, () => {})
  })
  const login = () => signIn(tab, user, user === 'zoe' ? 'Zoe-1234!' : user)
  return { server, tab, store, login }
}

/** A little longer, because what is shown follows its answer by a task. */
const passing = (rounds: number) => vi.advanceTimersByTimeAsync(rounds * roundTrip + 20)

/** Logs in and counts the rounds after which the first screen has what it shows. */
async function depth({ login, store }: Pick<ReturnType<typeof farTab>, 'login' | 'store'>) {
  void login()
  for (let round = 1; round < 10; round++) {
    await passing(1)
    if (store.get(phaseAtom) !== 'ready') continue
    if (store.get(tablesAtom).data && store.get(stateAtom).data) return round
  }
  throw new Error('the screen never had what it shows')
}

const asked = (server: FakeImmudb) => server.log()

describe('how many rounds a login waits for', () => {
  test.each(['immudb', 'zoe'])('four where its password was typed (%s)', async (user) => {
    const far = farTab(user)
    askIdentityEarly(far.store)
    await passing(1)
    expect(await depth(far)).toBe(4)
    expect(asked(far.server)).not.toContain('GET /db/use/defaultdb')
    expect(asked(far.server).filter((call) => call === 'GET /health')).toHaveLength(1)
  })

  test('five where it was filled in and sent at once', async () => {
    expect(await depth(farTab())).toBe(5)
  })

  test('an answer that is still on its way is not asked for twice', async () => {
    const far = farTab()
    askIdentityEarly(far.store)
    await passing(0.5)
    expect(await depth(far)).toBe(5)
    expect(asked(far.server).filter((call) => call === 'GET /health')).toHaveLength(1)
  })
})

describe('the newest transaction', () => {
  test('is that of the list until the state is here, which alone has a hash', async () => {
    const { store, server, login } = farTab()
    askIdentityEarly(store)
    await passing(1)
    void login()
    await passing(3)
    expect(store.get(phaseAtom)).toBe('ready')
    expect(store.get(stateAtom).data).toBeUndefined()
    expect([store.get(namedTxAtom), store.get(presentTxAtom)]).toEqual(['52', '52'])
    // What a write compares with is a state.
    expect(newestKnown(store.get, 'shop')).toBe('0')
    const shop = server.databases.get('shop')
    if (shop) shop.txId = 53
    await passing(1)
    expect(store.get(stateAtom).data?.txId).toBe('53')
    expect([store.get(namedTxAtom), store.get(presentTxAtom)]).toEqual(['53', '53'])
  })

  test('is not known where the list names none', async () => {
    const { store, server, login } = farTab()
    server.databases.set('shop', emptyDatabase())
    void login()
    await passing(4)
    expect(store.get(phaseAtom)).toBe('ready')
    expect([store.get(namedTxAtom), store.get(presentTxAtom)]).toEqual([null, '0'])
  })
})

describe('the server that is asked for while the password is typed', () => {
  /** A form that knows the server of the last login. */
  function known() {
    const far = farTab()
    far.store.set(storedAtom, { ...readStored(null), auth: { ...noAuth, server: 'known' } })
    return far
  }
  const noAuth = readStored(null).auth
  const type = async ({ store }: Tab) => {
    askIdentityEarly(store)
    await passing(1)
  }

  test('gets no password when it is another one, and says so', async () => {
    const { server, tab, store, login } = known()
    server.becomeAnother('two')
    await type(tab)
    expect(store.get(loginNoticeAtom)).toBeNull()
    void login()
    await passing(10)
    expect(asked(server)).toEqual(['GET /health'])
    expect(store.get(loginNoticeAtom)?.kind).toBe('another-server')
    // Typed once more, after the notice; a third server in between is not the one it names.
    server.becomeAnother('three')
    await type(tab)
    void login()
    await passing(10)
    expect(asked(server)).toEqual(['GET /health', 'GET /health'])
  })

  test('is asked again when its answer is old', async () => {
    const { server, tab, login } = known()
    server.becomeAnother('known')
    await type(tab)
    await vi.advanceTimersByTimeAsync(identityFor)
    server.becomeAnother('two')
    void login()
    await passing(10)
    expect(asked(server)).toEqual(['GET /health', 'GET /health'])
  })

  test('is asked again by a key before that, and not by each key', async () => {
    const { server, tab } = known()
    for (let key = 0; key < 6; key++) await type(tab)
    expect(asked(server)).toHaveLength(2)
  })

  test('is asked once more by the login when it gave no answer', async () => {
    const { server, tab, store, login } = farTab()
    server.unplug()
    await type(tab)
    await passing(10)
    server.plug()
    void login()
    await passing(10)
    expect(store.get(phaseAtom)).toBe('ready')
  })
})
