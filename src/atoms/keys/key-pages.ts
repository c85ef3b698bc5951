import type { Client } from '~/api/client'
import { isBecause } from '~/api/errors'
import { type Entry, getKey, listRevisions, scanKeys } from '~/api/keys'
import { type PlaceIn, readInParts } from '~/core/pages'
import { type Unreadable, unreadable, whyUnreadable } from '~/core/unreadable'
import { bisectFrom } from '~/lib/bisection'
import { revisionPageSize } from '~/lib/constants'
import { countable } from '~/lib/rounds'
import { base64Size } from '~/lib/size'

/** Where a scan continues: after a key, skipping some unreadable ones. */
type Position = PlaceIn<string>

export type KeyLine = {
  kind: 'key'
  key: string
  revision: string | null
  size: number
  expiresAt: string | null
  /** The key that this one refers to. */
  target: string | null
}

/** `unreadable`: with a value that no answer holds, or that is gone, not even the key is listed. */
export type KeyItem = KeyLine | { kind: 'unreadable'; why: Unreadable }

export type KeyPage = {
  items: readonly KeyItem[]
  /** Where more keys may follow; null at the end. */
  next: Position | null
}

type Listing = { database: string; prefix: string; signal?: AbortSignal }

/** The list of keys with one more page of them; those that cannot be read are listed as such. */
export async function readKeyPage(
  client: Client,
  listing: Listing,
  known: KeyPage = noKeysRead,
): Promise<KeyPage> {
  if (known.next === null) return known
  const ask = (asked: Position, limit: number) => scanKeys(client, { ...listing, ...asked, limit })
  const { found, next } = await readInParts(ask, ({ key }) => key, known.next)
  const more = found.map(
    (one): KeyItem => (typeof one === 'string' ? { kind: 'unreadable', why: one } : lineOf(one)),
  )
  return { items: [...known.items, ...more], next }
}

/** A list of which nothing was read. */
export const noKeysRead: KeyPage = { items: [], next: { after: null, offset: 0 } }

/** A key as a line of a list shows it. */
export function lineOf({ key, revision, value, expiresAt, target }: Entry): KeyLine {
  const size = base64Size(value)
  return { kind: 'key', key, revision, size, expiresAt, target: target?.key ?? null }
}

export type Revision = {
  /** Null when unknown. */
  revision: string | null
  /** Null when the value cannot be read. */
  tx: string | null
  /** Why the value cannot be read; null when it can. */
  hidden: Unreadable | null
  isDeleted: boolean
  isExpired: boolean
}

export type RevisionPage = { revisions: readonly Revision[]; hasMore: boolean }

/** Bytes of a value from which on its older revisions are read only when they are asked for. */
const largeValue = 262_144

/**
 * The newest revisions of a key, whose newest one is known: the history brings each with its whole
 * value, so only the others are asked for, and none of a key with one revision.
 */
export async function readNewestRevisions(
  client: Client,
  request: { database: string; key: string; signal?: AbortSignal },
  newest: Entry,
): Promise<RevisionPage> {
  const own = revisionOf(newest)
  if (newest.revision === '1') return { revisions: [own], hasMore: false }
  if (base64Size(newest.value) >= largeValue) return { revisions: [own], hasMore: true }
  const older = await readRevisionPage(client, request, 1)
  const next = older.revisions[0]?.revision ?? null
  const follows =
    next === null || newest.revision === null || BigInt(next) + 1n === BigInt(newest.revision)
  // It was written again in between.
  if (!follows || newest.revision === null) return readRevisionPage(client, request)
  return { revisions: [own, ...older.revisions], hasMore: older.hasMore }
}

