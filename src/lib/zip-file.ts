import { strToU8, zipSync } from 'fflate'

/** A file in an archive; a text becomes UTF-8. */
export type ArchivedFile = { path: string; content: string | Uint8Array }

/** A zip archive of files, which every system opens by itself. `at`: milliseconds since 1970. */
export function zipOf(files: readonly ArchivedFile[], at: number): Uint8Array<ArrayBuffer> {
  const entries = files.map(({ path, content }) => [
    path,
    typeof content === 'string' ? strToU8(content) : content,
  ])
  return zipSync(Object.fromEntries(entries), { mtime: at })
}
