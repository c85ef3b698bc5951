import { atom, type Getter } from 'jotai'
import { queryClientAtom } from 'jotai-tanstack-query'
import { readIdField } from '~/api/collections'
import { auditDocument, replaceDocument, replaceText } from '~/api/documents'
import { isBecause } from '~/api/errors'
import { type Precondition, setKey, setReference } from '~/api/keys'
import { execSql, querySql } from '~/api/sql'
import type { Io } from '~/core/act'
import { refreshState } from '~/core/history/newest-state'
import { askRow, type RowName } from '~/core/revisions/row-questions'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import { lackingAtom } from '~/core/session/server-version'
import { type DocumentFields, documentJson } from '~/immudb/document-json'
import { base64Size } from '~/lib/size'
import { counted, formatTx } from '~/lib/text'
import { beginning, visibleText } from '~/lib/visible-text'
import { idle, type Refused, type Write } from '~/lib/write-state'
import { paramText } from '~/sql/params'
import { type ParamSql, type PresentRow, restoreSql } from '~/sql/restore'
import { readResult } from '~/sql/result'
import { rowNow } from '~/sql/row-source'
import { verifyWrite } from '~/trust/receipts'
import { type Committed, documentWrite, keyWrite, operationsWrite, rowsWrite } from '~/trust/sent'
import type { Question } from '~/trust/verification'
import { defineWrite, type Sent } from '~/trust/write'
import { notSoFar, sendersUnknown } from '~/words/outcome'
import { refusalOfReplacement } from '../documents/document-write'
import { keysKey } from '../keys/key-list'
import { type KeyState, readKeyState } from '../keys/key-state'
import { rowCells } from '../tables/edits-rows'
import { contentOf } from './document-history'
import type { History, Part, RevisionContent } from './history'
import { shortKeyName } from './key-history'
import type { Subject } from './open-revisions'
import { openHistory, refreshRevisions } from './revision-list'

/** An old revision as a new write, looked through before it is sent. */
export type RestorePlan = {
  readonly history: History
  readonly number: number
  /** What is sent, in full. */
  readonly statement: string
  readonly params: readonly { readonly name: string; readonly text: string }[]
  /** What is there now; missing where it is not compared. */
  readonly now?: readonly Part[]
  /** What it does not bring back, and what may hold it. */
  readonly notes: readonly string[]
  readonly send: () => Promise<string | null>
  /** The document that is replaced: its field for ids, and its revision when this was planned. */
  readonly replaced?: { readonly idField: string; readonly revision: string }
  /** What the new revision holds when it is committed. */
  readonly content: RevisionContent
}

type Restore = { database: string; plan: RestorePlan }

type Made = { tx: string }

const restoring = defineWrite<Restore, Made>({
  isSame: ({ plan: one }, { plan: other }) =>
    nameOf(one.history.subject) === nameOf(other.history.subject) && one.number === other.number,
  confirm: async (io, { plan: { history, replaced } }) => {
    const { subject } = history
    return subject.kind === 'document' && replaced
      ? refusalOfReplacement(io, { ...subject, ...replaced }, subject.id)
      : null
  },
  send: async (_io, { plan }) => ({ tx: (await plan.send()) ?? '' }),
  // A second one finds what the first left.
  secondReasons: () => ['row-changed', 'key-changed', 'exists'],
  settle: (io, sent, outcome) => {
    const { subject } = sent.plan.history
    if (outcome.kind === 'refused') return explained(outcome, subject)
    if (outcome.kind !== 'committed') return outcome
    if (outcome.value.tx === '') return gone(subject)
    tellRestored(io, sent, outcome.value.tx)
    return outcome
  },
  look: lookForRestored,
})

type LastRestore = { readonly plan: RestorePlan | null; readonly state: Write<Made> }

/** Returns the last restore of something; idle when it was of something else. */
export const lastRestoreAtom = atom((get) => (subject: Subject): LastRestore => {
  const plan = get(restoring.sentAtom)('')?.plan ?? null
  const isOfThis = plan !== null && nameOf(plan.history.subject) === nameOf(subject)
  return isOfThis ? { plan, state: get(restoring.stateAtom)('') } : { plan: null, state: idle }
})

const nameOf = (subject: Subject) => JSON.stringify(subject)

/** Names the receipt of a restore. */
export const restoreName = (subject: Subject) => `restore of ${nameOf(subject)}`

