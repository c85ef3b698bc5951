import { atom, type Getter } from 'jotai'
import * as v from 'valibot'
import type { Reason } from '~/api/errors'
import { readState } from '~/api/server'
import { execSql } from '~/api/sql'
import { describeTable, listIndexes, listTables } from '~/api/tables'
import type { Io } from '~/core/act'
import { unappliedForms } from '~/core/drafts'
import { refreshState } from '~/core/history/newest-state'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import { isBusy } from '~/lib/write-state'
import { lowerAscii } from '~/sql/names'
import { doneText, type Schema, type SchemaChange, schemaSql } from '~/sql/schema-changes'
import { verifyWrite } from '~/trust/receipts'
import { uncomparedWrite } from '~/trust/sent'
import { defineWrite } from '~/trust/write'
import { notSoFar, sendersUnknown, stillNewest } from '~/words/outcome'
import { writeRefusalAtom } from '../users/viewer'
import { column } from './new-table-drafts'
import { refreshTables } from './table-list'

/** A change of the schema that was committed. */
export type ChangedSchema = {
  readonly tx: string
  readonly text: string
  readonly database: string
  readonly change: SchemaChange
}

type Change = { database: string; change: SchemaChange }

const changing = defineWrite<Change, ChangedSchema>({
  isSame: (one, other) =>
    one.database === other.database && JSON.stringify(one.change) === JSON.stringify(other.change),
  confirm: async ({ get }) => {
    const text = get(writeRefusalAtom)
    return text === undefined ? null : { kind: 'refused', text, details: 'not sent' }
  },
  send: async ({ get }, { database, change }) => {
    const answer = await execSql(get(clientAtom), { database, sql: schemaSql(change) })
    const tx = answer.flatMap(({ header }) => header?.id ?? []).at(-1) ?? ''
    return { tx, text: doneText(change), database, change }
  },
  secondReasons: ({ change }) => secondReasons(change),
  settle: (io, { database, txBefore }, outcome) => {
    if (outcome.kind !== 'committed') return outcome
    const { tx } = outcome.value
    if (tx === '') {
      return { kind: 'refused', text: 'The server made no transaction.', details: 'no transaction' }
    }
    const write = { database, tx, txBefore }
    void verifyWrite(io, { ...write, of: 'schema', questions: uncomparedWrite(write) })
    void refreshState(io)
    void refreshTables(io)
    return outcome
  },
  look: async (io, sent) => {
    await ensureDatabaseToken(io, io.get(clientAtom), sent.database)
    const { txId } = await readState(io.get(clientAtom), sent.database)
    if (BigInt(txId) <= BigInt(sent.txBefore)) return stillNewest(txId, 'done')
    const isThere = await isMade(io.get, sent)
    void refreshTables(io)
    return isThere
      ? `The schema is as you asked for. ${sendersUnknown}`
      : notSoFar('The schema is not as you asked for so far.')
  },
})

/** The state of the present or last change of a schema. */
export const schemaStateAtom = atom((get) => get(changing.stateAtom)(''))

/** A form for a change: what it begins with, and the schema as it is. */
export type OpenForm = {
  readonly database: string
  readonly start: SchemaChange
  readonly of: Omit<Schema, 'tables'>
}

const formAtom = atom<OpenForm | null>(null)

/**
 * The open form; null closes it. What became of the last change is forgotten, but for one that was
 * made: that stands in the list until another form opens.
 */
export const schemaFormAtom = atom(
  (get) => get(formAtom),
  (get, set, form: OpenForm | null) => {
    const state = get(schemaStateAtom)
    if (isBusy(state)) return
    if (form !== null || state.kind !== 'committed') changing.forget({ get, set }, '')
    set(formAtom, form)
  },
)

/** The change that was made last; setting null takes away the note about it. */
export const changedSchemaAtom = atom(
  (get) => {
    const state = get(schemaStateAtom)
    return state.kind === 'committed' ? state.value : null
  },
  (get, set, _: null) => {
    if (get(schemaStateAtom).kind === 'committed') changing.forget({ get, set }, '')
  },
)

/** Sends a change of the schema, once, and closes its form. Resolves with whether it was committed. */
export async function changeSchema(
  io: Io,
  database: string,
  change: SchemaChange,
): Promise<boolean> {
  const ended = await changing.write(io, { database, change })
  if (ended?.kind !== 'committed') return false
  io.set(schemaFormAtom, null)
  return true
}

/** Checks what became of a change without an answer. Only reads. */
export const checkSchemaChange = (io: Io) => changing.check(io, '')

/** The refusals of a change that was just made. */
function secondReasons({ kind }: SchemaChange): readonly Reason[] {
  if (kind.startsWith('drop')) return ['missing', 'not-found']
  return kind === 'rename-column' ? ['exists', 'missing'] : ['exists']
}

/** Whether the schema is as a change would make it. */
async function isMade(get: Getter, { database, change }: Change): Promise<boolean> {
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

const table = v.string()

/** Forms that add to a table or rename in it; what is typed for a new table is kept for all tabs. */
const typed = v.union([
  v.object({ kind: v.literal('add-column'), table, column }),
  v.object({ kind: v.literal('rename-column'), table, column: v.string(), to: v.string() }),
  v.object({
    kind: v.literal('create-index'),
    table,
    columns: v.array(v.string()),
    isUnique: v.boolean(),
  }),
])

/** By database, and by what the form began with. */
export const schemaForms = unappliedForms<SchemaChange>('schema', typed)
