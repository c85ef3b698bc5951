import * as v from 'valibot'
import type { Client } from './client'
import { type Entry, wireEntry } from './keys'
import { filledBase64, int64, listAnswer, object } from './schemas'

/** A number; JSON has none for the three that the server writes as text. */
const score = v.optional(
  v.union([v.number(), v.pipe(v.picklist(['NaN', 'Infinity', '-Infinity']), v.transform(Number))]),
  0,
)

const setEntries = listAnswer(
  'entries',
  object({ set: filledBase64, key: filledBase64, entry: wireEntry, score, atTx: int64 }),
)

/** A key in a sorted set; the same key may stand there with several scores. */
export type SetEntry = {
  /** Standard base64. */
  key: string
  score: number
  /** The transaction that it is bound to; `0` for the newest value. */
  atTx: string
  entry: Entry
}

export type SetScan = {
  database: string
  /** Standard base64. */
  set: string
  /** The entry after which to continue; null starts at the first. */
  after: Pick<SetEntry, 'key' | 'score' | 'atTx'> | null
  /** Entries to skip from there. */
  offset: number
  limit: number
  signal?: AbortSignal
}

/**
 * `POST /db/zscan`: the entries of a sorted set by the bytes of their scores, so that negative ones
 * come after the others and in reverse, each with its whole value. It leaves out entries whose key
 * was deleted or has expired, which count against the limit: only an empty answer may be the end.
 */
export function scanSet(client: Client, scan: SetScan): Promise<SetEntry[]> {
  const { database, set, after, offset, limit, signal } = scan
  const seek = after && {
    seekKey: after.key,
    seekScore: wireScore(after.score),
    seekAtTx: after.atTx,
  }
  return client.call(setEntries, {
    method: 'POST',
    path: '/db/zscan',
    body: { set, ...seek, offset: String(offset), limit: String(limit) },
    database,
    isRead: true,
    ...(signal ? { signal } : {}),
  })
}

/** A score as JSON for the server, which reads those that JSON has no number for as text. */
export function wireScore(score: number): number | string {
  if (Object.is(score, -0)) return '-0'
  return Number.isFinite(score) ? score : String(score)
}
