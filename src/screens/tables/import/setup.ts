import type { ImportDraft } from '~/atoms/tables/import-drafts'
import {
  type Beginning,
  firstNoUtf8,
  inEncoding,
  type Reading,
  sampleRecords,
  surveyFile,
} from '~/atoms/tables/import-file'
import type { CsvRecord } from '~/lib/csv'
import { guessHead, guessWidth } from '~/sql/import-guess'
import type { ImportSource, NullWord } from '~/sql/import-rows'
import { firstNulls, guessType, type Survey, unsurveyed } from '~/sql/import-survey'
import {
  guessMapping,
  guessNewTable,
  keyType,
  type NewColumn,
  type NewTable,
  newTarget,
  type TargetChoice,
  type ThereTable,
  thereTarget,
} from '~/sql/import-target'
import { type FieldRule, type ImportType, type ImportTypeName, readType } from '~/sql/import-types'
import { plainName } from '~/sql/plain-name'

/** Rows that are shown, and among which a key is looked for. */
const sampledRows = 1_000

/** What is chosen for a file. */
export type Setup = {
  readonly file: File
  readonly beginning: Beginning
  readonly source: ImportSource
  /** The names of the fields as the file has them. */
  readonly heads: readonly (string | null)[]
  /** The first rows, without the header. */
  readonly records: readonly CsvRecord[]
  /** What stands in the whole file; null until it was looked through. */
  readonly survey: Survey | null
  /** The columns were chosen before, and are not guessed from the survey. */
  readonly keepsColumns: boolean
  /** The line with bytes that are no UTF-8, because of which another encoding is taken; or null. */
  readonly noUtf8: number | null
  /** The encoding was chosen and is not guessed from the file any more. */
  readonly isEncodingChosen: boolean
  readonly fresh: NewTable
  /** A table that is there; null for the new one. */
  readonly there: ThereTable | null
  readonly mapping: readonly (string | null)[]
  /** How each field is read into a table that is there. */
  readonly rules: readonly (FieldRule | null)[]
}

/** Everything as it is guessed from the beginning of a file. */
export function firstSetup(file: File, beginning: Beginning): Setup {
  return setupOf(file, beginning, plainName(file.name.replace(/\.[^.]*$/, '')) || 'imported')
}

function setupOf(file: File, beginning: Beginning, table: string): Setup {
  const { format, encoding, firstLine } = beginning
  const records = sampleRecords(beginning, beginning)
  const head = guessHead(records.slice(0, sampledRows))
  const source: ImportSource = {
    format,
    encoding,
    firstLine: head.hasHeader ? head.firstLine : firstLine,
    hasHeader: head.hasHeader,
    width: 0,
    fillsShort: false,
    nulls: firstNulls(),
    takesGuards: false,
  }
  return readAgain(
    {
      file,
      beginning,
      noUtf8: encoding === 'windows-1252' ? firstNoUtf8(beginning) : null,
      there: null,
      isEncodingChosen: false,
    },
    source,
    table,
  )
}

/** The same with another reading of the file, which must be looked through again. */
export function withSource(setup: Setup, changed: Partial<ImportSource>): Setup {
  const { source, fresh } = setup
  const table = fresh.table
  if (changed.encoding !== undefined && changed.encoding !== source.encoding) {
    const other = setupOf(setup.file, inEncoding(setup.beginning, changed.encoding), table)
    const { there } = setup
    return readAgain({ ...other, there, noUtf8: null, isEncodingChosen: true }, other.source, table)
  }
  return readAgain(setup, { ...source, ...changed }, table)
}

type Kept = Pick<Setup, 'file' | 'beginning' | 'noUtf8' | 'isEncodingChosen' | 'there'>

function readAgain(
  { file, beginning, noUtf8, isEncodingChosen, there }: Kept,
  wanted: ImportSource,
  table: string,
): Setup {
  const all = sampleRecords(beginning, wanted)
  const width = guessWidth(all, wanted.hasHeader)
  const rows = width > 1 ? all.filter(({ isBlank }) => !isBlank) : all
  const names = Array.from({ length: width }, (_, at) =>
    wanted.hasHeader ? (rows[0]?.cells[at] ?? null) : null,
  )
  const records = rows.slice(wanted.hasHeader ? 1 : 0).slice(0, sampledRows)
  return {
    file,
    beginning,
    source: { ...wanted, width },
    heads: names,
    records,
    survey: null,
    keepsColumns: false,
    noUtf8,
    isEncodingChosen,
    fresh: guessNewTable(table, names, unsurveyed, records, wanted.nulls),
    there,
    mapping: there ? guessMapping(names, wanted.hasHeader, there.columns) : [],
    rules: names.map(() => null),
  }
}

/**
 * Looks through the whole file, and guesses the columns from all of it. Where most that is not ASCII
 * is no UTF-8, the file is read as windows-1252.
 * @param hasType whether the server has columns of a type; others are neither guessed nor offered
 * @throws UnreadableFile
 */
