import * as v from 'valibot'
import { execAllBody, type KeyCondition, type Operation } from '~/api/operations'
import { usualEntryLimit } from '~/immudb/entry-limit'
import { parseBytes, valueFormats } from '~/lib/byte-formats'
import { bytesToBase64 } from '~/lib/bytes'
import { formatCount } from '~/lib/text'
import { readExpiry } from './expiry'

/** Most operations of a transaction. */
export const mostOperations = usualEntryLimit

const typed = v.object({ text: v.string(), format: v.picklist(valueFormats) })
export const operationKinds = ['set', 'reference', 'zadd'] as const
export const conditionKinds = [
  'none',
  'must-exist',
  'must-not-exist',
  'not-modified-after',
] as const

const operation = v.object({
  kind: v.picklist(operationKinds),
  key: typed,
  value: typed,
  /** When a value expires, as typed in UTC; empty for never. */
  expiry: v.string(),
  /** The key that a reference refers to. */
  target: typed,
  set: typed,
  score: v.string(),
  /** The transaction that a reference or an entry of a set is bound to, as typed. */
  atTx: v.string(),
  condition: v.picklist(conditionKinds),
  conditionTx: v.string(),
})

/** One operation as it is typed. */
export type OperationDraft = v.InferOutput<typeof operation>

/** As they are stored. */
export const keptOperations = v.object({
  database: v.string(),
  operations: v.array(operation),
  /** See `CollectedOperations`. */
  sentAfter: v.optional(v.pipe(v.string(), v.regex(/^\d{1,20}$/))),
})

/** Operations for one transaction. */
export type CollectedOperations = {
  operations: readonly OperationDraft[]
  /** They were sent after this transaction, and no answer is known; null otherwise. */
  sentAfter: string | null
}

const nothing = { text: '', format: 'text' } as const

export function newOperation(of: Partial<OperationDraft> = {}): OperationDraft {
  return {
    kind: 'set',
    key: nothing,
    value: nothing,
    expiry: '',
    target: nothing,
    set: nothing,
    score: '0',
    atTx: '',
    condition: 'none',
    conditionTx: '',
    ...of,
  }
}

/** A typed transaction, such as one that a reference is bound to; empty for none. */
export function readTx(text: string): { atTx: string | null; atTxError: string | null } {
  const digits = text.replace(/[\s,]/g, '')
  if (digits === '') return { atTx: null, atTxError: null }
  return /^[1-9]\d{0,18}$/.test(digits)
    ? { atTx: digits, atTxError: null }
    : { atTx: null, atTxError: 'Write the number of a transaction, or leave it empty.' }
}

/** What is typed wrong, by its field. */
export type OperationErrors = Partial<Record<Exclude<keyof OperationDraft, 'kind'>, string>>

type ReadOperation = {
  /** Null while it has errors. */
  operation: Operation | null
  condition: KeyCondition | null
  errors: OperationErrors
}

/** What an operation says, or what is wrong with it; `now` is in milliseconds since 1970. */
export function readOperation(draft: OperationDraft, now = Date.now()): ReadOperation {
  const errors: OperationErrors = {}
  const key = readKey(draft.key, (error) => Object.assign(errors, { key: error }))
  const operation = key === null ? null : operationOf(draft, key, errors, now)
  const condition = key === null ? null : conditionOf(draft, key, errors)
  const isWhole = Object.keys(errors).length === 0
  return { operation: isWhole ? operation : null, condition: isWhole ? condition : null, errors }
}

function readKey(
  { text, format }: OperationDraft['key'],
  tell: (error: string) => void,
): string | null {
  const parsed = parseBytes(text, format)
  if (!('bytes' in parsed)) tell(parsed.error)
  else if (parsed.bytes.length === 0) tell('It has at least one byte.')
  else return bytesToBase64(parsed.bytes)
  return null
}

