import type { Getter } from 'jotai'
import { queryClientAtom } from 'jotai-tanstack-query'
import { type Entry, scanKeys, setKey } from '~/api/keys'
import { keysKey, refreshKeys } from '~/atoms/keys/key-list'
import type { KeyState } from '~/atoms/keys/key-state'
import { look } from '~/atoms/keys/refused-reference'
import {
  describeStored,
  findWritesSince,
  isStill,
  isStored,
  type Save,
  type Sent,
} from '~/atoms/keys/sent-write'
import type { Io } from '~/core/act'
import { listsOf, type PlaceIn, readInParts } from '~/core/pages'
import { clientAtom } from '~/core/session/client'
import { sentence, technicalDetails } from '~/core/session/failure-words'
import { isUnreadable } from '~/core/unreadable'
import { unknown } from '~/core/write'
import { sharedKey, sharedPrefix } from '~/immudb/saved-query'
import { base64ToBytes, bytesToBase64, decodeUtf8, encodeUtf8 } from '~/lib/bytes'
import type { Unknown } from '~/lib/write-state'
import { verifyWrite } from '~/trust/receipts'
import { keyWrite } from '~/trust/sent'
import { defineWrite } from '~/trust/write'
import { checkBeforeSending, notSoFar } from '~/words/outcome'
import { type QueryContent, queryText, readQueryText, tidy } from './query-record'

const toBase64 = (text: string) => bytesToBase64(encodeUtf8(text))

/** A query that is kept in its database. */
export type SharedQuery = QueryContent & {
  readonly place: 'shared'
  readonly database: string
  /** The transaction of the revision that was read. */
  readonly mark: string
  /** The key as it was read. */
  readonly entry: Entry
}

/** A key under the prefix that holds no query that this console can read. It is never written. */
export type UnreadableKey = { readonly key: string; readonly tx: string; readonly why: string }

type SharedPage = {
  readonly queries: readonly SharedQuery[]
  readonly unreadable: readonly UnreadableKey[]
  /** Keys whose values no answer holds; the server does not even list their names. */
  readonly hidden: number
  readonly next: PlaceIn<string> | null
}

const isQuery = (of: SharedQuery | UnreadableKey): of is SharedQuery => 'place' in of

/** What a key under the prefix holds. */
export function sharedIn(database: string, entry: Entry): SharedQuery | UnreadableKey {
  const { key, tx, value, target } = entry
  const name = decodeUtf8(base64ToBytes(key))
  const unreadable = (why: string): UnreadableKey => ({ key, tx, why })
  if (name === null || !name.startsWith(sharedPrefix)) return unreadable('Its key is no text.')
  if (target !== null) return unreadable('It refers to another key.')
  const read = readQueryText(decodeUtf8(base64ToBytes(value)), name.slice(sharedPrefix.length))
  if ('why' in read) return unreadable(read.why)
  return { ...read, place: 'shared', database, mark: tx, entry }
}

/** The shared queries of a database, page by page, in the order of their ids. */
export const sharedQueries = listsOf<SharedPage>({
  key: (database = '') => sharedQueriesKey(database),
  start: () => ({ queries: [], unreadable: [], hidden: 0, next: { after: null, offset: 0 } }),
  read: async (io, known, { signal }, database = '') => {
    if (known.next === null) return known
    const scan = { database, prefix: toBase64(sharedPrefix), signal }
    const { found, next } = await readInParts<Entry, string>(
      (from, limit) => scanKeys(io.get(clientAtom), { ...scan, ...from, limit }),
      ({ key }) => key,
      known.next,
    )
    const entries = found.filter((one) => typeof one !== 'string')
    const read = entries.map((entry) => sharedIn(database, entry))
    return {
      queries: [...known.queries, ...read.filter(isQuery)],
      unreadable: [
        ...known.unreadable,
        ...read.filter((one): one is UnreadableKey => !isQuery(one)),
      ],
      hidden: known.hidden + found.length - entries.length,
      next,
    }
  },
  next: ({ next }) => next,
  size: sizeOf,
  lasts: 'until growth',
})

