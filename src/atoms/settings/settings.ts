import { atom } from 'jotai'
import { changeStoredAtom, type Settings, storedAtom } from '../storage/stored'

/** What the operator set for this browser; every part has a default. */
export const settingsAtom = atom((get) => get(storedAtom).settings)

export const changeSettingsAtom = atom(null, (_get, set, change: Partial<Settings>) =>
  set(changeStoredAtom, (stored) => ({ ...stored, settings: { ...stored.settings, ...change } })),
)

/** Whether statements that destroy much, by `dangerOf`, are asked about before they are sent. */
export const confirmDangerAtom = atom((get) => get(settingsAtom).confirm)

/** How double quotes in SQL are read; see `prepareSql`. */
export const quoteModeAtom = atom((get) => get(settingsAtom).quotes)

/** Databases that this browser only reads. */
export const readOnlyDatabasesAtom = atom<ReadonlySet<string>>(
  (get) => new Set(get(settingsAtom).readOnly),
)

/** Makes a database read-only for this browser, or writable again. */
export const setReadOnlyAtom = atom(null, (_get, set, database: string, isReadOnly: boolean) =>
  set(changeStoredAtom, (stored) => {
    const others = stored.settings.readOnly.filter((name) => name !== database)
    const readOnly = isReadOnly ? [...others, database].sort() : others
    return { ...stored, settings: { ...stored.settings, readOnly } }
  }),
)

/** Milliseconds between two questions for the state; false asks for nothing by itself. */
export const pollPeriodAtom = atom((get) => {
  const { poll } = get(settingsAtom)
  return poll === 0 ? false : poll * 1_000
})

/** Where the metrics are, as the operator named it; empty means that the console looks itself. */
export const metricsAddressAtom = atom((get) => get(settingsAtom).metrics)

/** How the SQL editor looks: pixels of its letters, and whether long lines are wrapped. */
export const editorLookAtom = atom((get) => {
  const { fontSize, wrap } = get(settingsAtom)
  return { fontSize, wrap }
})

/** Whether the list of keyboard shortcuts is open. */
export const isShortcutListOpenAtom = atom(false)

/** Whether keys that are a single sign, such as `?`, mean something outside of fields. */
export const areSingleKeysOnAtom = atom((get) => get(settingsAtom).singleKeys)
