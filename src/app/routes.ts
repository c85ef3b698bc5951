import type { ComponentType } from 'react'
import { type PageName, pages, routeName } from '~/lib/paths'
import { lazyWithRetry } from '~/ui/lazy-with-retry'
import type { Guarded } from './guard'

type Screen = { default: ComponentType }
type Load = () => Promise<Screen>

const loads: Record<PageName, Load> = {
  overview: () => import('~/screens/overview/OverviewScreen'),
  query: () => import('~/screens/query/QueryScreen'),
  keys: () => import('~/screens/keys/KeysScreen'),
  verify: () => import('~/screens/verify/VerifyScreen'),
  databases: () => import('~/screens/databases/DatabasesScreen'),
  users: () => import('~/screens/users/UsersScreen'),
  guide: () => import('~/screens/guide/GuideScreen'),
  settings: () => import('~/screens/settings/SettingsScreen'),
  comingsoon: () => import('~/screens/comingsoon/ComingSoonScreen'),
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
