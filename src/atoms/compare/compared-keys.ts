import { atom } from 'jotai'
import type { Client } from '~/api/client'
import { ApiError, isBecause, isTooLarge } from '~/api/errors'
import { type Entry, getKeys, listRevisions } from '~/api/keys'
import type { Io } from '~/core/act'
import { decoded, pagesOf, type RangeRead, type Write } from '~/core/history/transaction-reader'
import { clientAtom } from '~/core/session/client'
import { whyUnreadable } from '~/core/unreadable'
import { base64ToBytes, bytesToBase64, bytesToHex } from '~/lib/bytes'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { countable, rounds } from '~/lib/rounds'
import { formatTx } from '~/lib/text'
import { plainKey } from '~/proof/stored'
import { countHiddenRevisions } from '../keys/key-pages'
import { type Reference, referenceIn } from '../keys/reference'
import { levelOnAtom } from '../users/viewer'
import { KeyRevisions, keyStep } from './key-steps'
import {
  type Begin,
  type ComparedAs,
  differenceOf,
  type Ends,
  gone,
  momentsOf,
  textOf,
  tooMany,
  unknown,
  type ValueDifference,
  type ValueThen,
  valuesQuery,
  type Written,
} from './values'

/** Revisions asked for at once. */
const revisionsAtOnce = 50

const expired = 'not read: it has expired since'

/**
 * The keys that a range of transactions wrote, in the order of their bytes, without entries that are
 * in no index: no read finds them, so they change nothing.
 */
export function writtenKeys({ writes }: RangeRead, prefix: string): Written[] {
  const start = bytesToHex(base64ToBytes(prefix))
  const found: (Written & { order: string })[] = []
  for (const [stored, all] of writes) {
    const entry = decoded(stored)
    if (entry.kind !== 'key') continue
    const of = all.filter(({ isNonIndexable }) => !isNonIndexable)
    const order = bytesToHex(entry.key)
    if (of.length === 0 || !order.startsWith(start)) continue
    found.push({ id: bytesToBase64(entry.key), writes: of, order })
  }
  return found.sort((one, other) => (one.order < other.order ? -1 : 1))
}

type Reads = Pick<Io, 'get'>
type During = { readonly database: string; readonly signal: AbortSignal }

/** What a revision of a key held. The history tells neither expired values nor references. */
async function thenOf(
  io: Reads,
  during: During,
  of: Written,
  entry: Entry | undefined,
): Promise<ValueThen> {
  if (!entry || entry.isDeleted) return null
  if (entry.isExpired) return unknown(expired)
  const { value, tx } = entry
  const reference = referenceIn(value)
  const isOne = reference && (await digestOf(io, during, of, tx)) === reference.digest
  return isOne ? refersTo(reference) : { kind: 'value', text: textOf(value), exact: value }
}

function refersTo({ key, atTx, digest }: Reference): ValueThen {
  const bound = atTx > 0n ? ` as of tx ${formatTx(String(atTx))}` : ''
  return { kind: 'reference', text: `refers to ${textOf(key)}${bound}`, exact: digest }
}

/** The digest of what a transaction stored under a key; null when it is not listed. */
async function digestOf(
  io: Reads,
  { database, signal }: During,
  { id, writes }: Written,
  tx: string,
): Promise<string | null> {
  const known = writes.find((write) => write.tx === tx)
  if (known) return known.hValue
  const stored = bytesToBase64(plainKey(base64ToBytes(id)))
  const span = { from: BigInt(tx), to: BigInt(tx) }
  for await (const [found] of pagesOf(io, database, span, signal, 1)) {
    return found?.entries?.find(({ key }) => key === stored)?.hValue ?? null
  }
  return null
}

type OfKeys = Ends & {
  /** No write between the moments is missing. */
  readonly isWhole: boolean
}

type KeyAsked = OfKeys & {
  /** The key as it is now, where that is known. */
  readonly newest: Entry | undefined
  readonly signal: AbortSignal
}

async function keyDifference(
  io: Reads,
  of: Written,
  { database, from, to, newest, isWhole, signal }: KeyAsked,
): Promise<ValueDifference> {
  const client = io.get(clientAtom)
  const differing = async (before: Entry | undefined, after: Entry | undefined) => {
    const then = (entry: Entry | undefined) => thenOf(io, { database, signal }, of, entry)
    return differenceOf(of, await then(before), await then(after))
  }
  const request = { database, key: of.id, signal }
  const isAsAtEnd = isWhole && newest?.target === null && newest.tx === of.writes.at(-1)?.tx
  if (isAsAtEnd && newest.revision === String(of.writes.length)) {
    return differing(undefined, newest)
  }
  try {
    // As many as were written in between, and the one before them.
    const limit = Math.min(of.writes.length + 1, revisionsAtOnce)
    const page = await newestRevisions(client, request, limit)
    const upTo = (tx: string) => page.find((entry) => BigInt(entry.tx) <= BigInt(tx))
    const before = upTo(from)
    const hasAll = page.length === 0 || page.at(-1)?.revision === '1'
    if (before || hasAll) return await differing(before, upTo(to))
    const first = await revisionUpTo(client, request, page, from)
    return await differing(first, await revisionUpTo(client, request, page, to))
  } catch (error) {
    const ends = { database, from, to, isWhole }
    if (isBecause(error, 'value-gone')) return truncatedDifference(io, of, ends, signal)
    if (!isTooLarge(error)) throw error
    const before = await unreadBefore(io, of, { ...ends, why: tooMany })
    return differenceOf(of, before, of.writes.at(-1)?.isDeleted ? null : unknown(tooMany))
  }
}

