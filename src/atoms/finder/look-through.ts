import { atom } from 'jotai'
import { queryClientAtom } from 'jotai-tanstack-query'
import { scanKeys } from '~/api/keys'
import { readState } from '~/api/server'
import type { TxEntries } from '~/api/transactions'
import type { Io } from '~/core/act'
import { isAway } from '~/core/history/newest-state'
import { txHash } from '~/core/history/transaction-memory'
import { pagesOf } from '~/core/history/transaction-reader'
import { type Load, listsOf, type PlaceIn, readInParts } from '~/core/pages'
import { clientAtom } from '~/core/session/client'
import { sentence } from '~/core/session/failure-words'
import { base64ToBytes, bytesToBase64, decodeUtf8 } from '~/lib/bytes'
import { PlainError } from '~/lib/plain-error'
import { NoProgress, rounds } from '~/lib/rounds'
import { formatTx } from '~/lib/text'
import { innerHash, readHeader } from '~/proof/kernel/header'
import { ProofError } from '~/proof/kernel/steps'
import { collectionNamesQuery } from '../documents/collection-names'
import { documentIn, keyIn, keyThing } from './content-kinds'
import { ioOf, onServer, placesOn, serverName } from './elsewhere'
import { txThing } from './history-kinds'
import type { LookedThrough, Scan, Thing } from './thing'

/** Transactions in one request. */
const window = 1_000n
/** Finds after which it stops until it is asked to go on, and those that are kept in all. */
const [enough, mostFound] = [20, 2_000]

/** A search of one kind in one database: reads one page on from what was looked through. */
type Step = (
  io: Io,
  known: LookedThrough,
  of: Pick<Scan, 'database' | 'text'>,
  signal: AbortSignal,
) => Promise<LookedThrough>

const beginning: LookedThrough = { found: [], looked: 0, unread: 0, next: '' }

/**
 * Everything that is looked through on request, by what is looked through, and what for. It goes on until the end, until enough is found, or until it is stopped, and then from there.
 * What was found is kept, and nothing of what was only looked at.
 */
const scans = listsOf<LookedThrough>({
  key: (scan = '') => ['finder', scan],
  start: () => beginning,
  async read(io, known, { signal, tell }: Load<LookedThrough>, id = '') {
    const scan: Scan = JSON.parse(id)
    const most = Math.min(mostFound, known.found.length + enough)
    const round = rounds()
    let now = known
    while (now.next !== null && now.found.length < most) {
      round([now.done, now.refused?.length, now.left?.[0], now.next])
      now = await onward(io, now, scan, signal)
      signal.throwIfAborted()
      tell(now)
    }
    return now
  },
  next: ({ next, found }) => (found.length < mostFound ? next : null),
  size: ({ looked }) => looked,
  lasts: 'while seen',
})

/** Reads on in the first place that is left. A place that refuses is left behind, which is said. */
async function onward(
  io: Io,
  known: LookedThrough,
  scan: Scan,
  signal: AbortSignal,
): Promise<LookedThrough> {
  const { kind, text, others = [] } = scan
  const { left = [{ database: scan.database }, ...others], done = 0, refused = [] } = known
  const [place, ...rest] = left
  if (place === undefined) return { ...known, next: null }
  const behind = { left: rest, next: rest.length > 0 ? '' : null }
  const { database, server } = place
  const name = server === undefined ? '' : serverName(io, server)
  try {
    if (database === null) {
      const places = [...(await placesOn(io, server ?? '', signal)), ...rest]
      return { ...known, left: places, next: places.length > 0 ? '' : null }
    }
    const isElsewhere = server !== undefined || database !== scan.database
    const there = isElsewhere ? ioOf(io, place) : io
    const now = await steps[kind](there, known, { database, text }, signal)
    const of = (thing: Thing) =>
      server === undefined ? { ...thing, database } : onServer(name, { ...thing, database })
    const found = isElsewhere
      ? [...known.found, ...now.found.slice(known.found.length).map(of)]
      : now.found
    if (now.next !== null) return { ...known, ...now, found, left }
    return { ...known, ...now, found, ...behind, done: done + 1 }
  } catch (error) {
    signal.throwIfAborted()
    // What gives no answer may give one later, and it goes on from there.
    const isAlone = others.length === 0 || (isAway(error) && server === undefined)
    if (isAlone || error instanceof NoProgress) throw error
    const where = [name, database ?? ''].filter(Boolean).join(', ')
    return { ...known, ...behind, refused: [...refused, `${where}: ${sentence(error)}`] }
  }
}

const chosenAtom = atom<Scan | null>(null)

/** What is looked through now, or null. */
export const scanAtom = atom((get) => get(chosenAtom))

/** Begins to look through something, in the place of what was before; null for nothing. */
export function lookThrough({ get, set }: Io, scan: Scan | null): void {
  const before = get(chosenAtom)
  set(chosenAtom, scan)
  if (before === null) return
  // What was found is forgotten with what was looked for.
  const queryKey = ['going finder', JSON.stringify(before)]
  get(queryClientAtom).removeQueries({ queryKey, exact: true })
}

