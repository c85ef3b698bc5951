import { atom } from 'jotai'
import type { Precondition, TxHeader } from '~/api/keys'
import { execAll, execAllBody, type Operation } from '~/api/operations'
import { readState } from '~/api/server'
import type { TxEntry } from '~/api/transactions'
import type { Io } from '~/core/act'
import { visitSince } from '~/core/history/transaction-reader'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import { sentence, technicalDetails } from '~/core/session/failure-words'
import { databaseAtom } from '~/core/session/session'
import { unanswered } from '~/core/write'
import { bytesToBase64 } from '~/lib/bytes'
import { formatTx } from '~/lib/text'
import { type Ended, isBusy, type Refused } from '~/lib/write-state'
import { fromBase64 } from '~/proof/kernel/bytes'
import { hash } from '~/proof/kernel/hash'
import { plainKey, plainValue, referenceValue, sortedSetKey } from '~/proof/kernel/stored'
import { verifyWrite } from '~/trust/receipts'
import { operationsWrite } from '~/trust/sent'
import { defineWrite, type Sent as SentOf } from '~/trust/write'
import { namedTxs, notSoFar, sendersUnknown } from '~/words/outcome'
import type { Base } from './drafts'
import { settledExpiry } from './expiry'
import { keepOperations, markSent, operationDrafts, operationsAtom } from './keep-operations'
import { refreshKeys } from './key-list'
import type { KeyState } from './key-state'
import { readOperations } from './operation-drafts'
import { look, refusalOfReference } from './refused-reference'

type Operations = {
  database: string
  operations: readonly Operation[]
  conditions: Conditions
}

type Sent = SentOf<Operations>

/** `isFound`: a check found it, without an answer that says so. */
export type StoredOperations = TxHeader & { isFound?: boolean }

/** Sent by a page that was left, or by another tab. */
const unseen = unanswered('them', 'the page was left, or another tab sent them')

const sending = defineWrite<Operations, StoredOperations>({
  slot: ({ database }) => database,
  confirm: (io, { database, conditions }) => conditionsOnTheFuture(io, database, conditions),
  send: ({ get }, { database, operations, conditions }) => {
    const body = execAllBody(operations, conditions)
    return execAll(get(clientAtom), { database, body })
  },
  settle: async (io, sent, outcome, isAgain) => {
    if (outcome.kind === 'committed') return stored(io, sent, outcome.value)
    if (outcome.kind === 'unknown' || isAgain) return outcome
    const text = await whyRefused(io, sent, outcome.reason)
    return { ...outcome, text: text ?? outcome.text }
  },
  look: lookForOperations,
  mark: (io, database, sent) => markSent(io, database, sent?.txBefore ?? null),
  lost: (get, database) => {
    const kept = get(operationDrafts.draftsAtom).get(database)
    const txBefore = kept?.sentAfter ?? null
    if (!kept || txBefore === null) return null
    // An expiry may have passed since they were sent.
    const { operations, conditions } = readOperations(kept.operations, 0)
    return { state: unseen, sent: { database, operations, conditions, txBefore } }
  },
  done: 'stored',
})

/** The state of the present or last transaction of operations in the open database. */
export const operationsStateAtom = atom((get) => get(sending.stateAtom)(get(databaseAtom) ?? ''))

/** Why operations cannot be added to the collected ones; undefined when they can. */
export const whyOperationsFixedAtom = atom((get): string | undefined => {
  const state = get(operationsStateAtom)
  if (isBusy(state)) return 'They are being sent.'
  return state.kind === 'unknown' ? 'They were sent as they are here.' : undefined
})

/** Forgets the last transaction of operations before the next one is collected. */
export const forgetOperations = (io: Io) => sending.forget(io, io.get(databaseAtom) ?? '')

/** Sends the collected operations once, as one transaction; they are dropped when it is stored. */
export async function sendOperations(io: Io): Promise<void> {
  const database = io.get(databaseAtom)
  const drafts = io.get(operationsAtom).map((draft) => ({
    ...draft,
    expiry: settledExpiry(draft.expiry),
  }))
  const { operations, conditions, body } = readOperations(drafts)
  if (database === null || body === null) return
  if (drafts.some(({ expiry }, at) => expiry !== io.get(operationsAtom)[at]?.expiry)) {
    keepOperations(io, drafts, database)
  }
  await sending.write(io, { database, operations, conditions })
}

function stored(
  io: Io,
  { database, operations, txBefore }: Sent,
  value: StoredOperations,
): Ended<StoredOperations> {
  keepOperations(io, [], database)
  const write = { database, tx: value.id, txBefore }
  void verifyWrite(io, {
    ...write,
    of: 'operations',
    questions: operationsWrite(write, operations),
  })
  void refreshKeys(io, database)
  return { kind: 'committed', value }
}

type Conditions = ReturnType<typeof readOperations>['conditions']

/**
 * A condition about a transaction that is still to come is always met, and so protects nothing: it
 * was typed by mistake. Null when there is none.
 */
async function conditionsOnTheFuture(
  io: Io,
  database: string,
  conditions: Conditions,
): Promise<Refused | null> {
  const named = conditions.flatMap(({ at, precondition: of }) =>
    of.kind === 'not-modified-after' ? [{ at, tx: BigInt(of.tx) }] : [],
  )
  if (named.length === 0) return null
  try {
    const client = io.get(clientAtom)
    await ensureDatabaseToken(io, client, database)
    const { txId } = await readState(client, database)
    const late = named.find(({ tx }) => tx > BigInt(txId))
    if (!late) return null
    const text = `Operation ${late.at + 1}: there is no tx ${formatTx(String(late.tx))} yet, so its condition would not protect the key. The newest is tx ${formatTx(txId)}.`
    return { kind: 'refused', text, details: 'condition on a later transaction' }
  } catch (error) {
    const text = `The newest transaction could not be read before the write. ${sentence(error)}`
    return { kind: 'refused', text, details: technicalDetails(error) }
  }
}

