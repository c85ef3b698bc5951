import { atom } from 'jotai'
import { troubleOf } from '~/api/errors'
import type { Metrics } from '~/api/metrics'
import { stateAtom } from '~/core/history/newest-state'
import { serverInfoAtom } from '~/core/session/server'
import { databaseAtom, sessionAtom } from '~/core/session/session'
import { type CallKind, callKinds } from '~/immudb/metrics'
import { msPerHour } from '~/lib/time'
import { databasesAtom } from '../databases/database-list'
import { isMeasuringAtom, metricsAtom } from './metrics'

/**
 * When the server started: by its metrics, else by its own report in this session. A restart ends
 * the session, so the report stays valid.
 */
const startedAtAtom = atom((get) => {
  const { data } = get(metricsAtom)
  const hours = data?.metrics.uptimeHours ?? null
  if (data && hours !== null) return data.at - hours * msPerHour
  const { data: said, dataUpdatedAt } = get(serverInfoAtom)
  const isOfSession = dataUpdatedAt >= (get(sessionAtom)?.since ?? 0)
  const startedAt = isOfSession ? (said?.startedAt ?? '0') : '0'
  return startedAt === '0' ? null : Number(startedAt) * 1_000
})

/** Whether one of its databases keeps the server from saying when it started. */
const isStartWithheldAtom = atom((get) => troubleOf(get(serverInfoAtom).error) === 'unloaded')

/** Milliseconds the server has been running; moves on with each answer about the state. */
const uptimeAtom = atom((get) => {
  const startedAt = get(startedAtAtom)
  const now = Math.max(get(stateAtom).dataUpdatedAt, get(serverInfoAtom).dataUpdatedAt)
  return startedAt === null || now === 0 ? null : Math.max(0, now - startedAt)
})

/** Bytes by database, of those the user may see: as measured, or as listed where that is newer. */
const sizesAtom = atom((get) => {
  const { data, dataUpdatedAt } = get(databasesAtom)
  const measured = get(metricsAtom).data
  const isNewer = measured !== undefined && measured.at > dataUpdatedAt
  return new Map(
    data?.flatMap(({ name, loaded, diskSize }) => {
      // For an unloaded database the server reports 0, whatever its size on disk.
      if (!loaded) return []
      const size = isNewer ? measured.metrics.databases.get(name)?.size : null
      const isKnown = typeof size === 'number' || diskSize !== ''
      return isKnown ? [[name, size ?? Number(diskSize)] as const] : []
    }),
  )
})

/** Calls since the server started; null where it counts none. */
function callsOf(calls: Metrics['calls']): { all: number; writes: number } | null {
  if (calls.size === 0) return null
  const sum = (...kinds: readonly CallKind[]) =>
    kinds.reduce((count, kind) => count + (calls.get(kind)?.count ?? 0), 0)
  return { all: sum(...callKinds), writes: sum('sqlWrites', 'otherWrites') }
}

/** The counters; null means unknown. Figures still loading are named. */
export const figuresAtom = atom((get) => {
  const sizes = get(sizesAtom)
  const isMeasuring = get(isMeasuringAtom)
  const metrics = get(metricsAtom).data?.metrics ?? null
  return {
    uptime: get(uptimeAtom),
    isUptimeWithheld: get(isStartWithheldAtom) && !isMeasuring,
    awaited: {
      uptime: isMeasuring || get(serverInfoAtom).isFetching,
      size: isMeasuring || get(databasesAtom).isFetching,
    },
    size: sizes.get(get(databaseAtom) ?? '') ?? null,
    /** Bytes of all databases together. */
    allSizes: sizes.size === 0 ? null : [...sizes.values()].reduce((sum, size) => sum + size, 0),
    /** Bytes of the whole server that are in use, and those that it has from the system. */
    memory: metrics?.inUse ?? null,
    reserved: metrics?.reserved ?? null,
    calls: metrics ? callsOf(metrics.calls) : null,
  }
})
