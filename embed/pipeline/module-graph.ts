import { basename, extname, join } from 'node:path'
import { type BuildOptions, build, type Metafile } from 'esbuild'

/** Paths of modules relative to the root, as esbuild names them. */
type Modules = ReadonlySet<string>

/** The module that loads before all others, with the modules they share. */
export type Frame = {
  readonly module: string
  /** Doors, named by their files, that have a script of what only they share. */
  readonly apart: readonly (readonly string[])[]
}

/**
 * For each dynamically imported module (absolute path), the modules that have run before it: the
 * entry, everything that two or more of them need, and what the groups that it belongs to share.
 * Because all doors of a group import all of that, it becomes one script.
 */
export async function importedBefore(
  options: BuildOptions,
  root: string,
  entry: string,
  frame?: Frame,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const graph = await readGraph(options, root, entry)
  const lazy = [...new Set([...graph.values()].flatMap(({ late }) => late))]
  const framed = frame ? lazy : []
  const groups = frame ? groupsOf(frame, framed) : []
  const shared = sharedBy(graph, framed, groups, entry)
  return new Map(
    lazy.map((module) => {
      const before = [...shared].filter(([, doors]) => doors.has(module)).map(([path]) => path)
      return [join(root, module), [entry, ...before]]
    }),
  )
}

/** The groups that are apart as paths of doors, the smallest first. */
function groupsOf({ apart }: Frame, doors: readonly string[]): Modules[] {
  const byName = new Map(doors.map((door) => [basename(door, extname(door)), door]))
  const pathOf = (name: string): string => {
    const door = byName.get(name)
    if (!door) throw new Error(`${name} is apart, but no dynamic import names it`)
    return door
  }
  return apart.map((names) => new Set(names.map(pathOf))).sort((a, b) => a.size - b.size)
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

/** Everything that a module imports statically, itself included. */
function reached(graph: Graph, from: string): Modules {
  const found = new Set([from])
  for (const module of found) {
    for (const next of graph.get(module)?.now ?? []) found.add(next)
  }
  return found
}

/**
 * The modules that two or more doors need beyond the start, each with the doors that load it: those
 * of the smallest group that has all who need it, or else every door.
 */
function sharedBy(
  graph: Graph,
  doors: readonly string[],
  groups: readonly Modules[],
  entry: string,
): ReadonlyMap<string, Modules> {
  const all = new Set(doors)
  const start = reached(graph, entry)
  const neededBy = new Map<string, Set<string>>()
  for (const door of doors) {
    for (const module of reached(graph, door)) {
      if (!start.has(module)) neededBy.set(module, (neededBy.get(module) ?? new Set()).add(door))
    }
  }
  const loadedBy = (needed: Modules): Modules =>
    needed.size === 1
      ? needed
      : (groups.find((group) => [...needed].every((door) => group.has(door))) ?? all)
  // A door of a group also needs what the group's modules import, which may be more than its own.
  let isStable = false
  while (!isStable) {
    isStable = true
    for (const [module, needed] of neededBy) {
      const loading = loadedBy(needed)
      for (const imported of graph.get(module)?.now ?? []) {
        const before = neededBy.get(imported)
        if (!before || [...loading].every((door) => before.has(door))) continue
        neededBy.set(imported, new Set([...before, ...loading]))
        isStable = false
      }
    }
  }
  return new Map(
    [...neededBy]
      .filter(([module, needed]) => needed.size > 1 && !all.has(module))
      .map(([module, needed]) => [module, loadedBy(needed)]),
  )
}
