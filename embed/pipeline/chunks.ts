import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { Loader, Metafile, OnLoadResult, Plugin } from 'esbuild'
import { type Frame, importedBefore } from './module-graph.ts'

/**
 * Keeps start-up to one script, the frame around every screen to one more, and a screen to one.
 * esbuild cuts shared code by the set of entry points that reach it, which scatters it over many
 * small chunks. When every dynamically imported module also imports the entry, all entry points
 * reach the whole start, so it becomes one chunk. The same holds for the frame, which loads before
 * any screen, and for a screen with the parts that only it loads. The added imports change no
 * order, because the named modules have always run before. So no module of the start may `await` a
 * dynamic import at its top level: it would wait for itself.
 * @param frame absent: only the start is kept together
 */
export function groupedChunks(root: string, entry: string, frame?: Frame): Plugin {
  return {
    name: 'grouped-chunks',
    async setup(build) {
      const before = await importedBefore(build.initialOptions, root, entry, frame)
      build.onLoad({ filter: /\.tsx?$/ }, ({ path }): OnLoadResult | undefined => {
        const modules = before.get(path)
        if (!modules) return undefined
        const imports = modules.map((module) => `import ${JSON.stringify(join(root, module))};`)
        return { contents: imports.join('') + readFileSync(path, 'utf8'), loader: loaderOf(path) }
      })
    },
  }
}

function loaderOf(path: string): Loader {
  return extname(path) === '.tsx' ? 'tsx' : 'ts'
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
