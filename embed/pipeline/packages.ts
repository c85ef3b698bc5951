import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'

/** A package with code in the output. */
export type Package = {
  /** Below the root, such as `node_modules/react`; also its key in the lock file. */
  readonly folder: string
  readonly name: string
  readonly version: string
  /** SPDX identifier or expression. */
  readonly licence: string
  readonly author: string | undefined
  /** Names of its dependencies, in the output or not. */
  readonly needs: readonly string[]
}

/** Packages with code in the bundle, and Tailwind, whose base styles are in the style sheet. */
export function bundledPackages(root: string, metafile: Metafile): Package[] {
  const folders = new Set(['node_modules/tailwindcss'])
  for (const output of Object.values(metafile.outputs)) {
    for (const [input, { bytesInOutput }] of Object.entries(output.inputs)) {
      const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]
      if (folder && bytesInOutput > 0) folders.add(folder)
    }
  }
  return [...folders].sort().map((folder) => readPackage(root, folder))
}

function readPackage(root: string, folder: string): Package {
  const text = readFileSync(join(root, folder, 'package.json'), 'utf8')
  const { name, version, license, author, dependencies, peerDependencies } = JSON.parse(text)
  if (typeof name !== 'string' || typeof version !== 'string' || typeof license !== 'string') {
    throw new Error(`${folder} does not name its licence`)
  }
  return {
    folder,
    name,
    version,
    licence: license,
    author: typeof author === 'string' ? author : author?.name,
    needs: Object.keys({ ...dependencies, ...peerDependencies }),
  }
}