/** What was wrong, as far as the keys tell; null when only the server's words do. */
function whyRefused(io: Io, sent: Sent, reason: Refused['reason']): Promise<string | null> | null {
  if (reason === 'key-changed') return unmetConditions(io, sent.database, sent.conditions)
  const isAboutKeys = reason === null || reason === 'key-not-found' || reason === 'tx-not-found'
  return isAboutKeys ? whyUnreferable(io, sent) : null
}

/** References that are looked at for the reason of a refusal. */
const mostLookedAt = 20

/** Names the first operation whose key cannot be referred to, or cannot become a reference. */
async function whyUnreferable(
  io: Io,
  { database, operations, txBefore }: Sent,
): Promise<string | null> {
  const own = new Set(operations.flatMap((one) => (one.kind === 'set' ? [one.key] : [])))
  const referring = [...operations.entries()].filter(([, { kind }]) => kind !== 'set')
  for (const [at, one] of referring.slice(0, mostLookedAt)) {
    if (one.kind === 'set') continue
    const target = one.kind === 'zadd' ? one.key : one.target
    const isNew = own.has(target) && one.atTx === null
    // A set takes any key, so there is nothing of its own that could be in the way.
    const base: Base = { kind: one.kind === 'zadd' ? 'nothing' : 'something' }
    const of = { database, key: one.key, value: '', expiresAt: null, atTx: one.atTx, txBefore }
    const why = await refusalOfReference(io, { ...of, target, base }, !isNew)
    if (why !== null) return `Operation ${at + 1}: ${why.text}`
  }
  return null
}

/** Names the conditions that are not met, as far as the keys can be read. */
async function unmetConditions(io: Io, database: string, conditions: Conditions): Promise<string> {
  const unmet: string[] = []
  try {
    for (const { at, key, precondition } of conditions) {
      const why = whyUnmet(await look(io, { database, key }), precondition)
      if (why !== null) unmet.push(`the key of operation ${at + 1} ${why}`)
    }
  } catch (error) {
    return `A condition is not met. Which one is not known: ${sentence(error)}`
  }
  if (unmet.length === 0) return 'A condition was not met when it was sent. Now all are.'
  return `${unmet.length === 1 ? 'A condition is' : 'Conditions are'} not met: ${unmet.join(', ')}.`
}

const missing: ReadonlySet<KeyState['kind']> = new Set(['absent', 'deleted', 'expired'])

/** Why a condition is not met; null when it is, or when that cannot be told. */
function whyUnmet(state: KeyState, condition: Precondition): string | null {
  const isThere = !missing.has(state.kind)
  if (condition.kind === 'must-exist') return isThere ? null : 'does not exist'
  if (condition.kind === 'must-not-exist') return isThere ? 'exists' : null
  const tx = 'entry' in state ? state.entry.tx : '0'
  return BigInt(tx) > BigInt(condition.tx) ? `was written in tx ${formatTx(tx)}` : null
}

/** Checks what became of operations without an answer. */
export const checkOperations = (io: Io) => sending.check(io, io.get(databaseAtom) ?? '')

/** Which transactions hold exactly what was sent. */
async function lookForOperations(
  io: Io,
  sent: Sent,
  isOver: () => boolean,
): Promise<Ended<StoredOperations> | string | null> {
  const { database, txBefore } = sent
  await ensureDatabaseToken(io, io.get(clientAtom), database)
  const found: { id: string; ts: string }[] = []
  const isWhole = await visitSince(io, database, txBefore, (header, entries) => {
    if (holdsExactly(entries, sent.operations)) found.push(header)
  })
  if (isOver()) return null
  const [first, ...copies] = found
  if (!first) return notFound(isWhole)
  if (copies.length === 0) return stored(io, sent, { id: first.id, ts: first.ts, isFound: true })
  const listed = namedTxs(found.map(({ id }) => id))
  return `Stored more than once: ${listed} hold exactly these operations. ${sendersUnknown}`
}

function notFound(isWhole: boolean): string {
  return isWhole
    ? notSoFar('Not stored so far.', 'commit it', 'check again before you send it once more')
    : 'Not found among the transactions that could be looked at. Others may hold it.'
}

type Entries = readonly Pick<TxEntry, 'key' | 'hValue' | 'isDeleted' | 'expiresAt'>[]

/** Whether a transaction has these operations and nothing else, by keys and digests of values. */
function holdsExactly(entries: Entries, operations: readonly Operation[]): boolean {
  if (entries.length !== operations.length) return false
  const stored = new Map(entries.map((entry) => [entry.key, entry]))
  return operations.every((one) => {
    const [key, value] = storedAs(one)
    const entry = stored.get(bytesToBase64(key))
    const expiresAt = one.kind === 'set' ? one.expiresAt : null
    return (
      entry?.hValue === bytesToBase64(hash(value)) &&
      !entry.isDeleted &&
      entry.expiresAt === expiresAt
    )
  })
}

const bytesOf = (base64: string) => fromBase64(base64) ?? new Uint8Array()

/** The key and the value of an operation as they are stored. */
function storedAs(one: Operation): readonly [Uint8Array, Uint8Array] {
  const key = bytesOf(one.key)
  if (one.kind === 'set') return [plainKey(key), plainValue(bytesOf(one.value))]
  const atTx = BigInt(one.atTx ?? '0')
  if (one.kind === 'reference') return [plainKey(key), referenceValue(bytesOf(one.target), atTx)]
  return [sortedSetKey(bytesOf(one.set), one.score, key, atTx), new Uint8Array()]
}
