import { atom } from 'jotai'
import { settingsAtom } from './settings'

/** Whether the list of keyboard shortcuts is open. */
export const isShortcutListOpenAtom = atom(false)

/** Whether keys that are a single sign, such as `?`, mean something outside of fields. */
export const areSingleKeysOnAtom = atom((get) => get(settingsAtom).singleKeys)
