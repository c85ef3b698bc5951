import { locale } from '~/lib/locale'
import { allSettings, type DatabaseSettings, type Setting } from './database-settings'

/** What is wrong with each setting, by path; correct settings are not in it. */
export type SettingProblems = ReadonlyMap<string, string>

export type SettingChange = { setting: Setting; before: string; after: string }

const day = 86_400_000
const hour = 3_600_000
const isOn = (settings: DatabaseSettings, path: string) => settings.get(path) === 'true'
const numberAt = (settings: DatabaseSettings, path: string) => Number(settings.get(path) ?? '0')

/**
 * Checks all settings before they are sent: the server's own rules (`Validate` in
 * pkg/server/db_options.go) and two that it checks too late. With too small a node size, or a flush
 * above the sync, it creates a database that can never be opened.
 */
export function settingProblems(settings: DatabaseSettings): SettingProblems {
  const problems = new Map<string, string>()
  for (const setting of allSettings) {
    const value = settings.get(setting.path)
    const problem = value === undefined ? undefined : valueProblem(setting, value)
    if (problem !== undefined) problems.set(setting.path, problem)
  }
  for (const [path, problem] of together(settings)) {
    if (problem !== undefined && !problems.has(path)) problems.set(path, problem)
  }
  return problems
}

function valueProblem({ kind, lowest = 0, highest = 0 }: Setting, value: string) {
  if (kind === 'flag' || kind === 'text' || kind === 'secret') return undefined
  const pattern = kind === 'percent' ? /^\d{1,3}(\.\d{1,6})?$/ : /^\d{1,16}$/
  if (!pattern.test(value)) {
    return kind === 'percent' ? 'Enter a number from 0 to 100.' : 'Enter a whole number.'
  }
  if (Number(value) < lowest) return `At least ${lowest.toLocaleString(locale)}.`
  return Number(value) > highest ? `At most ${highest.toLocaleString(locale)}.` : undefined
}

function together(settings: DatabaseSettings): [string, string | undefined][] {
  const at = (path: string) => numberAt(settings, path)
  const nodeSize = smallestNode(at('maxKeyLen'))
  const retention = at('truncationSettings.retentionPeriod')
  const frequency = at('truncationSettings.truncationFrequency')
  return [
    [
      'indexSettings.maxNodeSize',
      at('indexSettings.maxNodeSize') < nodeSize
        ? `At least ${nodeSize.toLocaleString(locale)} for keys of this length, or the database can never be opened.`
        : undefined,
    ],
    [
      'indexSettings.flushThreshold',
      at('indexSettings.flushThreshold') > at('indexSettings.syncThreshold')
        ? 'At most as much as “Sync after”, or the database can never be opened.'
        : undefined,
    ],
    [
      'maxIOConcurrency',
      isOn(settings, 'embeddedValues') && at('maxIOConcurrency') > 1
        ? 'Embedded values allow only 1.'
        : undefined,
    ],
    [
      'truncationSettings.retentionPeriod',
      retention > 0 && retention < day ? 'At least 86,400,000 (a day), or 0.' : undefined,
    ],
    [
      'truncationSettings.truncationFrequency',
      frequency > 0 && frequency < hour ? 'At least 3,600,000 (an hour), or 0.' : undefined,
    ],
    ['replicationSettings.syncAcks', confirmationProblem(settings)],
  ]
}

function confirmationProblem(settings: DatabaseSettings): string | undefined {
  const acks = numberAt(settings, 'replicationSettings.syncAcks')
  const isSynchronous = isOn(settings, 'replicationSettings.syncReplication')
  if (isOn(settings, 'replicationSettings.replica')) {
    return acks > 0 ? 'A replica has none: 0.' : undefined
  }
  if (isSynchronous && acks === 0) return 'A synchronous primary needs at least 1.'
  return !isSynchronous && acks > 0 ? 'Only a synchronous primary waits: 0.' : undefined
}

/** The server's formula (embedded/tbtree/tbtree.go, `requiredNodeSize`, 327 bytes for a value). */
function smallestNode(maxKeyLen: number): number {
  return Math.max(2 * (29 + maxKeyLen), 31 + maxKeyLen + 327)
}

const emptyValues = { flag: 'false', text: '', secret: '' } as const

/** The settings without those of a replica, which the server refuses for any other database. */
export function withoutReplicaSettings(settings: DatabaseSettings): DatabaseSettings {
  if (isOn(settings, 'replicationSettings.replica')) return settings
  const changed = new Map(settings)
  for (const { path, kind, isOfReplica } of allSettings) {
    if (!isOfReplica || !changed.has(path)) continue
    changed.set(
      path,
      kind === 'flag' || kind === 'text' || kind === 'secret' ? emptyValues[kind] : '0',
    )
  }
  return changed
}

/** The settings that differ, in the order of the catalogue. */
export function changesBetween(before: DatabaseSettings, after: DatabaseSettings): SettingChange[] {
  return allSettings.flatMap((setting) => {
    const was = before.get(setting.path) ?? ''
    const is = after.get(setting.path) ?? ''
    return was === is ? [] : [{ setting, before: was, after: is }]
  })
}

/** Only the changed settings, ready to be sent. */
export function changedSettings(changes: readonly SettingChange[]): DatabaseSettings {
  return new Map(changes.map(({ setting, after }) => [setting.path, after]))
}
