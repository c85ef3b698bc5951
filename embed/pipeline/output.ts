import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'

/** One emitted file. `path` is relative to the output folder, `immutable` = its name has its hash. */
export type OutputFile = {
  readonly path: string
  readonly bytes: Uint8Array
  readonly immutable: boolean
}

/** Media types of everything the build may emit; an unknown ending fails the build. */
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.txt': 'text/plain; charset=utf-8',
}

/** The media type for a file name; throws for types that the build must not emit. */
export function mediaType(path: string): string {
  const type = types[extname(path)]
  if (!type) throw new Error(`no media type for ${path}`)
  return type
}

/** SHA-256, in hex unless said otherwise. */
export function sha256(bytes: Uint8Array | string, encoding: 'hex' | 'base64' = 'hex'): string {
  return createHash('sha256').update(bytes).digest(encoding)
}

/** Puts a file below `assets/` under a name that changes with its content. */
export function hashedAsset(name: string, bytes: Uint8Array): OutputFile {
  const ending = extname(name)
  const stem = name.slice(0, name.length - ending.length)
  const hash = sha256(bytes).slice(0, 8).toUpperCase()
  return { path: `assets/${stem}-${hash}${ending}`, bytes, immutable: true }
}

/** A file of text below a fixed name, such as a page. */
export function textFile(path: string, text: string): OutputFile {
  return { path, bytes: new TextEncoder().encode(text), immutable: false }
}

/** Writes files into a folder, beside what is there, and says how large each is. */
export async function writeAll(
  folder: string,
  files: readonly OutputFile[],
  programs: ReadonlySet<string> = new Set(),
): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const { path, bytes } of files) {
    await writeFile(join(folder, path), bytes, { mode: programs.has(path) ? 0o755 : 0o644 })
    console.log(`${String(bytes.length).padStart(9)}  ${join(folder, path)}`)
  }
}

/** Orders by path, byte by byte, so that no locale decides about the output. */
export function byPath<T extends { readonly path: string }>(files: readonly T[]): T[] {
  return [...files].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
}

/**
 * Replaces the content of a folder, keeping `.gitkeep`. Refuses a folder that is neither empty nor
 * an earlier output, so that a mistyped path deletes nothing.
 */
export async function replaceFolder(folder: string, files: readonly OutputFile[]): Promise<void> {
  await emptyFolder(folder, files)
  for (const file of files) {
    const target = join(folder, file.path)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, file.bytes)
  }
}

async function emptyFolder(folder: string, files: readonly OutputFile[]): Promise<void> {
  const present = existsSync(folder) ? await readdir(folder) : []
  const ours = new Set(['.gitkeep', 'manifest.json', ...files.map((f) => f.path.split('/')[0])])
  if (present.length > 0 && !present.some((name) => ours.has(name))) {
    throw new Error(`${folder} does not look like an output folder; not touched`)
  }
  // The manifest goes first: its presence means a complete build.
  await rm(join(folder, 'manifest.json'), { force: true })
  for (const name of present) {
    if (name !== '.gitkeep') await rm(join(folder, name), { recursive: true, force: true })
  }
}
