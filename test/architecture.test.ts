// @vitest-environment node
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { breaches, nouns, type Tree } from './support/architecture'

function sources(): Tree {
  const names = readdirSync('src', { recursive: true, encoding: 'utf8' })
  const paths = names
    .map((name) => join('src', name))
    .filter((path) => /\.(ts|tsx|js|mjs)$/.test(path))
  return new Map(paths.map((path) => [path, readFileSync(path, 'utf8')]))
}

describe('the source', () => {
  const tree = sources()

  test('is all there', () => {
    const rooms = new Set([...tree.keys()].map((path) => path.split('/')[1]))
    for (const room of ['lib', 'sql', 'api', 'atoms', 'ui', 'screens', 'app', 'main.tsx']) {
      expect(rooms).toContain(room)
    }
    expect(tree.size).toBeGreaterThan(150)
  })

  test('keeps to the rooms, doors and names', () => {
    expect(breaches(tree)).toEqual([])
  })
})

test('no noun imports another that imports it, by whatever way', () => {
  const reached = (noun: string, trail: readonly string[] = []): string[] =>
    (nouns[noun] ?? []).flatMap((other) => {
      expect([...trail, noun]).not.toContain(other)
      return [other, ...reached(other, [...trail, noun])]
    })
  for (const noun of Object.keys(nouns)) reached(noun)
})

/** Tests that follow one thing through many files; each stands at the top of its room. */
const flows: ReadonlySet<string> = new Set([
  'api/call-table', // what each call sends
  'api/calls', // what each call reads from recorded answers
  'api/every-call', // what holds for all of them
  'atoms/error-catalogue', // statuses of the server, down to the screen
  'atoms/old-profile', // what an older console stored
  'atoms/queries', // what is asked when
  'atoms/session-life', // lock, expiry and tabs
  'proof/adversary',
  'proof/auditor-findings',
  'proof/blocks', // hashes, headers and trees
  'proof/both', // two verifiers that must agree
  'proof/contents', // rows and documents
  'proof/files', // files for others, and the word for each
  'proof/forgeries',
  'proof/format', // FORMAT.md
  'proof/histories',
  'proof/kernel', // what has to be read
  'proof/mutations',
  'proof/refusals',
  'proof/size', // of the engine in the build
  'proof/vectors', // recorded answers
  'screens/broken', // a broken history on every screen
  'screens/checked', // proof drawer and check pane
  'screens/forgotten', // after a trusted state was forgotten
  'screens/hostile-files',
  'sql/corpus', // hostile values through all of the room
  'ui/lists',
  'ui/overlays',
  'ui/parts', // the small ones
  'ui/theme', // static/theme.js and the contrast of colours
])

test('the test of src/x/y.ts is test/x/y.test.ts, or y.subject.test.ts', () => {
  const rooms = new Set(readdirSync('src').filter((name) => !name.includes('.')))
  const lost = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.test\.tsx?$/.test(name) && rooms.has(name.split('/')[0] ?? ''))
    .map((name) => join(dirname(name), basename(name).split('.')[0] ?? ''))
    .filter((twin) => !['.ts', '.tsx', '.css'].some((end) => existsSync(`src/${twin}${end}`)))
  expect(new Set(lost)).toEqual(flows)
})

/** Breaches of a tree of one file. */
const of = (path: string, source: string) => breaches(new Map([[path, source]]))

const lazy = "import { lazyWithRetry } from '~/ui/lazy-with-retry'"

describe('a breach of direction is found:', () => {
  test.each([
    ['src/lib/a.ts', "import { x } from '~/api/errors'"],
    ['src/lib/a.ts', "import type { X } from '~/api/errors'"],
    ['src/lib/a.ts', "import { x } from '../api/errors'"],
    ['src/sql/a.ts', "import { x } from '~/ui/join'"],
    ['src/api/a.ts', "import { x } from '~/atoms/session'"],
    ['src/api/a.ts', "import { x } from '~/sql/names'"],
    ['src/atoms/a.ts', "import { x } from '~/ui/join'"],
    ['src/ui/A.tsx', "import { x } from '~/atoms/keys/key-list'"],
    ['src/core/a.ts', "import { x } from '~/trust/trust'"],
    ['src/core/a.ts', "import { x } from '~/atoms/keys/key-list'"],
    ['src/trust/a.ts', "import { x } from '~/atoms/keys/key-list'"],
    ['src/atoms/keys/a.ts', "import { x } from '../tables/rows'"],
    ['src/atoms/databases/a.ts', "import { x } from '~/atoms/users/user-list'"],
    ['src/ui/A.tsx', "import type { X } from '~/api/tables'"],
    ['src/ui/A.tsx', "const later = () => import('~/screens/query/QueryScreen')"],
    ['src/screens/query/A.tsx', "const later = () => import('./DangerDialog')"],
    ['src/screens/query/A.tsx', "import { x } from '~/app/routes'"],
    ['src/screens/query/A.tsx', "import { x } from '~/api/tables'"],
    ['src/screens/query/A.tsx', "import { type X, y } from '~/api/tables'"],
    ['src/screens/query/A.tsx', "import x, { type X } from '~/api/tables'"],
    ['src/screens/query/A.tsx', "import { x } from '~/screens/users/names'"],
    ['src/screens/query/A.tsx', "import { x } from '../users/names'"],
    ['src/app/A.tsx', "import { x } from '~/api/errors'"],
    ['src/app/A.tsx', "import {\n  a,\n  b,\n} from '~/sql/names'"],
    ['src/app/A.tsx', "import '~/styles/app.css'"],
    ['src/main.tsx', "import { x } from './api/errors'"],
    ['src/proof/kernel/a.ts', "import { x } from '~/lib/text'"],
    ['src/proof/kernel/a.ts', "import type { X } from '../shown'"],
    ['src/proof/kernel/a.ts', "import { x } from 'jotai'"],
    ['src/proof/kernel/a.ts', "import { x } from '@noble/hashes/sha3.js'"],
    ['src/proof/a.ts', "import { x } from '@noble/hashes/sha2.js'"],
  ])('%s with %s', (path, source) => {
    expect(of(path, source)).toHaveLength(1)
  })
})

