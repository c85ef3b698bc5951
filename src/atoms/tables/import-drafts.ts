import { atom } from 'jotai'
import * as v from 'valibot'
import type { Io } from '~/core/act'
import { unappliedForms } from '~/core/drafts'
import type { FileId } from '~/core/upload-progress'
import { encodings } from '~/lib/encoding'
import { fieldRules, importTypes } from '~/sql/import-types'

const length = v.nullable(v.number())
const rule = v.optional(v.nullable(v.picklist(fieldRules)), null)
const column = v.object({
  name: v.string(),
  type: v.object({ name: v.picklist(importTypes), length }),
  rule,
  isIncluded: v.boolean(),
})

const nullWord = v.object({ word: v.string(), where: v.picklist(['everywhere', 'typed']) })

/** The console of 28 November 2026 read a file in the way of the defaults, with one text for NULL. */
const source = v.pipe(
  v.object({
    format: v.object({
      separator: v.string(),
      quote: v.string(),
      nullText: v.optional(v.string(), ''),
    }),
    encoding: v.picklist(encodings),
    firstLine: v.optional(v.number(), 1),
    hasHeader: v.boolean(),
    width: v.number(),
    fillsShort: v.optional(v.boolean(), false),
    nulls: v.optional(v.array(nullWord)),
    takesGuards: v.optional(v.boolean(), false),
  }),
  v.transform(({ format: { nullText, ...format }, nulls, ...of }) => ({
    ...of,
    format,
    nulls: nulls ?? [{ word: nullText, where: 'everywhere' as const }],
  })),
)

const draft = v.pipe(
  v.object({
    source,
    /** The new table. */
    fresh: v.object({
      table: v.string(),
      columns: v.array(column),
      key: v.array(v.number()),
      autoKey: v.string(),
    }),
    /** The name of a table that is there; null for the new one. */
    there: v.nullable(v.string()),
    /** For each field of the file a column of that table; null to leave it out. */
    mapping: v.array(v.nullable(v.string())),
    /** How each field is read into it. */
    rules: v.optional(v.array(rule)),
  }),
  v.transform(({ rules, ...of }) => ({ ...of, rules: rules ?? of.mapping.map(() => null) })),
)

/** What was chosen for a file before its import began. */
export type ImportDraft = v.InferOutput<typeof draft>

const { readAtom, keepAtom } = unappliedForms<ImportDraft>('import', draft)

/** Reads what was chosen for a file before; null for nothing. */
export const importDraftAtom = atom((get) => {
  const read = get(readAtom)
  return (database: string, file: FileId): ImportDraft | null =>
    read(database, file.name, file.size, file.checksum)
})

/** Keeps what is chosen for a file; null forgets it. */
export function keepImportDraft(
  { set }: Io,
  database: string,
  file: FileId,
  chosen: ImportDraft | null,
) {
  return set(keepAtom, chosen, database, file.name, file.size, file.checksum)
}
