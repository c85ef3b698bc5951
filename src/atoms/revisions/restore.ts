import { atom, type Getter } from 'jotai'
import { queryClientAtom } from 'jotai-tanstack-query'
import { type Precondition, setKey, setReference } from '~/api/keys'
import type { State } from '~/api/server'
import { execSql } from '~/api/sql'
import { base64Size } from '~/lib/size'
import { counted, formatTx } from '~/lib/text'
import { type Ended, idle, type Write } from '~/lib/write'
import { type ParamSql, restoreSql } from '~/sql/restore'
import { refreshStateAtom, stateKey } from '../history/state'
import { keysKey } from '../keys/list'
import { type KeyState, readKeyState } from '../keys/pages'
import { verifyWriteAtom } from '../query/receipts'
import { clientAtom, ensureDatabaseToken } from '../session/client'
import { checkWrite, placeIn, runWrite } from '../write/write'
import type { History, RevisionContent } from './history'
import { openHistory, refreshRevisionsAtom } from './list'
import { askRow } from './rows'

/** An old revision as a new write, looked through before it is sent. */
export type RestorePlan = {
  readonly history: History
  readonly number: number
  /** What is sent, in full. */
  readonly statement: string
  readonly params: readonly { readonly name: string; readonly text: string }[]
  /** What it does not bring back, and what may hold it. */
  readonly notes: readonly string[]
  readonly send: () => Promise<string | null>
  readonly content: RevisionContent
}

/** What is known of the last restore: the transaction that it made. */
const stateOfAtom = atom<Write<{ tx: string }>>(idle)
export const restoreStateAtom = atom((get) => get(stateOfAtom))

/** Forgets the last restore before another one is planned. */
export const forgetRestoreAtom = atom(null, (_get, set) => set(stateOfAtom, idle))

/**
 * What restoring a revision would send.
 * @throws ApiError when the server cannot be asked
 */
export const planRestoreAtom = atom(
  null,
  async (get, set, history: History, number: number): Promise<RestorePlan | { why: string }> => {
    const { subject } = history
    await ensureDatabaseToken({ get, set }, get(clientAtom), subject.database)
    if (subject.kind === 'document') return { why: noDocuments }
    const content = await history.content(number, {})
    if (content.parts.length === 0) return { why: nothingThere }
    return subject.kind === 'row'
      ? planRow(get, history, number, content)
      : planKey(get, history, number, content)
  },
)

const nothingThere = 'This revision has no content that could be written again.'
const noDocuments =
  'The console cannot write documents yet. Use a client of immudb to replace the document.'

async function planRow(
  get: Getter,
  history: History,
  number: number,
  content: RevisionContent,
): Promise<RestorePlan | { why: string }> {
  const { row } = history
  if (!row) return { why: nothingThere }
  const { database } = row
  const there = await askRow({ get }, row)(new Map([[1n, '']]))
  const isThere = there.has(1n)
  const made = restoreSql(row.table, row.key, content.parts, isThere)
  if (!made) return { why: 'The row has no column beside its key, and it is there.' }
  return {
    history,
    number,
    content,
    statement: made.sql,
    params: made.params.map(({ name, value }) => ({ name, text: JSON.stringify(value) })),
    notes: [
      isThere
        ? 'All columns of the row get the content of this revision. Changes that someone else makes before you restore are overwritten.'
        : 'The row is not there now, so it is inserted. If someone else inserts it first, the server refuses this.',
      ...(content.dropped.length > 0
        ? [
            `The content of ${counted(content.dropped.length, 'dropped column')} does not come back.`,
          ]
        : []),
    ],
    send: () => sendSql(get, database, made),
  }
}

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
  const value = content.parts.find(({ name }) => name === 'Value')?.value ?? null
  const target = content.parts.find(({ name }) => name === 'Refers to')?.value ?? null
  const expires = content.parts.find(({ name }) => name === 'Expires')?.value ?? null
  if (value === null) return { why: nothingThere }
  const precondition = preconditionOf(await readKeyState(client, { database, key }))
  const isOver = expires !== null && Number(expires) * 1_000 <= Date.now()
  const expiresAt = isOver || target !== null ? null : expires
  const shown =
    target === null ? `set ${base64Size(value)} bytes of revision ${number}` : 'set the reference'
  return {
    history,
    number,
    content,
    statement: `${shown}\n${conditionWords(precondition)}`,
    params: [],
    notes: isOver ? ['Its time to expire is over, so the value is set without one.'] : [],
    send: async () => {
      const request = { database, key, precondition }
      const { id } = await (target === null
        ? setKey(client, { ...request, value, expiresAt })
        : setReference(client, { ...request, target }))
      return id
    },
  }
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
export const restoreAtom = atom(null, async (get, set, plan: RestorePlan): Promise<boolean> => {
  const { subject } = plan.history
  const { database } = subject
  const txBefore = newestKnown(get, database)
  const ended = await runWrite<{ tx: string }>(set, placeIn(get, set, stateOfAtom), {
    database,
    send: async () => ({ tx: (await plan.send()) ?? '' }),
    settle: (outcome: Ended<{ tx: string }>) =>
      outcome.kind === 'committed' && outcome.value.tx === ''
        ? { kind: 'refused', text: notThere, details: 'no transaction' }
        : outcome,
  })
  if (ended?.kind !== 'committed') return false
  void set(verifyWriteAtom, { database, tx: ended.value.tx, txBefore })
  void set(refreshStateAtom)
  if (subject.kind === 'key') {
    void get(queryClientAtom).invalidateQueries({ queryKey: keysKey(database) })
  }
  void set(refreshRevisionsAtom, subject)
  return true
})

const notThere =
  'The server made no transaction: the row is no longer there. Open the history again.'

function newestKnown(get: Getter, database: string): string {
  return get(queryClientAtom).getQueryData<State>(stateKey(database))?.txId ?? '0'
}

/** Checks what became of a restore without an answer. */
export const checkRestoreAtom = atom(null, async (get, set, plan: RestorePlan): Promise<void> => {
  await checkWrite<{ tx: string }>(placeIn(get, set, stateOfAtom), async () => {
    const now = await openHistory({ get }, plan.history.subject)
    if (now.count === plan.history.count) return notStored
    const [line] = await now.lines(now.count, now.count, {})
    const { parts } = await now.content(now.count, {})
    const isIt = JSON.stringify(parts) === JSON.stringify(plan.content.parts)
    const tx = line?.tx ?? null
    const where = tx === null ? '' : ` in tx ${formatTx(tx)}`
    return isIt
      ? `The newest revision has this content: it was written${where}. Transactions do not say who sent them.`
      : `Someone wrote something else${where}. The revisions show whether this was stored in between.`
  })
})

const notStored =
  'Not stored so far. A busy server may still commit it: check again before you restore once more.'
