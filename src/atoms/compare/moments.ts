import { atom } from 'jotai'
import { atomWithQuery } from 'jotai-tanstack-query'
import type { Client } from '~/api/client'
import { readState } from '~/api/server'
import { listTransactions, type TxHeader } from '~/api/transactions'
import { txAtTime } from '~/core/history/tx-at-time'
import { clientAtom } from '~/core/session/client'
import { momentForms, readAt, readTyped, writeAt } from '~/immudb/moment'
import { firstTransaction } from '~/lib/constants'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { formatTx, shorten } from '~/lib/text'
import type { TimeZoneChoice } from '~/lib/time-zone'

/** A moment of a database as a transaction: the state right after it. */
export type Resolved = {
  /** `0` is the empty database before its first transaction. */
  readonly tx: string
  /** Seconds since 1970; null for the empty database. */
  readonly ts: string | null
  /** The clock of the server stepped back near that time, so that others may be as close to it. */
  readonly isAbout: boolean
}

/** Why an address or a typed text is not a moment of this database. */
export class MomentError extends Error {
  override readonly name = 'MomentError'

  constructor(
    text: string,
    /** The newest transaction, where the moment is behind it. */
    readonly newest?: string,
  ) {
    super(text)
  }
}

/** The first moment of all, when there is no transaction yet. */
export const beforeFirst = 'tx:0'

/**
 * What someone typed as a moment, as an address has it; null for anything else. 0 is the moment
 * before the first transaction.
 * @param zone in which a time without a zone is read
 */
export function typedMoment(text: string, zone: TimeZoneChoice = 'utc'): string | null {
  if (/^(?:tx[\s:]*)?0+$/i.test(text.trim())) return beforeFirst
  const at = readTyped(text, zone)
  return at && writeAt(at)
}

/**
 * Gives the query of the transaction that a moment stands for; the same one each time it is asked.
 * It fails with a `MomentError` for a moment that the database does not have.
 */
export const resolvedAtom = atom(() =>
  memoizeByNames((database = '', moment = '') =>
    atomWithQuery((get) => {
      const client = get(clientAtom)
      return {
        queryKey: ['compared moment', database, moment],
        enabled: moment !== '',
        queryFn: ({ signal }) => resolve(client, { database, moment, signal }),
      }
    }),
  ),
)

type Asked = { readonly database: string; readonly moment: string; readonly signal?: AbortSignal }

/** @throws MomentError, ApiError */
export async function resolve(client: Client, asked: Asked): Promise<Resolved> {
  // An address may have been typed as well.
  const moment = typedMoment(asked.moment) ?? asked.moment
  if (moment === beforeFirst) return { tx: '0', ts: null, isAbout: false }
  const at = readAt(moment)
  const isNumber = /^tx:\d+$/.test(moment)
  if (at === null && !isNumber) {
    throw new MomentError(`“${shorten(moment, 40)}” is not a moment. ${momentForms}`)
  }
  const { txId: newest } = await readState(client, asked.database, asked.signal)
  if (at?.kind === 'time') return transactionAt(client, { ...asked, moment }, newest)
  if (at === null || BigInt(at.id) > BigInt(newest)) {
    const id = shorten(formatTx(moment.slice('tx:'.length)), 40)
    throw new MomentError(`There is no transaction ${id}.`, newest)
  }
  const header = await headerOf(client, asked, at.id)
  return { tx: at.id, ts: header?.ts ?? null, isAbout: false }
}

async function headerOf(
  client: Client,
  { database, signal }: Asked,
  upTo: string,
): Promise<TxHeader | undefined> {
  const request = { database, upTo, limit: 1, ...(signal ? { signal } : {}) }
  const [header] = await listTransactions(client, request)
  return header
}

/** The last transaction at or before a time. */
async function transactionAt(
  client: Client,
  { database, moment, signal }: Asked,
  newest: string,
): Promise<Resolved> {
  const read = (from: bigint, count: number) =>
    listTransactions(client, {
      database,
      from: String(from),
      limit: count,
      ...(signal ? { signal } : {}),
    })
  const found = await txAtTime(read, newest, BigInt(Date.parse(moment) / 1_000))
  return found.kind === 'found' ? found : { tx: '0', ts: null, isAbout: false }
}

/** How far back a comparison reaches when nothing says from where. */
const usualReach = 100n

/**
 * The moment from which to compare when the address names none: what the last visit saw, else a
 * hundred transactions before the end.
 */
export function defaultFrom(to: string, lastVisit: string | null): string {
  if (lastVisit !== null && BigInt(lastVisit) < BigInt(to)) return `tx:${lastVisit}`
  const from = BigInt(to) - usualReach
  if (from > 0n) return `tx:${from}`
  return BigInt(to) > BigInt(firstTransaction) ? `tx:${firstTransaction}` : beforeFirst
}
