import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { databasesAtom } from '~/atoms/databases/database-list'
import { attentionAtom } from '~/atoms/overview/attention'
import { figuresAtom } from '~/atoms/overview/figures'
import { metricsAtom, metricsProblemAtom } from '~/atoms/overview/metrics'
import { checkedRisksAtom } from '~/atoms/overview/security'
import {
  averageCallsAtom,
  callRateLinesAtom,
  chartReachAtom,
  chartWindowAtom,
  keptMeasuredAtom,
  memoryLinesAtom,
  sizeLinesAtom,
  txRateLinesAtom,
} from '~/atoms/overview/time-series'
import { lastVisitAtom, noteVisitAtom } from '~/core/history/last-visit'
import { stateAtom } from '~/core/history/newest-state'
import { recentTransactionsAtom } from '~/core/history/transactions'
import { databaseAtom, sessionAtom } from '~/core/session/session'
import { logOut } from '~/core/session/session-end'
import { restoreSession, setStaySignedIn } from '~/core/session/session-start'
import { changeSettings } from '~/core/settings'
import type { Line } from '~/lib/measurements'
import { fakeImmudb } from '../../support/fake-immudb'
import {
  type FakeServer,
  hanging,
  metricsText,
  recordedMetrics,
  withMetrics,
} from '../../support/fake-metrics'
import { fakeDriver, openTab, signIn, type Tab } from '../../support/store'

const screen = [
  metricsAtom,
  sizeLinesAtom,
  txRateLinesAtom,
  memoryLinesAtom,
  callRateLinesAtom,
  recentTransactionsAtom,
  figuresAtom,
  attentionAtom,
  checkedRisksAtom,
  chartReachAtom,
  keptMeasuredAtom,
]

let server: FakeServer
let tab: Tab

const passing = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const settled = () => passing(50)
const values = (line: Line | undefined) => line?.points.map(({ value }) => value)
const addresses = () => server.asked.map(({ address }) => address)
const usual = 'http://localhost:9497/metrics'

async function signedIn(driver = fakeDriver()) {
  server = withMetrics(fakeImmudb())
  server.databases.set('defaultdb', { isLoaded: true, txId: 12, tables: new Map() })
  tab = openTab(server, driver)
  await signIn(tab)
  for (const of of [stateAtom, databasesAtom]) tab.store.sub(of, () => {})
  await settled()
}

let leaveScreen = () => {}

/** Opens the screen; returns what leaves it. */
function openScreen(): () => void {
  const stops = screen.map((of) => tab.store.sub(of, () => {}))
  leaveScreen = () => {
    for (const stop of stops.splice(0)) stop()
  }
  return leaveScreen
}

function show(state: 'visible' | 'hidden') {
  Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
  window.dispatchEvent(new Event('visibilitychange'))
}

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  leaveScreen()
  show('visible')
  vi.useRealTimers()
})

describe('metrics are asked for', () => {
  test('once, three seconds after the screen was opened, then every minute', async () => {
    await signedIn()
    await passing(30_000)
    expect(server.asked).toHaveLength(0)
    openScreen()
    await passing(2_900)
    expect(server.asked).toHaveLength(0)
    await passing(200)
    expect(addresses()).toEqual(['/metrics'])
    await passing(59_000)
    expect(server.asked).toHaveLength(1)
    await passing(121_000)
    expect(server.asked).toHaveLength(4)
  })

  test('no more once the screen is left, and again three seconds after it is back', async () => {
    await signedIn()
    const leave = openScreen()
    await passing(4_000)
    leave()
    await passing(600_000)
    expect(server.asked).toHaveLength(1)
    openScreen()
    await passing(2_900)
    expect(server.asked).toHaveLength(1)
    await passing(200)
    expect(server.asked).toHaveLength(2)
  })

  test('never when the screen is left at once', async () => {
    await signedIn()
    openScreen()()
    await passing(600_000)
    expect(server.asked).toHaveLength(0)
  })

  test('F46 not while the tab is hidden, and once when it is seen again', async () => {
    await signedIn()
    openScreen()
    await passing(4_000)
    show('hidden')
    await passing(600_000)
    expect(server.asked).toHaveLength(1)
    show('visible')
    await settled()
    expect(server.asked).toHaveLength(2)
  })

  test('not before a tab that was opened hidden is seen', async () => {
    await signedIn()
    show('hidden')
    openScreen()
    await passing(60_000)
    expect(server.asked).toHaveLength(0)
    show('visible')
    await settled()
    expect(server.asked).toHaveLength(1)
  })
})

