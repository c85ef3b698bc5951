import { atom } from 'jotai'
import type { Metrics } from '~/api/metrics'
import { sentence } from '~/core/session/failure-words'
import { serverVersionAtom } from '~/core/session/server-version'
import { databaseAtom } from '~/core/session/session'
import { allSettings, type DatabaseSettings } from '~/immudb/database-settings'
import { type Limit, limits, type Most } from '~/immudb/limits'
import { isOlder, needing, type Version } from '~/immudb/server-versions'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { formatCount } from '~/lib/text'
import { databasesAtom } from '../databases/database-list'
import { settingsOfAtom } from '../databases/settings'
import { metricsAtom, metricsProblemAtom } from '../overview/metrics'

/** A number with what it does not say, or why there is none. */
type Figure = { readonly value: number; readonly note: string } | { readonly why: string }

export type LimitRow = {
  readonly limit: Limit
  readonly most: Figure
  readonly used: Figure
  /** How much of it is in use, from 0; null where one of the two is not known. */
  readonly share: number | null
  /** What moves it: a flag, a setting, or nothing. */
  readonly moves: string
}

/** What is known of a server and of one of its databases. */
export type Known = {
  readonly version: Version | null
  readonly settings: DatabaseSettings | undefined
  /** Why the settings are not here, as a sentence. */
  readonly noSettings: string
  readonly metrics: Metrics | null
  readonly noMetrics: string
  /** Databases of the list that are loaded, which systemdb is not in; null before it came. */
  readonly loaded: number | null
  /** Why that is not here, as a sentence. */
  readonly noList: string
}

/** Where every limit of the server and of the open database stands, what is nearest to its limit first. */
export const limitRowsAtom = atom((get) => {
  const rowsOf = get(rowsOfAtom)
  return get(rowsOf(get(databaseAtom) ?? ''))
})

const asking = 'Asking the server…'
export const noMetricsHere = 'The metrics of immudb cannot be reached from this page.'

const rowsOfAtom = atom((get) => {
  const settingsOf = get(settingsOfAtom)
  return memoizeByNames((database = '') =>
    atom((read): readonly LimitRow[] => {
      const { data: settings, error } = read(settingsOf(database))
      const { data: list, error: listError } = read(databasesAtom)
      return rowsFrom({
        version: read(serverVersionAtom),
        settings,
        noSettings: error ? sentence(error) : asking,
        metrics: read(metricsAtom).data?.metrics ?? null,
        noMetrics: read(metricsProblemAtom) === null ? 'Measuring…' : noMetricsHere,
        loaded: list ? list.filter(({ loaded }) => loaded).length : null,
        noList: listError ? sentence(listError) : asking,
      })
    }),
  )
})

/** The limits that are known to be used most come first; the others keep their order. */
export function rowsFrom(known: Known): LimitRow[] {
  return limits
    .map((limit): LimitRow => {
      const used = usedOf(limit, known)
      const most = mostOf(limit.most, known, used)
      const share = 'value' in most && 'value' in used ? used.value / most.value : null
      return { limit, most, used, share, moves: movesOf(limit.most) }
    })
    .sort((one, other) => (other.share ?? -1) - (one.share ?? -1))
}

/** The row of those that are measured which is nearest to its limit; null when none is. */
export function nearestOf([row]: readonly LimitRow[]): LimitRow | null {
  return row && row.share !== null ? row : null
}

function mostOf(most: Most, known: Known, used: Figure): Figure {
  const { version, settings, noSettings, metrics, noMetrics } = known
  switch (most.from) {
    case 'process': {
      const value = metrics?.mostFiles ?? null
      if (value !== null && value > 0) return { value, note: '' }
      return { why: metrics ? 'This system does not tell it.' : noMetrics }
    }
    case 'flag': {
      const why = most.since && needing(version, most.since)
      if (why) return { why }
      if ('value' in used && used.value > most.usual) {
        return { why: `It is more than the usual ${formatCount(most.usual)}.` }
      }
      return {
        value: most.usual,
        note: `the default; immudb does not report whether --${most.flag} changes it`,
      }
    }
    case 'built-in': {
      const isBefore = most.until !== undefined && version !== null && isOlder(version, most.until)
      return { value: (isBefore ? most.before : undefined) ?? most.value, note: '' }
    }
    case 'setting': {
      if (!settings) return { why: noSettings }
      const value = Number(settings.get(most.path) ?? 0)
      return value > 0 ? { value, note: '' } : { why: 'This server does not report it.' }
    }
  }
}

function usedOf(
  { use, unused }: Limit,
  { metrics, noMetrics, loaded, noList, version }: Known,
): Figure {
  if (use === null) {
    return {
      why: unused === 'each' ? 'Each call counts for itself.' : 'immudb does not report it.',
    }
  }
  if (use === 'databases') {
    if (loaded === null) return { why: noList }
    // A loaded one is open from a call until others need its place, so any number may be loaded.
    const some = loaded === 1 ? 'One database' : `${formatCount(loaded)} databases`
    return {
      why: `${some} of those you may see ${loaded === 1 ? 'is' : 'are'} loaded; how many are open, immudb does not report.`,
    }
  }
  if (!metrics) return { why: noMetrics }
  if (use === 'sessions') {
    if (metrics.sessions !== null) return { value: metrics.sessions, note: 'counted once a minute' }
    return { why: needing(version, [1, 9, 5]) ?? 'The metrics of this server do not tell it.' }
  }
  if (metrics.openFiles !== null)
    return { value: metrics.openFiles, note: 'includes open connections' }
  return { why: 'This system does not tell it.' }
}

const settingOf = new Map(allSettings.map((setting) => [setting.path, setting]))

function movesOf(most: Most): string {
  switch (most.from) {
    case 'process':
      return 'the limit of open files of the process'
    case 'flag':
      return `--${most.flag} of immudb`
    case 'built-in':
      return 'not possible: it is built in'
    case 'setting': {
      const setting = settingOf.get(most.path)
      const name = `“${setting?.label ?? most.path}” of the database`
      if (setting?.isFixed) return `${name}, only when it is created`
      return setting?.flag ? `${name}, --${setting.flag} of immuadmin` : name
    }
  }
}