function sizeOf({ queries, unreadable, hidden }: SharedPage): number {
  return queries.length + unreadable.length + hidden
}

function sharedQueriesKey(database: string) {
  return [...keysKey(database), 'queries'] as const
}

/** Lists longer than this are read on only when it is asked for. */
const readByItself = 5_000

/** Reads the list on to its end, or to a length from which on one asks for more. */
export async function readAllShared(io: Io, database: string): Promise<void> {
  const size = () => {
    const page = io.get(queryClientAtom).getQueryData<SharedPage>(sharedQueriesKey(database))
    return page === undefined ? 0 : sizeOf(page)
  }
  while (size() < readByItself && (await sharedQueries.more(io, database)));
}

/** Whether a key of the cache is that of a list of shared queries. */
export const isSharedListKey = (key: readonly unknown[]): boolean =>
  key[0] === 'keys' && key[2] === 'queries' && key.length === 3

/** The shared queries of every database, as far as their lists were read. */
export function allKnownShared(get: Getter): readonly SharedQuery[] {
  const lists = get(queryClientAtom)
    .getQueryCache()
    .findAll({ predicate: ({ queryKey }) => isSharedListKey(queryKey) })
  return lists.flatMap(({ state }) => (state.data as SharedPage | undefined)?.queries ?? [])
}

/** Reads one shared query: null where there is none. */
export async function readShared(
  io: Io,
  database: string,
  id: string,
): Promise<SharedQuery | UnreadableKey | null> {
  const key = sharedKey(id)
  const state = await look(io, { database, key })
  if (state.kind === 'live') {
    const { entry } = state
    if (entry.key === key) return sharedIn(database, entry)
    return { key, tx: entry.tx, why: 'The server answered with another key.' }
  }
  if (isUnreadable(state)) return { key, tx: '0', why: 'Its value cannot be read.' }
  return null
}

/** A query to be written. */
type SharedSave = Save & { readonly content: QueryContent }

/**
 * Nothing was written, because the key is not as it was read, or it is not known which of several
 * wrote it.
 */
type SharedConflict = {
  readonly kind: 'conflict'
  /** What the key holds now; null for nothing. */
  readonly stored: SharedQuery | UnreadableKey | null
  /** See `KeyConflict`: transactions that wrote the sent value before; null when unknown. */
  readonly seenIn: readonly string[] | null
}

/** A shared query as it was stored: by which transaction, null where that is not known. */
type SharedSaved = {
  readonly query: SharedQuery
  readonly tx: string | null
  readonly text: string
}

const slotOf = ({ database, key }: { database: string; key: string }) =>
  JSON.stringify([database, key])

const saving = defineWrite<SharedSave, SharedSaved, SharedConflict>({
  slot: slotOf,
  isSame: (one, other) => one.value === other.value,
  send: async ({ get }, sent) => {
    const { database, key, value, base } = sent
    const precondition =
      base.kind === 'revision'
        ? ({ kind: 'not-modified-after', tx: base.tx } as const)
        : ({ kind: 'must-not-exist' } as const)
    const { id: tx } = await setKey(get(clientAtom), {
      database,
      key,
      value,
      expiresAt: null,
      precondition,
    })
    return { query: writtenAs(sent, tx), tx, text: '' }
  },
  settle: (io, sent, outcome, isAgain) => {
    if (outcome.kind === 'committed')
      return { kind: 'committed', value: finish(io, sent, outcome.value) }
    const isChanged = outcome.kind === 'refused' && outcome.reason === 'key-changed'
    return isChanged ? meetConflict(io, sent, outcome.isOnce === true && !isAgain) : outcome
  },
  look: async (io, sent, isOver) => {
    const stored = await look(io, sent)
    if (isOver()) return null
    if (isStored(sent, stored)) return found(io, sent, stored)
    const seenIn = await findWritesSince(io.get, sent, stored)
    const isAsBefore = isStill(sent.base, stored)
    if (isAsBefore && seenIn?.length === 0) {
      return notSoFar(
        'Not stored so far.',
        'commit it',
        'check again, or save once more: it is stored only if the key is still as it was',
      )
    }
    return conflictWith(sent, stored, seenIn)
  },
  done: 'stored',
})