describe('where metrics are found', () => {
  test('port 9497 of the same host, when this page’s server has none; then there at once', async () => {
    await signedIn()
    server.metrics.set('/metrics', () => new Response('404 page not found', { status: 404 }))
    server.metrics.set(usual, () => metricsText(recordedMetrics))
    openScreen()
    await passing(64_000)
    expect(addresses()).toEqual(['/metrics', usual, usual])
    expect(tab.store.get(metricsProblemAtom)).toBeNull()
    const metrics = tab.store.get(checkedRisksAtom).find(({ id }) => id === 'metrics')
    expect(metrics?.severity).toBe('danger')
  })

  test('the own server alone, where the policy of the page allows no other', async () => {
    const policy = document.createElement('meta')
    policy.setAttribute('http-equiv', 'Content-Security-Policy')
    policy.setAttribute('content', "default-src 'none'; connect-src 'self'")
    document.head.append(policy)
    try {
      await signedIn()
      server.metrics.set('/metrics', () => new Response('404 page not found', { status: 404 }))
      server.metrics.set(usual, () => metricsText(recordedMetrics))
      openScreen()
      await passing(4_000)
      expect(addresses()).toEqual(['/metrics'])
      expect(tab.store.get(metricsProblemAtom)).toBe('elsewhere')
    } finally {
      policy.remove()
    }
  })

  test('the address of the setting instead of the usual one, as soon as it is named', async () => {
    const named = 'http://db.example:9497/metrics'
    await signedIn()
    server.metrics.delete('/metrics')
    server.metrics.set(named, () => metricsText(recordedMetrics))
    openScreen()
    await passing(4_000)
    expect(addresses()).toEqual(['/metrics', usual])
    expect(tab.store.get(metricsProblemAtom)).toBe('elsewhere')
    await changeSettings(tab.store, { metrics: named })
    await settled()
    expect(addresses().slice(2)).toEqual(['/metrics', named])
    expect(tab.store.get(metricsProblemAtom)).toBeNull()
  })
})

describe('F70 metrics that cannot be had', () => {
  const page = () => new Response('<h1>x</h1>', { headers: { 'content-type': 'text/html' } })
  test.each([
    ['closed', () => Promise.reject(new TypeError('fetch failed')), 'elsewhere'],
    ['404', () => new Response('', { status: 404 }), 'elsewhere'],
    ['a page', page, 'elsewhere'],
    ['garbage', () => metricsText('\u0000\uFFFD{}{{{ 1\nup'), 'elsewhere'],
    ['empty', () => metricsText(''), 'elsewhere'],
  ])(
    '%s: a reason, fallback figures, and a try less and less often',
    async (_how, answer, kind) => {
      await signedIn()
      server.metrics.set('/metrics', answer)
      server.clear()
      openScreen()
      await passing(4_000)
      expect(tab.store.get(metricsProblemAtom)).toBe(kind)
      expect(tab.store.get(attentionAtom).map(({ id }) => id)).toContain('metrics')
      expect(tab.store.get(figuresAtom)).toMatchObject({ memory: null, calls: null, size: 5478 })
      const uptime = tab.store.get(figuresAtom).uptime ?? 0
      expect(Date.now() - uptime - server.startedAt * 1_000).toBeLessThan(10_000)
      expect(values(tab.store.get(sizeLinesAtom)[0])?.at(-1)).toBe(5478)
      const first = server.asked.length
      await passing(110_000)
      expect(server.asked).toHaveLength(first)
      await passing(20_000)
      expect(server.asked.length).toBeGreaterThan(first)
      // The figures that stand in were renewed with each try.
      expect(server.log().filter((line) => line === 'POST /db/list/v2')).toHaveLength(2)
    },
  )

  test('hanging: given up by the timer, told as such, no second address', async () => {
    const timer = new AbortController()
    await signedIn()
    server.metrics.set('/metrics', hanging)
    openScreen()
    const { timeout } = AbortSignal
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) =>
      ms === 5_000 ? timer.signal : timeout.call(AbortSignal, ms),
    )
    await passing(4_000)
    timer.abort(new DOMException('', 'TimeoutError'))
    await settled()
    expect(tab.store.get(metricsProblemAtom)).toBe('timeout')
    expect(addresses()).toEqual(['/metrics'])
  })

  test('when they come back, the problem is gone and the charts go on', async () => {
    await signedIn()
    server.metrics.delete('/metrics')
    openScreen()
    await passing(4_000)
    server.metrics.set('/metrics', () => metricsText(recordedMetrics))
    await passing(120_000)
    expect(tab.store.get(metricsProblemAtom)).toBeNull()
    expect(values(tab.store.get(memoryLinesAtom)[0])).toEqual([249_944_392])
  })
})

