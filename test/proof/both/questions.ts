import { readdirSync, readFileSync } from 'node:fs'
import type { Context } from '~/proof/kernel/context'
import type { GivenState } from '../../support/file-word'
import { type Mutation, mutationAt, type Path, placesOf, splices } from '../../support/mutations'
import { vectorFiles, vectorsOf } from '../../support/proofs'
import type { Question } from './agree'

type Random = () => number

const folder = 'test/fixtures/files'
const names = readdirSync(folder).filter((name) => name !== 'index.json')

/** The files for others, as bytes. */
export const filed = names.map((name) => ({ name, bytes: readFileSync(`${folder}/${name}`) }))

/** All recorded answers, and what the files for others ask. */
export const recorded: readonly Question[] = [
  ...vectorFiles.flatMap((file) =>
    vectorsOf(file).map(({ name, verify: kind, context, request, response }): Question => {
      return { kind, context, request, response, from: `${file} ${name}` }
    }),
  ),
  ...filed.map(({ name, bytes }): Question => {
    const { kind, context, request, response } = JSON.parse(String(bytes))
    return { kind, context: { ...context, isOnlySeen: true }, request, response, from: name }
  }),
]

const recordedSingly = recorded.filter(({ kind }) => kind !== 'fork')

const one = <T>(of: readonly T[], random: Random): T => {
  const found = of[Math.floor(random() * of.length)]
  if (found === undefined) throw new Error('there is none')
  return found
}

const parts = ['response', 'response', 'response', 'response', 'request', 'context'] as const
type Part = (typeof parts)[number]

const places = new Map<string, readonly Path[]>()

/** Where a part of a recorded answer can be changed. */
function placesIn(question: Question, part: Part): readonly Path[] {
  const key = `${question.from} ${part}`
  const found = places.get(key) ?? placesOf(question[part] ?? null)
  places.set(key, found)
  return found
}

const zeros = Buffer.alloc(32).toString('base64')

/** Further changes: lists that are too long, values of requests and contexts, another order. */
function oddities(value: unknown, random: Random): unknown {
  if (Array.isArray(value)) {
    const longer = one([64, 65, 66, 300], random)
    return random() < 0.5
      ? [...value, ...Array.from({ length: longer }, () => value[0] ?? zeros)]
      : value.map((item) => oddities(item, random))
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([name, child]) => [name, oddities(child, random)])
    const order = random() < 0.5 ? entries.reverse() : entries
    return Object.fromEntries(order)
  }
  if (random() < 0.9) return value
  return one(
    [
      '',
      '0',
      '1',
      '-1',
      '18446744073709551615',
      '9223372036854775808',
      zeros,
      0,
      1,
      -0,
      1e21,
      true,
    ],
    random,
  )
}

/**
 * A recorded answer; mostly the shorter of two, since a long one takes many times as long, and
 * seldom a fork, whose two signatures take most of the time.
 */
function oneOf(random: Random): Question {
  const from = random() < 0.1 ? recorded : recordedSingly
  const [first, second] = [one(from, random), one(from, random)]
  if (random() < 0.2) return first
  return placesIn(first, 'response').length < placesIn(second, 'response').length ? first : second
}

/** A recorded answer with one or two changes, most of them without the key that takes time. */
export function changed(random: Random): Question {
  let question = oneOf(random)
  const { context } = question
  if (context?.publicKey && random() < 0.97 && question.kind !== 'fork') {
    question = { ...question, context: { ...context, publicKey: null } }
  }
  const rounds = random() < 0.8 ? 1 : 2
  let { from } = question
  for (let round = 0; round < rounds; round += 1) {
    const part = one(parts, random)
    const dice = random()
    if (dice < 0.08) {
      question = { ...question, [part]: oddities(question[part], random) }
      from = `${from}, ${part}: odd`
      continue
    }
    const change = dice < 0.12 ? spliced(question, part, random) : mutated(question, part, random)
    if (!change) continue
    const { path, how, apply } = change
    question = { ...question, [part]: apply() as Context }
    from = `${from}, ${part}.${path}: ${how}`
  }
  return { ...question, from }
}

/** A part of another recorded answer in the place of the one of the same name. */
function spliced(question: Question, part: Part, random: Random): Mutation | null {
  const changes = splices(question[part], one(recorded, random)[part])
  return changes.length === 0 ? null : one(changes, random)
}

/** The places of what was changed before may be gone; then nothing is changed. */
const mutated = (question: Question, part: Part, random: Random): Mutation | null =>
  mutationAt(question[part] ?? null, one(placesIn(question, part), random), random)

const escaped = (text: string) =>
  [...text].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')

