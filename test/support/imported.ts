import { readBeginning, readRows } from '~/atoms/tables/import-file'
import { firstSetup, lookedThrough, type Setup, withTable } from '~/screens/tables/import/setup'
import type { FileRow } from '~/sql/import-rows'
import type { ImportTarget } from '~/sql/import-statements'
import { newTarget, type ThereTable } from '~/sql/import-target'

/** A file as it is chosen: looked through, and guessed. */
export async function chosen(parts: BlobPart | readonly BlobPart[], name = 'items.csv') {
  const file = new File(Array.isArray(parts) ? [...parts] : [parts as BlobPart], name)
  const signal = new AbortController().signal
  return lookedThrough(firstSetup(file, await readBeginning(file)), { signal, tell: () => {} })
}

/** A table that is there, with columns of these types, the first of which is its key. */
export function tableWith(types: readonly string[]): ThereTable {
  const columns = types.map((type, at) => ({
    name: `c${at}`,
    type,
    isNullable: at > 0,
    isPrimaryKey: at === 0,
    isAutoIncrement: false,
    isIndexed: at === 0,
  }))
  return { table: 'there', columns, indexes: null, defaults: new Map() }
}

/** A setup whose fields go one after the other into the columns of a table that is there. */
export function into(setup: Setup, there: ThereTable): Setup {
  return { ...withTable(setup, there), mapping: there.columns.map(({ name }) => name) }
}

/** The target of a new table with all that was guessed. */
export function guessedTarget({ fresh }: Setup): ImportTarget {
  const choice = newTarget(fresh, [])
  if ('why' in choice) throw new Error(choice.why)
  return choice.target
}

/** All rows of the file as they are sent. */
export async function rowsOf({ file, source }: Setup, target: ImportTarget): Promise<FileRow[]> {
  const rows: FileRow[] = []
  for await (const part of readRows(file, source, target)) rows.push(...part.rows)
  return rows
}
