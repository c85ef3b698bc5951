import { atom } from 'jotai'
import type { Client } from '~/api/client'
import { ApiError } from '~/api/errors'
import { type Entry, getKeys } from '~/api/keys'
import type { Io } from '~/core/act'
import { decoded, pagesOf, type RangeRead, type Write } from '~/core/history/transaction-reader'
import { keyRevisions, type Revisions, type Told, type UpTo } from '~/core/revisions/revisions'
import { clientAtom } from '~/core/session/client'
import { base64ToBytes, bytesToBase64, bytesToHex } from '~/lib/bytes'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { formatTx } from '~/lib/text'
import { plainKey } from '~/proof/kernel/stored'
import { type Reference, referenceIn } from '../keys/reference'
import { levelOnAtom } from '../users/viewer'
import {
  type Begin,
  type ComparedAs,
  differenceOf,
  type Ends,
  gone,
  momentsOf,
  textOf,
  tooLarge,
  tooMany,
  unknown,
  unread,
  type ValueDifference,
  type ValueThen,
  valueLists,
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
async function thenOf(io: Reads, during: During, of: Written, entry: Entry): Promise<ValueThen> {
  if (entry.isDeleted) return null
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
  const then = (entry: Entry) => thenOf(io, { database, signal }, of, entry)
  const isAsAtEnd = isWhole && newest?.target === null && newest.tx === of.writes.at(-1)?.tx
  if (isAsAtEnd && newest.revision === String(of.writes.length)) {
    return differenceOf(of, null, await then(newest))
  }
  // As many as were written in between, and the one before them.
  const options = { atOnce: Math.min(of.writes.length + 1, revisionsAtOnce), hasContent: true }
  const revisions = keyRevisions(io.get(clientAtom), { database, key: of.id }, options)
  const [before, after] = [await revisions.upTo(from, signal), await revisions.upTo(to, signal)]
  const isNew = isWhole && (await revisions.count(signal)) === of.writes.length
  const isGone = after.hidden !== null && of.writes.at(-1)?.isDeleted
  const told = ({ last, hidden }: UpTo<Entry>) => {
    if (hidden !== null) return unknown(whyHidden[hidden])
    return last && then(last)
  }
  return differenceOf(of, isNew ? null : await told(before), isGone ? null : await told(after))
}

/** Which revision it was is hidden by some that cannot be read. */
const whyHidden = { 'too-large': tooMany, gone } as const

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

type StepAsked = {
  /** The second moment of the comparison. */
  readonly to: string
  readonly signal: AbortSignal
  readonly revisions: Revisions<Entry>
  /** What a revision held. */
  readonly then: (entry: Entry) => Promise<ValueThen>
}

const whyUnread = { 'too-large': tooLarge, gone } as const

/**
 * One write of a key beside the revision before it. Revision numbers have no gaps, so one revision
 * that can be read and the writes between it and the others give the numbers of all.
 * @param among all writes of the key between the two moments, without one missing
 */
async function keyStep(
  of: Written,
  among: readonly Write[],
  { to, signal, revisions, then }: StepAsked,
): Promise<ValueDifference> {
  const [write] = of.writes
  const { last, hidden } = await revisions.upTo(to, signal)
  if (!write || last === null) return unread(of, whyHidden[hidden ?? 'too-large'])
  const lastAt = among.filter(({ tx }) => BigInt(tx) <= BigInt(last.tx)).length - 1
  const at = among.indexOf(write)
  const number = Number(last.revision) + at - lastAt
  const [after, before] = await revisions.page(number, number - 1, signal)
  const told = (found: Told<Entry> = null, isDeleted = false) => {
    if (isDeleted) return null
    return typeof found === 'string' ? unknown(whyUnread[found]) : found && then(found)
  }
  const was = await told(before, among[at - 1]?.isDeleted)
  return differenceOf(of, was, await told(after, write.isDeleted))
}

/**
 * For keys that are new since the first moment and were not written after the second, one request
 * tells all values of a page.
 */
export function beginKeys(io: Reads, { database, from, to, isWhole }: OfKeys): Begin {
  // The steps of a key share what is read of its history.
  const revisionsOf = memoizeByNames((key = '') =>
    keyRevisions(
      io.get(clientAtom),
      { database, key },
      { atOnce: revisionsAtOnce, hasContent: true },
    ),
  )
  const step = (of: Written, among: readonly Write[], signal: AbortSignal) => {
    const then = (entry: Entry) => thenOf(io, { database, signal }, of, entry)
    return keyStep(of, among, { to, signal, revisions: revisionsOf(of.id), then })
  }
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

/** Makes the list of what some keys were at both moments. */
export const keyValuesAtom = atom(
  (get) => (ends: OfKeys, prefix: string, as: ComparedAs, written: readonly Written[]) => {
    const { database, from, to } = ends
    const name = [database, from, to, 'keys', prefix, as]
    return valueLists(name, written, beginKeys({ get }, ends))
  },
)
