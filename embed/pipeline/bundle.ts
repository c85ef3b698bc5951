import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { type BuildOptions, build, formatMessages, type Metafile, type Plugin } from 'esbuild'
import { target } from './browsers.ts'
import { noOptions, type BuildOptions as OwnOptions } from './build-options.ts'
import { findStart, groupedChunks } from './chunks.ts'
import type { Identity } from './identity.ts'
import type { OutputFile } from './output.ts'
import { frame } from './sizes.ts'
import { bundleWorkers } from './workers.ts'

/** The scripts of the console with esbuild's metadata; paths as in the output folder. */
export type Bundle = {
  readonly files: readonly OutputFile[]
  readonly metafile: Metafile
  /** Path of the script that the pages load. */
  readonly start: string
}

/** The module that starts the console. */
export const entry = 'src/main.tsx'

/** How React and Jotai ask whether they run in production, without their checks for developers. */
export const production = {
  'process.env.NODE_ENV': '"production"',
  // Jotai looks whether there is one before it asks for its mode.
  'import.meta.env': 'true',
  'import.meta.env.MODE': '"production"',
}

/**
 * What development and production builds have in common.
 * @param verifyPage SHA-256 of `verify.html` in hex; empty where there is none
 */
export function commonOptions(
  root: string,
  identity: Identity,
  options: OwnOptions,
  workers: Readonly<Record<string, string>>,
  verifyPage = '',
) {
  return {
    absWorkingDir: root,
    entryPoints: [entry],
    outdir: '.',
    bundle: true,
    splitting: true,
    format: 'esm',
    entryNames: 'assets/[name]-[hash]',
    chunkNames: 'assets/[name]-[hash]',
    assetNames: 'assets/[name]-[hash]',
    loader: { '.svg': 'file', '.png': 'file' },
    target,
    // Older than all of them. esbuild would put them into `new RegExp`, which it keeps even unused.
    supported: { 'regexp-unicode-property-escapes': true },
    jsx: 'automatic',
    charset: 'utf8',
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'silent',
    alias: {
      '~': join(root, 'src'),
      'aria-hidden': join(root, 'src/ui/shims/aria-hidden.ts'),
      'react-style-singleton': join(root, 'src/ui/shims/react-style-singleton.ts'),
    },
    define: {
      __VERSION__: JSON.stringify(identity.version),
      __COMMIT__: JSON.stringify(identity.commit),
      __WORKERS__: textOf(workers),
      __OPTIONS__: textOf(options),
      __VERIFY_PAGE__: JSON.stringify(verifyPage),
    },
  } satisfies BuildOptions
}

const own = '?sha-512'

/**
 * SHA-512 in the script of the signatures that need it. esbuild puts each file into one script, and
 * the frame, which loads before every screen, needs SHA-256 of the same files: so the signatures get
 * a copy of them.
 */
const ownSha512: Plugin = {
  name: 'own-sha-512',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /^(@noble\/hashes\/sha2|\.\/_(md|u64))\.js$/ }, async (asked) => {
      const { path, importer, kind, resolveDir, pluginData } = asked
      const isOwn = pluginData === own || /@noble[\\/]curves[\\/]ed25519\.js$/.test(importer)
      if (!isOwn) return undefined
      // Without its importer, so that this is not asked again.
      const found = await resolve(path, { kind, resolveDir })
      return { path: found.path, suffix: own, sideEffects: false, errors: found.errors }
    })
    onLoad({ filter: /[\\/]sha2\.js$/ }, ({ path, suffix }) =>
      suffix === own
        ? { contents: readFileSync(path), pluginData: own, resolveDir: dirname(path) }
        : undefined,
    )
  },
}

/** The literal of a text that the module reads as JSON. */
function textOf(value: object): string {
  return JSON.stringify(JSON.stringify(value))
}

/** Bundles `src/main.tsx` and the workers for production. Warnings are errors. */
export async function bundleScripts(
  root: string,
  identity: Identity,
  options: OwnOptions = noOptions,
  verifyPage = '',
): Promise<Bundle> {
  const workers = await bundleWorkers(root, { isProduction: true, target })
  const common = commonOptions(root, identity, options, workers.names, verifyPage)
  const result = await build({
    ...common,
    minify: true,
    conditions: ['production'],
    define: { ...common.define, ...production },
    plugins: [ownSha512, groupedChunks(root, entry, frame)],
  })
  if (result.warnings.length > 0) {
    const warnings = await formatMessages(result.warnings, { kind: 'warning', color: false })
    throw new Error(`esbuild warns:\n${warnings.join('')}`)
  }
  const { start, stub } = findStart(result.metafile, entry)
  const files = result.outputFiles
    .map(({ path, contents }) => ({
      path: relative(root, path).replaceAll('\\', '/'),
      bytes: contents,
      immutable: true,
    }))
    .filter((file) => file.path !== stub)
  const metafile = {
    inputs: { ...result.metafile.inputs, ...workers.metafile.inputs },
    outputs: { ...result.metafile.outputs, ...workers.metafile.outputs },
  }
  return { files: [...files, ...workers.files], metafile, start }
}
