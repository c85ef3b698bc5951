import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { mediaType, type OutputFile } from './output.ts'

const brotli = promisify(brotliCompress)

/** Below this a compressed copy saves less than a packet. */
const worthwhile = 512

/**
 * Brotli copies (quality 11, `<path>.br`) of the text files for which one pays. They are written
 * beside the output, never into it: a plain file server could not use them.
 */
export async function compress(files: readonly OutputFile[]): Promise<OutputFile[]> {
  const copies = await Promise.all(
    files.filter(compressible).map(async (file) => ({
      path: `${file.path}.br`,
      bytes: await compressOne(file.bytes),
      immutable: file.immutable,
      original: file.bytes.length,
    })),
  )
  return copies
    .filter((copy) => copy.bytes.length < copy.original)
    .map(({ path, bytes, immutable }) => ({ path, bytes, immutable }))
}

function compressible(file: OutputFile): boolean {
  return file.bytes.length >= worthwhile && !mediaType(file.path).startsWith('image/png')
}

function compressOne(bytes: Uint8Array): Promise<Buffer> {
  return brotli(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  })
}
