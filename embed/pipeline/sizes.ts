import { basename, extname } from 'node:path'
import type { Metafile } from 'esbuild'
import { ceilings, loginRequests } from './budgets.ts'
import type { OutputFile } from './output.ts'
import { workerFolder } from './workers.ts'

/** The frame around every screen after the login. */
export const frame = 'src/app/Console.tsx'

/** The chart of Overview. What follows the history is fetched once the screen is complete. */
const chart = 'src/ui/chart/Plot.tsx'

/** What a screen shows at once and fetches beside itself, by the name of its page (`routes.tsx`). */
const besideScreen: Readonly<Record<string, readonly string[]>> = {
  overview: [chart],
  query: ['src/ui/editors.ts', 'src/ui/windowed.ts'],
  keys: ['src/ui/windowed.ts'],
  documents: ['src/ui/windowed.ts'],
  transactions: ['src/ui/windowed.ts'],
  compare: ['src/ui/windowed.ts'],
}

/** A line of the size table: some files together. */
export type Row = {
  readonly group: string
  /** Bytes in brotli, or as they are where there is no compressed copy. */
  readonly bytes: number
  readonly requests: number
  /** Of them, bytes of modules that the group does not import; an estimate by their share. */
  readonly surplus: number
  readonly ceiling?: number
}

/** The measured output: emitted files, compressed copies and how scripts depend on each other. */
export type Weighed = {
  readonly files: readonly OutputFile[]
  readonly encoded: readonly OutputFile[]
  readonly metafile: Metafile
  readonly start: string
  /** Scripts and styles that every page loads before the start: theme script, style sheet. */
  readonly blocking: readonly string[]
  /** The page that is fetched only to be kept, which has a ceiling of its own. */
  readonly alone: string
}

/** The scripts that load together with one: itself and what it imports statically, in order. */
export function staticClosure(metafile: Metafile, script: string): string[] {
  const found = new Set([script])
  for (const path of found) {
    for (const item of metafile.outputs[path]?.imports ?? []) {
      if (item.kind === 'import-statement') found.add(item.path)
    }
  }
  return [...found].sort()
}

/** All scripts until the login form accepts input, without the theme script. */
export function loginScripts(metafile: Metafile, start: string): string[] {
  return staticClosure(metafile, start)
}

/** The module of a page's screen. */
function screenOf(page: string): string {
  return `src/screens/${page}/${page.charAt(0).toUpperCase()}${page.slice(1)}Screen.tsx`
}

/** The scripts that a page needs for its screen, beyond those of the login. */
export function screenScripts(metafile: Metafile, start: string, page: string): string[] {
  return scriptsOf(metafile, modulesFor(page), loginScripts(metafile, start))
}

function modulesFor(page: string): string[] {
  return [frame, screenOf(page), ...(besideScreen[page] ?? [])]
}

/** What is fetched for modules that are loaded on demand, beyond what is there. */
function scriptsOf(
  metafile: Metafile,
  modules: readonly string[],
  present: readonly string[],
): string[] {
  const chunks = Object.entries(metafile.outputs).flatMap(([path, { entryPoint }]) =>
    entryPoint !== undefined && modules.includes(entryPoint) ? [path] : [],
  )
  const needed = chunks.flatMap((chunk) => staticClosure(metafile, chunk))
  return [...new Set(needed)].filter((path) => !present.includes(path))
}

/** The size table: what has a ceiling, then every part that is loaded on demand. */
export function sizeTable(weighed: Weighed): Row[] {
  const { metafile, blocking, start, alone } = weighed
  const files = weighed.files.filter(({ path }) => path !== alone)
  const login = loginScripts(metafile, start)
  const isStyle = (path: string): boolean => path.endsWith('.css')
  const first = [...login, ...blocking.filter((path) => !isStyle(path))]
  const framed = scriptsOf(metafile, [frame], login)
  return [
    {
      ...weigh(weighed, 'scripts until login', first, [], ceilings.login),
      requests: 1 + login.length + blocking.length,
    },
    weigh(
      weighed,
      'log in to Overview',
      screenScripts(metafile, start, 'overview'),
      modulesFor('overview'),
      ceilings.overview,
    ),
    ...workerScripts(metafile).map(({ name, path }) =>
      weigh(weighed, `worker ${name}`, [path], [], ceilings.worker),
    ),
    weigh(
      weighed,
      `all ${files.length} files`,
      files.map(({ path }) => path),
      [],
      ceilings.build,
    ),
    weigh(weighed, alone, [alone], [], ceilings.verifyPage),
    weigh(weighed, 'styles', blocking.filter(isStyle), []),
    weigh(weighed, 'frame', framed, [frame]),
    ...lazyModules(metafile)
      .filter((module) => module !== frame)
      .map((module) => {
        const scripts = scriptsOf(metafile, [module], [...login, ...framed])
        return weigh(weighed, basename(module, extname(module)), scripts, [frame, module])
      }),
  ]
}

