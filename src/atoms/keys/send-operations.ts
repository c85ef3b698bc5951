import { atom, type Getter, type Setter } from 'jotai'
import type { Precondition, TxHeader } from '~/api/keys'
import { execAll, type Operation } from '~/api/operations'
import { readState } from '~/api/server'
import type { TxEntry } from '~/api/transactions'
import { formatTx } from '~/lib/text'
import { afterEvent, idle, type Unknown, type Write } from '~/lib/write'
import { fromBase64, toBase64 } from '~/proof/bytes'
import { hash } from '~/proof/hash'
import { plainKey, plainValue, referenceValue, sortedSetKey } from '~/proof/stored'
import { verifyWriteAtom } from '../query/receipts'
import { clientAtom, ensureDatabaseToken } from '../session/client'
import { sentence } from '../session/failure'
import { databaseAtom } from '../session/session'
import { pagesOf } from '../transactions/reading'
import { checkWrite, runWrite, type WritePlace } from '../write/write'
import { operationsAtom } from './drafts'
import { keepOperationsAtom } from './keep-operations'
import { refreshKeysAtom } from './list'
import { readOperations } from './operation-drafts'
import type { KeyState } from './pages'
import { look } from './refused-reference'
import { nameless } from './sent-write'
import { newestKnown } from './write'

type Sent = { database: string; operations: readonly Operation[]; txBefore: string }

/** `isFound`: a check found it, without an answer that says so. */
type Stored = TxHeader & { isFound?: boolean }

/** The state of sent operations. Without an answer, it is about those that were sent. */
export type OperationsState = Write<Stored> | (Unknown & { sent: Sent })

/** By database; one that is missing is idle. */
const sendingAtom = atom<ReadonlyMap<string, OperationsState>>(new Map<string, OperationsState>())

/** The state of the present or last transaction of operations in the open database. */
export const operationsStateAtom = atom(
  (get) => get(sendingAtom).get(get(databaseAtom) ?? '') ?? idle,
)

function placeOf(get: Getter, set: Setter, database: string): WritePlace<OperationsState> {
  return {
    read: () => get(sendingAtom).get(database) ?? idle,
    tell: (state) => set(sendingAtom, new Map(get(sendingAtom)).set(database, state)),
  }
}

/** Forgets the last transaction of operations before the next one is collected. */
export const forgetOperationsAtom = atom(null, (get, set) => {
  const { read, tell } = placeOf(get, set, get(databaseAtom) ?? '')
  tell(afterEvent(read(), { kind: 'forget' }))
})

/** Sends the collected operations once, as one transaction; they are dropped when it is stored. */
export const sendOperationsAtom = atom(null, async (get, set): Promise<void> => {
  const database = get(databaseAtom)
  const { operations, conditions, body } = readOperations(get(operationsAtom))
  if (database === null || body === null) return
  const before = get(operationsStateAtom)
  // The previous attempt may have been stored, and then the check finds that one.
  const txBefore = 'sent' in before ? before.sent.txBefore : newestKnown(get, { database })
  const sent: Sent = { database, operations, txBefore }
  await runWrite<Stored, OperationsState>(set, placeOf(get, set, database), {
    database,
    send: () => execAll(get(clientAtom), { database, body }),
    settle: async (outcome) => {
      if (outcome.kind === 'committed') return stored(set, sent, outcome.value)
      if (outcome.kind === 'unknown') return { ...outcome, sent }
      if (before.kind === 'unknown') {
        const finding = `The second attempt was refused: ${outcome.text} The first may have been stored.`
        return { ...before, finding, isChecking: false }
      }
      if (outcome.reason !== 'key-changed') return outcome
      return { ...outcome, text: await unmetConditions(get, set, database, conditions) }
    },
  })
})

function stored(set: Setter, { database, txBefore }: Sent, value: Stored): OperationsState {
  set(keepOperationsAtom, [], database)
  void set(verifyWriteAtom, { database, tx: value.id, txBefore })
  void set(refreshKeysAtom, database)
  return { kind: 'committed', value }
}

type Conditions = ReturnType<typeof readOperations>['conditions']

/** Names the conditions that are not met, as far as the keys can be read. */
async function unmetConditions(
  get: Getter,
  set: Setter,
  database: string,
  conditions: Conditions,
): Promise<string> {
  const unmet: string[] = []
  try {
    for (const { at, key, precondition } of conditions) {
      const why = whyUnmet(await look(get, set, { database, key }), precondition)
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

/** Transactions that a check looks at. */
const lookedAt = 2_000n

/** Checks what became of operations without an answer: which transactions hold exactly them. */
export const checkOperationsAtom = atom(null, async (get, set): Promise<void> => {
  const state = get(operationsStateAtom)
  if (!('sent' in state)) return
  const { sent } = state
  const { database, txBefore } = sent
  const client = get(clientAtom)
  await checkWrite<Stored, OperationsState>(placeOf(get, set, database), async (isOver) => {
    await ensureDatabaseToken({ get, set }, client, database)
    const newest = BigInt((await readState(client, database)).txId)
    const span = { from: BigInt(txBefore) + 1n, to: newest }
    const isCut = newest - BigInt(txBefore) > lookedAt
    if (isCut) span.to = BigInt(txBefore) + lookedAt
    const found: { id: string; ts: string }[] = []
    let isUnlisted = false
    for await (const page of pagesOf({ get }, database, span)) {
      for (const { header, entries } of page) {
        isUnlisted ||= entries === null
        if (entries && holdsExactly(entries, sent.operations)) found.push(header)
      }
    }
    if (isOver()) return null
    const [first, ...copies] = found
    if (!first) return notFound(isCut || isUnlisted)
    if (copies.length === 0) return stored(set, sent, { id: first.id, ts: first.ts, isFound: true })
    const listed = found.map(({ id }) => `tx ${formatTx(id)}`).join(', ')
    return `Stored more than once: ${listed} hold exactly these operations. ${nameless}`
  })
})

function notFound(isPart: boolean): string {
  return isPart
    ? 'Not found among the transactions that could be looked at. Others may hold it.'
    : 'Not stored so far. A busy server may still commit it: check again before you send it once more.'
}

type Entries = readonly Pick<TxEntry, 'key' | 'hValue'>[]

/** Whether a transaction has these operations and nothing else, by keys and digests of values. */
function holdsExactly(entries: Entries, operations: readonly Operation[]): boolean {
  if (entries.length !== operations.length) return false
  const digests = new Map(entries.map(({ key, hValue }) => [key, hValue]))
  return operations.every((one) => {
    const [key, value] = storedAs(one)
    return digests.get(toBase64(key)) === toBase64(hash(value))
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