/** The revisions of a key, newest first, beginning after `offset` of them. */
export async function readRevisionPage(
  client: Client,
  request: { database: string; key: string; signal?: AbortSignal },
  offset = 0,
): Promise<RevisionPage> {
  const limit = revisionPageSize
  const read = (at: number, count: number) =>
    listRevisions(client, { ...request, offset: at, limit: count }).catch(whyUnreadable)
  const found = await read(offset, limit)
  if (typeof found !== 'string') {
    return { revisions: found.map(revisionOf), hasMore: found.length === limit }
  }
  const revisions: Revision[] = []
  for (let at = offset; at < offset + limit; at += 1) {
    const alone = await read(at, 1)
    if (alone.length === 0) return { revisions: fromTheFirst(revisions), hasMore: false }
    revisions.push(...(typeof alone === 'string' ? [hiddenBy(alone)] : alone.map(revisionOf)))
  }
  return { revisions: withNumbers(revisions), hasMore: true }
}

/** How many revisions a key has when none of the newest can be read, by bisection over their places. */
export async function countHiddenRevisions(
  client: Client,
  request: { database: string; key: string },
): Promise<number> {
  const isThere = async (offset: bigint) => {
    const asked = { ...request, offset: countable(offset), limit: 1, mayEnd: true }
    return (await listRevisions(client, asked).catch(whyUnreadable)).length > 0
  }
  const [, count] = await bisectFrom(0n, BigInt(revisionPageSize), isThere)
  return countable(count)
}

function hiddenBy(hidden: Unreadable): Revision {
  return { revision: null, tx: null, hidden, isDeleted: false, isExpired: false }
}

function revisionOf({ revision, tx, isDeleted, isExpired }: Entry): Revision {
  return { revision, tx, hidden: null, isDeleted, isExpired }
}

/** The last one is the first revision. */
function fromTheFirst(revisions: readonly Revision[]): readonly Revision[] {
  return revisions.map((one, at) => ({ ...one, revision: String(revisions.length - at) }))
}

/** Revision numbers have no gaps, so one known number gives those of its neighbours. */
function withNumbers(revisions: readonly Revision[]): readonly Revision[] {
  const at = revisions.findIndex(({ revision }) => revision !== null)
  const known = revisions[at]?.revision
  if (known === undefined || known === null) return revisions
  return revisions.map((one, index) => ({
    ...one,
    revision: String(BigInt(known) + BigInt(at - index)),
  }))
}

/**
 * The state of a key, now or in a revision. `dangling`: it refers to a key that no longer exists.
 */
export type KeyState =
  | { kind: 'live'; entry: Entry }
  | { kind: 'deleted' | 'expired' | 'dangling'; entry: Entry }
  | { kind: 'absent' }
  | { kind: Unreadable }

type Request = { database: string; key: string; revision?: string; signal?: AbortSignal }

/** Looks a key up. For a missing key, further calls find out why. */
export async function readKeyState(client: Client, request: Request): Promise<KeyState> {
  try {
    return { kind: 'live', entry: await getKey(client, request) }
  } catch (error) {
    const why = unreadable(error)
    if (why !== null) return { kind: why }
    if (isBecause(error, 'no-such-revision')) return { kind: 'absent' }
    // No live entry: there is none, or it was deleted or has expired.
    if (!isBecause(error, 'key-not-found')) throw error
    return whyNot(await findRevision(client, request))
  }
}

/** The newest or the given revision in the history; null for none. */
async function findRevision(
  client: Client,
  { revision, ...request }: Request,
): Promise<Entry | null> {
  const [newest] = await listRevisions(client, { ...request, offset: 0, limit: 1 })
  if (!newest || revision === undefined || newest.revision === revision) return newest ?? null
  const offset = countable(BigInt(newest.revision ?? '0') - BigInt(revision))
  if (offset < 0) return null
  const [found] = await listRevisions(client, { ...request, offset, limit: 1 })
  return found ?? null
}

function whyNot(entry: Entry | null): KeyState {
  if (entry === null) return { kind: 'absent' }
  if (entry.isDeleted) return { kind: 'deleted', entry }
  return { kind: entry.isExpired ? 'expired' : 'dangling', entry }
}
