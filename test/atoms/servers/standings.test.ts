import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { logInElsewhere } from '~/atoms/servers/other-logins'
import { isByUrgencyAtom, serverRowsAtom, transactionsOf } from '~/atoms/servers/server-rows'
import { refreshStandings, standingsAtom, watchServersAtom } from '~/atoms/servers/standings'
import { sessionLossAtom } from '~/core/session/session'
import { type FakeImmudb, fakeImmudb } from '../../support/fake-immudb'
import { type FakeHost, fakeHost } from '../../support/fake-servers'
import { openFleetPage } from '../../support/fleet'

const credentials = { user: 'immudb', password: 'immudb', isStored: false }

let servers: Record<string, FakeImmudb>
let host: FakeHost
let stop = () => {}

beforeEach(() => {
  servers = { eu: fakeImmudb(), us: fakeImmudb({ databases: ['defaultdb', 'shop'] }) }
  servers.us?.becomeAnother('us-uuid')
  host = fakeHost(servers)
})

afterEach(() => {
  stop()
  vi.useRealTimers()
})

async function watched() {
  const page = await openFleetPage(host)
  await logInElsewhere(page.fleet, host.list.servers.slice(1), credentials)
  host.calls.length = 0
  stop = page.store.sub(watchServersAtom, () => {})
  const kinds = () =>
    Object.fromEntries(page.store.get(standingsAtom).map(({ server, kind }) => [server.name, kind]))
  return { ...page, kinds }
}

/** An answer whose body never comes, until the call is given up. */
function headersAlone({ signal }: RequestInit): Response {
  const body = new ReadableStream({
    start: (control) => signal?.addEventListener('abort', () => control.error(signal.reason)),
  })
  return new Response(body, { headers: { 'Content-Type': 'application/json' } })
}

/** A time limit that has passed as soon as what began has gone out. */
function endsAtOnce(): AbortSignal {
  const control = new AbortController()
  setTimeout(() => control.abort(new DOMException('too late', 'TimeoutError')), 50)
  return control.signal
}

