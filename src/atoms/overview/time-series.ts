import { type Atom, atom } from 'jotai'
import { mountedAtom } from '~/core/act'
import { stateAtom } from '~/core/history/newest-state'
import { databaseAtom } from '~/core/session/session'
import { type CallKind, callKinds } from '~/immudb/metrics'
import {
  measuredDatabases,
  metricsHistory,
  metricsPeriod,
  stateHistory,
  statePollPeriod,
} from '~/lib/constants'
import { filledUp, type Line, onlyGrowing, type Point, rates, withGaps } from '~/lib/measurements'
import { databasesAtom } from '../databases/database-list'
import { keepSamples, longestGap, metricsAtom, samplesBeforeAtom } from './metrics'

type DatabaseFigures = { name: string; size: number | null; tx: number | null }

/** The largest databases and the open one; a server may have a thousand. */
function keepLargest(
  databases: readonly DatabaseFigures[],
  open: string | null,
): DatabaseFigures[] {
  const largest = [...databases].sort((a, b) => (b.size ?? 0) - (a.size ?? 0))
  return largest.filter(({ name }, rank) => rank < measuredDatabases || name === open)
}

/** The metrics that charts show. */
const measurementAtom = atom((get) => {
  const { data } = get(metricsAtom)
  if (!data) return null
  const { reserved, inUse, calls } = data.metrics
  // For an unloaded database the server measures 0, whatever its size on disk.
  const unloaded = new Set(
    get(databasesAtom).data?.flatMap(({ name, loaded }) => (loaded ? [] : name)),
  )
  const all = [...data.metrics.databases]
    .filter(([name]) => !unloaded.has(name))
    .map(([name, { size, tx }]) => ({ name, size, tx }))
  return { at: data.at, reserved, inUse, calls, databases: keepLargest(all, get(databaseAtom)) }
})
const measurementsAtom = rememberedSeries(
  measurementAtom,
  metricsHistory,
  atom((get) => get(samplesBeforeAtom).measurements),
)

/** Figures from the list of databases; they replace missing metrics. */
const listingAtom = atom((get) => {
  const { data, dataUpdatedAt } = get(databasesAtom)
  if (!data) return null
  const all = data
    .filter(({ loaded, diskSize }) => loaded && diskSize !== '')
    .map((one) => ({
      name: one.name,
      size: Number(one.diskSize),
      tx: Number(one.numTransactions),
    }))
  return { at: dataUpdatedAt, databases: keepLargest(all, get(databaseAtom)) }
})
const listingsAtom = rememberedSeries(
  listingAtom,
  metricsHistory,
  atom((get) => get(samplesBeforeAtom).listings),
)

/** The newest transaction of the open database at each poll. */
const presentAtom = atom((get) => {
  const { data, dataUpdatedAt } = get(stateAtom)
  const of = get(databaseAtom)
  return data && of !== null ? { at: dataUpdatedAt, of, tx: Number(data.txId) } : null
})
const presentsAtom = rememberedSeries(
  presentAtom,
  stateHistory,
  atom((get) => get(samplesBeforeAtom).presents),
)

/** Mounted by the charts: keeps the measurements when the user leaves the page or the screen. */
export const keptMeasuredAtom = mountedAtom(
  () => null,
  (io) => {
    const keep = () =>
      keepSamples(io, {
        measurements: [...io.get(measurementsAtom)],
        listings: [...io.get(listingsAtom)],
        presents: [...io.get(presentsAtom)],
      })
    window.addEventListener('pagehide', keep)
    return () => {
      window.removeEventListener('pagehide', keep)
      keep()
    }
  },
)

/** A state poll is six times as often as a measurement. */
const longestStateGap = statePollPeriod * 2.5

type Figure = 'size' | 'tx'

function pointsByDatabase(
  list: readonly { at: number; databases: readonly DatabaseFigures[] }[],
  figure: Figure,
): Map<string, Point[]> {
  const found = new Map<string, Point[]>()
  for (const { at, databases } of list) {
    for (const { name, [figure]: value } of databases) {
      if (value !== null) add(found, name, { at, value })
    }
  }
  return found
}

function add(to: Map<string, Point[]>, name: string, point: Point): void {
  const points = to.get(name)
  if (points) points.push(point)
  else to.set(name, [point])
}

/** Points of both sources by database, the metrics' first. */
const sourcesOf = (figure: Figure) =>
  atom((get) => {
    const measured = pointsByDatabase(get(measurementsAtom), figure)
    const listed = pointsByDatabase(get(listingsAtom), figure)
    const names = new Set([...measured.keys(), ...listed.keys()])
    return new Map(
      [...names].map((name) => [
        name,
        filledUp(measured.get(name) ?? [], listed.get(name) ?? [], metricsPeriod * 0.75),
      ]),
    )
  })

const sizeSourcesAtom = sourcesOf('size')
const txSourcesAtom = sourcesOf('tx')

/** Bytes on disk, a line for each database, the largest first. */
export const sizeLinesAtom = atom((get): Line[] =>
  [...get(sizeSourcesAtom)]
    .sort(([, a], [, b]) => (b.at(-1)?.value ?? 0) - (a.at(-1)?.value ?? 0))
    .map(([name, points]) => ({ name, points: withGaps(points, longestGap) })),
)

/** Transaction ids by database, of those that were open. */
const polledAtom = atom((get) => {
  const found = new Map<string, Point[]>()
  for (const { at, of, tx } of get(presentsAtom)) add(found, of, { at, value: tx })
  return found
})

