import type { SettingChange } from './setting-rules'

/** The immuadmin commands for the same action, one per line. */
export type Commands = {
  text: string
  /** Labels of settings for which the command has no flag. */
  missing: readonly string[]
}

const admin = 'immuadmin database'
const iKnow = '--yes-i-know-what-i-am-doing'

/** Text as one word of a POSIX shell. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9_./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

function plain(text: string): Commands {
  return { text, missing: [] }
}

export const loadCommand = (name: string) => plain(`${admin} load ${shellWord(name)}`)
export const unloadCommand = (name: string) => plain(`${admin} unload ${shellWord(name)}`)
export const deleteCommand = (name: string) => plain(`${admin} delete ${iKnow} ${shellWord(name)}`)

/** immuadmin flushes and compacts the selected database. */
export function flushCommand(name: string, cleanup: string, isSynced: boolean): Commands {
  return plain(
    `${admin} use ${shellWord(name)}\n${admin} flush --cleanup-percentage=${cleanup} --synced=${isSynced}`,
  )
}

export function compactCommand(name: string): Commands {
  return plain(`${admin} use ${shellWord(name)}\n${admin} compact`)
}

export function truncateCommand(name: string, days: number): Commands {
  const period = `--retention-period=${days * 24}h`
  return plain(`${admin} truncate ${iKnow} ${period} ${shellWord(name)}`)
}

/**
 * `immuadmin database create` or `update` with a flag for each setting. It never contains a
 * password.
 */
export function settingsCommand(
  verb: 'create' | 'update',
  name: string,
  changes: readonly SettingChange[],
): Commands {
  const flags = changes.flatMap((change) => flagOf(change) ?? [])
  const missing = changes.filter(({ setting }) => !setting.flag).map(({ setting }) => setting.label)
  return { text: [admin, verb, ...flags, shellWord(name)].join(' '), missing }
}

function flagOf({ setting: { flag, kind }, after }: SettingChange): string | undefined {
  if (flag === undefined) return undefined
  if (kind === 'secret') return `--${flag}=${after === '' ? '' : "'…'"}`
  return `--${flag}=${kind === 'period' ? `${after || '0'}ms` : after === '' ? '' : shellWord(after)}`
}
