import { type CsvFormat, type CsvRecord, nullWords } from '~/lib/csv'
import { isBroken } from '~/lib/encoding'
import { counted, formatCount } from '~/lib/text'
import { guarded, withoutGuards } from './formula-guard'
import { changeOf, type FieldChange, type ImportSource, type NullWord } from './import-rows'
import {
  type FieldRead,
  type FieldRule,
  type ImportType,
  type ImportTypeName,
  isKept,
  readField,
  utf8Length,
  writtenValue,
} from './import-types'

/** A type that all values of a field fit, and what it would write otherwise than it stands there. */
export type FieldFit = {
  readonly type: ImportTypeName
  readonly rule: FieldRule | null
  /** Values that are written otherwise. */
  readonly changed: number
  /** The first of them. */
  readonly examples: readonly FieldChange[]
}

/** What stands in one field of all records. */
export type FieldSurvey = {
  /** Fields that are neither empty without quotes nor a word for NULL without quotes. */
  readonly values: number
  readonly empty: number
  /** How often each word for NULL stands there without quotes. */
  readonly words: ReadonlyMap<string, number>
  /** Bytes of the longest value in UTF-8. */
  readonly longest: number
  readonly fits: readonly FieldFit[]
  /** Values with an apostrophe as an export guards formulas, and values that it would have guarded. */
  readonly guards: { readonly taken: number; readonly bare: number }
}

/** What a look through the records of a file found. */
export type Survey = {
  readonly rows: number
  /** Rows with fewer fields than the table. */
  readonly short: number
  readonly fields: readonly FieldSurvey[]
  /** Lines with bytes that are no text: the first, and how many records. */
  readonly broken: { readonly first: number; readonly count: number } | null
  /** False: it was stopped before the end. */
  readonly isWhole: boolean
}

