import { readFileSync } from 'node:fs'
import type { Plugin } from 'esbuild'

/** How SHA-256 of @noble/hashes takes its state at the start of a block. */
const taken = 'let { A, B, C, D, E, F, G, H } = this;'

/**
 * Marks the eight words of a SHA-256 state as 32-bit integers. They always are, so no result
 * changes. Chromium's engine keeps integers above 31 bits in fields as doubles and would add
 * doubles in every round; with the mark it hashes twice as fast.
 * @throws when the library's text has changed, so that this is not lost unnoticed
 */
export function integerWords(source: string): string {
  const [before, after, ...others] = source.split(taken)
  if (after === undefined || others.length > 0) {
    throw new Error(`@noble/hashes/sha2.js does not have exactly one “${taken}”`)
  }
  const words = [...'ABCDEFGH'].map((word) => `${word} |= 0;`).join(' ')
  return `${before}${taken} ${words}${after}`
}

/** Applies `integerWords` while bundling. */
export const integerWordsOfHashes: Plugin = {
  name: 'integer-words',
  setup(build) {
    build.onLoad({ filter: /@noble[\\/]hashes[\\/]sha2\.js$/ }, ({ path }) => ({
      contents: integerWords(readFileSync(path, 'utf8')),
      loader: 'js',
    }))
  },
}
