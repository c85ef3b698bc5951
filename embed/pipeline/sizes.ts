import { existsSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import type { Metafile } from 'esbuild'
import {
  type Budget,
  frame,
  login,
  otherPart,
  otherScreen,
  parts,
  queryScreen,
  storageDriver,
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

/** What is weighed: the emitted files, their compressed copies and how the scripts hang together. */
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

/** All scripts until the login form accepts input, without the theme script. */
export function loginScripts(metafile: Metafile, start: string): string[] {
  const storage = chunkOf(metafile, storageDriver)
  const all = [start, ...(storage ? [storage] : [])].flatMap((s) => staticClosure(metafile, s))
  return [...new Set(all)]
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
      const label =
        module === queryScreen ? 'QueryScreen + frame' : basename(module, extname(module))
      return weigh(weighed, label, scriptsOf(metafile, module, scripts), budgetOf(module))
    }),
    weigh(
      weighed,
      `all ${files.length} files`,
      files.map((file) => file.path),
    ),
  ]
}

/** One sentence per ceiling that is passed. */
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

/**
 * What is fetched for a part loaded on demand, beyond what is there already: the login, the frame
 * and the screen it is a part of. The first screen brings the frame with it.
 */
function scriptsOf(metafile: Metafile, module: string, present: readonly string[]): string[] {
  const closureOf = (of: string): string[] => {
    const chunk = chunkOf(metafile, of)
    return chunk ? staticClosure(metafile, chunk) : []
  }
  const framed = module === frame ? [] : closureOf(frame)
  const own = closureOf(module)
  const isFirst = module === queryScreen
  const all = isFirst ? [...framed, ...own] : own
  const around = screensAround(metafile, module, own).flatMap(closureOf)
  const before = new Set([...present, ...(isFirst ? [] : framed), ...around])
  return [...new Set(all)].filter((path) => !before.has(path))
}

/** The screens whose code a part imports: it is loaded by them alone, after them. */
function screensAround(metafile: Metafile, module: string, own: readonly string[]): string[] {
  return lazyModules(metafile).filter(
    (other) =>
      other !== module &&
      other.endsWith('Screen.tsx') &&
      own.some((path) => metafile.outputs[path]?.inputs[other] !== undefined),
  )
}

function budgetOf(module: string): Budget | undefined {
  if (module === frame) return undefined
  return parts[module] ?? (module.startsWith('src/screens/') ? otherScreen : otherPart)
}

function requireChunks({ root, metafile }: Weighed): void {
  for (const module of [storageDriver, ...Object.keys(parts)]) {
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

/** Modules loaded on demand, except the storage driver, which the login waits for. */
function lazyModules(metafile: Metafile): string[] {
  const dynamic = new Set(
    Object.values(metafile.outputs)
      .flatMap((output) => output.imports)
      .filter((item) => item.kind === 'dynamic-import')
      .map((item) => metafile.outputs[item.path]?.entryPoint ?? item.path),
  )
  dynamic.delete(storageDriver)
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
