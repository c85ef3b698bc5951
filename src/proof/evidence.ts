import { decodeUtf8 } from '~/lib/bytes'
import { cutText } from '~/lib/visible-text'
import type { Context, TrustedState } from './kernel/context'
import type { ProofError, Reason, StepName } from './kernel/steps'
import type { FactsOf, Kind, Verified } from './kernel/verify'

/** The first field of every file, so that readers recognise it. */
const format = 'immudb webconsole evidence'
/** Increases when this version can no longer read older files. */
const version = 1

/** The outcome of a check in a file; hashes are hex digits. */
export type RecordedOutcome =
  | { verdict: 'ok'; firstUse: boolean; signed: boolean; facts: unknown }
  | {
      verdict: 'refused'
      reason: Reason
      step: StepName
      part: string
      expected: string | null
      received: string | null
    }
  | { verdict: 'unproven'; why: string }

/** One verification with everything needed to repeat it without login or server. */
export type Evidence = {
  /** A description that no proof covers. */
  what: string
  kind: Kind
  /** When it was checked first, ISO 8601. */
  checkedAt: string
  server: { uuid: string | null; origin: string }
  console: { version: string; commit: string; bundle: string }
  /** The state that the browser recorded at first contact. */
  firstContact: (TrustedState & { at: string }) | null
  context: Context
  request: unknown
  response: unknown
  outcome: RecordedOutcome
  /** Further statements by the person who saved it, such as what an audit read. */
  report?: unknown
}

/** A check as it was made. */
export type Checked = {
  kind: Kind
  what: string
  /** Null where nothing needed to be known. */
  context: Context | null
  request: unknown
  response: unknown
  /** Milliseconds since 1970. */
  at: number
  outcome:
    | { kind: 'ok'; verified: Verified<FactsOf[Kind]> }
    | { kind: 'refused'; refusal: RefusedProof }
    | { kind: 'unproven'; why: string }
}

/** The parts of a `ProofError` that files, storage and messages can carry. */
export type RefusedProof = Pick<ProofError, 'reason' | 'step' | 'part' | 'compared' | 'steps'>

export type About = Pick<Evidence, 'server' | 'console' | 'firstContact' | 'report'>

const nothingKnown: Context = { db: '', trusted: null, publicKey: null }

/** The text of a file. It contains the answer and the request, but no token. */
export function writeEvidence(checked: Checked, about: About): string {
  const { kind, what, request, response, at } = checked
  const { db, trusted, publicKey, schema, collectionId, hasNewerForm, mayLackAdvance } =
    checked.context ?? nothingKnown
  const evidence: Evidence = {
    what,
    kind,
    checkedAt: new Date(at).toISOString(),
    server: about.server,
    console: about.console,
    firstContact: about.firstContact,
    context: {
      db,
      trusted,
      publicKey,
      ...(schema === undefined ? {} : { schema }),
      ...(collectionId === undefined ? {} : { collectionId }),
      ...(hasNewerForm === undefined ? {} : { hasNewerForm }),
      ...(mayLackAdvance === undefined ? {} : { mayLackAdvance }),
    },
    request: request ?? null,
    response: response ?? null,
    outcome: recordOutcome(checked.outcome),
    ...(about.report === undefined ? {} : { report: about.report }),
  }
  return `${wellFormed(JSON.stringify({ format, version, ...evidence }, null, 2))}\n`
}

/** JSON with U+FFFD for each escape of half a character: other readers know no halves. */
function wellFormed(json: string): string {
  if (!half.test(json)) return json
  const hex = '[0-9a-fA-F]'
  const [first, second] = [`u[dD][89abAB]${hex}{2}`, `u[dD][c-fC-F]${hex}{2}`]
  const sequences = new RegExp(`\\\\(?:${first}\\\\${second}|(${first}|${second})|[^])`, 'g')
  return json.replace(sequences, (sequence, alone) => (alone ? '\ufffd' : sequence))
}

const half = /\\u[dD][89a-fA-F]/

/** An outcome in the form of a file. */
export function recordOutcome(outcome: Checked['outcome']): RecordedOutcome {
  if (outcome.kind === 'unproven') return { verdict: 'unproven', why: outcome.why }
  if (outcome.kind === 'ok') {
    const { verdict, facts, firstUse, signed } = outcome.verified
    return verdict === 'unproven'
      ? { verdict, why: 'Nothing in the answer carries a proof.' }
      : { verdict, firstUse, signed, facts }
  }
  const { reason, step, part, compared } = outcome.refusal
  const hashes = { expected: compared.expected ?? null, received: compared.computed ?? null }
  return { verdict: 'refused', reason, step, part, ...hashes }
}

const kinds: Readonly<Record<Kind, true>> = {
  state: true,
  tx: true,
  get: true,
  write: true,
  row: true,
  document: true,
  audit: true,
  fork: true,
  error: true,
  none: true,
}

/** The text of a file, which has to be UTF-8; `error` is a sentence. */
export function readEvidenceBytes(bytes: Uint8Array): { text: string } | { error: string } {
  const text = decodeUtf8(bytes)
  if (text === null) return { error: 'This is not an evidence file: it is not UTF-8.' }
  return { text: text.startsWith('\ufeff') ? text.slice(1) : text }
}

/**
 * Reads a file without checking its content. `error` is a sentence.
 * @param tell how much of it was scanned, from 0 to 1
 */
