import { atom } from 'jotai'
import { databasesAtom } from '../databases/list'
import { stateAtom } from '../history/state'
import { metricsAtom } from './metrics'
import { firstMeasuredAtom } from './time-series'

/** Stands for all databases; no database can be called so. */
export const everyDatabase = '*'

/** Minutes that the charts can reach back. */
export const chartWindows = [15, 60, 360, 720] as const
export type ChartWindow = (typeof chartWindows)[number]

const chosenDatabaseAtom = atom(everyDatabase)
const chosenWindowAtom = atom<ChartWindow>(60)

/** Every database of which something is known, those of the list first. */
export const chartDatabasesAtom = atom((get): readonly string[] => {
  const listed = get(databasesAtom).data?.map(({ name }) => name) ?? []
  const measured = get(metricsAtom).data?.metrics.databases.keys() ?? []
  return [...new Set([...listed, ...measured])]
})

/** The database that the charts are about, or `*`. */
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