/** Transactions a second, a line for each database in the order of their sizes. */
export const txRateLinesAtom = atom((get): Line[] => {
  const polled = get(polledAtom)
  const sources = get(txSourcesAtom)
  return get(sizeLinesAtom).map(({ name }) => {
    const fine = rates(onlyGrowing(polled.get(name) ?? []), longestStateGap)
    const coarse = rates(onlyGrowing(sources.get(name) ?? []), longestGap)
    return { name, points: filledUp(fine, coarse, metricsPeriod) }
  })
})

/** Bytes the process has from the system, and what of it heap and stacks use. */
export const memoryLinesAtom = atom((get): Line[] => {
  const measurements = get(measurementsAtom)
  const line = (name: string, of: 'reserved' | 'inUse') => {
    const points = measurements.flatMap((one) =>
      one[of] === null ? [] : [{ at: one.at, value: one[of] }],
    )
    return { name, points: withGaps(points, longestGap) }
  }
  return [line('Reserved', 'reserved'), line('In use', 'inUse')]
})

const callNames: Record<CallKind, string> = {
  sqlReads: 'SQL reads',
  otherReads: 'Key and document reads',
  sqlWrites: 'SQL writes',
  otherWrites: 'Key and document writes',
}

/** Reads and writes a second by kind. */
export const callRateLinesAtom = atom((get): Line[] => {
  const measurements = get(measurementsAtom)
  return callKinds.map((kind) => {
    const points = measurements.flatMap(({ at, calls }) => {
      const value = calls.get(kind)?.count
      return value === undefined ? [] : [{ at, value }]
    })
    return { name: callNames[kind], points: rates(points, longestGap) }
  })
})

/** Reads and writes a second on average since the server started; null while it does not tell. */
export const averageCallsAtom = atom((get): number | null => {
  const metrics = get(metricsAtom).data?.metrics
  if (!metrics || metrics.calls.size === 0 || !metrics.uptimeHours) return null
  const all = [...metrics.calls.values()].reduce((sum, { count }) => sum + count, 0)
  return all / (metrics.uptimeHours * 3_600)
})

/** When anything was measured first, in milliseconds since 1970; null while nothing was. */
const firstMeasuredAtom = atom((get): number | null => {
  const firsts = [get(measurementsAtom), get(listingsAtom), get(presentsAtom)].flatMap(
    (list: readonly { at: number }[]) => list.slice(0, 1).map(({ at }) => at),
  )
  return firsts.length === 0 ? null : Math.min(...firsts)
})

/** A value and when it was measured, in milliseconds since 1970. */
type Remembered = { readonly at: number; readonly of?: string }

/**
 * The last values of a source, oldest first, at most `limit` of them, after those in `before`. They
 * stay while no screen shows them, but then nothing is added. Two values of the same moment and
 * subject count as one.
 */
export function rememberedSeries<T extends Remembered>(
  source: Atom<T | null>,
  limit: number,
  before: Atom<readonly T[]> = atom([]),
): Atom<readonly T[]> {
  const kept = atom<{ list: readonly T[] | null }>(() => ({ list: null }))
  return atom((get) => {
    const holder = get(kept) as { list: readonly T[] }
    holder.list ??= get(before)
    const value = get(source)
    if (value && !holder.list.some(({ at, of }) => at === value.at && of === value.of)) {
      const list = [...holder.list, value].slice(-limit)
      // Drops values after a clock was set back, and late answers of another database. Both are
      // rare.
      const isLater = value.at >= (holder.list.at(-1)?.at ?? 0)
      holder.list = isLater ? list : list.sort((a, b) => a.at - b.at)
    }
    return holder.list
  })
}

/** Stands for all databases; no database can have this name. */
export const everyDatabase = '*'

/** Minutes that the charts can reach back. */
export const chartWindows = [15, 60, 360, 720] as const
export type ChartWindow = (typeof chartWindows)[number]

const chosenDatabaseAtom = atom(everyDatabase)
const chosenWindowAtom = atom<ChartWindow>(60)

/** Every known database, listed ones first. */
export const chartDatabasesAtom = atom((get): readonly string[] => {
  const listed = get(databasesAtom).data?.map(({ name }) => name) ?? []
  const measured = get(metricsAtom).data?.metrics.databases.keys() ?? []
  return [...new Set([...listed, ...measured])]
})

/** The database that the charts show, or `*`. */
export const chartDatabaseAtom = atom(
  (get) => get(chosenDatabaseAtom),
  (_get, set, name: string) => set(chosenDatabaseAtom, name),
)

/** Minutes that the charts reach back. */
export const chartWindowAtom = atom(
  (get) => get(chosenWindowAtom),
  (_get, set, minutes: ChartWindow) => set(chosenWindowAtom, minutes),
)

/** The shortest stretch of time that is drawn, so that the first two points do not fill it. */
const shortestReach = 300_000

/**
 * The stretch of time that the charts show, in milliseconds since 1970: from the first measurement
 * on, as far as the window reaches back. It moves on with each poll.
 */
export const chartReachAtom = atom((get) => {
  const times = [get(stateAtom), get(databasesAtom)].map(({ dataUpdatedAt }) => dataUpdatedAt)
  const to = Math.max(...times, get(metricsAtom).data?.at ?? 0)
  const first = Math.min(get(firstMeasuredAtom) ?? to, to - shortestReach)
  return { from: Math.max(first, to - get(chartWindowAtom) * 60_000), to }
})