/** The types that are tried, the first that keeps every value wins. */
const tried: readonly {
  type: ImportTypeName
  rule: FieldRule | null
  isLikely: (text: string, hasDigits: boolean) => boolean
}[] = [
  {
    type: 'BOOLEAN',
    rule: null,
    isLikely: (text) => /^\s*(true|false|t|f|yes|no|y|n)\s*$/i.test(text),
  },
  { type: 'INTEGER', rule: null, isLikely: ofDigits },
  {
    type: 'FLOAT',
    rule: null,
    isLikely: (text, hasDigits) => hasDigits || /^(NaN|-?Infinity)$/.test(text),
  },
  { type: 'INTEGER', rule: 'point', isLikely: ofDigits },
  { type: 'INTEGER', rule: 'comma', isLikely: ofDigits },
  { type: 'FLOAT', rule: 'point', isLikely: ofDigits },
  { type: 'FLOAT', rule: 'comma', isLikely: ofDigits },
  { type: 'TIMESTAMP', rule: null, isLikely: ofDigits },
  { type: 'TIMESTAMP', rule: 'month-first', isLikely: ofDigits },
  { type: 'TIMESTAMP', rule: 'day-first', isLikely: ofDigits },
  { type: 'UUID', rule: null, isLikely: (text) => text.length > 35 },
  { type: 'BLOB', rule: null, isLikely: (text) => /^\s*(0x|\\x)/i.test(text) },
  { type: 'JSON', rule: null, isLikely: (text) => /^\s*[[{]/.test(text) },
]

function ofDigits(_text: string, hasDigits: boolean): boolean {
  return hasDigits
}

function hasDigit(text: string): boolean {
  return text.length < 64 && /\d/.test(text)
}

const mostExamples = 3
const shortInteger = /^(0|-?[1-9]\d{0,14})$/

/** Looks through records as they come; memory does not grow with them. */
export function surveyor({
  format,
  hasHeader,
  width,
  nulls,
}: Pick<ImportSource, 'format' | 'hasHeader' | 'width' | 'nulls'>) {
  const words = new Set([...nullWords, ...nulls.map(({ word }) => word)])
  const longestWord = Math.max(...[...words].map(({ length }) => length))
  const fields = Array.from({ length: width }, () => fieldTally(format))
  let mayBeHeader = hasHeader
  let [rows, short] = [0, 0]
  let broken: Survey['broken'] = null
  return {
    add: (records: readonly CsvRecord[]) => {
      for (const record of records) {
        if (record.isBlank && width > 1) continue
        const { cells, quoted, line } = record
        if (mayBeHeader) {
          mayBeHeader = false
          if (cells.some(isBroken)) broken = { first: line, count: 1 }
          continue
        }
        rows += 1
        if (cells.length < width) short += 1
        let isBad = false
        for (const [at, field] of fields.entries()) {
          const text = cells[at]
          if (text === undefined) break
          if (!quoted[at] && text === '') field.addEmpty()
          else if (!quoted[at] && text.length <= longestWord && words.has(text)) field.addWord(text)
          else isBad = field.addValue(text, line) || isBad
        }
        if (isBad) broken = { first: broken?.first ?? line, count: (broken?.count ?? 0) + 1 }
      }
    },
    found: (isWhole: boolean): Survey => ({
      rows,
      short,
      fields: fields.map((field) => field.found()),
      broken,
      isWhole,
    }),
  }
}

function fieldTally({ separator }: CsvFormat) {
  let [values, empty, longest, taken, bare, finite] = [0, 0, 0, 0, 0, 0]
  const words = new Map<string, number>()
  let left = tried.map((one) => ({ ...one, changed: 0, examples: [] as FieldChange[] }))
  let isNumbersOnly = false
  const guard = (text: string) => {
    if (withoutGuards(text, separator) !== text) taken += 1
    else if (guarded(text, separator) !== text) bare += 1
    else return false
    return true
  }
  return {
    addEmpty: () => {
      empty += 1
    },
    addWord: (word: string) => {
      words.set(word, (words.get(word) ?? 0) + 1)
    },
    /** True where the text has bytes that are no text. */
    addValue: (text: string, line: number): boolean => {
      values += 1
      if (text.length * 3 > longest) longest = Math.max(longest, utf8Length(text))
      if (left.length === 0) {
        guard(text)
        return isBroken(text)
      }
      if (shortInteger.test(text)) {
        finite += 1
        if (isNumbersOnly) return false
        left = left.filter(({ type }) => type === 'INTEGER' || type === 'FLOAT')
        isNumbersOnly = true
        return false
      }
      let time: FieldRead | null = null
      const hasDigits = hasDigit(text)
      if (hasDigits) finite += 1
      left = left.filter((one) => {
        if (!one.isLikely(text, hasDigits)) return false
        // A time that needs no rule is the same by every rule.
        const read =
          (one.type === 'TIMESTAMP' ? time : null) ??
          readField({ name: one.type, length: null }, text, one.rule)
        if (one.type === 'TIMESTAMP' && one.rule === null && 'reads' in read) time = read
        if ('why' in read) return false
        if (isKept(one.type, text, read.reads)) return true
        one.changed += 1
        if (one.examples.length < mostExamples)
          one.examples.push(changeOf(line, '', text, writtenValue(one.type, read.reads)))
        return true
      })
      if (left.length === 0) guard(text)
      return isBroken(text)
    },
    found: (): FieldSurvey => ({
      values,
      empty,
      words,
      longest,
      fits:
        values === 0
          ? []
          : left
              .filter(({ type }) => type !== 'FLOAT' || finite > 0)
              .map(({ type, rule, changed, examples }) => ({ type, rule, changed, examples })),
      guards: { taken, bare },
    }),
  }
}

/** Of what is found of a word for NULL, what becomes of it. */
function whereOf(nulls: readonly NullWord[], word: string): NullWord['where'] | 'nowhere' {
  return nulls.find((one) => one.word === word)?.where ?? 'nowhere'
}

/** The types that all fields fit, words for NULL included. */
function fitsWith(field: FieldSurvey, nulls: readonly NullWord[]): readonly FieldFit[] {
  const texts = [...field.words.keys(), ...(field.empty > 0 ? [''] : [])]
  const stay = texts.filter((word) => whereOf(nulls, word) === 'nowhere')
  return stay.length === 0
    ? field.fits
    : field.fits.filter(({ type, rule }) =>
        stay.every((word) => 'reads' in readField({ name: type, length: null }, word, rule)),
      )
}

/** The type that keeps every value as it stands; a VARCHAR has room for twice the longest. */
export function guessType(field: FieldSurvey, nulls: readonly NullWord[]): ImportType {
  const kept = fitsWith(field, nulls).find(({ changed, rule }) => changed === 0 && rule === null)
  if (kept) return { name: kept.type, length: null }
  const length = lengths.find((one) => field.longest * 2 <= one) ?? null
  return { name: 'VARCHAR', length }
}

const lengths = [64, 256, 1_024] as const

/**
 * Types for a text whose values some would rather have as numbers or times: each writes some values
 * otherwise. Two ways to read the same are both offered, because only people know which is meant.
 */
export function offersFor(field: FieldSurvey, nulls: readonly NullWord[]): readonly FieldFit[] {
  const fits = fitsWith(field, nulls)
  if (fits.some(({ changed, rule }) => changed === 0 && rule === null)) return []
  const first = fits[0]
  if (!first || field.guards.taken > 0) return []
  if (first.rule === null) return [first]
  const other = fits.find(({ rule }) => rule !== first.rule)
  return other && rulePairs.get(first.rule) === other.rule ? [first, other] : [first]
}

const rulePairs: ReadonlyMap<FieldRule, FieldRule> = new Map([
  ['point', 'comma'],
  ['month-first', 'day-first'],
])

/** Which words are NULL before anybody chose: nothing everywhere, words where no text is lost. */
export function firstNulls(): readonly NullWord[] {
  return [
    { word: '', where: 'everywhere' },
    ...nullWords.map(
      (word): NullWord => ({ word, where: word === '\\N' ? 'everywhere' : 'typed' }),
    ),
  ]
}

/** What became of a word: how many fields are NULL by it, and in how many it is a text. */
export function countNulls(
  { fields }: Survey,
  { word, where }: { word: string; where: NullWord['where'] | 'nowhere' },
  /** For each field the type of its column; null where it is not imported. */
  types: readonly ({ type: ImportType; rule: FieldRule | null } | null)[],
): { nulls: number; texts: number } {
  let [nulls, texts] = [0, 0]
  for (const [at, field] of fields.entries()) {
    const of = types[at]
    const count = word === '' ? field.empty : (field.words.get(word) ?? 0)
    if (!of || count === 0) continue
    const isNull =
      where === 'everywhere' ||
      (where === 'typed' && 'why' in readField({ ...of.type, length: null }, word, of.rule))
    if (isNull) nulls += count
    else texts += count
  }
  return { nulls, texts }
}

/** Nothing is known of the fields yet. */
export const unsurveyed: Survey = { rows: 0, short: 0, fields: [], broken: null, isWhole: false }

/** Fields that an export seems to have guarded against formulas; 0 where it did not. */
export function guardCount({ fields }: Survey): number {
  const of = (which: 'taken' | 'bare') => fields.reduce((sum, { guards }) => sum + guards[which], 0)
  return of('bare') === 0 ? of('taken') : 0
}

/** What a fit would write otherwise, such as `1.50 → 1.5, 3 of 40 values`. */
export function offerText({ changed, examples: [first] }: FieldFit, values: number): string {
  const many =
    changed < values
      ? `${formatCount(changed)} of ${counted(values, 'value')}`
      : `all ${counted(values, 'value')}`
  const of = values === 1 ? '1 value' : many
  return first ? `${first.before} → ${first.after}, ${of}` : of
}
