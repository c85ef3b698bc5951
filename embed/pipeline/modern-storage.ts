import { join } from 'node:path'
import type { Plugin } from 'esbuild'

/** The methods that localForage requires of every driver, even an unused one. */
const methods = '_initStorage clear getItem iterate key keys length removeItem setItem'
const unused = methods.split(' ').map((name) => `${name}() {}`)

/** Parts of localForage for browsers before 2016, which this build leaves out. */
const left: Readonly<Record<string, string>> = {
  // No supported browser has Web SQL: localForage asks this driver and takes the next one.
  './drivers/websql': `export default { _driver: 'webSQLStorage', _support: false, ${unused} }`,
  // A Promise polyfill.
  'lie/polyfill': '',
}

/**
 * Bundles localForage from its own sources instead of its ready file: the same code, without two
 * parts that nothing uses, which are half of its bytes.
 */
export const modernStorage: Plugin = {
  name: 'modern-storage',
  setup(build) {
    build.onResolve({ filter: /^localforage$/ }, ({ resolveDir }) =>
      build.resolve('localforage/src/localforage.js', { kind: 'import-statement', resolveDir }),
    )
    build.onResolve({ filter: /^(\.\/drivers\/websql|lie\/polyfill)$/ }, ({ path, importer }) => {
      const isOurs = importer.includes(join('node_modules', 'localforage', 'src'))
      return isOurs ? { path, namespace: 'modern-storage', sideEffects: false } : undefined
    })
    build.onLoad({ filter: /.*/, namespace: 'modern-storage' }, ({ path }) => ({
      contents: left[path] ?? '',
      loader: 'js',
    }))
  },
}
