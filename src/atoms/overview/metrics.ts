import { type Atom, atom } from 'jotai'
import { atomWithQuery } from 'jotai-tanstack-query'
import * as v from 'valibot'
import type { Client } from '~/api/client'
import { ApiError } from '~/api/errors'
import { fetchLimitMetrics, fetchMetrics, type Metrics, parseMetrics } from '~/api/metrics'
import { type Io, mountedAtom } from '~/core/act'
import { clientAtom } from '~/core/session/client'
import { serverInfoKey } from '~/core/session/server'
import { isLockedAtom, serverAtom, serverPlaceAtom, sessionAtom } from '~/core/session/session'
import { metricsAddressAtom } from '~/core/settings'
import { readTab, writeTab } from '~/core/storage/tab'
import {
  callKinds,
  mayAsk,
  metricFamilies,
  metricsOf,
  readMetricsAddress,
  usualMetricsAddress,
} from '~/immudb/metrics'
import { workers } from '~/lib/build'
import {
  keptSamples,
  metricsDelay,
  metricsLongestPeriod,
  metricsPeriod,
  metricsTimeout,
  statePollPeriod,
} from '~/lib/constants'
import { readExposition } from '~/lib/exposition'
import { pause } from '~/lib/retry'
import { samplesStorageKey } from '~/lib/storage-keys'
import { databasesKey } from '../databases/database-list'

export const metricsKey = ['metrics'] as const

/** One measurement with its time and source. */
export type Measurement = {
  at: number
  address: string
  metrics: Metrics
}

/** Beside the API, where our own server has them; plain immudb answers 404 there. */
const besideApi = 'metrics'

/** Where this page's own server would have its metrics. */
export const usualAddressAtom = atom(() => usualMetricsAddress(window.location))

/** The addresses to try for metrics, in order, as far as the page's policy allows. */
export const metricsAddressesAtom = atom((get): readonly string[] => {
  const named = readMetricsAddress(get(metricsAddressAtom), window.location)
  const other = 'address' in named ? named.address : get(usualAddressAtom)
  return mayAsk(other, pagePolicy()) ? [besideApi, other] : [besideApi]
})

/** Whether the page may use the metrics port at all, so that another host can be entered. */
export const isPortAllowedAtom = atom((get) => mayAsk(get(usualAddressAtom), pagePolicy()))

function pagePolicy(): string | null {
  const found = document.querySelector('meta[http-equiv="Content-Security-Policy"]')
  return found?.getAttribute('content') ?? null
}

/** The address that answered last; it is tried first. Null until one has. */
const answeringAtom = atom<{ address: string | null }>(() => ({ address: null }))

/** Measurements further apart give no rate. Two of the polls each minute may fail. */
export const longestGap = metricsPeriod * 2.5

/**
 * The server's metrics: fetched three seconds after a screen shows them, then every minute while the
 * tab is visible, and more rarely while nothing answers. Each failure also refreshes the figures that
 * replace them.
 */
export const metricsAtom = atomWithQuery<Measurement>((get) => {
  const client = get(clientAtom)
  const addresses = get(metricsAddressesAtom)
  const answering = get(answeringAtom)
  const untilTime = get(metricsTimeAtom)
  return {
    queryKey: metricsKey,
    enabled: !get(isLockedAtom),
    // Opening the screen is a reason to fetch; returning from another tab is not.
    refetchOnMount: 'always',
    staleTime: metricsPeriod,
    structuralSharing: false,
    queryFn: async ({ signal, client: cache }) => {
      await untilTime(signal)
      const isKnown = answering.address !== null && addresses.includes(answering.address)
      const order = isKnown ? [answering.address ?? '', ...addresses] : addresses
      try {
        const measured = await firstAnswer(client, [...new Set(order)], signal)
        answering.address = measured.address
        return measured
      } catch (error) {
        if (signal.aborted) throw error
        for (const queryKey of [databasesKey, serverInfoKey]) {
          void cache.invalidateQueries({ queryKey })
        }
        throw error
      }
    },
    refetchInterval: ({ state }) =>
      state.error === null
        ? metricsPeriod
        : Math.min(metricsPeriod * 2 ** state.errorUpdateCount, metricsLongestPeriod),
  }
})

/** What the metrics of another server tell of its limits. Rejects with `ApiError`. */
export async function readLimitMetrics(client: Client, signal: AbortSignal): Promise<Metrics> {
  return parseMetrics(await readApart(await fetchLimitMetrics(client, signal)))
}

