import { type ExecAnswer, execSql } from '~/api/sql'
import type { Io } from '~/core/act'
import { clientAtom } from '~/core/session/client'
import { busyStop, type Making, type UploadStop, unknownStop, uploader } from '~/core/upload'
import { createTableSql, insertSql } from '~/sql/import-statements'
import { verifyUpload, writeUpload } from '~/trust/upload-writes'
import { importRefusalAtom, newTableRefusalAtom } from '../users/privileges'
import { keepImportDraft } from './import-drafts'
import { batchesOf, type ImportPlan } from './import-file'
import { findRows, findTable } from './import-outcome'
import { refreshTables } from './table-list'

/** A file, and the names of its fields, which are shown while they are known. */
export type ImportInput = { readonly file: File; readonly heads: readonly (string | null)[] }

/** The import of CSV into a table. */
export const tableImport = uploader({
  kind: 'tables',
  words: { one: 'row', many: 'rows' },
  batches: ({ file }: ImportInput, plan: ImportPlan, progress) => batchesOf(file, plan, progress),
  bodyOf: ({ target }, items) =>
    insertSql(
      target,
      items.map(({ row }) => row),
    ),
  send: ({ get }, { database }, statement) =>
    execSql(get(clientAtom), { database, ...statement }).then(sentTx),
  // With keys in the file they are looked up, whatever the refusal was about.
  secondReasons: ({ target }) => (target.autoKey === null ? [] : ['exists']),
  refusal: (get, { isMade }) =>
    get(importRefusalAtom) ?? (isMade ? undefined : get(newTableRefusalAtom)),
  find: findRows,
  repeats: ({ target }) =>
    target.autoKey === null
      ? null
      : 'The server makes the keys, so rows that are sent again would be stored again. Look at what was added and decide.',
  make: makeTable,
  write: writeUpload,
  onRest: (io, { database, file }, { isDone, lastTx }) => {
    if (isDone) keepImportDraft(io, database, file, null)
    verifyUpload(io, database, lastTx)
    void refreshTables(io)
  },
})

function sentTx(answer: ExecAnswer) {
  return { tx: answer.find(({ header }) => header)?.header?.id ?? '' }
}

/** Makes the table. Resolves with why the import stops, or null once the table is there. */
async function makeTable(
  io: Io,
  plan: ImportPlan,
  { progress, note, write }: Making,
): Promise<UploadStop | null> {
  const made = async () => {
    await note({ isMade: true, isMakePending: false })
    return null
  }
  if (progress().isMakePending) {
    const found = await findTable(io, plan)
    if (found === 'made') return made()
    if (found === 'other') {
      const why = `There is a table ${plan.into} with other columns than the file needs. Import into another table.`
      return { kind: 'held', why }
    }
  }
  await note({ isMakePending: true })
  const request = { database: plan.database, sql: createTableSql(plan.target), params: [] }
  const ended = await write(() => execSql(io.get(clientAtom), request).then(sentTx))
  if (ended?.kind === 'committed') return made()
  if (ended?.kind === 'unknown') {
    const found = await findTable(io, plan).catch(() => 'absent')
    if (found === 'made') return made()
    const text = `It is not known whether the table was made. ${ended.text}`
    return unknownStop(text, ended.details, '“Continue” looks for the table first.')
  }
  await note({ isMakePending: false })
  if (ended?.kind !== 'refused') return busyStop
  const text = `The table was not made. ${ended.text}`
  const notDone = 'Nothing was stored. “Continue” sends the statement again.'
  return { kind: 'refused', text, details: ended.details, notDone, leavable: null }
}
