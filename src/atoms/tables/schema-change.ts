import { atom, type Getter } from 'jotai'
import type { Reason } from '~/api/errors'
import { readState } from '~/api/server'
import { execSql } from '~/api/sql'
import { describeTable, listIndexes, listTables } from '~/api/tables'
import type { Io } from '~/core/act'
import { newestKnown, refreshState } from '~/core/history/newest-state'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import { checkWrite } from '~/core/write'
import { isBusy } from '~/lib/write-state'
import { lowerAscii } from '~/sql/names'
import { doneText, type SchemaChange, schemaSql } from '~/sql/schema-changes'
import { verifyWrite } from '~/trust/receipts'
import { uncomparedWrite } from '~/trust/sent'
import { runWrite } from '~/trust/write'
import { notSoFar, sendersUnknown, stillNewest } from '~/words/outcome'
import { writeRefusalAtom } from '../users/viewer'
import { type ChangedSchema, schemaFormAtom, schemaPlace, schemaStateAtom } from './schema-form'
import { refreshTables } from './table-list'

type Sent = { database: string; change: SchemaChange; txBefore: string }

const sentAtom = atom<Sent | null>(null)

/** Sends a change of the schema, once, and closes its form. Resolves with whether it was committed. */
export async function changeSchema(
  io: Io,
  database: string,
  change: SchemaChange,
): Promise<boolean> {
  const { get, set } = io
  if (isBusy(get(schemaStateAtom))) return false
  const txBefore = newestKnown(get, database)
  set(sentAtom, { database, change, txBefore })
  const ended = await runWrite<ChangedSchema>(io, schemaPlace(get, set), {
    database,
    confirm: async () => {
      const text = get(writeRefusalAtom)
      return text === undefined ? null : { kind: 'refused', text, details: 'not sent' }
    },
    send: async () => {
      const answer = await execSql(get(clientAtom), { database, sql: schemaSql(change) })
      const tx = answer.flatMap(({ header }) => header?.id ?? []).at(-1) ?? ''
      return { tx, text: doneText(change), database, change }
    },
    secondReasons: secondReasons(change),
    settle: (outcome) =>
      outcome.kind === 'committed' && outcome.value.tx === ''
        ? { kind: 'refused', text: 'The server made no transaction.', details: 'no transaction' }
        : outcome,
  })
  if (ended?.kind !== 'committed') return false
  set(schemaFormAtom, null)
  const write = { database, tx: ended.value.tx, txBefore }
  void verifyWrite(io, { ...write, of: 'schema', questions: uncomparedWrite(write) })
  void refreshState(io)
  void refreshTables(io)
  return true
}

/** The refusals of a change that was just made. */
function secondReasons({ kind }: SchemaChange): readonly Reason[] {
  if (kind.startsWith('drop')) return ['missing', 'not-found']
  return kind === 'rename-column' ? ['exists', 'missing'] : ['exists']
}

/** Checks what became of a change without an answer. Only reads. */
export async function checkSchemaChange(io: Io): Promise<void> {
  const { get, set } = io
  const sent = get(sentAtom)
  if (sent === null) return
  await checkWrite<ChangedSchema>(schemaPlace(get, set), async () => {
    await ensureDatabaseToken(io, get(clientAtom), sent.database)
    const { txId } = await readState(get(clientAtom), sent.database)
    if (BigInt(txId) <= BigInt(sent.txBefore)) {
      return stillNewest(txId, 'done')
    }
    const isThere = await isMade(get, sent)
    void refreshTables(io)
    return isThere
      ? `The schema is as you asked for. ${sendersUnknown}`
      : notSoFar('The schema is not as you asked for so far.')
  })
}

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
