// @vitest-environment node
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { beforeAll, describe, expect, test } from 'vitest'
import { integerWords, integerWordsOfHashes } from '../../embed/pipeline/integer-words.ts'

const library = fileURLToPath(import.meta.resolve('@noble/hashes/sha2.js'))

describe('hashes as the build has them', () => {
  let hash: (bytes: Uint8Array) => Uint8Array

  beforeAll(async () => {
    const { outputFiles } = await build({
      entryPoints: ['src/proof/hash.ts'],
      bundle: true,
      format: 'esm',
      write: false,
      plugins: [integerWordsOfHashes],
    })
    const [script] = outputFiles
    expect(script?.text).toMatch(/A \|= 0;\s*B \|= 0;/)
    const address = `data:text/javascript,${encodeURIComponent(script?.text ?? '')}`
    hash = (await import(/* @vite-ignore */ address)).hash
  })

  test('are those of SHA-256 for every length up to three blocks', () => {
    for (let length = 0; length <= 3 * 64; length += 1) {
      const bytes = Uint8Array.from({ length }, (_, at) => (at * 151 + length * 7) % 256)
      const known = createHash('sha256').update(bytes).digest('hex')
      expect(Buffer.from(hash(bytes)).toString('hex'), `${length} bytes`).toBe(known)
    }
  })
})

describe('a library with another text', () => {
  const text = readFileSync(library, 'utf8')

  test('is not taken', () => {
    expect(() => integerWords(text.replace('let { A, B', 'var { A, B'))).toThrow('exactly one')
    expect(() => integerWords(text + text)).toThrow('exactly one')
  })
})
