import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Plugin } from 'esbuild'

const require = createRequire(import.meta.url)

/** The CommonJS modules whose names nearly every other module uses. */
const modules = ['react', 'react/jsx-runtime']

/** A module that hands on each name of a CommonJS module as an export of its own. */
export function namedExports(module: string): string {
  const names = Object.keys(require(module)).filter((name) => !name.startsWith('_'))
  return [
    `import all from ${JSON.stringify(module)}`,
    'export default all',
    `export const { ${names.join(', ')} } = all`,
  ].join('\n')
}

/**
 * Whether a module looks a name up at run time, as in `React[name]`. It is left alone: it would
 * need an object of all exports beside them.
 */
export function looksNamesUp(source: string): boolean {
  return /\bReact\d*\[/.test(source)
}

/**
 * Gives React exports. Without them esbuild keeps a variable for it in each module and reaches
 * through that at every use, as in `(0, r.jsx)(…)`, which is a fiftieth of all our own code.
 */
export const namedReact: Plugin = {
  name: 'named-react',
  setup(build) {
    const filter = new RegExp(`^(${modules.join('|')})$`)
    build.onResolve({ filter }, ({ path, kind, namespace, importer }) => {
      if (kind !== 'import-statement' || namespace !== 'file') return undefined
      const isOurs = !importer.includes('node_modules')
      if (!isOurs && looksNamesUp(readFileSync(importer, 'utf8'))) return undefined
      return { path, namespace: 'named-react' }
    })
    build.onLoad({ filter: /.*/, namespace: 'named-react' }, ({ path }) => ({
      contents: namedExports(path),
      resolveDir: build.initialOptions.absWorkingDir ?? '.',
      loader: 'js',
    }))
  },
}
