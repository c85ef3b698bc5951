import type { CatalogueWrite } from '~/core/history/transaction-reader'
import { replay } from '../tables/table-states'
import { type Ddl, ddlOf } from '../transactions/ddl'

/** What one transaction changed in the schema. */
export type SchemaStep = {
  readonly tx: string
  /** Seconds since 1970. */
  readonly ts: string
  readonly ddl: readonly Ddl[]
}

/** The statements of each transaction behind `from`, which know the tables before them. */
export function schemaSteps(
  all: readonly CatalogueWrite[],
  from: bigint,
  isWhole: boolean,
): SchemaStep[] {
  const byTx = new Map<string, CatalogueWrite[]>()
  for (const change of all) byTx.set(change.tx, [...(byTx.get(change.tx) ?? []), change])
  const done: CatalogueWrite[] = []
  const steps: SchemaStep[] = []
  for (const [tx, changes] of byTx) {
    const [first] = changes
    if (BigInt(tx) > from && first && !first.isCopy) {
      const ddl = ddlOf(changes, isWhole ? replay(done) : null)
      if (ddl.length > 0) steps.push({ tx, ts: first.ts, ddl })
    }
    done.push(...changes)
  }
  return steps
}
