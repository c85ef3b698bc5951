import type { PkValue } from '~/api/proof'
import { schemasOf } from '~/proof/catalog'
import { compareColumns, compareNames, type TableFinding } from '~/proof/compare-tables'
import type { Context } from '~/proof/context'
import type { DeepAudit } from '~/proof/deep-audit'
import { ProofError } from '~/proof/failure'
import { pkValues } from '~/proof/sample-row'
import type { Schema } from '~/proof/schema'
import { verify } from '~/proof/verify'
import type { AuditDoor } from './door'
import { isAnswer, Refusal } from './proofs'

/**
 * Compares every table as the history tells it with what the server claims: its list, its columns
 * and, where a row is known, the numbers behind the names that come with the row's proof.
 */
export async function compareTables(
  { catalog, rows }: DeepAudit,
  door: AuditDoor,
  context: Context,
): Promise<TableFinding[]> {
  const derived = schemasOf(catalog)
  const listed = await door.tables()
  const found = compareNames(derived, listed)
  for (const schema of derived) {
    if (!listed.includes(schema.table)) continue
    const columns = compareColumns(schema, await door.describe(schema.table))
    const row = rows.get(schema.tableId)
    const values = row && pkValues(row, schema)
    const isSame = columns.kind === 'differs' || !row || !values
    found.push(isSame ? columns : await compareRow(schema, { door, context, row, values }))
  }
  return found
}

async function compareRow(
  schema: Schema,
  {
    door,
    context,
    row,
    values,
  }: {
    door: AuditDoor
    context: Context
    row: { tx: string }
    values: Record<string, unknown>[]
  },
): Promise<TableFinding> {
  const { table } = schema
  const compared = { table, row: 'compared' } as const
  const what = `a row of ${table} in transaction ${row.tx}`
  const pinned = { ...context, schema }
  for (let again = 0; ; again += 1) {
    const answered = await asked(() => door.row(table, values as PkValue[], row.tx)) // as it takes
    if (!answered) return { table, kind: 'agrees', what: '', row: 'refused' }
    try {
      await verify('row', pinned, answered.request, answered.response)
      return { ...compared, kind: 'agrees', what: '' }
    } catch (error) {
      if (!(error instanceof ProofError)) throw error
      if (error.reason === 'schema-changed') {
        return { ...compared, kind: 'differs', what: 'the numbers or lengths of its columns' }
      }
      if (again > 0) throw new Refusal({ kind: 'row', what, context: pinned, answered }, error)
    }
  }
}

/** Null when the server does not give the row; its columns were compared. */
async function asked<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (error) {
    if (isAnswer(error)) return null
    throw error
  }
}