export async function lookedThrough(
  setup: Setup,
  reading: Reading,
  hasType: (type: ImportTypeName) => boolean = () => true,
): Promise<Setup> {
  const { survey: found, isOther } = await surveyFile(setup.file, setup.source, reading)
  if (setup.source.encoding === 'utf-8' && isOther && !setup.isEncodingChosen) {
    const other = withSource(setup, { encoding: 'windows-1252' })
    return lookedThrough({ ...other, noUtf8: found.broken?.first ?? null }, reading, hasType)
  }
  const fields = found.fields.map((field) => ({
    ...field,
    fits: field.fits.filter(({ type }) => hasType(type)),
  }))
  const survey = { ...found, fields }
  if (setup.keepsColumns) return { ...setup, survey }
  const { fresh, heads, records, source } = setup
  return {
    ...setup,
    survey,
    fresh: guessNewTable(fresh.table, heads, survey, records, source.nulls),
  }
}

/** What was found in the file, with what was chosen since: another table, or another name. */
export function withLooked(now: Setup, looked: Setup): Setup {
  const named = { ...looked, fresh: { ...looked.fresh, table: now.fresh.table } }
  return now.there === looked.there ? named : withTable(named, now.there)
}

/** The same with other words for NULL; the types of the columns that have them are guessed again. */
export function withNulls(setup: Setup, nulls: readonly NullWord[]): Setup {
  const { survey, source, fresh } = setup
  const isKnown = (word: string) => source.nulls.some((one) => one.word === word)
  if (survey === null || nulls.some(({ word }) => !isKnown(word))) {
    return withSource(setup, { nulls })
  }
  const where = (of: readonly NullWord[], word: string) =>
    of.find((one) => one.word === word)?.where
  const words = [...new Set([...source.nulls, ...nulls].map(({ word }) => word))]
  const changed = words.filter((word) => where(source.nulls, word) !== where(nulls, word))
  const columns = fresh.columns.map((column, at): NewColumn => {
    const field = survey.fields[at]
    const isTouched = changed.some((word) =>
      word === '' ? (field?.empty ?? 0) > 0 : field?.words.has(word),
    )
    if (!field || !isTouched) return column
    const type = guessType(field, nulls)
    return { ...column, type: fresh.key.includes(at) ? keyType(type) : type, rule: null }
  })
  return { ...setup, source: { ...source, nulls }, fresh: { ...fresh, columns } }
}

/** The same with a choice that changes nothing of what stands in the fields. */
export function withReading(
  setup: Setup,
  changed: Partial<Pick<ImportSource, 'fillsShort' | 'takesGuards'>>,
): Setup {
  return { ...setup, source: { ...setup.source, ...changed } }
}

/** The same with another table; null for a new one. */
export function withTable(setup: Setup, there: ThereTable | null): Setup {
  const { heads, source } = setup
  const mapping = there ? guessMapping(heads, source.hasHeader, there.columns) : []
  return { ...setup, there, mapping, rules: heads.map(() => null) }
}

/** For each field what it becomes; null where it is left out. */
export function typesOf({
  there,
  fresh,
  mapping,
  rules,
  heads,
}: Setup): ({ type: ImportType; rule: FieldRule | null } | null)[] {
  return heads.map((_, at) => {
    if (there === null) {
      const column = fresh.columns[at]
      return column?.isIncluded ? { type: column.type, rule: column.rule } : null
    }
    const column = there.columns.find(({ name }) => name === mapping[at])
    const type = column ? readType(column.type) : null
    return type ? { type, rule: rules[at] ?? null } : null
  })
}

/** What is chosen, as it can be kept. */
export function draftOf({ source, fresh, there, mapping, rules }: Setup): ImportDraft {
  return {
    source: { ...source, nulls: [...source.nulls] },
    fresh: { ...fresh, columns: [...fresh.columns], key: [...fresh.key] },
    there: there?.table ?? null,
    mapping: [...mapping],
    rules: [...rules],
  }
}

/** A setup, and what is back in it of an earlier one; null when it is all guessed. */
export type Begun = { readonly setup: Setup; readonly back: string | null }

const isBack = 'Your earlier choice for this file is back'

/**
 * The same with what was chosen for the file before, as far as that still fits.
 * @param there the table that was chosen; null for the new one, or where it cannot be read
 */
export function withDraft(setup: Setup, draft: ImportDraft, there: ThereTable | null): Begun {
  const { encoding, ...source } = draft.source
  const inIt = withSource(setup, { encoding })
  const changed = withSource({ ...inIt, isEncodingChosen: true }, source)
  const read = { ...changed, keepsColumns: true }
  if (read.source.width !== draft.source.width)
    return { setup: changed, back: `${isBack}, but only how it is read: it has other fields.` }
  const again = withTable({ ...read, fresh: draft.fresh }, there)
  if (there === null) {
    const lost = draft.there === null ? '' : `, but the table ${draft.there} could not be read`
    return { setup: again, back: `${isBack}${lost}.` }
  }
  const names = new Set(there.columns.map(({ name }) => name))
  return draft.mapping.every((name) => name === null || names.has(name))
    ? { setup: { ...again, mapping: draft.mapping, rules: draft.rules }, back: `${isBack}.` }
    : {
        setup: again,
        back: `${isBack}, but the columns are guessed: ${there.table} has others now.`,
      }
}

/**
 * Where the rows go, or why they cannot. `taken`: the names of the tables that are there; `limit`:
 * most entries of a transaction of the database.
 */
export function targetOf(
  { there, fresh, mapping, rules, source }: Setup,
  taken: readonly string[],
  limit: number,
): TargetChoice {
  if (source.width === 0) return { why: 'The file is empty.' }
  return there === null ? newTarget(fresh, taken, limit) : thereTarget(there, mapping, limit, rules)
}
