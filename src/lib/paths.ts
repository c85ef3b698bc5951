/**
 * The folder the console is mounted at, without a trailing slash (`''` at the root). Every script
 * lies one folder deep (`assets/`), so the script's own address tells where the console lives and
 * the same build works at `/`, below a prefix and behind a proxy.
 */
export function mountPath(scriptUrl: string): string {
  const path = new URL('..', scriptUrl).pathname
  return path.endsWith('/') ? path.slice(0, -1) : path
}

/** An absolute path of this origin for a path below the mount point. */
export function belowMount(mount: string, path: string): string {
  return `${mount}${path}`
}

/** A page of the console: its path below the mount point and the noun shown for it. */
export type Page = {
  readonly path: string
  readonly name: PageName
  readonly title: string
}

export type PageName =
  | 'overview'
  | 'query'
  | 'keys'
  | 'documents'
  | 'transactions'
  | 'compare'
  | 'verify'
  | 'audit'
  | 'servers'
  | 'databases'
  | 'users'
  | 'guide'
  | 'settings'
  | 'comingsoon'
  | 'tables'

function page(name: PageName, title: string, path = `/${name}`): Page {
  return { name, path, title }
}

/**
 * Every page. The build writes one HTML shell for each, so a plain file server can open its address
 * directly. Any other address shows the error page.
 */
export const pages: readonly Page[] = [
  page('overview', 'Overview', '/'),
  page('query', 'Query'),
  page('keys', 'Keys'),
  page('documents', 'Documents'),
  page('transactions', 'Transactions', '/tx'),
  page('compare', 'Compare'),
  page('verify', 'Verify'),
  page('audit', 'Audit log'),
  page('servers', 'Servers'),
  page('databases', 'Databases'),
  page('users', 'Users'),
  page('guide', 'Guide'),
  page('settings', 'Settings'),
  page('comingsoon', 'Coming soon'),
  // Addresses of tables from before, which lead to Query.
  page('tables', 'Query'),
]

/** Parameters of an address. */
export type Search = Readonly<Record<string, string>>

/** Every parameter of an address but values. The console removes any other parameter. */
export const searchNames: ReadonlySet<string> = new Set(
  'address at collection db dialog doc editor entry from id key kind limits method name outcome prefix q query rev row server sql tab table to touched tx user'.split(
    ' ',
  ),
)

/** In front of the name of a parameter of a statement, whose value an address may hold. */
export const valuePrefix = 'p.'

/** Whether a parameter of an address stays in it. */
export const isSearchName = (name: string): boolean =>
  searchNames.has(name) || name.startsWith(valuePrefix)

/** The address of the dialog that changes a user's password. */
export function pathToPassword(user: string): string {
  return pathTo('users', { dialog: 'change-password', user })
}

/** Builds the address of a page below the mount point; `search` holds ids, never secrets. */
export function pathTo(page: PageName, search: Search = {}): string {
  const found = pages.find((candidate) => candidate.name === page)
  if (!found) throw new Error(`no page is named ${page}`)
  const query = new URLSearchParams(search).toString()
  return query ? `${found.path}?${query}` : found.path
}

/** Where the versions of the console and the server stand. */
export const pathToAbout = '/settings#about'

/** What belongs to every page, to what is open over one, or is read once. */
const passing: ReadonlySet<string> = new Set(['db', 'server', 'at', 'dialog', 'limits', 'sql'])

/** The part of a page's search string that a later visit begins with. */
export function rememberedSearch(search: string): string {
  const kept = [...new URLSearchParams(search)].filter(
    ([name]) => !passing.has(name) && !name.startsWith(valuePrefix),
  )
  return new URLSearchParams(kept).toString()
}

/** The page at an address below the mount point, in any spelling that a server accepts. */
export function pageAt(path: string): Page | undefined {
  const plain = pagePath(path)
  return pages.find((page) => page.path === plain)
}

/**
 * The path as links write it. A file server also accepts a trailing slash, and some accept the file
 * name too.
 */
export function pagePath(path: string): string {
  const folder = path.replace(/\/index\.html$/, '/')
  return folder.length > 1 && folder.endsWith('/') ? folder.slice(0, -1) : folder
}
