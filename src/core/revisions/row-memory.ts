import * as v from 'valibot'
import { listTransactions } from '~/api/transactions'
import { clientAtom } from '~/core/session/client'
import { databaseIdAtom } from '~/core/session/session'
import { storageAtom } from '~/core/storage/stored'
import { bytesToHex, encodeUtf8 } from '~/lib/bytes'
import { hash } from '~/proof/hash'
import { askRow, type Reads, type RowName } from './row-questions'
import type { KnownChanges, Stretch } from './row-timeline'

/** The newest transaction of a database, with the hash over its whole history. */
export type Newest = { readonly txId: string; readonly txHash: string }

const place = 'webconsole.revisions'
/** Rows that are remembered; the one used longest ago gives way. */
const mostRows = 200

const number = v.pipe(v.string(), v.regex(/^\d{1,20}$/))
/** The ends of a stretch, and its flags as bits. */
const line = v.pipe(v.string(), v.regex(/^\d{1,20} \d{1,20} [0-7]$/))
const row = v.object({
  name: v.string(),
  count: v.number(),
  last: number,
  /** The hash over the history up to `last`, which another past does not have. */
  hash: v.string(),
  stretches: v.array(line),
})
const stored = v.fallback(v.array(row), [])
type Remembered = v.InferOutput<typeof row>

/**
 * What was found of a row before, if this is still the same past: a database or a table that was
 * deleted and made again under its name has another one.
 */
export async function recall(io: Reads, of: RowName, newest: Newest): Promise<KnownChanges | null> {
  const name = nameOf(io, of)
  const all = v.parse(stored, await io.get(storageAtom).read(place))
  const found = all.find((one) => one.name === name)
  if (!found || BigInt(found.last) > BigInt(newest.txId)) return null
  const known = knownOf(found)
  const isSame = (await isSamePast(io, of, found, newest)) && (await isSameTable(io, of, known))
  return isSame ? known : null
}

/** Remembers what was found; nothing in it says which row it is of. */
export function remember(
  io: Reads,
  of: RowName,
  { txHash }: Newest,
  { count, last, stretches }: KnownChanges,
): Promise<boolean> {
  const name = nameOf(io, of)
  const lines = stretches.map((one) => {
    const bits = flags.reduce((sum, flag, at) => sum + (one[flag] ? 2 ** at : 0), 0)
    return `${one.from} ${one.to} ${bits}`
  })
  const found = { name, count, last: String(last), hash: txHash, stretches: lines }
  return io.get(storageAtom).change(place, (value) => {
    const others = v.parse(stored, value).filter((one) => one.name !== name)
    return [found, ...others].slice(0, mostRows)
  })
}

const flags = ['before', 'after', 'isWritten'] as const

function knownOf({ count, last, stretches }: Remembered): KnownChanges {
  const read = stretches.map((text): Stretch => {
    const [from = 0n, to = 0n, bits = 0n] = text.split(' ').map(BigInt)
    const isSet = (flag: (typeof flags)[number]) =>
      (bits >> BigInt(flags.indexOf(flag))) % 2n === 1n
    return {
      from,
      to,
      before: isSet('before'),
      after: isSet('after'),
      isWritten: isSet('isWritten'),
    }
  })
  return { count, last: BigInt(last), stretches: read }
}

/** A digest, so that storage holds no value of a primary key after logout. */
function nameOf(io: Reads, { database, table, key }: RowName): string {
  const { server } = io.get(databaseIdAtom)(database)
  return bytesToHex(hash(encodeUtf8(JSON.stringify([server, database, table, key]))))
}

async function isSamePast(
  io: Reads,
  { database }: RowName,
  { last, hash: known }: Remembered,
  newest: Newest,
): Promise<boolean> {
  if (newest.txId === last) return newest.txHash === known
  const next = String(BigInt(last) + 1n)
  const [header] = await listTransactions(io.get(clientAtom), { database, upTo: next, limit: 1 })
  return header?.id === next && header.prevAlh === known
}

/** A new table of the same name has no row in a transaction from before it. */
async function isSameTable(io: Reads, of: RowName, known: KnownChanges): Promise<boolean> {
  const one = known.stretches.findLast(({ isWritten }) => isWritten)
  if (!one) return false
  const found = await askRow(io, of)(new Map([[1n, `SINCE TX ${one.from} UNTIL TX ${one.to}`]]))
  return found.has(1n)
}
