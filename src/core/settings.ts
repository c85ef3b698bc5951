import { atom } from 'jotai'
import type { Io } from '~/core/act'
import { changeStoredPart, type Settings, storedAtom } from './storage/stored'

/** What the operator set for this browser; every part has a default. */
export const settingsAtom = atom((get) => get(storedAtom).settings)

export function changeSettings(io: Io, change: Partial<Settings>) {
  return changeStoredPart(io, (stored) => ({
    ...stored,
    settings: { ...stored.settings, ...change },
  }))
}

/** Whether the console asks before it sends statements that `dangersOf` finds destructive. */
export const confirmDangerAtom = atom((get) => get(settingsAtom).confirm)

/** How double quotes in SQL are read; see `prepareSql`. */
export const quoteModeAtom = atom((get) => get(settingsAtom).quotes)

/** Databases that this browser only reads. */
export const readOnlyDatabasesAtom = atom<ReadonlySet<string>>(
  (get) => new Set(get(settingsAtom).readOnly),
)

/** Why nothing is written to a database that is set to read-only, as a sentence. */
export const readOnlyReason = (database: string) =>
  `${database} is set to read-only in this browser (Settings, Safety).`

/** Makes a database read-only for this browser, or writable again. */
export function chooseReadOnly(io: Io, database: string, isReadOnly: boolean) {
  return changeStoredPart(io, (stored) => {
    const others = stored.settings.readOnly.filter((name) => name !== database)
    const readOnly = isReadOnly ? [...others, database].sort() : others
    return { ...stored, settings: { ...stored.settings, readOnly } }
  })
}

/** Milliseconds between two state polls; false turns polling off. */
export const pollPeriodAtom = atom((get) => {
  const { poll } = get(settingsAtom)
  return poll === 0 ? false : poll * 1_000
})

/** The operator's metrics address; empty means that the console looks for one. */
export const metricsAddressAtom = atom((get) => get(settingsAtom).metrics)

/** The look of the SQL editor: its font size in pixels, and whether long lines wrap. */
export const editorLookAtom = atom((get) => {
  const { fontSize, wrap } = get(settingsAtom)
  return { fontSize, wrap }
})

/** Whether the list of keyboard shortcuts is open. */
export const isShortcutListOpenAtom = atom(false)

/** Whether single-character keys, such as `?`, act outside of fields. */
export const areSingleKeysOnAtom = atom((get) => get(settingsAtom).singleKeys)
