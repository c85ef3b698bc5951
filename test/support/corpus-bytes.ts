import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

type Case = {
  readonly id: string
  readonly category: string
  readonly name: string
  readonly use: readonly string[]
  readonly text?: string
  readonly hex?: string
  readonly generate?: string
}

export type ByteCase = Pick<Case, 'id' | 'category' | 'name' | 'use'> & { readonly bytes: Buffer }

const path = join(dirname(fileURLToPath(import.meta.url)), '../fixtures/corpus.json')
const { cases }: { cases: readonly Case[] } = JSON.parse(readFileSync(path, 'utf8'))

/** Every case of the corpus as bytes, sizes spelled out; `use` picks those meant for a place. */
export function corpusBytes(use?: string): readonly ByteCase[] {
  return cases
    .filter((one) => use === undefined || one.use.includes(use))
    .map(({ id, category, name, use: uses, ...of }) => ({
      id,
      category,
      name,
      use: uses,
      bytes: bytesOf(of),
    }))
}

function bytesOf({ text, hex, generate }: Pick<Case, 'text' | 'hex' | 'generate'>): Buffer {
  if (hex !== undefined) return Buffer.from(hex, 'hex')
  if (text !== undefined) return Buffer.from(text)
  return Buffer.from(generated(generate ?? ''))
}

const words: Readonly<Record<string, string>> = { space: ' ', emoji: '😀' }

/** Builds what the corpus describes in a few characters, such as `space*50000+x`. */
function generated(recipe: string): string {
  const [, what = '', count = '0', end = ''] = /^(.+)\*(\d+)(?:\+(.))?$/.exec(recipe) ?? []
  const times = Number(count)
  if (what === '[') return '['.repeat(times) + ']'.repeat(times)
  if (what === '{k:i}') {
    return `{${Array.from({ length: times }, (_, at) => `"k${at}":${at}`).join(',')}}`
  }
  return (words[what] ?? what).repeat(times) + end
}