export function readEvidence(
  text: string,
  tell?: (share: number) => void,
): { evidence: Evidence } | { error: string } {
  const json = wellFormed(text)
  const fault = jsonFault(json, tell)
  if (fault) return { error: `This file was not written by this console. ${fault}` }
  const fields = parseFields(json)
  if (fields === null) return { error: 'This is not an evidence file: it is not JSON.' }
  if (fields.format !== format) {
    return { error: 'This is not an evidence file of this console.' }
  }
  if (fields.version !== version) {
    const written = typeof fields.version === 'number' ? fields.version : 'unknown'
    return {
      error: `This file is of version ${written}, and this console reads version ${version}.`,
    }
  }
  const wrong = Object.entries(forms).find(([name, isRight]) => !isRight(fields[name]))
  if (wrong) return { error: `This evidence file is damaged: “${wrong[0]}” cannot be read.` }
  return { evidence: fields as unknown as Evidence } // each field was looked at just now
}

function parseFields(text: string): Fields | null {
  try {
    return asFields(JSON.parse(text))
  } catch {
    return null
  }
}

type Fields = Readonly<Record<string, unknown>>

/** The value when it is an object and no list. */
export function asFields(value: unknown): Fields | null {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Fields) : null // every object has fields of some kind
}

type Form = (value: unknown) => boolean

/** No real name or sentence is longer. A longer one can only be there to block the page. */
const longestText = 100_000

const isText: Form = (value) => typeof value === 'string' && value.length <= longestText
const isTx: Form = (value) => isText(value) && /^\d{1,20}$/.test(String(value))
const isTextOrNull: Form = (value) => value === null || isText(value)
/** A moment that exists; engines take a 30th of February for the 2nd of March. */
const isTime: Form = (value) => {
  const text = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d{1,9})?Z$/.exec(String(value))?.[1]
  const time = typeof value === 'string' && text ? Date.parse(`${text}Z`) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(`${text}`)
}

/** An object whose fields have these forms; it may have others too. */
function of(fields: Readonly<Record<string, Form>>): Form {
  return (value) => {
    const given = asFields(value)
    return given !== null && Object.entries(fields).every(([name, has]) => has(given[name]))
  }
}

const either =
  (...each: Form[]): Form =>
  (value) =>
    each.some((has) => has(value))
const isNull: Form = (value) => value === null
const is = (wanted: unknown): Form => {
  return (value) => value === wanted
}
const isFlag: Form = (value) => typeof value === 'boolean'
const isThere: Form = (value) => value !== undefined

/** The parts that are verified again may have any form: the check itself refuses wrong ones. */
const forms: Readonly<Record<keyof Omit<Evidence, 'report'>, Form>> = {
  what: isText,
  kind: (value) => isText(value) && Object.hasOwn(kinds, String(value)),
  checkedAt: isTime,
  server: of({ uuid: isTextOrNull, origin: isText }),
  console: of({ version: isText, commit: isText, bundle: isText }),
  firstContact: either(isNull, of({ at: isTime, txId: isTx, txHash: isText })),
  context: of({
    db: isText,
    trusted: either(isNull, of({ txId: isTx, txHash: isText })),
    publicKey: isTextOrNull,
  }),
  request: isThere,
  response: isThere,
  outcome: either(
    of({ verdict: is('ok'), firstUse: isFlag, signed: isFlag, facts: isThere }),
    of({
      verdict: is('refused'),
      reason: isText,
      step: isText,
      part: isText,
      expected: isTextOrNull,
      received: isTextOrNull,
    }),
    of({ verdict: is('unproven'), why: isText }),
  ),
}

/** Levels of lists and objects in a file; no document in immudb has as many. */
const deepest = 500
/** Most names in one object, such as a document with many fields. */
const mostNames = 1_000_000
/**
 * Most lists, objects and commas in a file: several times as many as the largest answers of immudb
 * have. Wherever the content is walked through, each costs far more than its characters.
 */
const mostValues = 3_000_000
/** Characters between two reports. */
const reported = 4_194_304

type Level = { names: Set<string> | null }

/**
 * Why this console did not write a JSON text, as a sentence, or null. Deep nesting would break code
 * that walks through it. With a repeated name, two readers could see different contents. The parser
 * decides whether it is JSON at all.
 * @param tell how much of it was read, from 0 to 1
 */
export function jsonFault(text: string, tell: (share: number) => void = () => {}): string | null {
  const levels: Level[] = []
  let [told, values] = [0, 0]
  for (let at = 0; at < text.length; at += 1) {
    if (at - told >= reported) {
      told = at
      tell(at / text.length)
    }
    const sign = text[at]
    if (sign === ',' || sign === '{' || sign === '[') {
      values += 1
      if (values > mostValues) return 'It has too many values.'
    }
    if (sign === '{' || sign === '[') {
      levels.push({ names: sign === '{' ? new Set() : null })
      if (levels.length > deepest) return `It is nested deeper than ${deepest} levels.`
    } else if (sign === '}' || sign === ']') {
      levels.pop()
    } else if (sign === '"') {
      const end = endOfString(text, at)
      const names = levels.at(-1)?.names
      if (names && isName(text, end)) {
        const name = nameOf(text.slice(at, end))
        if (names.has(name)) return `It has the name “${shown(name)}” twice in one object.`
        if (names.size === mostNames) return 'An object in it has too many names.'
        names.add(name)
      }
      at = end - 1
    }
  }
  return null
}

/** The place after the closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let from = start + 1; ; ) {
    const quote = text.indexOf('"', from)
    if (quote < 0) return text.length
    let slashes = 0
    while (text[quote - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return quote + 1
    from = quote + 1
  }
}

function isName(text: string, end: number): boolean {
  let at = end
  while (/[ \t\r\n]/.test(text[at] ?? '')) at += 1
  return text[at] === ':'
}

/** As it is read: one name can be written in several ways. */
function nameOf(literal: string): string {
  if (!literal.includes('\\')) return literal.slice(1, -1)
  try {
    return String(JSON.parse(literal))
  } catch {
    return literal
  }
}

const shown = (name: string) => cutText(name, 40)
