// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

type Sources = ReadonlyMap<string, string>

/** Who reads the words of the server; everybody else asks for the reason or the kind that they give. */
const readers = [
  'export function reasonOf',
  // A statement's own refusals, fetched with the first of them.
  'export function readSqlRefusal',
  // A recorded answer in a file of evidence, by an engine that knows no network.
  'function saysIllegalState',
]
/** Its file is a reader. */
const hasReader = new RegExp(`^(?:${readers.join('|')})\\b`, 'm')

const phrase = '[a-z]{2,} [a-z]{2,}'
/** A pattern that holds this, as it is written in the source. */
const literalWith = (held: string) => {
  const part = String.raw`(?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\n\\])*`
  const start = String.raw`(?<=[(=,:[?|&!]\s*|return\s+|^\s*)(?<!\]\()/(?![/*])`
  return new RegExp(`${start}${part}${held}${part}/[dgimsuvy]{0,4}(?=[\\s.,)\\];]|$)`, 'm')
}

/** What reads a text to find out what happened. */
const readings: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a pattern with words of a sentence', literalWith(phrase)],
  [
    'a pattern on the words of a failure',
    /\.(test|exec)\(\s*([\w?.!]*\.)?(message|(error|failure|refusal|outcome|told)[\w?.!]*\.text)\b/,
  ],
  [
    'a search in the words of a failure',
    /\b(message|(error|failure|refusal|outcome|told)[\w?.!]*\.text)\s*[?!]?\.(includes|startsWith|endsWith|indexOf|match|search)\(/,
  ],
  [
    'a comparison with the words of a failure',
    /\berror\.message\s*[!=]==|(?<!typeof \w*)\.message\s*[!=]==\s*['"`A-Z]/,
  ],
  ['a comparison with a sentence', /[!=]==\s*(['"`])[A-Z][^'"`\n]* [^'"`\n]* [^'"`\n]*\1/],
  ['a comparison with a sentence of many places', /[!=]==\s*messages\.|\bmessages\.\w+\s*[!=]==/],
  [
    'a search for a sentence',
    new RegExp(String.raw`\.(includes|startsWith|endsWith)\('[^'\n]*${phrase}`),
  ],
]

/** Every place outside of the readers where words decide what the console does. */
function readingsIn(sources: Sources): string[] {
  const sentences = sentencesOf(sources)
  return [...sources].flatMap(([path, source]) => {
    if (hasReader.test(source)) return []
    const code = source.replace(/^\s*\/\*[\s\S]*?\*\//gm, '').replace(/^\s*\/\/.*$/gm, '')
    const found = readings.filter(([, pattern]) => pattern.test(code)).map(([what]) => what)
    const compared = [/[!=]==\s*(\w+)\b/g, /\b(\w+)\s*[!=]==/g]
      .flatMap((pattern) => [...code.matchAll(pattern)].map(([, name = '']) => name))
      .find((name) => sentences.has(name) && isOf(code, name))
    if (compared) found.push(`a comparison with the sentence ${compared}`)
    return found.map((what) => `${path}: ${what}`)
  })
}

/** Whether the file has a constant of this name, or imports it. */
function isOf(code: string, name: string): boolean {
  return new RegExp(`^(export )?const ${name}\\b|^import \\{[^}]*\\b${name}\\b`, 'm').test(code)
}

/** Constants of files that hold a sentence. */
function sentencesOf(sources: Sources): Set<string> {
  const constant = /^(?:export )?const (\w+)(?:: string)? =\s*(['`])[A-Z][^\n]* [^\n]* [^\n]*\2$/gm
  return new Set(
    [...sources.values()].flatMap((source) =>
      [...source.matchAll(constant)].map(([, name = '']) => name),
    ),
  )
}

const sources: Sources = new Map(
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => [join('src', name), readFileSync(join('src', name), 'utf8')]),
)

test('what the server says is read in one place, and what the console says nowhere', () => {
  expect(readingsIn(sources)).toEqual([])
})

test('every reader is there and reads', () => {
  const files = [...sources.values()].filter((source) => hasReader.test(source))
  expect(files).toHaveLength(readers.length)
  for (const source of files) expect(source).toMatch(literalWith(phrase))
})

describe('a place that reads is found:', () => {
  test.each([
    'const isGone = /does not exist/.test(words)',
    'const words = [\n  /^key not found/,\n]',
    'outcomeOf(write, /already exists/)',
    'if (error instanceof ApiError && /^locked/.test(error.message)) return',
    'const isOld = /old/i.test(write.failure?.text)',
    "if (error.message.includes('closed')) return",
    "if (failure.text.startsWith('Not')) return",
    "if (error.message === 'closed') return",
    "if (text === 'The server has no entry.') return",
    'const isForeign = loss === messages.anotherServer',
    "const isNew = said.includes('not found')",
    "const lateWhy =\n  'The storage has not answered.'\nconst isLate = trust.why === lateWhy",
  ])('%s', (code) => {
    expect(readingsIn(new Map([['src/atoms/a.ts', code]]))).toHaveLength(1)
    const reader = `${code}\nexport function reasonOf(text: string) {}`
    expect(readingsIn(new Map([['src/atoms/a.ts', reader]]))).toEqual([])
  })

  test('also in a file that only imports the sentence', () => {
    const late = "export const lateWhy =\n  'The storage has not answered.'"
    const use = "import { lateWhy } from './a'\nexport const isLate = trust.why === lateWhy"
    const found = readingsIn(
      new Map([
        ['src/atoms/a.ts', late],
        ['src/atoms/b.ts', use],
      ]),
    )
    expect(found).toEqual(['src/atoms/b.ts: a comparison with the sentence lateWhy'])
  })
})

describe('what reads no sentence is let through:', () => {
  test.each([
    '<Open /> : <Close database={database} />',
    '// as in /does not exist/.test(text)',
    'const parts = text.split(/\\s+/)',
    "const isKey = mark.includes('PRIMARY KEY')",
    "if (error.reason === 'key-not-found') return",
    "if (expected === 'name or end') return",
    'const half = total / 2 as const, other = 4 / two',
  ])('%s', (code) => {
    expect(readingsIn(new Map([['src/atoms/a.ts', code]]))).toEqual([])
  })
})
