import { join } from 'node:path'
import { type BuildOptions, build, type Metafile } from 'esbuild'

/** Paths of modules relative to the root, as esbuild names them. */
type Modules = ReadonlySet<string>

/** The module that loads before all others except those `outside`, with the modules they share. */
export type Frame = {
  readonly module: string
  readonly outside: readonly string[]
  /** Modules that several others share but too few to load them with the frame. */
  readonly apart: readonly string[]
}

/**
 * For each dynamically imported module (absolute path), the modules that have run before it: the
 * entry, and everything that two or more of them need. Because each imports all of that, it becomes
 * one script.
 */
export async function importedBefore(
  options: BuildOptions,
  root: string,
  entry: string,
  frame?: Frame,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const graph = await readGraph(options, root, entry)
  const lazy = [...new Set([...graph.values()].flatMap(({ late }) => late))]
  const framed = lazy.filter((module) => frame && !frame.outside.includes(module))
  const start = reached(graph, entry, new Set())
  const shared = sharedBy(graph, framed, new Set(frame?.apart), start)
  return new Map(
    lazy.map((module) => [
      join(root, module),
      framed.includes(module) ? [entry, ...shared] : [entry],
    ]),
  )
}

/** What a module imports: at once, and dynamically. */
type Graph = ReadonlyMap<
  string,
  { readonly now: readonly string[]; readonly late: readonly string[] }
>

async function readGraph(options: BuildOptions, root: string, entry: string): Promise<Graph> {
  const { alias, define, loader, target, jsx } = options
  const shape = { alias: { '~': join(root, 'src'), ...alias }, define, loader, target, jsx }
  const { metafile } = await build({
    ...Object.fromEntries(Object.entries(shape).filter(([, value]) => value !== undefined)),
    absWorkingDir: root,
    entryPoints: [entry],
    outdir: '.',
    bundle: true,
    packages: 'external',
    format: 'esm',
    write: false,
    metafile: true,
    logLevel: 'silent',
  })
  return graphOf(metafile)
}

function graphOf(metafile: Metafile): Graph {
  return new Map(
    Object.entries(metafile.inputs).map(([module, { imports }]) => {
      const known = imports.filter((item) => !item.external)
      const of = (isLate: boolean) =>
        known.filter(({ kind }) => (kind === 'dynamic-import') === isLate).map(({ path }) => path)
      return [module, { now: of(false), late: of(true) }]
    }),
  )
}

/**
 * Everything that a module imports statically, itself included, without modules that only the
 * `stops` need.
 */
function reached(graph: Graph, from: string, stops: Modules): Modules {
  const found = new Set([from])
  for (const module of found) {
    for (const next of graph.get(module)?.now ?? []) if (!stops.has(next)) found.add(next)
  }
  return found
}

/**
 * What two or more of the doors need beyond the start, without `apart` modules, those that only
 * they need, and those that need them.
 */
function sharedBy(
  graph: Graph,
  doors: readonly string[],
  apart: Modules,
  start: Modules,
): string[] {
  const roots = [...doors, ...apart]
  const neededBy = new Map<string, number>()
  for (const root of roots) {
    const stops = new Set(roots.filter((other) => other !== root))
    for (const needed of reached(graph, root, stops)) {
      neededBy.set(needed, (neededBy.get(needed) ?? 0) + 1)
    }
  }
  const needsApart = (module: string) =>
    [...reached(graph, module, new Set())].some((needed) => apart.has(needed))
  return [...neededBy]
    .filter(([module, times]) => times > 1 && !start.has(module) && !needsApart(module))
    .map(([module]) => module)
}
