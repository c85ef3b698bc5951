import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import {
  type BuildOptions,
  build,
  type Loader,
  type Metafile,
  type OnLoadResult,
  type Plugin,
} from 'esbuild'

/**
 * What one more script costs, in bytes of source that are fetched without need. Over HTTP/1.1 six
 * are fetched at once, so each costs about a sixth of a round trip.
 */
const requestPrice = 11_000

/**
 * Puts modules that are needed together into one script. esbuild cuts shared code by the set of
 * dynamic imports (doors) that reach it, which makes some two hundred scripts, half of them below
 * 2 kB. Here two sets become one wherever the request costs more than the bytes that some doors then
 * fetch without need. Each door is made to import all of the sets that it loads, so that esbuild
 * sees the same doors for all of their modules. The added imports change no order, because
 * the start and the frame have always run before, and modules do nothing but declare.
 * So no module of the start may `await` a dynamic import at its top level: it would wait for itself.
 * @param frame the module behind the login that loads before all others; absent: only the start is
 * kept together
 */
export function groupedChunks(root: string, entry: string, frame?: string): Plugin {
  return {
    name: 'grouped-chunks',
    async setup({ initialOptions, onLoad }) {
      const graph = await readGraph(initialOptions, root, entry)
      const doors = [...new Set([...graph.values()].flatMap(({ late }) => late))]
      const shared = frame === undefined ? [] : setsOf(graph, entry, frame, doors)
      const before = new Map(
        doors.map((door) => {
          const loaded = shared
            .filter((set) => set.doors.has(door))
            .flatMap(({ modules }) => modules)
          return [join(root, door), [entry, ...loaded.filter((module) => !doors.includes(module))]]
        }),
      )
      onLoad({ filter: /\.tsx?$/ }, ({ path }): OnLoadResult | undefined => {
        const imports = before
          .get(path)
          ?.map((module) => `import ${JSON.stringify(join(root, module))};`)
        if (!imports) return undefined
        return {
          contents: imports.join('') + readFileSync(path, 'utf8'),
          loader: extname(path).slice(1) as Loader,
        }
      })
    },
  }
}

type Module = {
  /** Of its source. */
  readonly bytes: number
  /** Modules that it imports at once, and dynamically. */
  readonly now: readonly string[]
  readonly late: readonly string[]
}

/** The console's own modules by their path from the root. */
type Graph = ReadonlyMap<string, Module>

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
  return new Map(
    Object.entries(metafile.inputs).map(([module, { bytes, imports }]) => {
      const known = imports.filter((item) => !item.external)
      const of = (isLate: boolean) =>
        known.filter(({ kind }) => (kind === 'dynamic-import') === isLate).map(({ path }) => path)
      return [module, { bytes, now: of(false), late: of(true) }]
    }),
  )
}

/** Everything that a module imports at once, itself included. */
function reached(graph: Graph, from: string): ReadonlySet<string> {
  const found = new Set([from])
  for (const module of found) {
    for (const next of graph.get(module)?.now ?? []) found.add(next)
  }
  return found
}

/** Modules that become one script, and the doors that load it. */
type Together = { modules: string[]; bytes: number; doors: Set<string> }

/** What doors need beyond the start. */
function setsOf(graph: Graph, entry: string, frame: string, doors: readonly string[]): Together[] {
  const start = reached(graph, entry)
  const framed = reached(graph, frame)
  const neededBy = new Map<string, Set<string>>()
  for (const door of doors) {
    for (const module of reached(graph, door)) {
      if (start.has(module)) continue
      const needed = framed.has(module) ? doors : [...(neededBy.get(module) ?? []), door]
      neededBy.set(module, new Set(needed))
    }
  }
  const sets = new Map<string, Together>()
  for (const [module, needed] of neededBy) {
    const name = doors.filter((door) => needed.has(door)).join()
    const set = sets.get(name) ?? { modules: [], bytes: 0, doors: needed }
    set.modules.push(module)
    set.bytes += graph.get(module)?.bytes ?? 0
    sets.set(name, set)
  }
  return merged(graph, [...sets.values()], doors.length)
}

function merged(graph: Graph, sets: Together[], all: number): Together[] {
  for (;;) {
    let best: [gain: number, a: Together, b: Together] | null = null
    for (const [at, a] of sets.entries()) {
      for (const b of sets.slice(at + 1)) {
        const gain = gainOf(a, b, all)
        if (gain > (best?.[0] ?? 0)) best = [gain, a, b]
      }
    }
    if (!best) return sets
    const [, a, b] = best
    a.modules.push(...b.modules)
    a.bytes += b.bytes
    for (const door of b.doors) a.doors.add(door)
    sets.splice(sets.indexOf(b), 1)
    withImports(graph, sets)
  }
}

/** What is won by one script of two: requests less bytes without need, over all doors. */
function gainOf(a: Together, b: Together, all: number): number {
  // What every door needs is the frame.
  if (a.doors.size === all || b.doors.size === all) return 0
  const both = [...a.doors].filter((door) => b.doors.has(door)).length
  const needless = a.bytes * (b.doors.size - both) + b.bytes * (a.doors.size - both)
  return both * requestPrice - needless
}

/** Lets each door also load what its scripts import. */
function withImports(graph: Graph, sets: readonly Together[]): void {
  const setWith = new Map(
    sets.flatMap((set) => set.modules.map((module) => [module, set] as const)),
  )
  let isStable = false
  while (!isStable) {
    isStable = true
    for (const { modules, doors } of sets) {
      const imported = new Set(
        modules
          .flatMap((module) => graph.get(module)?.now ?? [])
          .map((module) => setWith.get(module)),
      )
      for (const set of imported) {
        for (const door of doors) {
          if (!set || set.doors.has(door)) continue
          set.doors.add(door)
          isStable = false
        }
      }
    }
  }
}
/**
 * The one script that starts the console. The entry itself is left as a stub that only imports it,
 * so pages name the chunk and the stub is not emitted.
 * @throws when the start is scattered, for instance over a dynamic import the plugin did not see
 */
export function findStart(metafile: Metafile, entry: string): { start: string; stub?: string } {
  const outputs = Object.entries(metafile.outputs)
  const found = outputs.find(([, output]) => output.entryPoint === entry)
  if (!found) throw new Error(`the bundle has no ${entry}`)
  const [name, { imports, inputs }] = found
  const [only, ...others] = imports.filter((item) => item.kind === 'import-statement')
  if (!only) return { start: name }
  if (others.length > 0 || Object.keys(inputs).length > 0) {
    throw new Error(`${entry} starts with ${others.length + 2} scripts instead of one`)
  }
  const more = metafile.outputs[only.path]?.imports.some((i) => i.kind === 'import-statement')
  if (more) throw new Error(`${only.path} imports further scripts at the start`)
  return { start: only.path, stub: name }
}
