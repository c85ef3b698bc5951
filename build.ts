import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type BuildOptions,
  foreignOrigins,
  noOptions,
  readBuildOptions,
} from './embed/pipeline/build-options.ts'
import { bundleScripts } from './embed/pipeline/bundle.ts'
import { findProblems } from './embed/pipeline/checks.ts'
import { compress } from './embed/pipeline/compress.ts'
import { compileStyles } from './embed/pipeline/css.ts'
import { readIdentity } from './embed/pipeline/identity.ts'
import { licenceFile } from './embed/pipeline/licences.ts'
import { describe, type Manifest, manifestFile } from './embed/pipeline/manifest.ts'
import { hashedAsset, type OutputFile, replaceFolder, sha256 } from './embed/pipeline/output.ts'
import { bundledPackages } from './embed/pipeline/packages.ts'
import {
  readPlainStatics,
  readShell,
  readStatics,
  renderPages,
  routeOf,
} from './embed/pipeline/pages.ts'
import { billOfMaterials } from './embed/pipeline/sbom.ts'
import {
  breaches,
  formatTable,
  loginScripts,
  type Row,
  screenScripts,
  sizeTable,
} from './embed/pipeline/sizes.ts'
import { buildVerifyPage } from './embed/pipeline/verify-page.ts'
import { pages } from './src/lib/paths.ts'

/** A finished build in memory; `files` has the manifest last. */
export type Build = {
  readonly files: readonly OutputFile[]
  readonly encoded: readonly OutputFile[]
  readonly manifest: Manifest
  /** The packages inside, as CycloneDX. */
  readonly bill: string
  readonly sizes: readonly Row[]
}

/** The checkout. */
export const root = fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '')

/**
 * Builds the console in memory.
 * @throws when the output is unfit to ship: a warning, a foreign address, a forbidden name …
 */
export async function build(options: BuildOptions = noOptions): Promise<Build> {
  const identity = readIdentity(root)
  const css = await compileStyles(root, { minify: true })
  const alone = await buildVerifyPage(root, identity, css)
  // The console knows the hash of the page that it saves beside evidence.
  const bundle = await bundleScripts(root, identity, options, sha256(alone.file.bytes))
  const styles = hashedAsset('app.css', new TextEncoder().encode(css))
  const packages = bundledPackages(root, bundle.metafile)

  const template = readShell(root)
  const statics = readStatics(root, template)
  const routes = pages.map((page) => routeOf(page.path))
  const preload = loginScripts(bundle.metafile, bundle.start)
  const { metafile, start } = bundle
  const behindLogin = new Map(
    pages.map(({ path, name }) => [routeOf(path).page, screenScripts(metafile, start, name)]),
  )
  const shell = { styles: styles.path, start, preload, behindLogin, statics, options }
  const files: (OutputFile & { csp?: string })[] = [
    ...bundle.files,
    ...statics.values(),
    ...readPlainStatics(root, template),
    styles,
    licenceFile(root, packages),
    ...renderPages(template, shell, routes),
    { ...alone.file, csp: alone.csp },
  ]
  const manifest = describe(identity, routes, { entry: bundle.start, preload }, files, options)

  const encoded = await compress(files)
  const blocking = [...statics.values(), styles].map((file) => file.path).filter(isBlocking)
  const sizes = sizeTable({ ...bundle, files, encoded, blocking, alone: alone.file.path })
  refuse(findProblems(root, files, [...foreignOrigins(options).calls, options.feedbackUrl]))
  const bill = billOfMaterials(root, identity, packages)
  return { files: [...files, manifestFile(manifest)], encoded, manifest, bill, sizes }
}

/** Writes a build: the files to serve as they are, and the compressed copies beside them. */
export async function write(result: Build, folder: string): Promise<void> {
  await replaceFolder(join(folder, 'encoded'), result.encoded)
  await replaceFolder(join(folder, 'dist'), result.files)
}

function isBlocking(path: string): boolean {
  return /\.(?:js|css)$/.test(path)
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

/** Throws unless every size is within its budget. */
export function requireBudgets(result: Build): void {
  refuse(breaches(result.sizes))
}

async function main(): Promise<void> {
  const result = await build(readBuildOptions(process.env))
  console.log(formatTable(result.sizes))
  // For work on the sizes themselves; nothing that ships is built with it.
  if (!process.argv.includes('--over-budget')) requireBudgets(result)
  await write(result, join(root, 'embed'))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  })
}