/** Forgets the last restore before another one is planned. */
export const forgetRestore = (io: Io) => restoring.forget(io, '')

/**
 * What restoring a revision would send.
 * @throws ApiError when the server cannot be asked
 */
export async function planRestore(
  io: Io,
  history: History,
  number: number,
): Promise<RestorePlan | { why: string }> {
  const { get } = io
  const { subject } = history
  await ensureDatabaseToken(io, get(clientAtom), subject.database)
  const content = await history.content(number, {})
  if (content.parts.length === 0) return { why: nothingThere }
  switch (subject.kind) {
    case 'row':
      return planRow(get, history, number, content)
    case 'key':
      return planKey(get, history, number, content)
    case 'document':
      return planDocument(get, history, number, content)
  }
}

const nothingThere = 'This revision has no content that could be written again.'

async function planRow(
  get: Getter,
  history: History,
  number: number,
  content: RevisionContent,
): Promise<RestorePlan | { why: string }> {
  const { row } = history
  if (!row) return { why: nothingThere }
  const { database } = row
  const now = await presentRow(get, row)
  const lacks = now && get(lackingAtom)('rowEdits')
  if (lacks) return { why: lacks }
  const made = restoreSql(row.table, row.key, content.parts, now)
  if (!made) return { why: 'The row has no column beside its key, and it is there.' }
  return {
    history,
    number,
    content,
    statement: made.sql,
    params: made.params.map(({ name, value }) => ({ name, text: paramText(value) })),
    ...(now && !now.isCut ? { now: partsOfRow(now) } : {}),
    notes: [
      now === null
        ? 'The row is not there now, so it is inserted. If someone else inserts it first, the server refuses this.'
        : now.isCut
          ? 'Values that the row has now were removed by a truncation, so they cannot be compared: a change that someone else makes before you restore is overwritten. It stays in the history.'
          : 'All columns of the row get the content of this revision. If someone else changes the row first, the server refuses this.',
      ...(content.dropped.length > 0
        ? [
            `The content of ${counted(content.dropped.length, 'dropped column')} does not come back.`,
          ]
        : []),
    ],
    send: () => sendSql(get, database, made),
  }
}

/** The row as it is now; null when it is not there. `isCut`: only its key can be read. */
async function presentRow(
  get: Getter,
  row: RowName,
): Promise<(PresentRow & { readonly isCut: boolean }) | null> {
  const { database, table } = row
  try {
    const sql = rowNow(table, row.key)
    const result = readResult(await querySql(get(clientAtom), { database, sql }))
    if (result.rowCount === 0) return null
    const columns = result.columns.map(({ label, type }) => ({ name: label, type }))
    return { columns, cells: rowCells(result, 0), isCut: false }
  } catch (error) {
    if (!isBecause(error, 'value-gone')) throw error
    const columns = row.key.map(({ column, type }) => ({ name: column, type }))
    const cells = new Map(row.key.map(({ column, value }) => [column, value]))
    const there = await askRow({ get }, row)(new Map([[1n, '']]))
    return there.has(1n) ? { columns, cells, isCut: true } : null
  }
}

const partsOfRow = ({ columns, cells }: PresentRow): readonly Part[] =>
  columns.map(({ name, type }) => ({ name, type, value: cells.get(name) ?? null }))

async function sendSql(get: Getter, database: string, { sql, params }: ParamSql) {
  const txs = await execSql(get(clientAtom), { database, sql, params })
  return txs.find(({ header }) => header)?.header?.id ?? null
}

async function planKey(
  get: Getter,
  history: History,
  number: number,
  content: RevisionContent,
): Promise<RestorePlan | { why: string }> {
  const { subject } = history
  if (subject.kind !== 'key') return { why: nothingThere }
  const { database, key } = subject
  const client = get(clientAtom)
  const partOf = (wanted: string) =>
    content.parts.find(({ name }) => name === wanted)?.value ?? null
  const [value, target, atTx] = [partOf('Value'), partOf('Refers to'), partOf('As of')]
  const expires = partOf('Expires')
  if (value === null) return { why: nothingThere }
  const precondition = preconditionOf(await readKeyState(client, { database, key }))
  const isOver = expires !== null && Number(expires) * 1_000 <= Date.now()
  const expiresAt = isOver || target !== null ? null : expires
  const bound = atTx === null ? '' : ` as of tx ${formatTx(atTx)}`
  const shown =
    target === null
      ? `set ${base64Size(value)} bytes of revision ${number}`
      : `set a reference to the key ${shortKeyName(target)}${bound}`
  const parts = content.parts.map((part) =>
    part.name === 'Expires' ? { ...part, value: expiresAt } : part,
  )
  return {
    history,
    number,
    content: { ...content, parts },
    statement: `${shown}\n${conditionWords(precondition)}`,
    params: [],
    notes: isOver ? ['Its time to expire is over, so the value is set without one.'] : [],
    send: async () => {
      const request = { database, key, precondition }
      const { id } = await (target === null
        ? setKey(client, { ...request, value, expiresAt })
        : setReference(client, { ...request, target, atTx }))
      return id
    },
  }
}