/** What is written otherwise, or damaged, in the text of a file. */
const rewrites: readonly (readonly [
  how: string,
  change: (text: string, random: Random) => string,
])[] = [
  ['as it is', (text) => text],
  [
    'a letter changed',
    (text, random) => {
      const at = Math.floor(random() * text.length)
      const letter = one([...'0123456789abcXYZ"{}[],:\\ \n\u0000+/=-.eE'], random)
      return `${text.slice(0, at)}${letter}${text.slice(at + 1)}`
    },
  ],
  ['cut off', (text, random) => text.slice(0, Math.floor(random() * text.length))],
  [
    'a piece gone',
    (text, random) => {
      const at = Math.floor(random() * text.length)
      return text.slice(0, at) + text.slice(at + 1 + Math.floor(random() * 40))
    },
  ],
  [
    'a piece twice',
    (text, random) => {
      const at = Math.floor(random() * text.length)
      const piece = text.slice(at, at + 1 + Math.floor(random() * 200))
      return text.slice(0, at) + piece + text.slice(at)
    },
  ],
  [
    'a name twice',
    (text, random) => {
      const lines = text.split('\n')
      const at = Math.floor(random() * lines.length)
      const line = lines[at] ?? ''
      const other =
        random() < 0.5 ? line : line.replace(/"(\w)/, (_, letter) => `"${escaped(letter)}`)
      return [
        ...lines.slice(0, at),
        line.endsWith(',') ? line : `${line},`,
        other,
        ...lines.slice(at + 1),
      ].join('\n')
    },
  ],
  [
    'a name escaped',
    (text) => text.replace(/"(what|kind|context|db)"/g, (_, name) => `"${escaped(name)}"`),
  ],
  [
    'numbers in another notation',
    (text, random) =>
      text.replace(
        /: (\d+)(?=[,\n])/g,
        (_, digits) => `: ${digits}${one(['', '.0', 'e0', 'E+0'], random)}`,
      ),
  ],
  [
    'a half character',
    (text, random) =>
      text.replace(
        /"(\w{2})/,
        (_, letters) =>
          `"${one(['\\ud800', '\\udc00', '\\uD83D\\uDE00', '\\ud800\\ud800'], random)}${letters}`,
      ),
  ],
  ['no order', (text) => JSON.stringify(shuffled(JSON.parse(text)))],
  [
    'deep',
    (text, random) => {
      const levels = one([490, 498, 499, 500, 501, 600], random)
      return text.replace('{', `{"deep": ${'['.repeat(levels)}${']'.repeat(levels)},`)
    },
  ],
  [
    'surplus',
    (text, random) =>
      text.replace(
        /\{\n/,
        `{\n"${one(['more', '__proto__', 'toString', 'report'], random)}": {"any": [1, null]},\n`,
      ),
  ],
  ['a mark of order', (text) => `\ufeff${text}`],
  ['white space', (text) => `\n\t ${text.replace(/,/g, ' ,\r\n')} \n`],
]

const shuffled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shuffled)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, child]) => [name, shuffled(child)]),
  )
}

export type FileQuestion = {
  bytes: Uint8Array<ArrayBuffer>
  states: GivenState[]
  /** Base64 of 65 bytes each. */
  keys: string[]
  from: string
}

/** The keys in all files. */
const keys: readonly string[] = [
  ...new Set(
    filed.flatMap(({ bytes }) => {
      const { context, outcome } = JSON.parse(String(bytes))
      const sides: { key: string | null }[] = outcome.facts?.sides ?? []
      return [context.publicKey, ...sides.map(({ key }) => key)].filter((key) => key !== null)
    }),
  ),
]

/** A file with something rewritten in it, beside no state, its own, or another, and some keys. */
export function changedFile(random: Random): FileQuestion {
  const { name, bytes } = one(filed, random)
  const { context, server, report } = JSON.parse(String(bytes))
  const [how, rewrite] = one(rewrites, random)
  const text = rewrite(String(bytes), random)
  const changedBytes = Uint8Array.from(Buffer.from(text))
  const isBroken = random() < 0.05
  if (isBroken)
    changedBytes[Math.floor(random() * changedBytes.length)] = 0x80 + Math.floor(random() * 128)
  const own = {
    database: context.db,
    server: server.uuid,
    address: server.origin,
    // One file has a hash that is none.
    ...(report?.point ?? context.trusted),
  }
  const states: GivenState[] = context.trusted && random() < 0.7 ? [own] : []
  if (random() < 0.1) for (const state of states) state.txHash = zeros
  return {
    bytes: changedBytes,
    states,
    keys:
      random() < 0.4 ? [one(keys, random), one(keys, random)].slice(random() < 0.5 ? 1 : 0) : [],
    from: `${name}: ${how}${isBroken ? ', with a byte that is no UTF-8' : ''}`,
  }
}