/** One sentence for each exceeded ceiling. */
export function breaches(rows: readonly Row[]): string[] {
  const [login] = rows
  const tooMany = login && login.requests > loginRequests
  return [
    ...(tooMany ? [`${login.group}: ${login.requests} requests, at most ${loginRequests}`] : []),
    ...rows.flatMap(({ group, bytes, ceiling }) =>
      ceiling !== undefined && bytes > ceiling
        ? [`${group}: ${bytes} bytes, the ceiling is ${ceiling}`]
        : [],
    ),
  ]
}

/** The table as text: kB of brotli with one digit. */
export function formatTable(rows: readonly Row[]): string {
  const kb = (bytes: number): string => (bytes / 1000).toFixed(1).padStart(9)
  const head = `${'brotli, kB'.padEnd(22)}${'size'.padStart(9)}${'surplus'.padStart(9)}${'requests'.padStart(9)}${'ceiling'.padStart(9)}`
  const lines = rows.map(({ group, bytes, surplus, requests, ceiling }) => {
    const most = ceiling === undefined ? '' : kb(ceiling)
    return `${group.padEnd(22)}${kb(bytes)}${kb(surplus)}${String(requests).padStart(9)}${most}`
  })
  return [head, ...lines].join('\n')
}

/** The scripts that run apart from the page. */
function workerScripts(metafile: Metafile): { name: string; path: string }[] {
  return Object.entries(metafile.outputs).flatMap(([path, { entryPoint = '' }]) =>
    entryPoint.startsWith(`${workerFolder}/`)
      ? [{ name: basename(entryPoint, extname(entryPoint)), path }]
      : [],
  )
}

/** Modules loaded on demand. */
function lazyModules(metafile: Metafile): string[] {
  const dynamic = new Set(
    Object.values(metafile.outputs)
      .flatMap((output) => output.imports)
      .filter((item) => item.kind === 'dynamic-import')
      .map((item) => metafile.outputs[item.path]?.entryPoint ?? item.path),
  )
  return [...dynamic].sort()
}

/** @param roots the modules for which the scripts are fetched; none where nothing is surplus */
function weigh(
  { files, encoded, metafile }: Weighed,
  group: string,
  paths: readonly string[],
  roots: readonly string[],
  ceiling?: number,
): Row {
  const size = (among: readonly OutputFile[], path: string): number | undefined =>
    among.find((file) => file.path === path)?.bytes.length
  const needed = modulesOf(metafile, roots)
  const sizes = paths.map((path) => {
    const bytes = size(encoded, `${path}.br`) ?? size(files, path) ?? 0
    const inputs = Object.entries(metafile.outputs[path]?.inputs ?? {})
    const sum = (of: typeof inputs) => of.reduce((all, [, one]) => all + one.bytesInOutput, 0)
    const needless = roots.length === 0 ? [] : inputs.filter(([module]) => !needed.has(module))
    return { bytes, surplus: sum(inputs) === 0 ? 0 : (bytes * sum(needless)) / sum(inputs) }
  })
  const bytes = sizes.reduce((all, one) => all + one.bytes, 0)
  const surplus = Math.round(sizes.reduce((all, one) => all + one.surplus, 0))
  return {
    group,
    bytes,
    surplus,
    requests: paths.length,
    ...(ceiling !== undefined && { ceiling }),
  }
}

/** Modules that others import at once; what the build made them import has an absolute path. */
function modulesOf(metafile: Metafile, roots: readonly string[]): ReadonlySet<string> {
  const found = new Set(roots)
  for (const module of found) {
    for (const { path, kind, original } of metafile.inputs[module]?.imports ?? []) {
      if (kind !== 'dynamic-import' && !original?.startsWith('/')) found.add(path)
    }
  }
  return found
}
