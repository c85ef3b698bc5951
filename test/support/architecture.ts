import { posix } from 'node:path'

/** The source of the console: path below the repository, such as `src/lib/text.ts`, and text. */
export type Tree = ReadonlyMap<string, string>

type Room = string

/** Who may import whom; a room may always import from itself. */
export const rooms: Readonly<Record<Room, readonly Room[]>> = {
  // Pure tools, which know neither immudb nor this console.
  lib: [],
  // What immudb is: its rules, limits and names.
  immudb: ['lib'],
  // Its proofs, its dialect, and its interface, which is the only way to the network.
  proof: ['lib', 'immudb'],
  sql: ['lib', 'immudb'],
  api: ['lib', 'immudb'],
  // Sentences that take more than a line of logic.
  words: ['lib', 'immudb'],
  workers: ['lib', 'immudb', 'proof', 'api'],
  // Parts of screens that know nothing about immudb.
  ui: ['lib', 'sql'],
  // Mechanisms: how a session, what is stored, the newest state, a file and a write work.
  core: ['lib', 'immudb', 'words', 'proof', 'sql', 'api'],
  // Trusted states, proofs, alarms, evidence and audits. It knows no noun.
  trust: ['lib', 'immudb', 'words', 'proof', 'sql', 'api', 'core'],
  // State: a folder for each noun, such as keys, tables and users.
  atoms: ['lib', 'immudb', 'words', 'proof', 'sql', 'api', 'core', 'trust'],
  screens: ['lib', 'immudb', 'words', 'proof', 'sql', 'ui', 'core', 'trust', 'atoms', 'api'],
  app: ['lib', 'immudb', 'words', 'ui', 'core', 'trust', 'atoms', 'screens'],
  main: ['lib', 'ui', 'core', 'trust', 'atoms', 'screens', 'app'],
  'verify-page': ['app'],
}

/** Which nouns of `atoms` a noun may import; no two import each other, nor in a circle. */
export const nouns: Readonly<Record<string, readonly string[]>> = {
  users: ['databases'],
  documents: ['users'],
  tables: ['users'],
  query: ['databases', 'tables'],
  // Saved ones; those in the database are keys.
  queries: ['keys', 'query', 'users'],
  scripts: ['tables', 'users'],
  transactions: ['documents', 'tables'],
  revisions: ['documents', 'keys', 'tables', 'transactions'],
  // Rows of results and pages, and their proofs.
  rows: ['revisions', 'tables'],
  compare: ['keys', 'tables', 'transactions', 'users'],
  auditlog: ['users'],
  overview: ['databases', 'users'],
  limits: ['databases', 'overview'],
  servers: ['limits', 'overview'],
  // Everything with an address.
  finder: [
    'databases',
    'documents',
    'keys',
    'moments',
    'queries',
    'query',
    'servers',
    'tables',
    'users',
  ],
  // What would be lost by a reset.
  settings: ['documents', 'keys', 'query', 'tables'],
}

