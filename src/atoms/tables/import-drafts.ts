import { atom } from 'jotai'
import * as v from 'valibot'
import type { Io } from '~/core/act'
import { unappliedForms } from '~/core/drafts'
import type { FileId } from '~/core/upload-progress'
import { encodings } from '~/lib/encoding'
import { fieldRules, importTypes } from '~/sql/import-types'

const length = v.nullable(v.number())
const rule = v.nullable(v.picklist(fieldRules))
const column = v.object({
  name: v.string(),
  type: v.object({ name: v.picklist(importTypes), length }),
  rule,
  isIncluded: v.boolean(),
})

const draft = v.object({
  source: v.object({
    format: v.object({ separator: v.string(), quote: v.string() }),
    encoding: v.picklist(encodings),
    firstLine: v.number(),
    hasHeader: v.boolean(),
    width: v.number(),
    fillsShort: v.boolean(),
    nulls: v.array(v.object({ word: v.string(), where: v.picklist(['everywhere', 'typed']) })),
    takesGuards: v.boolean(),
  }),
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
  rules: v.array(rule),
})

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