describe('what was measured', () => {
  test('the hours of uptime become milliseconds', async () => {
    await signedIn()
    server.metrics.set('/metrics', () => metricsText('immudb_uptime_hours 1.5'))
    openScreen()
    await passing(3_100)
    const uptime = tab.store.get(figuresAtom).uptime ?? 0
    expect(Math.abs(uptime - 5_400_000)).toBeLessThan(10_000)
  })

  const text = (sets: number, uptime = 5) =>
    `immudb_uptime_hours ${uptime}
immudb_db_size_bytes{db="defaultdb"} 6000
immudb_number_of_stored_entries{db="defaultdb"} 12
go_memstats_sys_bytes 100
go_memstats_heap_inuse_bytes 40
go_memstats_stack_inuse_bytes 2
grpc_server_handling_seconds_count{grpc_method="Set"} ${sets}`
  const writes = () => tab.store.get(callRateLinesAtom)[3]

  test('becomes rates from the second measurement on, and breaks at a restart', async () => {
    await signedIn()
    let sets = 100
    server.metrics.set('/metrics', () => metricsText(text(sets)))
    openScreen()
    await passing(3_100)
    expect(values(writes())).toEqual([])
    // Until then the average since the start stands in, from the one answer.
    expect(server.asked).toHaveLength(1)
    expect(tab.store.get(averageCallsAtom)).toBeCloseTo(100 / (5 * 3_600), 6)
    sets = 160
    await passing(60_000)
    sets = 5
    await passing(60_000)
    const [first, second] = values(writes()) ?? []
    expect(first).toBeCloseTo(1, 1)
    expect(second).toBeNull()
    expect(server.asked).toHaveLength(3)
  })

  test('survives leaving the screen, with a gap where nobody measured', async () => {
    await signedIn()
    server.metrics.set('/metrics', () => metricsText(text(1)))
    const leave = openScreen()
    await passing(64_000)
    leave()
    await passing(600_000)
    openScreen()
    expect(values(tab.store.get(memoryLinesAtom)[1])).toEqual([42, 42])
    await passing(3_100)
    expect(values(tab.store.get(memoryLinesAtom)[1])).toEqual([42, 42, null, 42])
    expect(values(writes())).toEqual([0, null])
  })

  test('is still there after a reload, so that the charts go on; and gone with the log-out', async () => {
    const driver = fakeDriver()
    await signedIn(driver)
    let sets = 100
    server.metrics.set('/metrics', () => metricsText(text(sets)))
    openScreen()
    await passing(64_000)
    window.dispatchEvent(new Event('pagehide'))
    leaveScreen()
    sets = 130
    const { asked } = server
    const before = asked.length
    tab = openTab(server, driver)
    await restoreSession(tab.store, null)
    await settled()
    openScreen()
    expect(values(tab.store.get(memoryLinesAtom)[1])).toEqual([42, 42])
    await passing(3_100)
    expect(values(tab.store.get(memoryLinesAtom)[1])).toEqual([42, 42, 42])
    expect(values(writes())?.at(-1)).toBeGreaterThan(0)
    // There is a rate already, so that no second one is asked for soon.
    await passing(50_000)
    expect(asked).toHaveLength(before + 1)
    window.dispatchEvent(new Event('pagehide'))
    expect(Object.keys(sessionStorage).join()).toContain('webconsole.samples')
    logOut(tab.store)
    window.dispatchEvent(new Event('pagehide'))
    expect(Object.keys(sessionStorage).join()).not.toContain('webconsole.samples')
  })

  test('of a session in memory alone is written nowhere', async () => {
    await signedIn()
    openScreen()
    await passing(4_000)
    window.dispatchEvent(new Event('pagehide'))
    expect(sessionStorage).toHaveLength(1)
    setStaySignedIn(tab.store, false)
    window.dispatchEvent(new Event('pagehide'))
    expect(sessionStorage).toHaveLength(0)
  })

  test.each(['x', { measurements: 7 }, { measurements: [{}], listings: [], presents: [] }])(
    'that makes no sense after a reload counts as nothing: %j',
    async (found) => {
      const place = 'webconsole.samples ["dc0mfe1ksduac04rho90","immudb"]'
      sessionStorage.setItem(place, JSON.stringify(found))
      await signedIn()
      expect(tab.store.get(memoryLinesAtom)[0]?.points).toEqual([])
    },
  )

  test('the rate of transactions comes from the polls of the state', async () => {
    await signedIn()
    openScreen()
    await passing(10_000)
    server.databases.set('defaultdb', { isLoaded: true, txId: 32, tables: new Map() })
    await passing(10_000)
    const line = tab.store.get(txRateLinesAtom).find(({ name }) => name === 'defaultdb')
    expect(values(line)).toEqual([0, expect.closeTo(2, 1)])
  })

  test('of a thousand databases only the largest are kept, and the open one', async () => {
    await signedIn()
    const many = Array.from({ length: 1_000 }, (_, index) => {
      const size = 10_000 + index
      return `immudb_db_size_bytes{db="d${index}"} ${size}`
    })
    server.metrics.set('/metrics', () => metricsText(`${text(1)}\n${many.join('\n')}`))
    openScreen()
    await passing(4_000)
    const names = tab.store.get(sizeLinesAtom).map(({ name }) => name)
    expect(names).toHaveLength(21)
    expect(names[0]).toBe('d999')
    expect(names).toContain('defaultdb')
  })

  test('the charts reach from the first measurement on, but never less than five minutes', async () => {
    await signedIn()
    openScreen()
    await passing(4_000)
    const { from, to } = tab.store.get(chartReachAtom)
    expect(to - from).toBe(300_000)
    await passing(600_000)
    const later = tab.store.get(chartReachAtom)
    expect(later.to - later.from).toBeGreaterThan(590_000)
    tab.store.set(chartWindowAtom, 15)
    await passing(400_000)
    const last = tab.store.get(chartReachAtom)
    expect(last.to - last.from).toBe(900_000)
  })
})

