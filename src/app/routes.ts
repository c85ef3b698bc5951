import type { ComponentType } from 'react'
import { type PageName, pages, routeName } from '~/lib/paths'
import ComingSoonScreen from '~/screens/comingsoon/ComingSoonScreen'
import { lazyWithRetry } from '~/ui/lazy-with-retry'
import type { Guarded } from './guard'

type Screen = { default: ComponentType }
type Load = () => Promise<Screen>

const loads: Record<PageName, Load> = {
  overview: () => beside(import('~/ui/chart/Plot'), import('~/screens/overview/OverviewScreen')),
  query: () => beside(import('~/ui/SqlEditor'), import('~/screens/query/QueryScreen')),
  keys: () => import('~/screens/keys/KeysScreen'),
  verify: () => import('~/screens/verify/VerifyScreen'),
  databases: () => import('~/screens/databases/DatabasesScreen'),
  users: () => import('~/screens/users/UsersScreen'),
  guide: () => import('~/screens/guide/GuideScreen'),
  settings: () => import('~/screens/settings/SettingsScreen'),
  comingsoon: () => Promise.resolve({ default: ComingSoonScreen }),
}

/** Fetches what a screen shows at once together with it; a failure shows where it is shown. */
function beside<T>(part: Promise<unknown>, screen: Promise<T>): Promise<T> {
  part.catch(() => {})
  return screen
}

/** Pages that are not shown to everybody, or not for every address. */
export const guards: Partial<Record<PageName, Guarded>> = {}

/** Every route with its suffixed name, its path and the screen that is loaded when it is opened. */
export const routes = pages.map((page) => ({
  ...page,
  route: routeName(page.name),
  Screen: lazyWithRetry(() => loads[page.name]().then((module) => module.default)),
}))

/** Fetches a screen before it is opened; a failure shows when it is really opened. */
export function preload(page: PageName): void {
  loads[page]().catch(() => {})
}