async function planDocument(
  get: Getter,
  history: History,
  number: number,
  { document }: RevisionContent,
): Promise<RestorePlan | { why: string }> {
  const { subject } = history
  if (subject.kind !== 'document' || !document) return { why: nothingThere }
  const { database, collection, id } = subject
  const client = get(clientAtom)
  const idField = await readIdField(client, { database, collection })
  const asked = { database, collection, id, page: 1, pageSize: 1, isNewestFirst: true }
  const [newest] = await auditDocument(client, { ...asked, omitPayload: false })
  if (!newest || newest.isDeleted) return { why: staysDeleted }
  const of = { database, collection, id, idField, document }
  return {
    history,
    number,
    content: contentOf({ ...document, [idField]: id }),
    statement: replaceText(of),
    params: [],
    ...(newest.document ? { now: contentOf(newest.document).parts } : {}),
    notes: documentNotes(document, { idField, id }),
    replaced: { idField, revision: newest.revision },
    send: async () => (await replaceDocument(client, of))?.tx ?? null,
  }
}

/** Why no revision of a deleted document can be restored, and what can be done. */
export const staysDeleted =
  'This document was deleted. immudb does not take a document back under its old id. You can copy a revision as JSON and insert it with a client of immudb. It becomes a new document with a new id.'

function documentNotes(document: DocumentFields, { idField, id }: { idField: string; id: string }) {
  const [large, named] = [fieldsWithLargeNumbers(document), fieldsWithNamedNumbers(document)]
  const isReplaced = Object.hasOwn(document, idField) && document[idField] !== id
  return [
    'The whole document gets the content of this revision. If someone else changes it first, nothing is sent. immudb knows no condition for documents: a change at the very moment of sending is overwritten. It stays in the history.',
    ...(large.length > 0
      ? [
          `There are numbers above 2^53 in ${listed(large)}. immudb stores numbers as doubles, so they may differ from what was first sent. They are written exactly as they are stored now.`,
        ]
      : []),
    ...(named.length > 0
      ? [
          `There is NaN or Infinity in ${listed(named)}. The server's answers use the same text for the number. The text is written; a number cannot be sent.`,
        ]
      : []),
    ...(isReplaced
      ? [
          `${listed([idField])} holds the ids of the collection now. Its old content does not come back.`,
        ]
      : []),
  ]
}

/** The fields with a number at or above 2^53, below which whole numbers are exact as doubles. */
function fieldsWithLargeNumbers(document: DocumentFields): string[] {
  const isLarge = (value: unknown) =>
    typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER
  return fieldsWith(document, isLarge)
}

/** The fields with a text that the server's answers also use for a number that JSON lacks. */
function fieldsWithNamedNumbers(document: DocumentFields): string[] {
  const names: readonly unknown[] = ['NaN', 'Infinity', '-Infinity']
  return fieldsWith(document, (value) => names.includes(value))
}

function fieldsWith(document: DocumentFields, isOne: (value: unknown) => boolean): string[] {
  const holds = (value: unknown): boolean =>
    typeof value === 'object' && value !== null ? Object.values(value).some(holds) : isOne(value)
  return Object.keys(document).filter((name) => holds(document[name]))
}

/** Names of fields that a sentence lists. */
const mostListed = 5
const listedLength = 40

function listed(names: readonly string[]): string {
  const short = (name: string) => {
    const shown = visibleText(beginning(name, listedLength), 'name')
    return `“${shown}${name.length > listedLength ? '…' : ''}”`
  }
  const more = names.length - mostListed
  const rest = more > 0 ? ` and ${counted(more, 'more field')}` : ''
  return `${names.slice(0, mostListed).map(short).join(', ')}${rest}`
}

