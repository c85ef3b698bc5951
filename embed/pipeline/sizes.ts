import { existsSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import type { Metafile } from 'esbuild'
import {
  type Budget,
  besideScreen,
  frame,
  frameBudget,
  login,
  otherPart,
  parts,
  scripts as scriptLimits,
  styles,
  worker,
} from './budgets.ts'
import type { OutputFile } from './output.ts'
import { workerFolder } from './workers.ts'

/** A line of the size table: some files together, in bytes. */
export type Row = {
  readonly group: string
  readonly raw: number
  readonly brotli: number
  readonly requests?: number
  readonly budget?: Budget
}

/** The measured output: emitted files, compressed copies and how scripts depend on each other. */
export type Weighed = {
  readonly root: string
  readonly files: readonly OutputFile[]
  readonly encoded: readonly OutputFile[]
  readonly metafile: Metafile
  readonly start: string
  /** Scripts and styles that every page loads before the start: theme script, style sheet. */
  readonly blocking: readonly string[]
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

/** The chunk whose content is a module that is imported dynamically. */
function chunkOf(metafile: Metafile, module: string): string | undefined {
  return Object.entries(metafile.outputs).find(([, output]) => output.entryPoint === module)?.[0]
}

/** The chunk that holds a module, which several screens may share. */
function chunkWith(metafile: Metafile, module: string): string | undefined {
  return Object.entries(metafile.outputs).find(([, { inputs }]) => inputs[module])?.[0]
}

/** All scripts until the login form accepts input, without the theme script. */
export function loginScripts(metafile: Metafile, start: string): string[] {
  return staticClosure(metafile, start)
}

/** The module of a page's screen; one without a script of its own comes with the frame. */
function screenOf(page: string): string {
  return `src/screens/${page}/${page.charAt(0).toUpperCase()}${page.slice(1)}Screen.tsx`
}

/** The scripts that a page needs for its screen, beyond those of the login. */
export function screenScripts(metafile: Metafile, start: string, page: string): string[] {
  const present = new Set(loginScripts(metafile, start))
  const modules = [frame, screenOf(page), ...(besideScreen[page] ?? [])]
  const needed = modules.flatMap((module) => {
    const chunk = chunkWith(metafile, module)
    return chunk ? staticClosure(metafile, chunk) : []
  })
  return [...new Set(needed)].filter((path) => !present.has(path))
}

/** One sentence for each exceeded limit of all scripts together. */
export function scriptBreaches(files: readonly OutputFile[]): string[] {
  const all = files.filter(({ path }) => path.startsWith('assets/') && path.endsWith('.js'))
  const tooMany = all.length > scriptLimits.most
  return [
    ...(tooMany ? [`${all.length} script files, at most ${scriptLimits.most} are allowed`] : []),
    ...all
      .filter(({ bytes }) => bytes.length < scriptLimits.leastBytes)
      .map(({ path, bytes }) => `${path}: ${bytes.length} bytes are not worth a request`),
  ]
}

/** The size table. Fails when a module with a budget exists but has no chunk of its own. */
export function sizeTable(weighed: Weighed): Row[] {
  const { metafile, blocking, files } = weighed
  requireChunks(weighed)
  const scripts = loginScripts(metafile, weighed.start)
  const isStyle = (path: string): boolean => path.endsWith('.css')
  const beforeLogin = [...scripts, ...blocking.filter((path) => !isStyle(path))]
  const requests = 1 + scripts.length + blocking.length
  return [
    { ...weigh(weighed, 'scripts until login', beforeLogin, login), requests },
    weigh(weighed, 'styles', blocking.filter(isStyle), styles),
    ...workerScripts(metafile).map(({ name, path }) =>
      weigh(weighed, `worker ${name}`, [path], worker),
    ),
    ...lazyModules(metafile).map((module) => {
      const label = module === frame ? 'frame' : basename(module, extname(module))
      return weigh(weighed, label, scriptsOf(metafile, module, scripts), budgetOf(module))
    }),
    weigh(
      weighed,
      `all ${files.length} files`,
      files.map((file) => file.path),
    ),
  ]
}

/** One sentence for each exceeded ceiling. */
export function breaches(rows: readonly Row[]): string[] {
  return rows.flatMap((row) =>
    (['raw', 'brotli', 'requests'] as const).flatMap((unit) => {
      const [value, ceiling] = [row[unit] ?? 0, row.budget?.[unit]]
      if (ceiling === undefined || value <= ceiling) return []
      return [`${row.group}: ${value} ${unit}, the budget is ${ceiling}`]
    }),
  )
}

/** The table as text: kB with one digit, budgets of compressed size in brackets. */
export function formatTable(rows: readonly Row[]): string {
  const kb = (bytes: number): string => (bytes / 1000).toFixed(1).padStart(8)
  const head = `${'kB'.padEnd(22)}${'raw'.padStart(8)}${'brotli'.padStart(8)}  budget`
  const lines = rows.map((row) => {
    const { raw, brotli, requests } = row.budget ?? {}
    const budget = [
      brotli === undefined ? '' : `${brotli / 1000} brotli`,
      raw === undefined ? '' : `${raw / 1000} raw`,
      requests === undefined ? '' : `${row.requests} of ${requests} requests`,
    ]
    const numbers = `${kb(row.raw)}${kb(row.brotli)}`
    return `${row.group.padEnd(22)}${numbers}  ${budget.filter(Boolean).join(', ')}`.trimEnd()
  })
  return [head, ...lines].join('\n')
}

/** What is fetched for a part loaded on demand, beyond the login and the frame. */
function scriptsOf(metafile: Metafile, module: string, present: readonly string[]): string[] {
  const closureOf = (of: string): string[] => {
    const chunk = chunkOf(metafile, of)
    return chunk ? staticClosure(metafile, chunk) : []
  }
  const before = new Set([...present, ...(module === frame ? [] : closureOf(frame))])
  return closureOf(module).filter((path) => !before.has(path))
}

function budgetOf(module: string): Budget {
  return module === frame ? frameBudget : (parts[module] ?? otherPart)
}

function requireChunks({ root, metafile }: Weighed): void {
  for (const module of Object.keys(parts)) {
    if (existsSync(join(root, module)) && !chunkOf(metafile, module)) {
      throw new Error(`${module} must be loaded on demand, but no dynamic import names it`)
    }
  }
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

function weigh(weighed: Weighed, group: string, paths: readonly string[], budget?: Budget): Row {
  const size = (files: readonly OutputFile[], path: string): number | undefined =>
    files.find((file) => file.path === path)?.bytes.length
  const raw = paths.map((path) => size(weighed.files, path) ?? 0)
  const brotli = paths.map((path, index) => size(weighed.encoded, `${path}.br`) ?? raw[index] ?? 0)
  const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)
  return { group, raw: sum(raw), brotli: sum(brotli), ...(budget && { budget }) }
}
