import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

export type Attacked = typeof import('./attacked')

const source = fileURLToPath(new URL('../../../src/', import.meta.url))
const entry = fileURLToPath(new URL('./attacked.ts', import.meta.url))

/** A line of the sources that is taken out, by its file in `src` and its text. */
export type Removed = { readonly file: string; readonly text: string; readonly by?: string }

/** The sources, or what is left of them without some of their checks, to see that it is missed. */
export async function attackedWithout(...removed: readonly Removed[]): Promise<Attacked> {
  const left = new Set(removed)
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    alias: { '~': source },
    define: {
      ...{ __VERSION__: '"test"', __COMMIT__: '"test"', __WORKERS__: '"{}"', __OPTIONS__: '"{}"' },
      // Every record is of a browser of its own, and a channel would keep the process alive.
      BroadcastChannel: 'undefined',
    },
    plugins: [
      {
        name: 'mutant',
        setup(plugins) {
          plugins.onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
            let contents = await readFile(path, 'utf8')
            for (const one of removed.filter(({ file }) => path === `${source}${file}`)) {
              if (contents.split(one.text).length === 2) left.delete(one)
              contents = contents.replace(one.text, one.by ?? '')
            }
            return { contents, loader: 'ts' }
          })
        },
      },
    ],
  })
  for (const { file, text } of left) throw new Error(`${file} does not hold this once: ${text}`)
  const code = outputFiles[0]?.text ?? ''
  const url = `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`
  return import(/* @vite-ignore */ url)
}