describe('recent transactions', () => {
  const ids = () => tab.store.get(recentTransactionsAtom)?.data?.transactions.map(({ id }) => id)

  test('are asked once, and again only when the state tells of more', async () => {
    await signedIn()
    server.clear()
    openScreen()
    await settled()
    expect(ids()).toEqual(['12', '11', '10', '9', '8', '7', '6', '5', '4', '3'])
    const first = tab.store.get(recentTransactionsAtom)?.dataUpdatedAt
    await passing(60_000)
    expect(tab.store.get(recentTransactionsAtom)?.dataUpdatedAt).toBe(first)
    server.databases.set('defaultdb', { isLoaded: true, txId: 13, tables: new Map() })
    await passing(10_100)
    expect(ids()?.[0]).toBe('13')
  })

  test('carry their own hash, told by the one after them', async () => {
    await signedIn()
    openScreen()
    await settled()
    const [newest, second] = tab.store.get(recentTransactionsAtom)?.data?.transactions ?? []
    expect(newest?.hash).toBe(tab.store.get(stateAtom).data?.txHash)
    expect(second?.hash).toBe(btoa('alh11'))
  })

  test('of an empty database are not asked for', async () => {
    await signedIn()
    server.databases.set('defaultdb', { isLoaded: true, txId: 0, tables: new Map() })
    await passing(10_000)
    openScreen()
    await settled()
    expect(tab.store.get(recentTransactionsAtom)).toBeNull()
  })
})

