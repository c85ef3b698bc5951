import { type Entry, scanKeys } from '~/api/keys'
import { readState } from '~/api/server'
import { type SetEntry, scanSet, wireScore } from '~/api/sorted-sets'
import type { Io } from '~/core/act'
import { linesEnding, plainNames, typeOfLines } from '~/core/files/export-rows'
import { type Exportable, type ExportPage, endPages } from '~/core/files/exports'
import { everyPage, type PlaceIn, readInParts } from '~/core/pages'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import { sentence } from '~/core/session/failure-words'
import { base64ToBytes, decodeUtf8 } from '~/lib/bytes'
import { inTurn } from '~/lib/job-queue'
import { counted } from '~/lib/text'
import { readPastKeyState } from './key-state'
import type { PastKey } from './past-list'
import { type SetPlace, setPlace } from './sets'

/** What is exported: the live keys with a prefix, which is standard base64. */
type Keys = { database: string; prefix: string }

/** What all exports to files with a line for each key share. */
const inLines = {
  kept: 'the first',
  type: typeOfLines,
  sentence,
} as const

function pageOf(lines: readonly object[]): ExportPage {
  return {
    parts: [new Blob(lines.map((line) => `${JSON.stringify(line)}\n`))],
    count: lines.length,
  }
}

/** Keys with their values, one in each line. */
export const keysExport = (of: Keys): Exportable<'ndjson'> => ({
  kind: 'keys',
  name: JSON.stringify([of.database, of.prefix]),
  begin: (io) => ({
    ...inLines,
    what: 'key',
    pages: (signal) =>
      wholeList<Entry, string>(io, of.database, signal, {
        ask: (from, limit) => scanKeys(io.get(clientAtom), { ...of, ...from, limit, signal }),
        placeOf: ({ key }) => key,
        lineOf,
        nouns: ['key', 'keys'],
      }),
    nameOf: (count, isComplete) =>
      plainNames([of.database]) + linesEnding(count, 'keys', isComplete),
  }),
})

/** A sorted set of the present; its name is standard base64. */
type SortedSet = { database: string; set: string }

/** The entries of a sorted set, in the order of the server. */
export const setExport = (of: SortedSet): Exportable<'ndjson'> => ({
  kind: 'keys',
  name: JSON.stringify([of.database, 'set', of.set]),
  begin: (io) => ({
    ...inLines,
    what: 'entry',
    many: 'entries',
    pages: (signal) =>
      wholeList<SetEntry, SetPlace>(io, of.database, signal, {
        ask: (from, limit) => scanSet(io.get(clientAtom), { ...of, ...from, limit, signal }),
        placeOf: setPlace,
        lineOf: ({ score, key, atTx, entry }) => ({
          score: wireScore(score),
          ...lineOf({ ...entry, key }),
          ...(atTx === '0' ? {} : { atTx }),
        }),
        nouns: ['entry', 'entries'],
      }),
    nameOf: (count, isComplete) =>
      plainNames([of.database, shownKey(of.set)]) + linesEnding(count, 'entries', isComplete),
  }),
})

type ListRead<T, K> = {
  ask: (from: PlaceIn<K>, limit: number) => Promise<readonly T[]>
  placeOf: (item: T) => K
  lineOf: (item: T) => object
  /** One and many of what is read. */
  nouns: readonly [string, string]
}

/**
 * A list of now to its end, page by page.
 * @throws behind the last page where something lacks, or may be of another moment
 */
