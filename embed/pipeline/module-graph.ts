import { join } from 'node:path'
import { type BuildOptions, build, type Metafile } from 'esbuild'

/** Paths of modules relative to the root, as esbuild names them. */
type Modules = ReadonlySet<string>

/** A second module that is there before all screens; `outside` of it load the named ones. */
export type Frame = {
  readonly module: string
  readonly outside: readonly string[]
  /** What it loads by itself at once. */
  readonly parts: readonly string[]
  /** The screen whose code the frame brings along where another screen needs it, too. */
  readonly firstScreen: string
}

/**
 * For each module that is imported dynamically (absolute path) the modules that have run when it
 * is asked for: the entry, the frame, and the screen it is a part of. For the frame those that the
 * first screen, or what the frame loads at once, shares with anything else: one script for all.
 */
export async function importedBefore(
  options: BuildOptions,
  root: string,
  entry: string,
  frame?: Frame,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const graph = await readGraph(options, root, entry)
  const lazy = [...new Set([...graph.values()].flatMap(({ late }) => late))]
  const framed = lazy.filter((module) => frame && !isOutside(frame, module))
  const screens = framed.filter((module) => module.startsWith('src/screens/'))
  const owners = ownersOf(graph, framed, screens, frame)
  return new Map(
    lazy.map((module) => {
      const owner = owners.get(module)
      const more =
        module === frame?.module ? sharedBy(graph, frame, framed, owners) : owner ? [owner] : []
      const first = frame && framed.includes(module) ? [entry, frame.module] : [entry]
      return [join(root, module), [...first, ...more]]
    }),
  )
}

function isOutside(frame: Frame, module: string): boolean {
  return module === frame.module || frame.outside.includes(module)
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

/** All that a module needs, itself included; also what it may load later, unless told otherwise. */
function reached(graph: Graph, from: string, stops: Modules, isLateToo: boolean): Modules {
  const found = new Set([from])
  for (const module of found) {
    const { now = [], late = [] } = graph.get(module) ?? {}
    for (const next of isLateToo ? [...now, ...late] : now) if (!stops.has(next)) found.add(next)
  }
  return found
}

/** The only screen from which a part can be loaded; parts of several screens have none. */
function ownersOf(
  graph: Graph,
  framed: readonly string[],
  screens: readonly string[],
  frame?: Frame,
): ReadonlyMap<string, string> {
  if (!frame) return new Map()
  const roots = rootScreens(graph, screens)
  const stops = new Set(roots)
  const ofFrame = reached(graph, frame.module, stops, true)
  const reach = new Map(roots.map((screen) => [screen, reached(graph, screen, stops, true)]))
  return new Map(
    framed.flatMap((module): [string, string][] => {
      if (stops.has(module) || ofFrame.has(module)) return []
      const [only, ...others] = roots.filter((screen) => reach.get(screen)?.has(module))
      return only && others.length === 0 ? [[module, only]] : []
    }),
  )
}

/** Screens that no other module below `src/screens` loads. */
function rootScreens(graph: Graph, screens: readonly string[]): string[] {
  const parts = new Set(
    [...graph].flatMap(([module, { late }]) => (module.startsWith('src/screens/') ? late : [])),
  )
  return screens.filter((screen) => !parts.has(screen))
}

function sharedBy(
  graph: Graph,
  frame: Frame,
  framed: readonly string[],
  owners: ReadonlyMap<string, string>,
): string[] {
  const needs = (module: string) => reached(graph, module, new Set(), false)
  const start = needs(frame.module)
  const shared = [frame.firstScreen, ...frame.parts].flatMap((first) => {
    const others = framed
      .filter((module) => module !== first && owners.get(module) !== first)
      .map(needs)
    return [...needs(first)].filter(
      (module) => module !== first && others.some((other) => other.has(module)),
    )
  })
  return [...new Set(shared)].filter((module) => !start.has(module))
}