/** How far that is; null while nothing is looked through. */
export const lookedThroughAtom = atom((get) => {
  const scan = get(chosenAtom)
  return scan && get(get(scans.listsAtom)(JSON.stringify(scan)))
})

/** Whether a search ended because no more finds are kept. */
export const isFull = ({ found }: LookedThrough) => found.length >= mostFound

/** Goes on where it stopped. */
export function lookOn(io: Io): void {
  const scan = io.get(chosenAtom)
  if (scan) void scans.more(io, JSON.stringify(scan))
}

/** Stops; it can go on from there. */
export function stopLooking(io: Io): void {
  const scan = io.get(chosenAtom)
  if (scan) scans.stop(io, JSON.stringify(scan))
}

const steps: Record<Scan['kind'], Step> = {
  /** From the newest transaction down. `next` is the highest one that was not looked at. */
  async transactions(io, known, { database, text }, signal) {
    const newest = async () => (await readState(io.get(clientAtom), database, signal)).txId
    const to = BigInt(known.next || (await newest()))
    if (to === 0n) return { ...known, next: null }
    const from = to > window ? to - window + 1n : 1n
    const found: Thing[] = []
    let [at, unread] = [from, known.unread]
    for await (const page of pagesOf(io, database, { from, to }, signal, Number(window))) {
      for (const tx of page) {
        if (BigInt(tx.header.id) !== at) throw notGiven(at)
        if (tx.entries === null) unread += 1
        const isNewest = known.next === '' && at === to
        found.unshift(...thingsOf(database, tx, text, isNewest))
        at += 1n
      }
    }
    if (at <= to) throw notGiven(at)
    return {
      found: [...known.found, ...found],
      looked: known.looked + Number(to - from) + 1,
      unread,
      next: from === 1n ? null : String(from - 1n),
    }
  },

  /** In the order of the keys. */
  async keys(io, known, { database, text }, signal) {
    const place: PlaceIn<string> = known.next ? JSON.parse(known.next) : { after: null, offset: 0 }
    const { found, next } = await readInParts(
      (from, limit) =>
        scanKeys(io.get(clientAtom), { database, prefix: '', ...from, limit, signal }),
      ({ key }) => key,
      place,
    )
    const has = keyWith(text)
    const readable = found.flatMap((one) => (typeof one === 'string' ? [] : [one.key]))
    return {
      found: [...known.found, ...readable.filter(has).map((key) => keyThing(database, key))],
      looked: known.looked + readable.length,
      unread: known.unread + found.length - readable.length,
      next: next && JSON.stringify(next),
    }
  },

  /** One collection after the other. */
  async documents(io, known, { database, text }, signal) {
    const query = collectionNamesQuery(io.get(clientAtom), database)
    const names = await query.queryFn({ signal })
    const at = names.indexOf(known.next ?? '')
    const name = names[Math.max(0, at)]
    if (name === undefined) return { ...known, next: null }
    const things = await documentIn({ io, database }, name, text, signal)
    return {
      found: [...known.found, ...things],
      looked: known.looked + 1,
      unread: known.unread,
      next: names[Math.max(0, at) + 1] ?? null,
    }
  },
}

const notGiven = (id: bigint) =>
  new PlainError(`The server did not give transaction ${formatTx(String(id))}.`)

/**
 * What has a hash of what a transaction and its answer tell. Each has the hash of the state before
 * it, so only that of the newest is computed.
 */
function thingsOf(database: string, tx: TxEntries, hash: string, isNewest: boolean): Thing[] {
  const { header, entries } = tx
  const { id, prevAlh, eH, blRoot } = header
  const before = String(BigInt(id) - 1n)
  const ofState = 'hash of the state after it'
  const note =
    eH === hash
      ? 'hash of its entries'
      : blRoot === hash
        ? 'root of the tree of hashes in its header'
        : innerHashOf(header) === hash
          ? 'hash of its header'
          : (entries ?? []).some(({ hValue }) => hValue === hash)
            ? 'digest of one of its values'
            : isNewest && txHash(header) === hash
              ? ofState
              : null
  return [
    ...(note === null ? [] : [txThing(database, id, note)]),
    ...(prevAlh === hash && before !== '0' ? [txThing(database, before, ofState)] : []),
  ]
}

function innerHashOf(header: TxEntries['header']): string | null {
  try {
    return bytesToBase64(innerHash(readHeader(header)))
  } catch (error) {
    if (error instanceof ProofError) return null
    throw error
  }
}

/** Returns whether a key, in base64, has the bytes of a text, or the text in any case. */
function keyWith(text: string): (key: string) => boolean {
  const bytes = keyIn(text)
  const wanted = bytes === null ? null : atob(bytes)
  const lower = text.trim().toLowerCase()
  return (key) => {
    if (wanted !== null && atob(key).includes(wanted)) return true
    return decodeUtf8(base64ToBytes(key))?.toLowerCase().includes(lower) ?? false
  }
}