/** Tries the addresses in order; a timeout ends the search. */
async function firstAnswer(
  client: Client,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<Measurement> {
  let first: unknown = null
  for (const address of addresses) {
    try {
      const bytes = await fetchMetrics(client, address, signal)
      return { at: Date.now(), address, metrics: parseMetrics(await readApart(bytes)) }
    } catch (error) {
      first ??= error
      const kind = error instanceof ApiError ? error.kind : null
      if (kind === null || kind === 'aborted' || kind === 'timeout') throw error
    }
  }
  throw first
}

/** Whether the newest answer came from another origin, which any other page can read too. */
export const isMetricsPublicAtom = atom((get) => {
  const address = get(metricsAtom).data?.address
  return address === undefined ? null : address !== besideApi
})

/** Whether the first measurement is still to come. */
export const isMeasuringAtom = atom(
  (get) => get(metricsAtom).data === undefined && get(metricsProblemAtom) === null,
)

const lastProblemAtom = atom<{ kind: 'timeout' | 'elsewhere' | null }>(() => ({ kind: null }))

/**
 * Why there are no metrics, or null while there are some or nothing was tried yet. Stays during a
 * retry, so that the notice does not flicker.
 */
export const metricsProblemAtom = atom((get) => {
  const last = get(lastProblemAtom)
  const { error, data } = get(metricsAtom)
  if (error) {
    const isSlow = error instanceof ApiError && error.kind === 'timeout'
    last.kind = isSlow ? 'timeout' : 'elsewhere'
  } else if (data) {
    last.kind = null
  }
  return last.kind
})

const shownAtom: Atom<{ since: number }> = mountedAtom(
  () => ({ since: 0 }),
  ({ get }) => {
    get(shownAtom).since = performance.now()
    return undefined
  },
)

/**
 * Waits until metrics may be fetched: a few seconds after a screen first shows them, and only while
 * this tab is visible. The function stays the same, because a query whose options change restarts
 * its request.
 */
const metricsTimeAtom = atom((get) => {
  const shown = get(shownAtom)
  return async (signal: AbortSignal) => {
    const left = shown.since + metricsDelay - performance.now()
    if (left > 0) await pause(left, signal)
    await untilVisible(signal)
  }
})

function untilVisible(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (document.visibilityState === 'hidden' && !signal.aborted) return
      window.removeEventListener('visibilitychange', look)
      signal.removeEventListener('abort', look)
      if (signal.aborted) reject(signal.reason)
      else resolve()
    }
    window.addEventListener('visibilitychange', look)
    signal.addEventListener('abort', look)
    look()
  })
}

/**
 * Reads the text of a metrics answer in a worker, so that half a megabyte never delays a keystroke;
 * on the page itself when workers are not available. `parseMetrics` takes the result.
 */
async function readApart(bytes: ArrayBuffer): Promise<unknown> {
  const file = workers.get('exposition')
  if (file === undefined || typeof Worker === 'undefined') return readHere(bytes)
  // Every script of a build lies in the same folder.
  const answer = await askWorker(new URL(file, import.meta.url), bytes)
  return answer.isRead ? answer.found : readHere(bytes)
}

type Answer = { isRead: true; found: unknown } | { isRead: false }

/** One worker per text: it runs once a minute and leaves nothing in memory. */
function askWorker(script: URL, bytes: ArrayBuffer): Promise<Answer> {
  return new Promise((resolve) => {
    const worker = new Worker(script)
    const end = (answer: Answer) => {
      clearTimeout(timer)
      worker.terminate()
      resolve(answer)
    }
    const timer = setTimeout(() => end({ isRead: true, found: null }), metricsTimeout)
    worker.addEventListener('message', ({ data }: MessageEvent<unknown>) =>
      end({ isRead: true, found: data }),
    )
    worker.addEventListener('error', () => end({ isRead: false }))
    worker.postMessage(bytes)
  })
}

function readHere(bytes: ArrayBuffer): unknown {
  return metricsOf(readExposition(new TextDecoder().decode(bytes), metricFamilies))
}

const figure = v.nullable(v.number())
const databases = v.array(v.object({ name: v.string(), size: figure, tx: figure }))
const calls = v.array(
  v.object({ kind: v.picklist(callKinds), count: v.number(), seconds: v.number() }),
)
const measurement = v.object({
  at: v.number(),
  reserved: figure,
  inUse: figure,
  calls: v.pipe(
    calls,
    v.transform((found) => new Map(found.map(({ kind, ...of }) => [kind, of]))),
  ),
  databases,
})
const listing = v.object({ at: v.number(), databases })
const present = v.object({ at: v.number(), of: v.string(), tx: v.number() })

const samples = v.object({
  measurements: v.array(measurement),
  listings: v.array(listing),
  presents: v.array(present),
})
/** What the charts of this session have measured so far, each list oldest first. */
type Samples = v.InferOutput<typeof samples>

const none: Samples = { measurements: [], listings: [], presents: [] }

/**
 * The storage place of this session's samples, or null: a session in memory alone writes nothing to
 * this computer.
 */
const placeAtom = atom((get) => {
  const session = get(sessionAtom)
  if (!session?.isStored) return null
  const server = (get(serverAtom) ?? '') + get(serverPlaceAtom)
  return `${samplesStorageKey} ${JSON.stringify([server, session.user])}`
})

/** Samples from before this page was loaded; unreadable ones count as none. */
export const samplesBeforeAtom = atom((get): Samples => {
  const place = get(placeAtom)
  const found = v.safeParse(samples, place === null ? null : readTab(place))
  return found.success ? found.output : none
})

/** Keeps the newest samples for the next load of this page. */
export function keepSamples({ get }: Io, found: Samples) {
  const place = get(placeAtom)
  if (place === null) return
  const newest = <T>(list: readonly T[], period: number) => list.slice(-keptSamples / period)
  writeTab(place, {
    measurements: newest(found.measurements, metricsPeriod).map((one) => ({
      ...one,
      calls: [...one.calls].map(([kind, of]) => ({ kind, ...of })),
    })),
    listings: newest(found.listings, metricsPeriod),
    presents: newest(found.presents, statePollPeriod),
  })
}
