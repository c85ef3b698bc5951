import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** One request and its answer as a real immudb 1.11.1 gave it. */
export type Recorded = {
  readonly group: string
  readonly name: string
  readonly request: { readonly method: string; readonly path: string; readonly body?: unknown }
  readonly response: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    /** The JSON of the answer; absent when it was something else. */
    readonly body?: unknown
    /** The words of an answer that was not JSON. */
    readonly text?: string
  }
}

type Group = { readonly group: string; readonly pairs?: readonly Omit<Recorded, 'group'>[] }

const fixtures = join(dirname(fileURLToPath(import.meta.url)), '../fixtures')
const folder = join(fixtures, 'immudb')

/** Every recorded pair of every group. */
export const recordedPairs: readonly Recorded[] = readdirSync(folder)
  .sort()
  .flatMap((file) => {
    const { group, pairs = [] }: Group = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    return pairs.map((pair) => ({ ...pair, group }))
  })

const byName = new Map(recordedPairs.map((pair) => [`${pair.group}: ${pair.name}`, pair]))

/** The pair of that name, such as `recorded('auth', 'no token')`. */
export function recorded(group: string, name: string): Recorded {
  const pair = byName.get(`${group}: ${name}`)
  if (!pair) throw new Error(`nothing was recorded as ${group}: ${name}`)
  return pair
}

/** The recorded answer as `fetch` would return it. */
export function recordedResponse({ response }: Recorded): Response {
  const text = response.body === undefined ? (response.text ?? '') : JSON.stringify(response.body)
  return new Response(text, { status: response.status, headers: response.headers })
}

/** Whether the answer is the JSON error of the database. */
export function isJsonError({ response }: Recorded): boolean {
  const { body } = response
  return typeof body === 'object' && body !== null && 'error' in body && 'code' in body
}

export type CorpusCase = {
  readonly id: string
  readonly category: string
  readonly name: string
  readonly text?: string
  /** What immudb 1.11.1 made of it, by the place it was put in, such as `dbName`. */
  readonly immudb?: Readonly<Record<string, string>>
}

/** The hostile inputs of one category; a size that would not fit the file is spelled out here. */
export function corpus(category: string): readonly CorpusCase[] {
  const text = readFileSync(join(fixtures, 'corpus.json'), 'utf8')
  const { cases }: { cases: readonly CorpusCase[] } = JSON.parse(text)
  return cases
    .filter((one) => one.category === category)
    .map((one) => ({ ...one, ...(one.text === undefined ? {} : { text: generated(one.text) }) }))
}

function generated(text: string): string {
  const match = /^generate:(.)\*(\d+)$/.exec(text)
  return match ? (match[1] ?? '').repeat(Number(match[2])) : text
}
