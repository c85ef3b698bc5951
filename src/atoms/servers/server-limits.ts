import { atom } from 'jotai'
import type { Metrics } from '~/api/metrics'
import type { Io } from '~/core/act'
import { clientAtom } from '~/core/session/client'
import { type Fleet, serverListAtom } from '~/core/session/fleet'
import { readVersion } from '~/immudb/server-versions'
import type { Server } from '~/lib/servers'
import { type LimitRow, noMetricsHere, rowsFrom } from '../limits/limit-rows'
import { readLimitMetrics } from '../overview/metrics'
import type { Standing } from './standing'

/** What the metrics of a server told and when, in milliseconds since 1970; null where they did not. */
export type ToldLimits = { readonly at: number; readonly metrics: Metrics | null }

/** By the ids of servers. */
export const toldLimitsAtom = atom<ReadonlyMap<string, ToldLimits>>(new Map())

/**
 * From one look at the metrics of a server to the next: five minutes, or longer where there are many
 * servers, so that all of them are asked for four at most in a minute.
 */
const shortestPeriod = 300_000
const spacing = 15_000

/**
 * Asks servers for what their metrics tell of limits, one after the other: a browser has six
 * connections to one host, and metrics that cannot be reached may hold one for seconds.
 */
export function limitReader({ get, set }: Io, fleet: Fleet, gone: AbortSignal) {
  const waiting: Server[] = []
  let isAsking = false
  let wantedSince = 0
  const isDue = ({ id }: Server) => {
    const told = get(toldLimitsAtom).get(id)
    const { length } = fleet.store.get(serverListAtom).servers
    const period = Math.max(shortestPeriod, length * spacing)
    if (told === undefined || told.at < wantedSince) return true
    return Math.abs(Date.now() - told.at) >= period
  }
  const read = async () => {
    if (isAsking) return
    isAsking = true
    for (let server = waiting.shift(); server && !gone.aborted; server = waiting.shift()) {
      const client = fleet.storeOf(server).get(clientAtom)
      const metrics = await readLimitMetrics(client, gone).catch(() => null)
      if (gone.aborted) break
      const told = { at: Date.now(), metrics }
      set(toldLimitsAtom, (known) => new Map([...known, [server.id, told]]))
    }
    isAsking = false
  }
  return {
    /** Asks a server that has just answered, unless that was done a while ago. */
    ask: (server: Server) => {
      if (!isDue(server) || waiting.some(({ id }) => id === server.id)) return
      waiting.push(server)
      void read()
    },
    /** From now on each server is due; what was told stays until it is told again. */
    askAgain: () => {
      wantedSince = Date.now()
    },
  }
}

type ServerLimits = { readonly limits: readonly LimitRow[]; readonly measuredAt: number | null }

/** Where each limit of a server stands, as far as its metrics and its list of databases tell. */
export function limitsOf(standing: Standing, told: ToldLimits | undefined): ServerLimits {
  const { kind, version, holdings } = standing
  const metrics = (kind === 'answers' && told?.metrics) || null
  const rows = rowsFrom({
    version: readVersion(version),
    settings: undefined,
    noSettings: '',
    metrics,
    noMetrics: unasked(standing) ?? (told ? noMetricsHere : 'Measuring…'),
    loaded: holdings ? holdings.filter(({ loaded }) => loaded).length : null,
    noList: unasked(standing) ?? standing.reason,
  })
  return {
    limits: rows.filter(({ limit }) => limit.of === 'server'),
    measuredAt: metrics && told ? told.at : null,
  }
}

/** Why a server was not asked; null where it was. */
function unasked({ kind }: Standing): string | null {
  switch (kind) {
    case 'asking':
      return 'Asking the server…'
    case 'no-session':
      return 'You are not logged in to this server.'
    case 'silent':
      return 'This server does not answer.'
    case 'answers':
      return null
  }
}
