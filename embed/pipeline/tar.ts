import { gzipSync } from 'node:zlib'

/** A file in an archive. */
export type ArchivedFile = {
  readonly path: string
  readonly bytes: Uint8Array
  /** Whether it can be run. */
  readonly isProgram?: boolean
}

const block = 512

/** How gzip's header says "unknown system"; otherwise it would name the system of the build. */
const unknownSystem = 255

/** The same, compressed. */
export function tarGz(files: readonly ArchivedFile[]): Uint8Array {
  const bytes = gzipSync(tar(files), { level: 9 })
  bytes[9] = unknownSystem
  return bytes
}

/**
 * A tar archive (ustar, POSIX 1003.1-1988) of files and their folders: sorted, owned by nobody,
 * dated 1970, so equal files give equal bytes.
 */
export function tar(files: readonly ArchivedFile[]): Uint8Array {
  const empty = new Uint8Array()
  const entries = [
    ...foldersOf(files).map((path) => ({ path: `${path}/`, bytes: empty, mode: 0o755 })),
    ...files.map(({ path, bytes, isProgram }) => ({
      path,
      bytes,
      mode: isProgram ? 0o755 : 0o644,
    })),
  ].sort((a, b) => (a.path < b.path ? -1 : 1))
  const parts = entries.flatMap(({ path, bytes, mode }) => [
    header(path, bytes.length, mode),
    bytes,
    new Uint8Array((block - (bytes.length % block)) % block),
  ])
  return Buffer.concat([...parts, new Uint8Array(2 * block)])
}

function foldersOf(files: readonly ArchivedFile[]): string[] {
  const folders = new Set<string>()
  for (const { path } of files) {
    const names = path.split('/').slice(0, -1)
    for (let depth = 1; depth <= names.length; depth++) folders.add(names.slice(0, depth).join('/'))
  }
  return [...folders]
}

function header(path: string, size: number, mode: number): Uint8Array {
  if (Buffer.byteLength(path) > 100) throw new Error(`${path} is too long for the archive`)
  const isFolder = path.endsWith('/')
  const bytes = Buffer.alloc(block)
  const octal = (value: number, at: number, width: number): void => {
    bytes.write(`${value.toString(8).padStart(width - 1, '0')}\0`, at)
  }
  bytes.write(path, 0)
  octal(mode, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(size, 124, 12)
  octal(0, 136, 12)
  bytes.fill(' ', 148, 156)
  bytes.write(isFolder ? '5' : '0', 156)
  bytes.write('ustar\x0000', 257, 'latin1')
  const sum = bytes.reduce((total, byte) => total + byte, 0)
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return bytes
}
