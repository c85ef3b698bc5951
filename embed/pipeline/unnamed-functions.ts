import { readFileSync } from 'node:fs'
import type { Plugin } from 'esbuild'

/** How Radix's build defines what gives functions their names of before it was minified. */
const definition = /^var __name = \(target, value\) => __defProp\(.*\);\n/m

/** A statement that names a function, such as `__name(getState, "getState");`. */
const statements = /^[ \t]*__name\(\w+, "[^"]*"\);\n/gm

/**
 * Takes the names away that a library's build gave to its minified functions. Nothing asks for
 * them, and as each is a call, esbuild keeps every function that has one, used or not.
 * @throws when the library's text has changed, so that this is not lost unnoticed
 */
export function unnamed(source: string): string {
  if (!source.includes('__name(')) return source
  if (!definition.test(source)) throw new Error('A module names functions by other means')
  return source.replace(definition, 'const __name = (target) => target;\n').replace(statements, '')
}

/** Applies `unnamed` to Radix while bundling. */
export const unnamedFunctions: Plugin = {
  name: 'unnamed-functions',
  setup(build) {
    build.onLoad({ filter: /@radix-ui[\\/][\w-]+[\\/]dist[\\/]index\.mjs$/ }, ({ path }) => ({
      contents: unnamed(readFileSync(path, 'utf8')),
      loader: 'js',
    }))
  },
}