describe('watched servers', () => {
  test('say what they hold, with one list each', async () => {
    const { store, kinds } = await watched()
    await vi.waitFor(() => expect(kinds()).toEqual({ eu: 'answers', us: 'answers' }))
    const us = store.get(standingsAtom).find(({ server }) => server.name === 'us')
    expect(us?.holdings?.map(({ name }) => name)).toEqual(['defaultdb', 'shop'])
    const lists = host.calls.filter(({ path }) => path === '/db/list/v2')
    expect(lists.map(({ server }) => server).sort()).toEqual(['eu', 'us'])
    // An empty database and one without a count look the same on the wire.
    expect(us && transactionsOf(us)).toEqual({ sum: 0n, unknown: 2 })
  })

  test('are asked again each minute with the list alone', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    await watched()
    await vi.advanceTimersByTimeAsync(2_000)
    host.calls.length = 0
    await vi.advanceTimersByTimeAsync(60_000)
    const paths = host.calls.filter(({ path }) => path !== '/db/state').map(({ path }) => path)
    expect(paths).toEqual(['/db/list/v2', '/db/list/v2'])
  })

  test('tell of their limits every five minutes, and when they are asked by hand', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    const { store } = await watched()
    const looks = () => host.calls.filter(({ path }) => path === '/metrics').length
    await vi.advanceTimersByTimeAsync(240_000)
    expect(looks()).toBe(2)
    await vi.advanceTimersByTimeAsync(120_000)
    expect(looks()).toBe(4)
    refreshStandings(store)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(looks()).toBe(6)
  })

  test('are fifty with at most fifty calls a minute, those of the page included', async () => {
    const us = fakeImmudb()
    servers = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`s${at}`, us]))
    host = fakeHost(servers)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    const { kinds } = await watched()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(new Set(Object.values(kinds()))).toEqual(new Set(['answers']))
    host.calls.length = 0
    await vi.advanceTimersByTimeAsync(60_000)
    const lists = host.calls.filter(({ path }) => path === '/db/list/v2')
    expect(lists).toHaveLength(40)
    expect(new Set(lists.map(({ server }) => server)).size).toBe(40)
    expect(host.calls.length).toBeLessThanOrEqual(50)
  })

  test('one that hangs or is gone leaves the others, and says since when', async () => {
    servers.us?.unplug()
    const page = await openFleetPage(host)
    stop = page.store.sub(watchServersAtom, () => {})
    await vi.waitFor(() => {
      const [eu, us] = page.store.get(serverRowsAtom)
      expect(us?.standing).toMatchObject({ kind: 'silent', server: { name: 'us' } })
      expect(us?.standing.since).toBeGreaterThan(0)
      expect(us?.standing.reason).not.toBe('')
      expect(eu?.standing).toMatchObject({ kind: 'answers', server: { name: 'eu' } })
    })
    const names = () => page.store.get(serverRowsAtom).map(({ standing }) => standing.server.name)
    expect(names()).toEqual(['eu', 'us'])
    page.store.set(isByUrgencyAtom, true)
    expect(names()).toEqual(['us', 'eu'])
    page.store.set(isByUrgencyAtom, false)
    expect(names()).toEqual(['eu', 'us'])
  })

  test('one without a session says so and asks for no login', async () => {
    const page = await openFleetPage(host)
    stop = page.store.sub(watchServersAtom, () => {})
    await vi.waitFor(() =>
      expect(page.store.get(standingsAtom)[1]).toMatchObject({ kind: 'no-session', reason: '' }),
    )
    expect(page.store.get(sessionLossAtom)).toBeNull()
    expect(host.calls.filter(({ server, token }) => server === 'us' && token !== null)).toEqual([])
  })

  test('one that was being asked while its login came is asked again at once', async () => {
    const page = await openFleetPage(host)
    let go = () => {}
    const held = new Promise<void>((resolve) => {
      go = resolve
    })
    const { us } = servers
    const passed = us?.fetch
    if (!us || !passed) throw new Error('there is no us')
    Object.assign(us, {
      fetch: async (...call: Parameters<typeof fetch>) => {
        if (String(call[0]).includes('/serverinfo')) await held
        return passed(...call)
      },
    })
    stop = page.store.sub(watchServersAtom, () => {})
    await vi.waitFor(() => expect(host.calls.some(({ server }) => server === 'us')).toBe(true))
    // The login answers while the first question has no session yet.
    go()
    await logInElsewhere(page.fleet, host.list.servers.slice(1), credentials)
    await vi.waitFor(() => expect(page.store.get(standingsAtom)[1]?.kind).toBe('answers'))
  })

  test('one whose session has ended says so; the shown one is not touched', async () => {
    const { store, kinds } = await watched()
    await vi.waitFor(() => expect(kinds().us).toBe('answers'))
    servers.us?.expireTokens()
    refreshStandings(store)
    await vi.waitFor(() => expect(kinds().us).toBe('no-session'))
    expect(store.get(sessionLossAtom)).toBeNull()
  })

  test('another immudb behind the same name is said, and gets no token', async () => {
    const { store, kinds } = await watched()
    await vi.waitFor(() => expect(kinds().us).toBe('answers'))
    servers.us?.becomeAnother('one-more-uuid')
    host.passed.length = 0
    refreshStandings(store)
    await vi.waitFor(() => expect(kinds().us).toBe('no-session'))
    const us = () => store.get(standingsAtom)[1]
    expect(us()?.reason).toMatch(/^Another server answers at this address now/)
    host.calls.length = 0
    refreshStandings(store)
    await vi.waitFor(() => expect(us()?.uuid).toBe('one-more-uuid'))
    expect(us()?.reason).toMatch(/^Another server answers at this address now/)
    expect(host.calls.filter(({ server, token }) => server === 'us' && token !== null)).toEqual([])
    expect(host.passed.filter(({ server, token }) => server === 'us' && token !== null)).toEqual([])
    expect(kinds().eu).toBe('answers')
    expect(store.get(sessionLossAtom)).toBeNull()
  })

  test('one that hangs after its headers is silent after five seconds; the others are there', async () => {
    const page = await openFleetPage(host)
    await logInElsewhere(page.fleet, host.list.servers.slice(1), credentials)
    host.answer = (server, _path, init) => (server === 'us' ? headersAlone(init) : null)
    const later = vi.spyOn(AbortSignal, 'timeout').mockImplementation(endsAtOnce)
    stop = page.store.sub(watchServersAtom, () => {})
    await vi.waitFor(() => {
      const [eu, us] = page.store.get(standingsAtom)
      expect(eu?.kind).toBe('answers')
      expect(us).toMatchObject({ kind: 'silent', reason: 'No answer within 5 seconds.' })
    })
    later.mockRestore()
  })

  test('all tokens that end at once bring one login, that of the shown server', async () => {
    const { store, kinds } = await watched()
    await vi.waitFor(() => expect(kinds()).toEqual({ eu: 'answers', us: 'answers' }))
    servers.eu?.expireTokens()
    servers.us?.expireTokens()
    refreshStandings(store)
    await vi.waitFor(() => expect(kinds()).toEqual({ eu: 'no-session', us: 'no-session' }))
    expect(store.get(sessionLossAtom)).toBe('ended')
    const us = store.get(standingsAtom)[1]
    expect(us?.reason).toBe('The session has ended.')
    const asked = host.calls.filter(({ path }) => path === '/login')
    expect(asked).toEqual([])
  })

  test('in a group are asked as primary, replica and primary again, and never seem ahead', async () => {
    let committed = 100
    // Each answer of the primary is older than what its replica has got by the time it is asked.
    const list = (txId: number, replica: boolean) => ({
      databases: [
        {
          name: 'shop',
          loaded: true,
          numTransactions: String(txId),
          settings: {
            replicationSettings: replica
              ? {
                  replica: { value: true },
                  primaryDatabase: { value: 'shop' },
                  primaryHost: { value: 'eu' },
                  primaryPort: { value: 3322 },
                  syncReplication: { value: true },
                }
              : {},
          },
        },
      ],
    })
    host.answer = (server, path) => {
      if (path !== '/db/list/v2') return null
      committed += 13
      return Response.json(list(committed, server === 'us'))
    }
    const { store } = await watched()
    const us = () => store.get(serverRowsAtom).find(({ standing }) => standing.server.name === 'us')
    await vi.waitFor(() => expect(us()?.lag).toEqual({ least: 0n, most: 13n }))
    const asked = () =>
      host.calls.filter(({ path }) => path === '/db/list/v2').map(({ server }) => server)
    expect(asked().slice(-3)).toEqual(['eu', 'us', 'eu'])
    expect(us()?.role).toBe('replica')
    refreshStandings(store)
    const seen: (bigint | null | undefined)[] = []
    const end = store.sub(serverRowsAtom, () => seen.push(us()?.lag?.most))
    await vi.waitFor(() => expect(asked().length).toBeGreaterThan(7))
    end()
    expect(seen.filter((most) => most !== null && most !== undefined && most < 0n)).toEqual([])
  })

  test('with a replica that has more than its primary says so', async () => {
    host.answer = (server, path) => {
      if (path !== '/db/list/v2') return null
      const replica = {
        replica: { value: true },
        primaryDatabase: { value: 'shop' },
        primaryHost: { value: 'eu' },
        primaryPort: { value: 3322 },
      }
      const isReplica = server === 'us'
      return Response.json({
        databases: [
          {
            name: 'shop',
            loaded: true,
            numTransactions: isReplica ? '20' : '12',
            settings: { replicationSettings: isReplica ? replica : {} },
          },
        ],
      })
    }
    const { store } = await watched()
    const us = () => store.get(serverRowsAtom).find(({ standing }) => standing.server.name === 'us')
    await vi.waitFor(() => expect(us()?.lag?.most).toBe(-8n))
    store.set(isByUrgencyAtom, true)
    expect(store.get(serverRowsAtom)[0]?.standing.server.name).toBe('us')
  })

  test('a hidden page asks nothing', async () => {
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    const page = await openFleetPage(host)
    host.calls.length = 0
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    stop = page.store.sub(watchServersAtom, () => {})
    await vi.advanceTimersByTimeAsync(120_000)
    expect(host.calls).toEqual([])
    hidden.mockRestore()
  })
})

describe('a login elsewhere', () => {
  test('renews a session that has ended', async () => {
    const { store, fleet, kinds } = await watched()
    await vi.waitFor(() => expect(kinds().us).toBe('answers'))
    servers.us?.expireTokens()
    refreshStandings(store)
    await vi.waitFor(() => expect(kinds().us).toBe('no-session'))
    await logInElsewhere(fleet, host.list.servers.slice(1), credentials)
    await vi.waitFor(() => expect(kinds().us).toBe('answers'))
  })

  test('with a wrong password is refused there and only there', async () => {
    servers.us = fakeImmudb({ users: { immudb: { password: 'other', permissions: { '*': 255 } } } })
    host = fakeHost(servers)
    const page = await openFleetPage(host)
    await logInElsewhere(page.fleet, host.list.servers.slice(1), credentials)
    stop = page.store.sub(watchServersAtom, () => {})
    await vi.waitFor(() =>
      expect(page.store.get(standingsAtom)[1]).toMatchObject({
        kind: 'no-session',
        reason: expect.stringMatching(/invalid user name or password/i),
      }),
    )
  })
})