/** What must still be true of the key, so that no one else's write is overwritten unseen. */
function preconditionOf(state: KeyState): Precondition {
  if ('entry' in state) return { kind: 'not-modified-after', tx: state.entry.tx }
  return { kind: state.kind === 'absent' ? 'must-not-exist' : 'must-exist' }
}

function conditionWords(precondition: Precondition): string {
  if (precondition.kind === 'not-modified-after') {
    return `only if nothing wrote the key after tx ${formatTx(precondition.tx)}`
  }
  return precondition.kind === 'must-exist'
    ? 'only if the key exists'
    : 'only if there is no such key'
}

/** Sends what was planned, once. Resolves with whether it was committed. */
export async function restoreRevision(io: Io, plan: RestorePlan): Promise<boolean> {
  const { database } = plan.history.subject
  const ended = await restoring.write(io, { database, plan })
  return ended?.kind === 'committed'
}

function tellRestored(io: Io, { database, plan, txBefore }: Sent<Restore>, tx: string): void {
  const { subject } = plan.history
  const write = { database, tx, txBefore }
  const questions = sentQuestions(write, plan)
  void verifyWrite(io, { ...write, of: restoreName(subject), questions })
  void refreshState(io)
  if (subject.kind === 'key') {
    void io.get(queryClientAtom).invalidateQueries({ queryKey: keysKey(database) })
  }
  void refreshRevisions(io, subject)
}

/** What was restored, to be compared with what its transaction holds. */
function sentQuestions(write: Committed, plan: RestorePlan): readonly Question[] {
  const { history, content, replaced } = plan
  const { subject, what } = history
  const partOf = (wanted: string) =>
    content.parts.find(({ name }) => name === wanted)?.value ?? null
  switch (subject.kind) {
    case 'row': {
      const row = { name: what, key: subject.key, cells: content.parts, isDeleted: false }
      return rowsWrite(write, subject.table, [row])
    }
    case 'key': {
      const { key } = subject
      const target = partOf('Refers to')
      if (target === null) {
        return keyWrite(write, { key, value: partOf('Value'), expiresAt: partOf('Expires') })
      }
      return operationsWrite(write, [{ kind: 'reference', key, target, atTx: partOf('As of') }])
    }
    case 'document': {
      const { collection, id } = subject
      const json = documentJson(content.document ?? {})
      return documentWrite(write, { collection, id, json, idField: replaced?.idField ?? null })
    }
  }
}

/** A refusal because someone else was faster, in words. */
function explained(refused: Refused, { kind }: Subject): Refused {
  const isOthers = /^(row-changed|key-changed|write-conflict|exists)$/.test(refused.reason ?? '')
  if (!isOthers) return refused
  return {
    ...refused,
    text: `Someone else changed the ${kind} first. Close this and open it again.`,
  }
}

function gone({ kind }: Subject): Refused {
  const text = `The server made no transaction: the ${kind} is no longer there. Open the history again.`
  return { kind: 'refused', text, details: 'no transaction' }
}

/** Checks what became of a restore without an answer. */
export const checkRestore = (io: Io) => restoring.check(io, '')

async function lookForRestored(io: Io, { plan }: Sent<Restore>): Promise<string> {
  const { subject } = plan.history
  const now = await openHistory({ get: io.get }, subject)
  void refreshRevisions(io, subject)
  if (now.count === plan.history.count) return notStored
  const [line] = await now.lines(now.count, now.count, {})
  const { parts } = await now.content(now.count, {})
  const tx = line?.tx ?? null
  const where = tx === null ? '' : ` in tx ${formatTx(tx)}`
  if (!isSame(parts, plan.content.parts)) {
    return `Someone wrote something else${where}. The revisions show whether this was stored in between.`
  }
  const author = line?.author ?? null
  return author === null
    ? `The newest revision has this content: it was written${where}. ${sendersUnknown}`
    : `The newest revision has this content: it was written${where} by ${author}.`
}

/** Whether two contents are the same, in whatever order. */
function isSame(one: readonly Part[], other: readonly Part[]): boolean {
  const named = (parts: readonly Part[]) =>
    JSON.stringify(parts.map(({ name, type, value }) => [name, type, value]).sort(byName))
  return named(one) === named(other)
}

const byName = ([one = null]: (string | null)[], [two = null]: (string | null)[]) =>
  `${one}` < `${two}` ? -1 : 1

const notStored = notSoFar(
  'Not stored so far.',
  'commit it',
  'check again before you restore once more',
)
