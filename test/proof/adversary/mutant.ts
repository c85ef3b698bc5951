import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { verify } from '~/proof/verify'

const engine = fileURLToPath(new URL('../../../src/proof/verify.ts', import.meta.url))

/** A line of the engine that is taken out, by its file in `src/proof` and its text. */
export type Removed = { readonly file: string; readonly text: string; readonly by?: string }

/** The engine without one of its checks, to see that the adversary finds the hole. */
export async function engineWithout({ file, text, by = '' }: Removed): Promise<typeof verify> {
  let isFound = false
  const { outputFiles } = await build({
    entryPoints: [engine],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    plugins: [
      {
        name: 'mutant',
        setup(plugins) {
          plugins.onLoad({ filter: /src\/proof\/[^/]+\.ts$/ }, async ({ path }) => {
            const source = await readFile(path, 'utf8')
            if (!path.endsWith(`/${file}`)) return { contents: source, loader: 'ts' }
            isFound = source.split(text).length === 2
            return { contents: source.replace(text, by), loader: 'ts' }
          })
        },
      },
    ],
  })
  if (!isFound) throw new Error(`${file} does not hold this once: ${text}`)
  const code = outputFiles[0]?.text ?? ''
  const url = `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`
  return (await import(/* @vite-ignore */ url)).verify
}