async function* wholeList<T extends object, K>(
  io: Io,
  database: string,
  signal: AbortSignal,
  { ask, placeOf, lineOf, nouns: [one, many] }: ListRead<T, K>,
): AsyncGenerator<ExportPage> {
  const client = io.get(clientAtom)
  await ensureDatabaseToken(io, client, database)
  const readTx = async () => (await readState(client, database, signal)).txId
  const before = await readTx()
  let [calls, hidden] = [0, 0]
  const counting: typeof ask = (from, limit) => {
    signal.throwIfAborted()
    calls += 1
    return ask(from, limit)
  }
  const start: PlaceIn<K> = { after: null, offset: 0 }
  const pages = everyPage(start, (place) => readInParts(counting, placeOf, place))
  for await (const { found } of pages) {
    const readable = found.filter((item) => typeof item !== 'string')
    hidden += found.length - readable.length
    if (readable.length > 0) yield pageOf(readable.map(lineOf))
  }
  const lacks: string[] = []
  if (hidden > 0) {
    lacks.push(
      `${counted(hidden, one, many)} with a value over 4 MiB or one that is gone cannot be read.`,
    )
  }
  if (calls > 1 && (await readTx()) !== before) {
    lacks.push(
      `They were read in several parts, and the database changed in between: ${many} may be missing, or be of different moments.`,
    )
  }
  endPages(lacks)
}

/** Keys as of a transaction, as their list has them. */
type PastKeys = {
  database: string
  prefix: string
  tx: string
  keys: readonly PastKey[]
  /** Transactions that could not be listed. */
  unlisted: number
}

/** Keys with the values that they had as of a transaction. */
export const pastKeysExport = (of: PastKeys): Exportable<'ndjson'> => ({
  kind: 'keys',
  name: JSON.stringify([of.database, of.prefix, of.tx]),
  begin: (io) => ({
    ...inLines,
    what: 'key',
    pages: (signal) => pastPages(io, of, signal),
    nameOf: (count, isComplete) =>
      plainNames([of.database, `tx${of.tx}`]) + linesEnding(count, 'keys', isComplete),
  }),
})

/** Keys of the past whose values are read before they are written, and at once. */
const [pastKeysEach, pastKeysAtOnce] = [16, 4]

async function* pastPages(
  io: Io,
  { database, tx, keys, unlisted }: PastKeys,
  signal: AbortSignal,
): AsyncGenerator<ExportPage> {
  const client = io.get(clientAtom)
  await ensureDatabaseToken(io, client, database)
  const turn = inTurn(pastKeysAtOnce)
  let [unread, dangling] = [0, 0]
  for (let from = 0; from < keys.length; from += pastKeysEach) {
    const page = keys.slice(from, from + pastKeysEach)
    const states = await Promise.all(
      page.map(({ key }) =>
        turn(() => readPastKeyState(client, { database, key, tx, signal }), signal),
      ),
    )
    const live = states.flatMap((state) => (state.kind === 'live' ? [state.entry] : []))
    dangling += states.filter(({ kind }) => kind === 'unresolved').length
    unread += states.length - live.length
    if (live.length > 0) yield pageOf(live.map(lineOf))
  }
  const lacks: string[] = []
  if (unread > dangling) {
    lacks.push(`The values of ${counted(unread - dangling, 'key')} then cannot be read any more.`)
  }
  if (dangling > 0) {
    lacks.push(`${counted(dangling, 'reference')} led to no value that can be read.`)
  }
  if (unlisted > 0) {
    lacks.push(
      `${counted(unlisted, 'transaction')} could not be listed, so keys may be missing or wrong.`,
    )
  }
  endPages(lacks)
}

/**
 * A key as a line of the file: bytes that are no text are base64, under a name that says so. It
 * expires in seconds since 1970.
 */
function lineOf({ key, value, tx, revision, expiresAt, target }: Entry): object {
  return {
    ...named('key', key),
    ...named('value', value),
    tx,
    ...(revision === null ? {} : { revision }),
    ...(expiresAt === null ? {} : { expiresAt }),
    ...(target === null ? {} : named('refersTo', target.key)),
  }
}

/** A key in the name of a file. */
function shownKey(base64: string): string {
  return decodeUtf8(base64ToBytes(base64)) ?? base64
}

function named(name: string, base64: string): object {
  const text = decodeUtf8(base64ToBytes(base64))
  return text === null ? { [`${name}Base64`]: base64 } : { [name]: text }
}
