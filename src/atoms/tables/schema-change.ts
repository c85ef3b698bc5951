import { atom, type Getter } from 'jotai'
import { queryClientAtom } from 'jotai-tanstack-query'
import type { Reason } from '~/api/errors'
import { readState, type State } from '~/api/server'
import { execSql } from '~/api/sql'
import { describeTable, listIndexes, listTables } from '~/api/tables'
import { formatTx } from '~/lib/text'
import { idle, isBusy, type Write } from '~/lib/write'
import { lowerAscii } from '~/sql/names'
import { doneText, type Schema, type SchemaChange, schemaSql } from '~/sql/schema-changes'
import { refreshStateAtom, stateKey } from '../history/newest-state'
import { verifyWriteAtom } from '../query/receipts'
import { refreshTablesAtom } from '../query/tables'
import { clientAtom, ensureDatabaseToken } from '../session/client'
import { writeRefusalAtom } from '../users/viewer'
import { checkWrite, placeIn, runWrite } from '../write/write'

/** A change of the schema that was committed. */
export type ChangedSchema = {
  readonly tx: string
  readonly text: string
  readonly database: string
}

type Sent = { database: string; change: SchemaChange; txBefore: string }

const stateAtom = atom<Write<ChangedSchema>>(idle)
const sentAtom = atom<Sent | null>(null)

/** The state of the present or last change of a schema. */
export const schemaStateAtom = atom((get) => get(stateAtom))

/** A form for a change: what it begins with, and the schema as it is. */
export type OpenForm = {
  readonly database: string
  readonly start: SchemaChange
  readonly of: Omit<Schema, 'tables'>
}

const formAtom = atom<OpenForm | null>(null)

/** The open form; null closes it, and forgets what became of its change. */
export const schemaFormAtom = atom(
  (get) => get(formAtom),
  (get, set, form: OpenForm | null) => {
    if (isBusy(get(stateAtom))) return
    set(stateAtom, idle)
    set(formAtom, form)
  },
)

/** Sends a change of the schema, once. Resolves with whether it was committed. */
export const changeSchemaAtom = atom(
  null,
  async (get, set, database: string, change: SchemaChange): Promise<boolean> => {
    if (isBusy(get(stateAtom))) return false
    const state = get(queryClientAtom).getQueryData<State>(stateKey(database))
    const txBefore = state?.txId ?? '0'
    set(sentAtom, { database, change, txBefore })
    const ended = await runWrite<ChangedSchema>(set, placeIn(get, set, stateAtom), {
      database,
      confirm: async () => {
        const text = get(writeRefusalAtom)
        return text === undefined ? null : { kind: 'refused', text, details: 'not sent' }
      },
      send: async () => {
        const answer = await execSql(get(clientAtom), { database, sql: schemaSql(change) })
        const tx = answer.flatMap(({ header }) => header?.id ?? []).at(-1) ?? ''
        return { tx, text: doneText(change), database }
      },
      secondReasons: secondReasons(change),
      settle: (outcome) =>
        outcome.kind === 'committed' && outcome.value.tx === ''
          ? { kind: 'refused', text: 'The server made no transaction.', details: 'no transaction' }
          : outcome,
    })
    if (ended?.kind !== 'committed') return false
    void set(verifyWriteAtom, { database, tx: ended.value.tx, txBefore })
    void set(refreshStateAtom)
    void set(refreshTablesAtom)
    return true
  },
)

/** The refusals of a change that was just made. */
function secondReasons({ kind }: SchemaChange): readonly Reason[] {
  if (kind.startsWith('drop')) return ['missing', 'not-found']
  return kind === 'rename-column' ? ['exists', 'missing'] : ['exists']
}

/** Checks what became of a change without an answer. Only reads. */
export const checkSchemaChangeAtom = atom(null, async (get, set): Promise<void> => {
  const sent = get(sentAtom)
  if (sent === null) return
  await checkWrite<ChangedSchema>(placeIn(get, set, stateAtom), async () => {
    await ensureDatabaseToken({ get, set }, get(clientAtom), sent.database)
    const { txId } = await readState(get(clientAtom), sent.database)
    if (BigInt(txId) <= BigInt(sent.txBefore)) {
      return `Not done so far: tx ${formatTx(txId)} is still the newest. A busy server may still commit it; check again.`
    }
    const isThere = await isMade(get, sent)
    void set(refreshTablesAtom)
    return isThere
      ? 'The schema is as you asked for. Transactions do not say who sent them.'
      : 'The schema is not as you asked for so far. A busy server may still commit it; check again.'
  })
})

/** Whether the schema is as a change would make it. */
async function isMade(get: Getter, { database, change }: Sent): Promise<boolean> {
  const client = get(clientAtom)
  const table = lowerAscii(change.table.trim())
  const isThere = (await listTables(client, { database })).includes(table)
  if (change.kind === 'create-table') return isThere
  if (change.kind === 'drop-table') return !isThere
  if (!isThere) return false
  if (change.kind === 'create-index' || change.kind === 'drop-index') {
    const indexes = await listIndexes(client, { database, table })
    const isFound = indexes.some(({ columns }) => columns.join() === change.columns.join())
    return isFound === (change.kind === 'create-index')
  }
  const names = (await describeTable(client, { database, table })).map(({ name }) => name)
  if (change.kind === 'drop-column') return !names.includes(change.column)
  const name = change.kind === 'add-column' ? change.column.name : change.to
  return names.includes(lowerAscii(name.trim()))
}
