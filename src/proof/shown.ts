import { jsonMatch, withNumbers } from '~/immudb/json-match'
import { decodeUtf8, hexToBytes } from '~/lib/bytes'
import { exactDecimal } from '~/lib/exact-decimal'
import { clockSlack } from './exceptions'
import { utf8Text } from './kernel/bytes'

/**
 * One value, as a screen draws it or as a proof has it. `of` holds hex digits of bytes, the text of
 * a text or of JSON, every digit of a number, `true` or `false`; nothing for `nothing` and `null`.
 * `passed` is a time that lies before `of`, in seconds since 1970.
 */
export type Value = {
  readonly is: 'nothing' | 'null' | 'bytes' | 'text' | 'number' | 'boolean' | 'json' | 'passed'
  readonly of: string
  /** The type of SQL in which it is shown. */
  readonly type?: string
}

const valueAs = (is: Value['is']) => (of: string | number | bigint | boolean) =>
  ({ is, of: Object.is(of, -0) ? '-0' : String(of) }) as Value

/** Something that is not there, such as a field that a document lacks or a time to expire. */
export const nothing: Value = { is: 'nothing', of: '' }
/** NULL of SQL and null of JSON, which are something. */
export const nullValue: Value = { is: 'null', of: '' }
/** @param hex lower-case hex digits */
export const bytesValue = valueAs('bytes')
export const textValue = valueAs('text')
/** @param digits as they are written; a number of JavaScript stands for all its digits */
export const numberValue = valueAs('number')
export const booleanValue = valueAs('boolean')
export const jsonValue = valueAs('json')
/** @param seconds by the clock that decides */
export const passedBy = valueAs('passed')

/** What a leaf belongs to. */
export type Group = 'object' | 'column' | 'dropped' | 'field' | 'entry'

/** What an object has beside its content, as sentences name it. */
export type ObjectPart =
  | 'the key'
  | 'the value'
  | 'the digest'
  | 'the time it expires'
  | 'the deletion'
  | 'the target'
  | 'the revision of the target'
  | 'the transaction'
  | 'the time of the transaction'
  | 'the author'
  | 'the hash'
  | 'the hash before'
  | 'the hash of the entries'
  | 'the number of entries'
  | 'the number of rows'
  | 'the number of other entries'
  | 'the tree'
  | 'the root of the tree'
  | 'the format'
  | 'the truncation'
  | 'the note of the server'
  | 'the event'
  | 'the collection'
  | 'the document'
  // No proof of any kind covers these.
  | 'the revision number'
  | 'the names of the table and its columns'
  | 'the names of dropped columns'
  | 'the name of the collection'
  | 'the name of the column'
  | 'what it was before'
  | 'the last change'
  | 'what was sent'
  | 'what it touched'
  | 'the size of the value'
  | 'the moment'

/** One thing that a screen draws, in the form of the facts. */
export type Leaf = {
  readonly group: Group
  /** An {@link ObjectPart}, or the name of a column, field or entry within its group. */
  readonly name: string
  readonly value: Value
  /** How sentences name it; absent: by its name. */
  readonly label?: string
}

/** Leaves, and the groups of which they are everything. */
export type Content = {
  readonly leaves: readonly Leaf[]
  readonly whole: readonly Exclude<Group, 'object'>[]
}

/**
 * Everything that a screen draws of an object, or that was sent. What is proven in a group that is
 * shown whole, and is not shown, differs.
 */
export type Shown = Content & {
  /** Of a write: the newest transaction known when it was sent, which cannot be that of the write. */
  readonly sentAfter?: string
  /** Of a write: what is proven in these groups and was not sent is named, such as defaults. */
  readonly rest?: readonly Group[]
  /**
   * The newest transaction known when it was read, of something that may be written again: what is
   * proven in a later one is newer than what is shown.
   */
  readonly readAt?: string
}

/** For a screen that draws nothing but the facts themselves. */
export const factsAlone: Shown = { leaves: [], whole: [] }

export const objectLeaf = (name: ObjectPart, value: Value, label?: string): Leaf => ({
  group: 'object',
  name,
  value,
  ...(label === undefined ? {} : { label }),
})

/**
 * How a shown value stands to the proven one. `rounded`: immudb writes the proven number so, with
 * other digits. `reordered`: immudb writes the names of the proven JSON in this order. `replaced`:
 * JSON has nothing for the proven bytes or number, and immudb writes this text in its place.
 * `unclear`: JSON with a name twice, of which immudb keeps one. `uncovered`: the proof says nothing
 * about it. `outdated`: other than proven, but it was read before that was written.
 */
export type Match =
  | 'same'
  | 'rounded'
  | 'reordered'
  | 'replaced'
  | 'unclear'
  | 'uncovered'
  | 'outdated'
  | 'differs'