/** The state of the save of a query, by its database and id. */
export const sharedSaveAtom = saving.stateAtom

export const sharedSlot = (database: string, id: string) => slotOf({ database, key: sharedKey(id) })

/**
 * Stores a query under its key, once: a new one where `base` is null, else over the revision of that
 * transaction. Anything else that is stored there by now stays.
 */
export function saveShared(io: Io, database: string, of: QueryContent, base: string | null) {
  const content = tidy(of)
  const save: SharedSave = {
    database,
    key: sharedKey(content.id),
    value: toBase64(queryText(content)),
    expiresAt: null,
    target: null,
    atTx: null,
    base:
      base === null
        ? { kind: 'nothing' }
        : { kind: 'revision', tx: base, expiresAt: null, target: null },
    ...(base !== null && { seen: base }),
    content,
  }
  return saving.write(io, save)
}

/** Looks what became of a save without an answer. */
export const checkShared = (io: Io, database: string, id: string) =>
  saving.check(io, sharedSlot(database, id))

/** Forgets how the last save of a query ended, before the next. */
export const forgetSharedSave = (io: Io, database: string, id: string) =>
  saving.forget(io, sharedSlot(database, id))

/** The receipt's name of a write of a shared query. */
export const receiptOfShared = (id: string) => `query ${id}`

function writtenAs({ database, key, value, content }: Sent & SharedSave, tx: string): SharedQuery {
  const entry: Entry = {
    key,
    value,
    tx,
    revision: null,
    isDeleted: false,
    isExpired: false,
    expiresAt: null,
    target: null,
  }
  return { ...content, place: 'shared', database, mark: tx, entry }
}

function finish(io: Io, sent: Sent & SharedSave, saved: SharedSaved): SharedSaved {
  const { database, key, value, expiresAt, txBefore, content } = sent
  const { tx } = saved
  if (tx !== null) {
    const questions = keyWrite({ database, tx, txBefore }, { key, value, expiresAt })
    void verifyWrite(io, { database, tx, of: receiptOfShared(content.id), questions })
  }
  void refreshKeys(io, database)
  return saved
}

/** What was sent is there. What was there before it was sent has no receipt of this write. */
async function found(io: Io, sent: Sent & SharedSave, stored: KeyState) {
  const { text, tx } = await describeStored(io.get, sent, stored)
  const isOlder = tx === null || BigInt(tx) <= BigInt(sent.txBefore)
  const query = writtenAs(sent, tx ?? sent.txBefore)
  return {
    kind: 'committed',
    value: finish(io, sent, { query, tx: isOlder ? null : tx, text }),
  } as const
}

function conflictWith(
  { database }: Sent,
  stored: KeyState,
  seenIn: readonly string[] | null,
): SharedConflict {
  const now =
    stored.kind === 'live'
      ? sharedIn(database, stored.entry)
      : isUnreadable(stored)
        ? { key: '', tx: '0', why: 'Its value cannot be read.' }
        : null
  return { kind: 'conflict', stored: now, seenIn }
}

async function meetConflict(io: Io, sent: Sent & SharedSave, isOnly: boolean) {
  try {
    const stored = await look(io, sent)
    if (isStored(sent, stored)) return await found(io, sent, stored)
    return conflictWith(sent, stored, isOnly ? [] : await findWritesSince(io.get, sent, stored))
  } catch (error) {
    const text = `The key of the query has changed since, and it could not be read. ${sentence(error)}`
    const advice = `It may hold this query or another one. ${checkBeforeSending('it')}`
    return unknown({ text, details: technicalDetails(error), advice }) satisfies Unknown
  }
}
