import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type BuildOptions, type BuildResult, context, type Plugin } from 'esbuild'
import { target } from './browsers.ts'
import type { BuildOptions as OwnOptions } from './build-options.ts'
import { commonOptions, entry } from './bundle.ts'
import { compileStyles } from './css.ts'
import { readIdentity } from './identity.ts'
import { hashedAsset, textFile } from './output.ts'
import { fillShell, readPlainStatics, readShell, readStatics } from './pages.ts'
import { bundleWorkers, type Workers } from './workers.ts'

/** The latest output that could be built, in memory. */
export type DevOutput = {
  /** By path as in the output folder, such as `assets/main-ABC.js`. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** The shell for a page whose mount point is at `prefix`. */
  readonly page: (prefix: string) => string
}

/**
 * Builds, and again after each change of a source, a style or a file of `static/`. `built` gets
 * each output that differs from the last, `failed` gets the error text.
 */
export async function watchSources(
  root: string,
  own: OwnOptions,
  built: (output: DevOutput) => void,
  failed: (message: string) => void,
): Promise<void> {
  const buildWorkers = () => bundleWorkers(root, { isProduction: false, target })
  const { names } = await buildWorkers()
  const common = commonOptions(root, readIdentity(root), own, names)
  const finish = async (result: BuildResult): Promise<void> => {
    if (result.errors.length > 0) return
    try {
      built(await assemble(root, own, result, await buildWorkers()))
    } catch (error) {
      failed(error instanceof Error ? error.message : String(error))
    }
  }
  const notify: Plugin = { name: 'notify', setup: (build) => build.onEnd(finish) }
  const options: BuildOptions = {
    ...common,
    sourcemap: 'linked',
    conditions: ['development'],
    define: { ...common.define, 'process.env.NODE_ENV': '"development"' },
    logLevel: 'warning',
    plugins: [watchOthers(root), notify],
  }
  await (await context(options)).watch()
}

/** Makes esbuild also watch files that only the pages and the style sheet use. */
function watchOthers(root: string): Plugin {
  const inFolder = (folder: string): string[] =>
    readdirSync(join(root, folder)).map((name) => join(root, folder, name))
  return {
    name: 'watch-others',
    setup(build) {
      build.onLoad({ filter: /main\.tsx$/ }, ({ path }) => {
        if (path !== join(root, entry)) return undefined
        const watchFiles = [
          ...inFolder('static'),
          ...inFolder('src/styles'),
          join(root, 'tailwind.config.ts'),
        ]
        return { contents: readFileSync(path, 'utf8'), loader: 'tsx', watchFiles }
      })
    },
  }
}

async function assemble(
  root: string,
  options: OwnOptions,
  result: BuildResult,
  workers: Workers,
): Promise<DevOutput> {
  const css = await compileStyles(root, { minify: false })
  const styles = hashedAsset('app.css', new TextEncoder().encode(css))
  const template = readShell(root).replace(
    '<script type="module"',
    '<script src="{{reload}}"></script>\n$&',
  )
  const reload = textFile(
    'assets/reload.js',
    readFileSync(join(root, 'embed/pipeline/reload.js'), 'utf8'),
  )
  const statics = readStatics(root, template)
  const scripts = (result.outputFiles ?? []).map(({ path, contents }) => ({
    path: relative(root, path).replaceAll('\\', '/'),
    bytes: contents,
  }))
  const outputs = Object.entries(result.metafile?.outputs ?? {})
  const start = outputs.find(([, output]) => output.entryPoint === entry)?.[0]
  if (!start) throw new Error(`the bundle has no ${entry}`)
  const shell = {
    styles: styles.path,
    start,
    preload: [],
    behindLogin: new Map(),
    statics,
    options,
  }
  const plain = readPlainStatics(root, template)
  const files = [...scripts, ...workers.files, ...statics.values(), ...plain, styles, reload]
  return {
    files: new Map(files.map(({ path, bytes }) => [path, bytes])),
    page: (prefix) =>
      fillShell(template, { ...shell, statics: new Map([...statics, ['reload', reload]]) }, prefix),
  }
}
