import { useAtomValue, useSetAtom } from 'jotai'
import { type ChangedSchema, changedSchemaAtom } from '~/atoms/tables/schema-change'
import { databaseAtom } from '~/core/session/session'
import { formatTx } from '~/lib/text'
import { lowerAscii } from '~/sql/names'
import type { SchemaChange } from '~/sql/schema-changes'
import { focusOnce } from '~/ui/focus-once'
import { ResultNote } from '~/ui/ResultNote'
import { TxText } from '~/ui/TxText'
import { Receipt } from '../../proof/Receipt'

type Kind = SchemaChange['kind']

/** The change that was made last, if it is one of these kinds in the open database. */
export function useChangedSchema<K extends Kind>(table: string | null, kinds: readonly K[]) {
  const done = useAtomValue(changedSchemaAtom)
  const database = useAtomValue(databaseAtom)
  if (done === null || done.database !== database) return null
  const { change } = done
  const isIts = table === null || lowerAscii(change.table.trim()) === table
  return isIts && kinds.some((kind) => kind === change.kind) ? done : null
}

/** The name of the column, or the columns of the index, that a change has made. */
export function madeBy({ change }: ChangedSchema): string | null {
  if (change.kind === 'add-column') return lowerAscii(change.column.name.trim())
  if (change.kind === 'rename-column') return lowerAscii(change.to.trim())
  return change.kind === 'create-index' ? change.columns.join() : null
}

/** What was done, its transaction, and what this browser verified of it. */
export function SchemaNote({ done, hasFocus }: { done: ChangedSchema; hasFocus?: boolean }) {
  const dismiss = useSetAtom(changedSchemaAtom)
  const { database, tx, text } = done
  return (
    <div ref={hasFocus ? focusOnce(done) : null} tabIndex={-1}>
      <ResultNote isDone onClose={() => dismiss(null)}>
        <TxText database={database} text={`${text} Committed in tx ${formatTx(tx)}.`} />{' '}
        <Receipt database={database} of="schema" tx={tx} />
      </ResultNote>
    </div>
  )
}
