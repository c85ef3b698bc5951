import { atom } from 'jotai'
import type { Io } from '~/core/act'
import {
  changeStoredPart,
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

function changeView(io: Io, change: (view: View) => Partial<View>) {
  return changeStoredPart(io, (stored) => ({
    ...stored,
    view: { ...stored.view, ...change(stored.view) },
  }))
}

export type ThemeChoice = Theme | 'system'

/**
 * Sets the theme; anything else is ignored. `system` leaves the stored theme alone, which is
 * `dark` or `light` by specification.
 */
export function chooseTheme(io: Io, theme: ThemeChoice) {
  if (theme === 'dark' || theme === 'light') changeView(io, () => ({ theme, system: false }))
  if (theme === 'system') changeView(io, () => ({ system: true }))
}

export function chooseSidebar(io: Io, patch: Partial<View['sidebar']>) {
  return changeView(io, ({ sidebar }) => ({ sidebar: { ...sidebar, ...patch } }))
}

export function setPaneSizes(io: Io, patch: Partial<PaneSizes>) {
  return changeView(io, ({ paneSizes }) => ({ paneSizes: { ...paneSizes, ...patch } }))
}

export function chooseTimezone(io: Io, timezone: string) {
  return changeView(io, () => ({ timezone }))
}

/** Whether inactive users are left out of the list. */
export function setHideNotActive(io: Io, hideNotActive: boolean) {
  return changeView(io, () => ({ hideNotActive }))
}
