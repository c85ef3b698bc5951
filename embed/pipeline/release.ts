import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Build, build, requireBudgets, root, write } from '../../build.ts'
import { type GoParts, goParts } from './go-modules.ts'
import { binaryLicences, licencesPath } from './licences.ts'
import { moduleArchive, moduleName, readModule } from './module-archive.ts'
import { type OutputFile, textFile, writeAll } from './output.ts'
import { archive, archiveName, billName, checksums } from './pack.ts'
import { withBinaries } from './sbom.ts'
import { programName, serverBinary, type Target, targets, thisTarget } from './server-binary.ts'
import { tarGz } from './tar.ts'
import { verifyPagePath } from './verify-page.ts'

/** What of the repository goes into the archives: beside each program, and for the Go module. */
export type Beside = {
  readonly licence: string
  readonly usage: string
  readonly unit: string
  readonly module: readonly OutputFile[]
}

/** A program that was built for a system. */
export type Built = { readonly target: Target; readonly bytes: Uint8Array }

/**
 * The files of a release: an archive for each system with the program, its licences and its help,
 * the console for immudb's own build, the Go module for programs of others, one bill of materials,
 * the page that checks evidence from a disk, and the checksums of all.
 */
export function release(
  result: Build,
  parts: GoParts,
  programs: readonly Built[],
  beside: Beside,
): OutputFile[] {
  const text = new TextDecoder()
  const ofConsole = result.files.find(({ path }) => path === licencesPath)
  if (!ofConsole) throw new Error(`the console has no ${licencesPath}`)
  const licences = binaryLicences(parts, text.decode(ofConsole.bytes))
  const archives = programs.map(({ target, bytes }) => ({
    path: `${nameOf(target)}.tar.gz`,
    bytes: tarGz([
      { path: `webconsole/${programName(target)}`, bytes, isProgram: true },
      textFile('webconsole/LICENSE', beside.licence),
      textFile('webconsole/licences.txt', licences),
      textFile('webconsole/usage.txt', beside.usage),
      ...(target.system === 'linux'
        ? [textFile('webconsole/webconsole.service', beside.unit)]
        : []),
    ]),
    immutable: false,
  }))
  const page = result.files.find(({ path }) => path === verifyPagePath)
  if (!page) throw new Error(`the console has no ${verifyPagePath}`)
  const named = programs.map(({ target, bytes }) => ({ name: nameOf(target), bytes }))
  const files = [
    ...archives,
    { path: archiveName, bytes: archive(result), immutable: false },
    { path: moduleName, bytes: moduleArchive(result, beside.module), immutable: false },
    textFile(billName, withBinaries(result.bill, named, parts)),
    page,
  ]
  return [...files, checksums('SHA256SUMS', files)]
}

function nameOf({ system, processor }: Target): string {
  return `webconsole-${system}-${processor}`
}

/** Reads what goes beside the program. */
export async function readBeside(): Promise<Beside> {
  const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')
  return {
    licence: await read('LICENSE'),
    usage: await read('embed/server/usage.txt'),
    unit: await read('embed/server/webconsole.service'),
    module: await readModule(root),
  }
}

async function main(): Promise<void> {
  const result = await build()
  requireBudgets(result)
  // The programs embed what lies there.
  await write(result, join(root, 'embed'))
  const wanted = process.argv.includes('--this-system') ? [thisTarget()] : targets
  const programs: Built[] = []
  for (const target of wanted) {
    console.log(`Building for ${target.system}/${target.processor} …`)
    programs.push({ target, bytes: serverBinary(root, target) })
  }
  const folder = join(root, '.cache/release')
  await rm(folder, { recursive: true, force: true })
  await writeAll(folder, release(result, goParts(root), programs, await readBeside()))
  // The image takes its data folder from here: it has no shell that could make one.
  await mkdir(join(folder, 'empty'))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  })
}
