import type { Getter } from 'jotai'
import { type Refused, type RowMap, rowMap, rowSource } from '~/sql/row-source'
import { sentence } from '../failure'
import type { OutputEntry } from '../output'
import { readDetails, readTables } from '../tables'

/** Finds the primary key of the rows in a result. Never rejects. */
export async function planRows(get: Getter, entry: OutputEntry): Promise<RowMap | Refused> {
  const { database, sent, source, result } = entry
  const found = rowSource(sent ?? source)
  if ('why' in found) return found
  const { table } = found
  try {
    const tables = await readTables(get, database, (known) => (known.has(table) ? [] : [table]))
    if (!tables.has(table)) {
      return { why: `${table} is not a table: only stored rows can be verified.` }
    }
    const { columns, indexes } = await readDetails(get, database, table)
    const keys = columns.filter(({ isPrimaryKey }) => isPrimaryKey).map(({ name }) => name)
    const ordered = indexes?.find(({ isPrimary }) => isPrimary)?.columns ?? keys
    const primaryKey = ordered.length === keys.length ? ordered : keys
    return rowMap(found, result?.columns ?? [], { primaryKey })
  } catch (error) {
    return { why: `The primary key of ${table} could not be read. ${sentence(error)}` }
  }
}