/** Where a package may be imported; the first pattern that matches its name counts. */
const doors: readonly (readonly [RegExp, RegExp])[] = [
  // `core/act.ts` gives actions to components.
  [/^react$/, /^src\/(ui|screens|app)\/|^src\/((main|verify-page)\.tsx|core\/act\.ts)$/],
  [/^react-dom\/client$/, /^src\/(main|verify-page)\.tsx$/],
  [/^react-dom$/, /^src\/ui\//],
  [/^jotai$/, /^src\/(core|trust|atoms|screens|app)\//],
  [/^(jotai\/utils|jotai-tanstack-query|@tanstack\/query-core)$/, /^src\/(core|trust|atoms)\//],
  [/^ofetch$/, /^src\/api\/client\.ts$/],
  // What a saved query stores of a statement has its shape beside the dialect.
  [/^valibot$/, /^src\/(api|core|trust|atoms)\/|^src\/sql\/(chart-choice|query-parameters)\.ts$/],
  [/^localforage$/, /^src\/core\/storage\/driver\.ts$/],
  [/^wouter$/, /^src\/app\/|^src\/ui\/(Link\.tsx|location\.ts)$/],
  [/^(@radix-ui\/|lucide-react$|react-resizable-panels$|@tanstack\/react-virtual$)/, /^src\/ui\//],
  // The plain entry brings a style library that the page's policy forbids.
  [/^react-hot-toast\/headless$/, /^src\/ui\//],
  [/^(codemirror$|@codemirror\/|@lezer\/)/, /^src\/(sql\/|ui\/editor\/)/],
  [/^fflate$/, /^src\/lib\/zip-file\.ts$/],
  [/^uplot$/, /^src\/ui\/chart\//],
  [/^style-mod$/, /^src\/ui\/editor\//],
  [/^#aria-hidden$/, /^src\/ui\/shims\//],
  // Signatures of witnesses, which make nothing green.
  [/^@noble\/curves\/ed25519\.js$/, /^src\/proof\/note-signature\.ts$/],
  [/^@noble\//, /^src\/proof\/kernel\//],
]

/**
 * What may be loaded later: in the page only by `ui/lazy-with-retry`, which says what stands in the
 * place of a part and what is done when it cannot be fetched; elsewhere only the engine of proofs
 * and the code for signatures.
 */
const loadsLater = /from '(~\/ui|\.{1,2}(\/\w+)*)\/lazy-with-retry'/
const isEngine = /^src\/proof\/(engine|kernel\/signature|note-signature)$/

/** What must be believed for a green mark. It imports nothing but these, and itself. */
export const kernel = 'src/proof/kernel/'
const ofKernel: ReadonlySet<string> = new Set(['@noble/hashes/sha2.js', '@noble/curves/nist.js'])

/** Effects are for things outside React. A file that has some names them. */
const outside = /^\/\/ Outside React: \S/m
const mayHaveEffects: ReadonlySet<Room> = new Set(['ui', 'screens', 'app'])

/**
 * Folders in `screens` that are no screens: parts of proofs, limits, moments, scripts and tables that
 * several show.
 */
const sharedByScreens: ReadonlySet<string | undefined> = new Set([
  'code',
  'limits',
  'moments',
  'proof',
  'scripts',
  'tables',
  'upload',
])

const mayHaveDefault = /^src\/(screens\/[a-z]+\/[A-Za-z]+Screen\.tsx|app\/Console\.tsx)$/
/** Errors in words, for all rooms; and what is fetched of the engine in one script. */
const mayReexport = /^src\/(core\/session\/failure-words|proof\/engine)\.ts$/
const forbiddenName = /(^|[-.])(utils?|helpers?|manager|data|info|common|misc)([-.]|$)/i

const texts: readonly (readonly [string, RegExp, RegExp?])[] = [
  [
    'reaches the network past the client',
    /\b(fetch|sendBeacon|XMLHttpRequest|EventSource|WebSocket)\(/,
    // What Node is to run, which is text here.
    /^src\/(?!screens\/code\/node\.ts$)/,
  ],
  [
    'writes to the console of the browser',
    /\bconsole(\.\w|\[)/,
    /^src\/(?!(api\/client|screens\/code\/node)\.ts$)/,
  ],
  [
    'uses a storage or channel of the browser past its place, where it is tried',
    /\b(localStorage|sessionStorage|indexedDB|document\.cookie|BroadcastChannel)\b/,
    /^src\/(?!lib\/(storage-areas|cookies|tab-channel)\.ts$|core\/storage\/database\.ts$)/,
  ],
  [
    'has a language of its own, or that of the browser, for numbers, dates or order',
    /'en-(GB|US)'|Intl\.\w+\(\)|\.toLocale\w*\(\)|\.localeCompare\(|navigator\.language\b/,
    /^src\/(?!(lib\/locale|ui\/chart\/require-language)\.ts$)/,
  ],
  ['has the type any', /(:|<|\bas|\||,|=>)\s*any\b(?!\s*[:(?])/],
  ['silences the compiler', /@ts-(ignore|nocheck|expect-error)/],
  // What React suspends is shown up to 300 ms after it is there; `lazyWithRetry` waits itself. The
  // other is read from storage.
  ['suspends', /<Suspense\b|\blazy\(/, /^src\/(?!screens\/proof\/Verdict\.tsx)/],
  ['has a raw colour', /['"`[(]#[0-9a-fA-F]{3,8}\b/, /\.tsx$/],
]

/** Every breach of the rules, as `path: what`, in the order of the paths. */
export function breaches(tree: Tree): string[] {
  const found: string[] = []
  for (const [path, source] of [...tree].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const tell = (what: string) => found.push(`${path}: ${what}`)
    for (const what of [...ofName(path), ...ofText(path, source)]) tell(what)
    for (const link of linksOf(source)) {
      const what =
        link.target.startsWith('.') || link.target.startsWith('~/')
          ? ofLink(path, link, source)
          : ofPackage(path, link)
      if (what) tell(what)
    }
  }
  return [...found, ...circles(tree)]
}

function ofName(path: string): string[] {
  const name = posix.basename(path)
  const found: string[] = []
  if (/^index\.tsx?$/.test(name)) found.push('is a barrel by its name')
  const words = name.replace(/\.[a-z]+$/, '').replace(/([a-z])([A-Z])/g, '$1-$2')
  if (forbiddenName.test(words)) found.push('has a name that says nothing')
  if (!/^([A-Z][A-Za-z]*\.tsx|[a-z][a-z0-9-]*\.tsx?)$/.test(name)) found.push('is misnamed')
  if (!(roomOf(path) in rooms)) found.push('is in no room')
  return found
}

function ofText(path: string, source: string): string[] {
  const code = withoutComments(source)
  const found = texts
    .filter(([, pattern, files]) => pattern.test(code) && (files?.test(path) ?? true))
    .map(([what]) => what)
  if (/\buse(Layout|Insertion)?Effect\(/.test(code)) {
    if (!mayHaveEffects.has(roomOf(path))) found.push('has an effect')
    else if (!outside.test(source)) found.push('has an effect and no line “Outside React: …”')
  }
  if (/^export default\b/m.test(code) && !mayHaveDefault.test(path))
    found.push('has a default export')
  return found
}

type Link = {
  target: string
  /** The names between `import` and `from`; empty for a dynamic or bare import. */
  names: string
  isType: boolean
  isExport: boolean
  isDynamic: boolean
}

function linksOf(source: string): Link[] {
  const code = withoutComments(source)
  const links: Link[] = []
  for (const match of code.matchAll(/^(import|export)\b([^'"`;]*?)\bfrom\s*['"]([^'"]+)['"]/gm)) {
    const [, word, names = '', target = ''] = match
    const isType = /^\s*type\b/.test(names) || onlyTypes(names)
    links.push({ target, names, isType, isExport: word === 'export', isDynamic: false })
  }
  for (const match of code.matchAll(/^import\s*['"]([^'"]+)['"]/gm)) {
    links.push({ ...bare, target: match[1] ?? '' })
  }
  for (const match of code.matchAll(/(typeof\s+)?\bimport\(\s*['"]([^'"]+)['"]\s*\)/g)) {
    links.push({ ...bare, target: match[2] ?? '', isType: !!match[1], isDynamic: true })
  }
  return links
}

const bare = { target: '', names: '', isType: false, isExport: false, isDynamic: false }

function onlyTypes(names: string): boolean {
  const list = /\{([^}]*)\}/.exec(names)?.[1]
  if (list === undefined || /^\s*\w/.test(names)) return false
  const each = list.split(',').filter((name) => name.trim() !== '')
  return each.length > 0 && each.every((name) => /^\s*type\s/.test(name))
}

function mayLoad(path: string, target: string, source: string): boolean {
  const room = roomOf(path)
  if (room === 'proof' || room === 'trust') return isEngine.test(target)
  return ['ui', 'screens', 'app', 'main'].includes(room) && loadsLater.test(source)
}

function ofLink(path: string, link: Link, source: string): string | null {
  const target = resolved(path, link.target)
  if (path.startsWith(kernel) && !target.startsWith(kernel)) return `imports ${target}`
  if (link.isDynamic && !link.isType && !mayLoad(path, target, source)) {
    return `loads ${target} later: import it at once`
  }
  if (link.isExport && !mayHandOn(path, target, link)) return `hands on ${target}`
  if (target.endsWith('.css')) return `imports the style ${target}`
  const [from, to] = [roomOf(path), roomOf(target)]
  if (from !== to && !rooms[from]?.includes(to)) return `imports ${target}`
  if (from === 'screens' && to === 'api' && !link.isType) return `imports values of ${target}`
  const [noun, other] = [path, target].map((of) => of.split('/')[2] ?? '') as [string, string]
  if (from === 'atoms' && to === 'atoms' && noun !== other && !nouns[noun]?.includes(other)) {
    return `imports another noun, ${target}`
  }
  const folder = (of: string) => of.split('/')[2]
  const isElsewhere = folder(path) !== folder(target) && !sharedByScreens.has(folder(target))
  if (from === 'screens' && to === 'screens' && isElsewhere) {
    return `imports another screen, ${target}`
  }
  return null
}

/** A part that is more than one file may hand on the types of its own folder: Tree those of tree/. */
function mayHandOn(path: string, target: string, { isType }: Link): boolean {
  const own = `${posix.dirname(path)}/${posix
    .basename(path)
    .replace(/\.tsx?$/, '')
    .toLowerCase()}/`
  return mayReexport.test(path) || (isType && target.startsWith(own))
}

function ofPackage(path: string, { target, names, isExport }: Link): string | null {
  if (isExport) return `hands on the package ${target}`
  if (path.startsWith(kernel) && !ofKernel.has(target)) return `imports ${target} past its door`
  const door = doors.find(([name]) => name.test(target))
  if (!door) return `imports ${target}, which has no door`
  if (!door[1].test(path)) return `imports ${target} past its door`
  if (target === 'jotai' && !/^(core|trust|atoms)$/.test(roomOf(path)) && /\batom\b/.test(names)) {
    return 'makes atoms of its own'
  }
  return null
}

/**
 * Files that import each other in a circle. Their order of execution is accidental, and so is the
 * place to begin reading. Dynamic imports do not count.
 */
function circles(tree: Tree): string[] {
  const next = new Map(
    [...tree].map(([path, source]) => [
      path,
      linksOf(source)
        .filter(({ target }) => /^[.~]/.test(target))
        .map(({ target }) => fileOf(tree, resolved(path, target))),
    ]),
  )
  const found: string[] = []
  const done = new Set<string>()
  const walk = (path: string, trail: readonly string[]) => {
    const at = trail.indexOf(path)
    if (at >= 0) found.push(`${trail.slice(at).join(' → ')}: a circle`)
    if (at >= 0 || done.has(path)) return
    for (const to of next.get(path) ?? []) walk(to, [...trail, path])
    done.add(path)
  }
  for (const path of [...tree.keys()].sort()) walk(path, [])
  return found
}

function fileOf(tree: Tree, target: string): string {
  return [target, `${target}.ts`, `${target}.tsx`].find((path) => tree.has(path)) ?? target
}

function resolved(path: string, target: string): string {
  if (target.startsWith('~/')) return `src/${target.slice(2)}`
  return posix.join(posix.dirname(path), target)
}

function roomOf(path: string): Room {
  const [, room = ''] = path.split('/')
  return room.replace(/\.tsx?$/, '')
}

/** The source without comments on their own lines, because code in comments does not run. */
function withoutComments(source: string): string {
  return source.replace(/^\s*\/\*[\s\S]*?\*\//gm, '').replace(/^\s*\/\/.*$/gm, '')
}
