import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { brotliDecompressSync, constants, gunzipSync, inflateSync } from 'node:zlib'

/** The browser's databases, which may keep deleted records until they compact. */
const databases = /(^|\/)(IndexedDB|Local Storage|Session Storage)\//

/** Where in a profile folder a text was found. */
export type Leak = { readonly file: string; readonly text: string; readonly isDatabase: boolean }

/**
 * Searches every file of a closed profile: as it lies there, in UTF-16 and in base64, and what its
 * cached answers are once decompressed.
 */
export function searchProfile(folder: string, texts: readonly string[]): readonly Leak[] {
  const found: Leak[] = []
  for (const path of filesBelow(folder)) {
    const bytes = readFileSync(path)
    const views = [bytes, ...decompressed(bytes)]
    const file = relative(folder, path)
    for (const text of texts) {
      const isThere = spellings(text).some((one) => views.some((view) => view.includes(one)))
      if (isThere) found.push({ file, text, isDatabase: databases.test(file) })
    }
  }
  return found
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** Base64 of a text depends on where it begins; the ends that its neighbours change are cut off. */
function spellings(text: string): Buffer[] {
  const shifted = [0, 1, 2].map((shift) => {
    const coded = Buffer.from(`${' '.repeat(shift)}${text}`).toString('base64')
    return Buffer.from(coded.slice(shift === 0 ? 0 : 4, -4).replace(/=+$/, ''))
  })
  return [Buffer.from(text), Buffer.from(text, 'utf16le'), ...shifted]
}

/** First bytes and head of an entry of Chromium's simple cache; its key and its body follow. */
const cacheMagic = Buffer.from('305c72a71b6dfbfc', 'hex')
const cacheHead = 24

function decompressed(bytes: Buffer): Buffer[] {
  if (!bytes.subarray(0, 8).equals(cacheMagic)) return []
  const body = bytes.subarray(cacheHead + bytes.readUInt32LE(12))
  // Other data follows the body in the file, so decompression ends where reading fails.
  const brotli = { finishFlush: constants.BROTLI_OPERATION_FLUSH }
  const zlib = { finishFlush: constants.Z_SYNC_FLUSH }
  return [
    () => brotliDecompressSync(body, brotli),
    () => gunzipSync(body, zlib),
    () => inflateSync(body, zlib),
  ].flatMap((read) => {
    try {
      return [read()]
    } catch {
      return []
    }
  })
}
