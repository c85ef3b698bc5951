import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { type Build, build, requireBudgets, root } from '../../build.ts'
import { type GoModule, goModules } from './go-modules.ts'
import { type OutputFile, sha256, textFile } from './output.ts'
import { withBinary } from './sbom.ts'
import { tar } from './tar.ts'

const archiveName = 'immudb-webconsole.tar.gz'

/** How gzip's header says "unknown system"; otherwise it would name the system of the build. */
const unknownSystem = 255

/**
 * The files of a release: the archive, its checksum as `sha256sum` writes it, and the packages and
 * modules in it and in the binary.
 */
export function pack(result: Build, modules: readonly GoModule[]): OutputFile[] {
  const bytes = archive(result)
  return [
    { path: archiveName, bytes, immutable: false },
    textFile(`${archiveName}.sha256`, `${sha256(bytes)}  ${archiveName}\n`),
    textFile('immudb-webconsole.cdx.json', withBinary(result.bill, modules)),
  ]
}

/** The output as the archive that immudb's Makefile unpacks as its console. */
export function archive(result: Build): Uint8Array {
  const inside = result.files.map((file) => ({ ...file, path: `dist/${file.path}` }))
  const bytes = gzipSync(tar(inside), { level: 9 })
  bytes[9] = unknownSystem
  return bytes
}

async function main(): Promise<void> {
  const folder = join(root, '.cache/pack')
  mkdirSync(folder, { recursive: true })
  const result = await build()
  requireBudgets(result)
  for (const { path, bytes } of pack(result, goModules(root))) {
    writeFileSync(join(folder, path), bytes)
    console.log(`${String(bytes.length).padStart(9)}  ${join(folder, path)}`)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  })
}