function operationOf(
  draft: OperationDraft,
  key: string,
  errors: OperationErrors,
  now: number,
): Operation | null {
  if (draft.kind === 'set') {
    const value = parseBytes(draft.value.text, draft.value.format)
    const { expiresAt, expiryError } = readExpiry(draft.expiry, now)
    if (expiryError !== null) errors.expiry = expiryError
    if ('bytes' in value) return { kind: 'set', key, value: bytesToBase64(value.bytes), expiresAt }
    errors.value = value.error
    return null
  }
  const { atTx, atTxError } = readTx(draft.atTx)
  if (atTxError !== null) errors.atTx = atTxError
  if (draft.kind === 'reference') {
    const target = readKey(draft.target, (error) => Object.assign(errors, { target: error }))
    if (target === key) errors.target = 'A key cannot refer to itself.'
    return target === null ? null : { kind: 'reference', key, target, atTx }
  }
  const set = readKey(draft.set, (error) => Object.assign(errors, { set: error }))
  const score = readScore(draft.score)
  if (typeof score === 'string') errors.score = score
  if (set === null || typeof score === 'string') return null
  return { kind: 'zadd', set, score, key, atTx }
}

/** Most digits that every score keeps. */
const sureDigits = 15

/** The score that is typed, which is a double; a sentence when there is none that is exact. */
export function readScore(text: string): number | string {
  const plain = text.trim()
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return 'Write a number such as 1.5.'
  const score = Number(plain)
  if (!Number.isFinite(score)) return 'It does not fit: the largest score is about 1.8e308.'
  const digits = digitsOf(plain)
  if (score === 0 && digits !== '') return 'It does not fit: it would be stored as 0.'
  const whole = Number.isInteger(score) ? String(BigInt(score)) : String(score)
  const isExact =
    digits.length <= sureDigits || [whole, String(score)].map(digitsOf).includes(digits)
  return isExact ? score : `It does not fit: it would be stored as ${score}.`
}

/** The digits of a number that tell it from others but for its size. */
function digitsOf(number: string): string {
  return number
    .replace(/e.*$/i, '')
    .replace(/\D/g, '')
    .replace(/^0+|0+$/g, '')
}

function conditionOf(
  { condition, conditionTx }: OperationDraft,
  key: string,
  errors: OperationErrors,
): KeyCondition | null {
  if (condition === 'none') return null
  if (condition !== 'not-modified-after') return { key, precondition: { kind: condition } }
  const { atTx, atTxError } = readTx(conditionTx)
  if (atTx !== null) return { key, precondition: { kind: condition, tx: atTx } }
  errors.conditionTx = atTxError ?? 'Write the number of a transaction.'
  return null
}

/** What all operations of a draft say together. */
export type ReadOperations = {
  operations: readonly Operation[]
  /** By the place of their operation. */
  conditions: readonly (KeyCondition & { at: number })[]
  /** The body of the request; null while something is wrong. */
  body: object | null
  /** What is wrong with them together. */
  problem: string | null
}

/** `now`: see `readOperation`. */
export function readOperations(drafts: readonly OperationDraft[], now?: number): ReadOperations {
  const read = drafts.map((draft) => readOperation(draft, now))
  const operations = read.flatMap(({ operation: one }) => (one === null ? [] : [one]))
  const conditions = read.flatMap(({ condition }, at) =>
    condition === null ? [] : [{ ...condition, at }],
  )
  const problem = problemOf(read)
  const isWhole = operations.length === drafts.length && drafts.length > 0 && problem === null
  const body = isWhole ? execAllBody(operations, conditions) : null
  return { operations, conditions, body, problem }
}

/** immudb refuses these; see `ExecAllRequest.Validate`. */
function problemOf(read: readonly ReadOperation[]): string | null {
  if (read.length > mostOperations) {
    return `The console sends at most ${formatCount(mostOperations)} operations in one transaction.`
  }
  const places = new Map<string, number>()
  for (const [at, { operation: one }] of read.entries()) {
    for (const name of one ? comparedNames(one) : []) {
      const before = places.get(name)
      if (before !== undefined) return `Operations ${before + 1} and ${at + 1} ${alike}`
      places.set(name, at)
    }
  }
  return null
}

const alike =
  'are the same to immudb: they write one key, or add one key to one set. A transaction takes only one of them.'

/** What immudb compares: it joins names without a mark between them, and leaves out scores. */
function comparedNames(one: Operation): readonly string[] {
  const key = atob(one.key)
  if (one.kind === 'set') return [key]
  const tx = one.atTx ?? '0'
  return one.kind === 'reference' ? [key, key + atob(one.target) + tx] : [atob(one.set) + key + tx]
}
