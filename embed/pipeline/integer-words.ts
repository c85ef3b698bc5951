import { readFileSync } from 'node:fs'
import type { Plugin } from 'esbuild'

/** How SHA-256 of @noble/hashes takes its state at the start of a block. */
const taken = 'let { A, B, C, D, E, F, G, H } = this;'

/**
 * Says that the eight words of a SHA-256 state are integers of 32 bits, which changes no result:
 * they always are. An engine that keeps integers above 31 bits in fields as doubles, as that of
 * Chromium does, would add doubles in every round; so it hashes twice as fast.
 * @throws when the library has another text there, so that nobody loses this unawares
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