describe('what is allowed is let through:', () => {
  test.each([
    ['src/screens/query/A.tsx', "import type { X } from '~/api/tables'"],
    ['src/screens/query/A.tsx', "import { type X, type Y } from '~/api/tables'"],
    ['src/screens/query/A.tsx', "import { x } from './names'"],
    ['src/screens/query/A.tsx', `${lazy}; const later = () => import('~/ui/editors')`],
    ['src/ui/A.tsx', "import { loadQuietly } from './lazy-with-retry'\nimport('./grid/DrawnGrid')"],
    ['src/ui/A.tsx', '// Outside React: the clock.\nuseEffect(() => {})'],
    ['src/screens/query/A.tsx', "import { loadOrReload } from '~/ui/load-chunk'"],
    ['src/app/A.tsx', "import { loadOrReload } from '~/ui/load-chunk'"],
    ['src/app/A.tsx', `${lazy}; const later = () => import('~/screens/query/QueryScreen')`],
    ['src/trust/a.ts', "const later = () => import('~/proof/engine')"],
    ['src/proof/kernel/a.ts', "import { x } from './b'"],
    ['src/proof/kernel/a.ts', "import { sha256 } from '@noble/hashes/sha2.js'"],
    ['src/proof/kernel/a.ts', "const later = () => import('./signature')"],
    ['src/app/A.tsx', "import { Provider, useAtomValue } from 'jotai'"],
    ['src/atoms/a.ts', "import { atom } from 'jotai'"],
    ['src/atoms/users/a.ts', "import { x } from '../databases/list'"],
    ['src/atoms/users/a.ts', "import { x } from '~/trust/trust'"],
    ['src/core/session/failure-words.ts', "export { sentence } from '~/api/errors'"],
    ['src/ui/Tree.tsx', "export type { Row } from '~/ui/tree/tree-rows'"],
    ['src/lib/a.ts', "const text = 'Use the switch of the console.'"],
    ['src/atoms/a.ts', 'query.refetch()\nreturn prefetch(it)'],
    ['src/lib/a.ts', '// console.log(fetch(any))\n/** as any */'],
    ['src/lib/a.ts', "const many: Map<string, 'any'> = new Map()"],
    ['src/ui/A.tsx', '<a href="#content">Skip</a>'],
    ['src/ui/editor/a.ts', "import { EditorView } from '@codemirror/view'"],
  ])('%s with %s', (path, source) => {
    expect(of(path, source)).toEqual([])
  })
})

describe('a package past its door is found:', () => {
  test.each([
    ['src/lib/a.ts', 'react'],
    ['src/sql/a.ts', 'react'],
    ['src/api/a.ts', 'react'],
    ['src/atoms/a.ts', 'react'],
    ['src/ui/A.tsx', 'jotai'],
    ['src/api/a.ts', 'jotai'],
    ['src/screens/query/A.tsx', 'jotai/utils'],
    ['src/screens/query/A.tsx', 'jotai-tanstack-query'],
    ['src/app/A.tsx', '@tanstack/query-core'],
    ['src/atoms/a.ts', 'jotai-tanstack-query/react'],
    ['src/api/users.ts', 'ofetch'],
    ['src/atoms/a.ts', 'ofetch'],
    ['src/lib/a.ts', 'valibot'],
    ['src/screens/query/A.tsx', 'valibot'],
    ['src/core/storage/storage.ts', 'localforage'],
    ['src/screens/query/A.tsx', 'wouter'],
    ['src/ui/Tabs.tsx', 'wouter'],
    ['src/app/A.tsx', '@radix-ui/react-dialog'],
    ['src/screens/query/A.tsx', 'lucide-react'],
    ['src/screens/query/A.tsx', 'react-resizable-panels'],
    ['src/screens/query/A.tsx', '@tanstack/react-virtual'],
    ['src/app/A.tsx', 'react-hot-toast/headless'],
    ['src/ui/toast.tsx', 'react-hot-toast'],
    ['src/ui/Grid.tsx', '@codemirror/view'],
    ['src/screens/query/A.tsx', 'codemirror'],
    ['src/lib/a.ts', '@noble/hashes/sha2.js'],
    ['src/workers/a.ts', '@noble/curves/nist.js'],
    ['src/lib/a.ts', 'left-pad'],
    ['src/lib/a.ts', 'node:fs'],
  ])('%s with %s', (path, name) => {
    expect(of(path, `import { x } from '${name}'`)).toHaveLength(1)
    expect(of(path, `const x = await import('${name}')`)).toHaveLength(1)
  })

  test('an atom made outside of atoms', () => {
    expect(of('src/screens/query/A.tsx', "import { atom } from 'jotai'")).toHaveLength(1)
  })
})

