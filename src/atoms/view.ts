import { atom } from 'jotai'
import { changeStoredAtom, type PaneSizes, type Stored, storedAtom, type Theme } from './stored'

type View = Stored['view']

export const themeAtom = atom((get) => get(storedAtom).view.theme)
export const sidebarAtom = atom((get) => get(storedAtom).view.sidebar)
export const paneSizesAtom = atom((get) => get(storedAtom).view.paneSizes)
export const timezoneAtom = atom((get) => get(storedAtom).view.timezone)

const changeViewAtom = atom(null, (_get, set, change: (view: View) => Partial<View>) =>
  set(changeStoredAtom, (stored) => ({
    ...stored,
    view: { ...stored.view, ...change(stored.view) },
  })),
)

/** Sets the theme; anything but `dark` and `light` is ignored. */
export const setThemeAtom = atom(null, (_get, set, theme: Theme) => {
  if (theme === 'dark' || theme === 'light') set(changeViewAtom, () => ({ theme }))
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
