import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { build, type Metafile } from 'esbuild'
import type { OutputFile } from './output.ts'

/** The scripts that run apart from the page, each a file of its own. */
export type Workers = {
  readonly files: readonly OutputFile[]
  /** File names beside the page's own scripts, by the name of the source. */
  readonly names: Readonly<Record<string, string>>
  readonly metafile: Metafile
}

/** Where the sources are; each file there is one worker. */
export const workerFolder = 'src/workers'

/**
 * Bundles every worker. Names carry a hash when they are for production, since the page that asks
 * for one is of the same build; while developing they stay the same.
 */
export async function bundleWorkers(
  root: string,
  options: { readonly isProduction: boolean; readonly target: readonly string[] },
): Promise<Workers> {
  const { isProduction, target } = options
  const entryPoints = readdirSync(join(root, workerFolder))
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => `${workerFolder}/${name}`)
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints,
    outdir: '.',
    outbase: workerFolder,
    bundle: true,
    format: 'iife',
    entryNames: isProduction ? 'assets/[name]-worker-[hash]' : 'assets/[name]-worker',
    target: [...target],
    charset: 'utf8',
    legalComments: 'none',
    minify: isProduction,
    metafile: true,
    write: false,
    logLevel: 'silent',
    alias: { '~': join(root, 'src') },
  })
  const files = outputFiles.map(({ path, contents }) => ({
    path: relative(root, path).replaceAll('\\', '/'),
    bytes: contents,
    immutable: isProduction,
  }))
  const names = Object.entries(metafile.outputs).flatMap(([path, { entryPoint = '' }]) => {
    const source = /([^/]+)\.ts$/.exec(entryPoint)?.[1]
    return source ? [[source, path.replace('assets/', '')] as const] : []
  })
  return { files, names: Object.fromEntries(names.sort()), metafile }
}