describe('a breach in the text is found:', () => {
  test.each([
    ['src/atoms/a.ts', "const x = await fetch('/api')", 'network'],
    ['src/ui/A.tsx', 'navigator.sendBeacon(url)', 'network'],
    ['src/ui/A.tsx', 'console.log(1)', 'console'],
    ['src/ui/A.tsx', "console['warn'](1)", 'console'],
    ['src/lib/a.ts', 'let x: any', 'any'],
    ['src/ui/A.tsx', 'const a = <Suspense fallback={null} />', 'suspends'],
    ['src/ui/A.tsx', 'const A = lazy(load)', 'suspends'],
    ['src/lib/a.ts', 'const x = y as any', 'any'],
    ['src/lib/a.ts', 'type X = Map<string, any>', 'any'],
    ['src/lib/a.ts', 'type X = Array<any>', 'any'],
    ['src/lib/a.ts', 'const x = 1 // @ts-expect-error', 'compiler'],
    ['src/ui/A.tsx', '<p style={{ color: "#1976D2" }} />', 'colour'],
    ['src/ui/A.tsx', '<p className="text-[#fff]" />', 'colour'],
    ['src/ui/A.tsx', 'useEffect(() => {})', 'effect'],
    ['src/ui/A.tsx', '// Outside React:\nuseEffect(() => {})', 'effect'],
    ['src/atoms/a.ts', '// Outside React: the clock.\nuseEffect(() => {})', 'effect'],
    ['src/atoms/a.ts', "const later = () => import('~/atoms/b')", 'later'],
    ['src/proof/a.ts', "const later = () => import('./kernel/signed-state')", 'later'],
    ['src/screens/query/A.tsx', 'useLayoutEffect(() => {})', 'effect'],
    ['src/ui/A.tsx', 'export default function A() {}', 'default'],
    ['src/screens/query/Parts.tsx', 'export default 1', 'default'],
    ['src/lib/a.ts', "export { x } from './b'", 'hands on'],
    ['src/lib/a.ts', "export * from './b'", 'hands on'],
    ['src/ui/a.ts', "export { toast } from 'react-hot-toast/headless'", 'hands on'],
    ['src/ui/Tree.tsx', "export { rows } from '~/ui/tree/tree-rows'", 'hands on'],
    ['src/ui/Tree.tsx', "export type { Row } from '~/ui/grid/rows'", 'hands on'],
  ])('%s with %s', (path, source, what) => {
    const found = of(path, source)
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(what)
  })
})

test.each([
  'src/lib/index.ts',
  'src/ui/index.tsx',
  'src/lib/utils.ts',
  'src/lib/text-utils.ts',
  'src/lib/date-helpers.ts',
  'src/atoms/session-manager.ts',
  'src/ui/DataHelper.tsx',
  'src/lib/common.ts',
  'src/lib/Text.ts',
  'src/lib/some_text.ts',
  'src/parts/a.ts',
])('a file called %s is found', (path) => {
  expect(of(path, '').length).toBeGreaterThan(0)
})

test.each(["import { a } from './a'", "import type { A } from './a'"])(
  'a circle of imports is found, closed by %s',
  (from) => {
    const tree = new Map([
      ['src/lib/a.ts', "import { b } from './b'"],
      ['src/lib/b.ts', "import { c } from '~/lib/c'"],
      ['src/lib/c.ts', from],
    ])
    expect(breaches(tree)).toEqual(['src/lib/a.ts → src/lib/b.ts → src/lib/c.ts: a circle'])
  },
)

test('what is fetched when it is needed makes a circle, too', () => {
  const tree = new Map([
    ['src/proof/engine.ts', "import { b } from './b'"],
    ['src/proof/b.ts', "const later = () => import('./engine')"],
  ])
  expect(breaches(tree)).toEqual(['src/proof/b.ts → src/proof/engine.ts: a circle'])
})

test('breaches in several files are all told', () => {
  const tree = new Map([
    ['src/lib/a.ts', "import { b } from '~/ui/join'\nlet x: any"],
    ['src/ui/B.tsx', "import { useAtom } from 'jotai'"],
  ])
  expect(breaches(tree)).toEqual([
    'src/lib/a.ts: has the type any',
    'src/lib/a.ts: imports src/ui/join',
    'src/ui/B.tsx: imports jotai past its door',
  ])
})
