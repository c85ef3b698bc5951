import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Build, build, requireBudgets, root, write } from '../../build.ts'
import { type GoParts, goParts } from './go-modules.ts'
import { moduleArchive, moduleName, readModule } from './module-archive.ts'
import { type OutputFile, sha256, textFile, writeAll } from './output.ts'
import { type Binary, withBinaries } from './sbom.ts'
import { programName, serverBinary, thisTarget } from './server-binary.ts'
import { tarGz } from './tar.ts'

export const archiveName = 'immudb-webconsole.tar.gz'
export const billName = 'immudb-webconsole.cdx.json'

/**
 * The files of a pack: the archive, the binary of one system and the Go module with its sources,
 * their checksums as `sha256sum` writes them, and the packages and modules in them.
 */
export function pack(
  result: Build,
  parts: GoParts,
  binary: Binary,
  sources: readonly OutputFile[],
): OutputFile[] {
  const bytes = archive(result)
  const goModule = { path: moduleName, bytes: moduleArchive(result, sources), immutable: false }
  return [
    { path: archiveName, bytes, immutable: false },
    checksums(`${archiveName}.sha256`, [{ path: archiveName, bytes }]),
    textFile(billName, withBinaries(result.bill, [binary], parts)),
    { path: binary.name, bytes: binary.bytes, immutable: false },
    checksums(`${binary.name}.sha256`, [{ path: binary.name, bytes: binary.bytes }]),
    goModule,
    checksums(`${moduleName}.sha256`, [goModule]),
  ]
}

/** The output as the archive that immudb's Makefile unpacks as its console. */
export function archive(result: Build): Uint8Array {
  return tarGz(result.files.map((file) => ({ ...file, path: `dist/${file.path}` })))
}

/** A file that `sha256sum -c` reads. */
export function checksums(
  path: string,
  files: readonly Pick<OutputFile, 'path' | 'bytes'>[],
): OutputFile {
  return textFile(path, files.map((file) => `${sha256(file.bytes)}  ${file.path}\n`).join(''))
}

async function main(): Promise<void> {
  const result = await build()
  requireBudgets(result)
  // The binary embeds what lies there.
  await write(result, join(root, 'embed'))
  const target = thisTarget()
  const binary = { name: programName(target), bytes: serverBinary(root, target) }
  await writeAll(
    join(root, '.cache/pack'),
    pack(result, goParts(root), binary, await readModule(root)),
    new Set([binary.name]),
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  })
}