describe('visits', () => {
  /** As the screen does. */
  const note = () => tab.store.get(noteVisitAtom) && tab.store.set(noteVisitAtom)

  test('the next one is told against the last, and a log-out forgets them', async () => {
    const driver = fakeDriver()
    await signedIn(driver)
    tab.store.sub(lastVisitAtom, () => {})
    note()
    expect(tab.store.get(lastVisitAtom)).toBeNull()
    expect(tab.store.get(noteVisitAtom)).toBeNull()
    await settled()
    expect(JSON.stringify(driver.values.get('webconsole'))).toContain('"tx":"12"')
    await passing(3_600_000)
    await signedIn(driver)
    await restoreSession(tab.store, null)
    server.databases.set('defaultdb', { isLoaded: true, txId: 20, tables: new Map() })
    await passing(10_100)
    tab.store.sub(lastVisitAtom, () => {})
    expect(tab.store.get(lastVisitAtom)?.tx).toBe('12')
    logOut(tab.store)
    await settled()
    expect(JSON.stringify(driver.values.get('webconsole'))).not.toContain('"tx"')
  })

  test('F50 a shorter history is the first thing that needs attention', async () => {
    await signedIn()
    openScreen()
    note()
    server.databases.set('defaultdb', { isLoaded: true, txId: 4, tables: new Map() })
    await passing(10_100)
    expect(tab.store.get(attentionAtom)[0]).toMatchObject({ id: 'shorter', tone: 'error' })
  })
})

describe('what is not known is not called 0', () => {
  test('the size of an unloaded database, of which the server says 0', async () => {
    await signedIn()
    server.databases.set('asleep', { isLoaded: false, txId: 9, tables: new Map() })
    server.metrics.set('/metrics', () =>
      metricsText(
        'immudb_uptime_hours 1\nimmudb_db_size_bytes{db="defaultdb"} 100\nimmudb_db_size_bytes{db="asleep"} 0',
      ),
    )
    await tab.store.get(databasesAtom).refetch()
    await settled()
    openScreen()
    await passing(4_000)
    expect(tab.store.get(sizeLinesAtom).map(({ name }) => name)).toEqual(['defaultdb'])
    tab.store.set(databaseAtom, 'asleep')
    expect(tab.store.get(figuresAtom)).toMatchObject({ size: null, allSizes: 100 })
  })

  test('the size of the database of a server without login, which lists none', async () => {
    await signedIn()
    openScreen()
    const session = tab.store.get(sessionAtom)
    tab.store.set(sessionAtom, session && { ...session, mode: 'open' })
    await settled()
    expect(tab.store.get(databasesAtom).data?.map(({ name }) => name)).toEqual(['defaultdb'])
    expect(tab.store.get(figuresAtom)).toMatchObject({ size: null, allSizes: null })
  })
})

test('transactions before their commit wait, and nobody is named as who lets them wait', async () => {
  await signedIn()
  openScreen()
  const { queryClientAtom } = await import('jotai-tanstack-query')
  const { data } = tab.store.get(stateAtom)
  for (const [key] of tab.store.get(queryClientAtom).getQueriesData({ queryKey: ['state'] })) {
    tab.store.get(queryClientAtom).setQueryData(key, { ...data, precommittedTxId: '14' })
  }
  await settled()
  const found = tab.store.get(attentionAtom).find(({ id }) => id === 'waiting')
  expect(found?.title).toBe('Not yet committed')
})

test('what needs attention: the password first, then what was found, databases not loaded', async () => {
  await signedIn()
  server.databases.set('orders', { isLoaded: false, txId: 0, tables: new Map() })
  openScreen()
  await tab.store.get(databasesAtom).refetch()
  await settled()
  expect(tab.store.get(attentionAtom).map(({ id }) => id)).toEqual([
    'password',
    'transport',
    'headers',
    'framing',
    'signature',
    'version',
    'unloaded',
  ])
})

test('an index that is behind needs attention', async () => {
  await signedIn()
  const lag = (kind: string, tx: number) =>
    `immudb_last_${kind}_trx_id{db="defaultdb",index="index_00"} ${tx}`
  server.metrics.set('/metrics', () =>
    metricsText(`immudb_uptime_hours 1\n${lag('committed', 12)}\n${lag('indexed', 5)}`),
  )
  openScreen()
  await passing(4_000)
  expect(tab.store.get(attentionAtom).find(({ id }) => id === 'lag')?.text).toContain(
    '7 transactions behind',
  )
})
