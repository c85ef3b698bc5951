import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { Loader, Metafile, OnLoadResult, Plugin } from 'esbuild'

const dynamicImport = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g

/** A second module that is there before all parts except those that are loaded outside of it. */
export type Frame = { readonly module: string; readonly outside: readonly string[] }

/**
 * Keeps start-up to one script, and the frame around every screen to one more. esbuild cuts shared code by the set of entry points that reach it,
 * which scatters the start over many small chunks. When every module that is imported dynamically
 * also imports the entry, all entry points reach everything of the start, so it becomes one chunk.
 * The added imports change no order: the entry has always run before a dynamic import finishes.
 * The same holds for the frame, which is there before any screen or part of one is asked for.
 * Therefore nothing of the start may `await` a dynamic import at its top level; it would wait for
 * itself.
 */
export function oneStartChunk(root: string, entry: string, frame?: Frame): Plugin {
  return {
    name: 'one-start-chunk',
    setup(build) {
      const lazy = lazyModules(root)
      const outside = [...(frame?.outside ?? []), frame?.module ?? ''].map((of) => join(root, of))
      const importOf = (module: string) => `import ${JSON.stringify(join(root, module))};`
      build.onLoad({ filter: /\.tsx?$/ }, ({ path }): OnLoadResult | undefined => {
        if (!lazy.has(path)) return undefined
        const before =
          importOf(entry) + (frame && !outside.includes(path) ? importOf(frame.module) : '')
        return { contents: before + readFileSync(path, 'utf8'), loader: loaderOf(path) }
      })
    },
  }
}

function loaderOf(path: string): Loader {
  return extname(path) === '.tsx' ? 'tsx' : 'ts'
}

/** Absolute paths of the modules below `src/` that some module of `src/` imports dynamically. */
function lazyModules(root: string): ReadonlySet<string> {
  const src = join(root, 'src')
  const sources = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tsx?$/.test(name),
  )
  const known = new Set(sources.map((name) => join(src, name)))
  const found = new Set<string>()
  for (const path of known) {
    for (const [, specifier = ''] of readFileSync(path, 'utf8').matchAll(dynamicImport)) {
      for (const candidate of candidates(src, path, specifier)) {
        if (known.has(candidate)) found.add(candidate)
      }
    }
  }
  return found
}

function candidates(src: string, importer: string, specifier: string): string[] {
  const base = specifier.startsWith('~/')
    ? join(src, specifier.slice(2))
    : join(importer, '..', specifier)
  return [base, `${base}.ts`, `${base}.tsx`, join(base, 'index.ts'), join(base, 'index.tsx')]
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
