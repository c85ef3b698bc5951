import { type BuildOptions, noOptions } from './build-options.ts'
import { headerPolicy } from './csp.ts'
import type { Identity } from './identity.ts'
import { byPath, mediaType, type OutputFile, sha256, textFile } from './output.ts'
import type { Route } from './pages.ts'

/** Describes a complete build to its server. It has no times, so equal sources give equal bytes. */
export type Manifest = {
  readonly schema: 1
  readonly version: string
  readonly commit: string
  readonly routes: readonly Route[]
  readonly entry: string
  readonly preload: readonly string[]
  readonly csp: string
  readonly files: readonly ManifestFile[]
}

type ManifestFile = {
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** Hex. */
  readonly sha256: string
  readonly type: string
  /** Whether the name changes with the content, so that caches may keep it for ever. */
  readonly immutable: boolean
  /** Of a page with a policy of its own, which is served byte for byte. */
  readonly csp?: string
}

/** Lists the files; fails on a route whose page is not among them. */
export function describe(
  identity: Identity,
  routes: readonly Route[],
  start: { readonly entry: string; readonly preload: readonly string[] },
  files: readonly (OutputFile & { readonly csp?: string })[],
  options: BuildOptions = noOptions,
): Manifest {
  const missing = routes.find((route) => !files.some((file) => file.path === route.page))
  if (missing) throw new Error(`route ${missing.path} has no page ${missing.page}`)
  return {
    schema: 1,
    ...identity,
    routes,
    entry: start.entry,
    preload: start.preload,
    csp: headerPolicy(options),
    files: byPath(files).map(({ path, bytes, immutable, csp }) => ({
      path,
      size: bytes.length,
      sha256: sha256(bytes),
      type: mediaType(path),
      immutable,
      ...(csp !== undefined && { csp }),
    })),
  }
}

/** The manifest as the file that completes an output folder. */
export function manifestFile(manifest: Manifest): OutputFile {
  return textFile('manifest.json', `${JSON.stringify(manifest, null, 2)}\n`)
}
