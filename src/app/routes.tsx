import type { ComponentType } from 'react'
import { type PageName, pages } from '~/lib/paths'
import { Grid } from '~/ui/Grid'
import { lazyWithRetry } from '~/ui/lazy-with-retry'
import { MeasuredList } from '~/ui/MeasuredList'
import { Tree } from '~/ui/Tree'
import { PageLoading } from './PageLoading'
import { TablesRedirect } from './TablesRedirect'

type Screen = { default: ComponentType }
type Load = () => Promise<Screen>

const loads: Record<PageName, Load> = {
  overview: () => import('~/screens/overview/OverviewScreen'),
  query: () =>
    beside([import('~/ui/editors'), Tree.prepare()], import('~/screens/query/QueryScreen')),
  keys: () => beside([Tree.prepare()], import('~/screens/keys/KeysScreen')),
  documents: () => beside([Grid.prepare()], import('~/screens/documents/DocumentsScreen')),
  transactions: () =>
    beside([MeasuredList.prepare()], import('~/screens/transactions/TransactionsScreen')),
  compare: () => beside([Grid.prepare()], import('~/screens/compare/CompareScreen')),
  verify: () => import('~/screens/verify/VerifyScreen'),
  audit: () => import('~/screens/auditlog/AuditLogScreen'),
  servers: () => import('~/screens/servers/ServersScreen'),
  databases: () => import('~/screens/databases/DatabasesScreen'),
  users: () => import('~/screens/users/UsersScreen'),
  guide: () => import('~/screens/guide/GuideScreen'),
  settings: () => import('~/screens/settings/SettingsScreen'),
  comingsoon: () => import('~/screens/comingsoon/ComingSoonScreen'),
  tables: () => Promise.resolve({ default: TablesRedirect }),
}

/** Fetches what a screen shows at once together with it; a failure shows where it is shown. */
function beside<T>(parts: readonly Promise<unknown>[], screen: Promise<T>): Promise<T> {
  for (const part of parts) part.catch(() => {})
  return screen
}

/** Pages whose every call the server refuses while it runs without login (`--auth=false`). */
export const pagesWithLogin: ReadonlySet<PageName> = new Set([
  'query',
  'audit',
  'databases',
  'users',
])

/** Pages that show nothing without an open database. */
export const pagesOfDatabase: ReadonlySet<PageName> = new Set([
  'overview',
  'query',
  'keys',
  'documents',
  'transactions',
  'compare',
  'users',
])

/** Pages that answer when their address names a database that cannot be opened. */
export const pagesOfAddressed: ReadonlySet<PageName> = new Set([...pagesOfDatabase, 'verify'])

/** Pages of numbers that mean something else in another database. */
export const pagesOfNumbers: ReadonlySet<PageName> = new Set(['transactions', 'compare'])

/** Every page with the screen that is loaded when it is opened. */
export const routes = pages.map((page) => ({
  ...page,
  Screen: lazyWithRetry(() => loads[page.name]().then((module) => module.default), {
    meanwhile: <PageLoading />,
  }),
}))

const screens = new Map(routes.map(({ name, Screen }) => [name, Screen]))

/** Fetches a screen before it is opened; a failure shows when it is really opened. */
export async function preload(page: PageName): Promise<void> {
  await screens.get(page)?.prepare()
}
