import { atom } from 'jotai'
import * as v from 'valibot'
import { type Io, mountedAtom } from '~/core/act'
import { atAtom } from '~/core/history/as-of'
import type { DatabaseId } from '~/core/session/database-id'
import { openIdAtom } from '~/core/session/session'
import { storageAtom } from '~/core/storage/stored'
import { momentsStorageKey } from '~/lib/storage-keys'

/** Longest name; it must fit on a line. */
export const longestName = 80
/** Moments that are kept; more would not be found again. */
export const mostMoments = 500

const hash = v.pipe(v.string(), v.regex(/^[A-Za-z0-9+/]{43}=$/))
const longestText = 2_000
const text = v.pipe(
  v.string(),
  v.check((value) => value.length <= longestText),
)
/** The last time that a date can have, in milliseconds since 1970. */
const lastTime = 8.64e15

/** A named moment, as it is stored and as a file has it. */
export const moment = v.object({
  name: v.pipe(
    v.string(),
    v.transform((name) => name.trim()),
    v.check((name) => name !== '' && name.length <= longestName),
  ),
  /** Address of the server without `/api`, its own id, and the database. */
  origin: text,
  server: text,
  database: v.pipe(
    text,
    v.check((name) => name !== ''),
  ),
  txId: v.pipe(v.string(), v.regex(/^[1-9]\d{0,18}$/)),
  /** Base64 of 32 bytes. */
  txHash: hash,
  /** The signature of the state, as the server sent it with exactly this state. */
  signature: v.optional(v.object({ publicKey: text, signature: text })),
  /** Milliseconds since 1970 when it was named. */
  at: v.pipe(
    v.number(),
    v.check((at) => at >= 0 && at <= lastTime),
  ),
  /** It came from a file, and was not named here. */
  isImported: v.optional(v.boolean(), false),
})

/** A name for a state of a database that this browser trusted, or had proven, when it was named. */
export type NamedMoment = v.InferOutput<typeof moment>

const kept = v.object({ moments: v.array(v.unknown()) })

/** What is stored; entries that cannot be read, of a newer console perhaps, are kept as they are. */
export function readMoments(value: unknown): { moments: NamedMoment[]; unread: unknown[] } {
  const found = v.safeParse(kept, value)
  const [moments, unread]: [NamedMoment[], unknown[]] = [[], []]
  for (const one of found.success ? found.output.moments : []) {
    const read = v.safeParse(moment, one)
    if (read.success) moments.push(read.output)
    else unread.push(one)
  }
  return { moments, unread }
}

const knownAtom = atom<readonly NamedMoment[] | null>(null)

/**
 * Every named moment, the last named first; null until they are read. They are read again whenever
 * something shows them, because another tab may have added to them.
 */
export const momentsAtom = mountedAtom(
  (get) => get(knownAtom),
  (io) => {
    void readAgain(io)
    return undefined
  },
)

/** Reads the named moments again. */
export async function readAgain({ get, set }: Io): Promise<void> {
  set(knownAtom, readMoments(await get(storageAtom).read(momentsStorageKey)).moments)
}

/** Those of the open database of the server that answers. */
export const ownMomentsAtom = atom((get) => {
  const id = get(openIdAtom)
  return (get(momentsAtom) ?? []).filter((one) => isOf(one, id))
})

/** The name that was given here to the moment in the address; null for none, or one of a file. */
export const asOfNameAtom = atom((get): string | null => {
  const at = get(atAtom)
  if (at?.kind !== 'tx') return null
  return (
    get(ownMomentsAtom).find(({ txId, isImported }) => txId === at.id && !isImported)?.name ?? null
  )
})

/** Whether a moment is one of a database. */
export function isOf({ origin, server, database }: NamedMoment, id: DatabaseId): boolean {
  const isServer = server === '' ? id.server === '' && origin === id.origin : server === id.server
  return isServer && database === id.database
}
