import type { ImportDraft } from '~/atoms/tables/import-drafts'
import { type Beginning, sampleRecords } from '~/atoms/tables/import-file'
import type { CsvRecord } from '~/lib/csv'
import { guessHeader, plainName } from '~/sql/import-guess'
import type { ImportSource } from '~/sql/import-rows'
import {
  guessMapping,
  guessNewTable,
  type NewTable,
  newTarget,
  type TargetChoice,
  type ThereTable,
  thereTarget,
} from '~/sql/import-target'

/** Rows from which types are guessed. */
const guessedRows = 1_000

/** What is chosen for a file. */
export type Setup = {
  readonly file: File
  readonly beginning: Beginning
  readonly source: ImportSource
  readonly heads: readonly (string | null)[]
  /** The first rows, without the header. */
  readonly records: readonly CsvRecord[]
  readonly fresh: NewTable
  /** A table that is there; null for the new one. */
  readonly there: ThereTable | null
  readonly mapping: readonly (string | null)[]
}

/** Everything as it is guessed from the beginning of a file. */
export function firstSetup(file: File, beginning: Beginning): Setup {
  const { format, encoding } = beginning
  const records = sampleRecords(beginning, { format, encoding }).filter(({ isBlank }) => !isBlank)
  const hasHeader = guessHeader(records.slice(0, guessedRows))
  const source = { format, encoding, hasHeader, width: records[0]?.cells.length ?? 0 }
  return readAgain(file, beginning, source, null, plainName(file.name.replace(/\.[^.]*$/, '')))
}

/** The same with another reading of the file; choices about columns are guessed again. */
export function withSource(setup: Setup, changed: Partial<ImportSource>): Setup {
  const { file, beginning, source, there, fresh } = setup
  return readAgain(file, beginning, { ...source, ...changed }, there, fresh.table)
}

function readAgain(
  file: File,
  beginning: Beginning,
  wanted: ImportSource,
  there: ThereTable | null,
  table: string,
): Setup {
  const all = sampleRecords(beginning, wanted)
  const width = all.find(({ isBlank }) => !isBlank)?.cells.length ?? 0
  const rows = width > 1 ? all.filter(({ isBlank }) => !isBlank) : all
  const source = { ...wanted, width }
  const names = Array.from({ length: width }, () => null)
  const heads = source.hasHeader ? (rows[0]?.cells ?? names) : names
  const records = rows.slice(source.hasHeader ? 1 : 0).slice(0, guessedRows)
  const fresh = guessNewTable(table || 'imported', heads, records)
  const mapping = there ? guessMapping(heads, source.hasHeader, there.columns) : []
  return { file, beginning, source, heads, records, fresh, there, mapping }
}

/** The same with another table; null for a new one. */
export function withTable(setup: Setup, there: ThereTable | null): Setup {
  const { heads, source } = setup
  const mapping = there ? guessMapping(heads, source.hasHeader, there.columns) : []
  return { ...setup, there, mapping }
}

/** What is chosen, as it can be kept. */
export function draftOf({ source, fresh, there, mapping }: Setup): ImportDraft {
  return {
    source,
    fresh: { ...fresh, columns: [...fresh.columns], key: [...fresh.key] },
    there: there?.table ?? null,
    mapping: [...mapping],
  }
}

/** A setup, and what is back in it of an earlier one; null when it is all guessed. */
export type Begun = { readonly setup: Setup; readonly back: string | null }

const isBack = 'What you chose for this file before is back'

/**
 * The same with what was chosen for the file before, as far as that still fits.
 * @param there the table that was chosen; null for the new one, or where it cannot be read
 */
export function withDraft(setup: Setup, draft: ImportDraft, there: ThereTable | null): Begun {
  const { format, encoding, hasHeader } = draft.source
  const read = withSource(setup, { format, encoding, hasHeader })
  if (read.source.width !== draft.source.width)
    return { setup: read, back: `${isBack}, but only how it is read: it has other fields.` }
  const again = withTable({ ...read, fresh: draft.fresh }, there)
  if (there === null) {
    const lost = draft.there === null ? '' : `, but the table ${draft.there} could not be read`
    return { setup: again, back: `${isBack}${lost}.` }
  }
  const names = new Set(there.columns.map(({ name }) => name))
  return draft.mapping.every((name) => name === null || names.has(name))
    ? { setup: { ...again, mapping: draft.mapping }, back: `${isBack}.` }
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
  { there, fresh, mapping, source }: Setup,
  taken: readonly string[],
  limit: number,
): TargetChoice {
  if (source.width === 0) return { why: 'The file is empty.' }
  return there === null ? newTarget(fresh, taken, limit) : thereTarget(there, mapping, limit)
}