/** Nothing where it is certain that the key was not there yet, because all its revisions came since. */
async function unreadBefore(
  io: Reads,
  { id: key, writes }: Written,
  { database, from, isWhole, why }: OfKeys & { readonly why: string },
): Promise<ValueThen> {
  const client = io.get(clientAtom)
  const count = await countHiddenRevisions(client, { database, key })
  if (isWhole && count === writes.length) return null
  const asked = { database, key, offset: count - 1, limit: 1 }
  const first = await listRevisions(client, asked).catch(whyUnreadable)
  const isSince = typeof first !== 'string' && first.every(({ tx }) => BigInt(tx) > BigInt(from))
  return isSince ? null : unknown(why)
}

type KeyRequest = { readonly database: string; readonly key: string; readonly signal: AbortSignal }

/** The newest alone where more are larger than the server can send. */
async function newestRevisions(client: Client, request: KeyRequest, limit: number) {
  try {
    return await listRevisions(client, { ...request, offset: 0, limit })
  } catch (error) {
    if (!isTooLarge(error) || limit === 1) throw error
    return listRevisions(client, { ...request, offset: 0, limit: 1 })
  }
}

/** The newest revision up to a transaction, by bisection, as their numbers have no gaps. */
async function revisionUpTo(
  client: Client,
  request: KeyRequest,
  newest: readonly Entry[],
  tx: string,
): Promise<Entry | undefined> {
  let found = newest.find((entry) => BigInt(entry.tx) <= BigInt(tx))
  if (found) return found
  let count = countable(newest[0]?.revision ?? 0)
  let [low, high] = [1, countable(newest.at(-1)?.revision ?? 0) - 1]
  // 53 halves, and some more where new revisions come on top.
  const round = rounds(128)
  while (low <= high) {
    round()
    const wanted = Math.floor((low + high) / 2)
    const [entry] = await listRevisions(client, { ...request, offset: count - wanted, limit: 1 })
    if (!entry) break
    const ahead = countable(entry.revision ?? wanted) - wanted
    // New revisions came on top, so all are further down.
    count += ahead
    if (ahead > 0) continue
    if (BigInt(entry.tx) <= BigInt(tx)) {
      found = entry
      low = wanted + 1
    } else high = wanted - 1
  }
  return found
}

/** The level from which on the server gives many keys at once. */
const levelForMany = 2

/** The keys as they are now, by their names. Empty where the server does not give many at once. */
async function newestOf(
  client: Client,
  level: number,
  { database, keys, signal }: { database: string; keys: readonly string[]; signal: AbortSignal },
): Promise<ReadonlyMap<string, Entry>> {
  if (level < levelForMany || keys.length === 0) return new Map()
  const found = await getKeys(client, { database, keys, signal }).catch((error: unknown) => {
    signal.throwIfAborted()
    const isAnswer = error instanceof ApiError && /too-large|refused|permission/.test(error.kind)
    if (isAnswer) return []
    throw error
  })
  return new Map(found.map((entry) => [entry.key, entry]))
}

/** Revisions that are read one by one, newest first. */
const mostSingle = 50

/** Each revision alone, because a page of them fails when one of their values is gone. */
async function truncatedDifference(
  io: Reads,
  of: Written,
  ends: OfKeys,
  signal: AbortSignal,
): Promise<ValueDifference> {
  const { database, from, to } = ends
  let after: ValueThen | undefined = of.writes.at(-1)?.isDeleted ? null : undefined
  let before: ValueThen | undefined
  // Further back nothing was looked for.
  let why = tooMany
  const then = (entry: Entry | undefined) => thenOf(io, { database, signal }, of, entry)
  try {
    for (let offset = 0; offset < mostSingle; offset += 1) {
      const request = { database, key: of.id, offset, limit: 1, signal }
      const [found] = await listRevisions(io.get(clientAtom), request)
      if (found && BigInt(found.tx) > BigInt(to)) continue
      if (after === undefined) after = await then(found)
      if (found && BigInt(found.tx) > BigInt(from)) continue
      before = await then(found)
      break
    }
  } catch (error) {
    if (!isBecause(error, 'value-gone')) throw error
    why = gone
  }
  if (before === undefined) before = await unreadBefore(io, of, { ...ends, why })
  return differenceOf(of, before, after === undefined ? unknown(why) : after)
}

/**
 * For keys that are new since the first moment and were not written after the second, one request
 * tells all values of a page.
 */
export function beginKeys(io: Reads, { database, from, to, isWhole }: OfKeys): Begin {
  // The steps of a key share what is read of its history.
  const revisionsOf = memoizeByNames(
    (key = '') => new KeyRevisions(io.get(clientAtom), { database, key }),
  )
  const step = (of: Written, among: readonly Write[], signal: AbortSignal) =>
    keyStep(of, among, {
      to,
      signal,
      revisions: revisionsOf(of.id),
      thenOf: (entry) => thenOf(io, { database, signal }, of, entry),
    })
  return async (page, signal) => {
    const level = io.get(levelOnAtom)(database)
    const keys = page.filter(({ among }) => !(among && isWhole)).map(({ id }) => id)
    const asked = { database, keys: [...new Set(keys)], signal }
    const newest = await newestOf(io.get(clientAtom), level, asked)
    return (of) => {
      if (of.among && isWhole) return step(of, of.among, signal)
      const moments = momentsOf(of, { database, from, to, isWhole })
      return keyDifference(io, of, { ...moments, newest: newest.get(of.id), signal })
    }
  }
}

/** Makes the query of what some keys were at both moments. */
export const keyValuesAtom = atom(
  (get) => (ends: OfKeys, prefix: string, as: ComparedAs, written: readonly Written[]) => {
    const { database, from, to } = ends
    const name = [database, from, to, 'keys', prefix, as]
    return valuesQuery(name, written, beginKeys({ get }, ends))
  },
)
