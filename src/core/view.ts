import { atom } from 'jotai'
import {
  changeStoredAtom,
  type PaneSizes,
  type Stored,
  storedAtom,
  type Theme,
} from '~/core/storage/stored'

type View = Stored['view']

/** What was chosen: a theme, or the operating system's. */
export const themeChoiceAtom = atom((get): ThemeChoice => {
  const { theme, system } = get(storedAtom).view
  return system ? 'system' : theme
})
export const sidebarAtom = atom((get) => get(storedAtom).view.sidebar)
export const paneSizesAtom = atom((get) => get(storedAtom).view.paneSizes)
export const timezoneAtom = atom((get) => get(storedAtom).view.timezone)
export const hideNotActiveAtom = atom((get) => get(storedAtom).view.hideNotActive)

const changeViewAtom = atom(null, (_get, set, change: (view: View) => Partial<View>) =>
  set(changeStoredAtom, (stored) => ({
    ...stored,
    view: { ...stored.view, ...change(stored.view) },
  })),
)

export type ThemeChoice = Theme | 'system'

/**
 * Sets the theme; anything else is ignored. `system` leaves the stored theme alone, which is
 * `dark` or `light` by specification.
 */
export const setThemeAtom = atom(null, (_get, set, theme: ThemeChoice) => {
  if (theme === 'dark' || theme === 'light') set(changeViewAtom, () => ({ theme, system: false }))
  if (theme === 'system') set(changeViewAtom, () => ({ system: true }))
})

export const setSidebarAtom = atom(null, (_get, set, patch: Partial<View['sidebar']>) =>
  set(changeViewAtom, ({ sidebar }) => ({ sidebar: { ...sidebar, ...patch } })),
)

export const setPaneSizesAtom = atom(null, (_get, set, patch: Partial<PaneSizes>) =>
  set(changeViewAtom, ({ paneSizes }) => ({ paneSizes: { ...paneSizes, ...patch } })),
)

export const setTimezoneAtom = atom(null, (_get, set, timezone: string) =>
  set(changeViewAtom, () => ({ timezone })),
)

/** Whether inactive users are left out of the list. */
export const setHideNotActiveAtom = atom(null, (_get, set, hideNotActive: boolean) =>
  set(changeViewAtom, () => ({ hideNotActive })),
)