export type ComparedLeaf = Leaf & {
  /** Null where the proof has no such value. */
  readonly proven: Value | null
  readonly match: Match
}

/** Compares what is shown with what is proven, leaf by leaf; the only place where that happens. */
export function compareShown(shown: Shown, proven: Content): readonly ComparedLeaf[] {
  const found = new Map(proven.leaves.map((leaf) => [keyOf(leaf), leaf]))
  const drawn = shown.leaves.map((leaf): ComparedLeaf => {
    const other = found.get(keyOf(leaf))?.value ?? absentIn(proven, leaf.group)
    return { ...leaf, proven: other, match: other ? matchOf(leaf.value, other) : 'uncovered' }
  })
  const named = new Set(shown.leaves.map(keyOf))
  const hidden = proven.leaves
    .filter((leaf) => isIn(shown.whole, leaf) || isIn(shown.rest ?? [], leaf))
    .filter((leaf) => !named.has(keyOf(leaf)) && !isAbsence(leaf))
    .map(
      (leaf): ComparedLeaf => ({
        ...leaf,
        value: nothing,
        proven: leaf.value,
        match: isIn(shown.whole, leaf) ? 'differs' : 'uncovered',
      }),
    )
  return [...drawn, ...hidden]
}

const isIn = (groups: readonly Group[], { group }: Leaf) => groups.some((one) => one === group)

/** Whether leaving it out hides nothing: a column that holds NULL may be newer than what is shown. */
const isAbsence = ({ group, value }: Leaf) =>
  value.is === 'nothing' || (group === 'column' && value.is === 'null')

const keyOf = ({ group, name }: Leaf) => `${group} ${name}`

/** What a proof says of something that it does not list. */
const absentIn = ({ whole }: Content, group: Group): Value | null =>
  whole.some((one) => one === group) ? nothing : null

/**
 * Whether two values are the same: text equals text, bytes equal bytes, and a number equals a number
 * only if every digit is the same.
 */
export function matchOf(shown: Value, proven: Value): Match {
  const isRetyped = shown.type !== undefined && proven.type !== undefined
  if (isRetyped && shown.type !== proven.type) return 'differs'
  if (shown.is === proven.is) {
    if (shown.of === proven.of) return 'same'
    if (shown.is !== 'number' && shown.is !== 'json') return 'differs'
    // What is in brackets is no number, whatever is in it.
    if (shown.is === 'number' && [shown.of, proven.of].some((of) => /[^\w.+-]/.test(of))) {
      return 'differs'
    }
    if (proven.type === doubleType) return doublesMatch(shown.of, proven.of)
    return shown.is === 'json' ? jsonMatch(shown.of, proven.of) : 'differs'
  }
  if (shown.is === 'passed' && proven.is === 'number') {
    return BigInt(proven.of) <= BigInt(shown.of) + BigInt(clockSlack) ? 'same' : 'differs'
  }
  return isStandIn(shown, proven) ? 'replaced' : 'differs'
}

/**
 * The type of numbers in documents, which are typed with any digits and stored as doubles, and of
 * JSON with such numbers, which has its names in one order.
 */
export const doubleType = 'double'

/** Whether numbers are the proven doubles, or became them by rounding; all else is the same. */
function doublesMatch(shown: string, proven: string): Match {
  if (withNumbers(shown, exactDecimal) === withNumbers(proven, exactDecimal)) return 'same'
  if (shown === withTexts(proven)) return 'replaced'
  return withNumbers(shown, asDouble) === withNumbers(proven, asDouble) ? 'rounded' : 'differs'
}

function asDouble(digits: string): string {
  const double = Number(digits)
  return Object.is(double, -0) ? '-0' : String(double)
}

/** Whether a shown text is what immudb's answers have for something that JSON cannot say. */
function isStandIn(shown: Value, proven: Value): boolean {
  if (shown.is !== 'text' && shown.is !== 'json') return false
  if (proven.is === 'number') return noNumber.test(proven.of) && shown.of === proven.of
  return proven.is === 'bytes' && isLossy(shown.of, proven.of)
}

const noNumber = /^(NaN|-?Infinity)$/

/** Whether a text is what stands in an answer for bytes that are not UTF-8: runs of U+FFFD. */
function isLossy(text: string, hex: string): boolean {
  const bytes = hexToBytes(hex)
  if (bytes === null || decodeUtf8(bytes) !== null) return false
  // Go writes one for each byte, a browser one for each broken letter.
  const runs = (of: string) => of.replace(/\ufffd+/g, '\ufffd')
  return runs(text) === runs(utf8Text(bytes))
}

/** JSON of a document with the numbers that JSON lacks as immudb's answers write them. */
function withTexts(json: string): string {
  return json.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\bInfinity\b|\bNaN\b/g, (token) =>
    token.startsWith('"') ? token : JSON.stringify(token),
  )
}
