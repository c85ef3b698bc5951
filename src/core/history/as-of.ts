import { atom, type Getter } from 'jotai'
import { atomWithQuery, queryClientAtom } from 'jotai-tanstack-query'
import type { Client } from '~/api/client'
import { readState } from '~/api/server'
import { listTransactions } from '~/api/transactions'
import type { Io } from '~/core/act'
import { type At, readAt, writeAt } from '~/immudb/moment'
import { firstTransaction } from '~/lib/constants'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { formatTx } from '~/lib/text'
import { formatMoment } from '~/lib/time'
import type { Moment } from '~/sql/time-travel'
import { clientAtom, ensureDatabaseToken } from '../session/client'
import { serverNow } from '../session/server-clock'
import { databaseAtom } from '../session/session'
import {
  addressedMomentAtom,
  presentTxAtom,
  presentTxOfAtom,
  stateAtom,
  stateKey,
} from './newest-state'
import { type TxAtTime, txAtTime } from './tx-at-time'

/** The moment in the address, which all data screens show; null for now. */
export const atAtom = atom((get): At | null => readAt(get(addressedMomentAtom) ?? ''))

/** What a data screen shows. */
export type AsOf =
  | { kind: 'now' }
  | {
      kind: 'past'
      at: At
      /** The last transaction that counts. */
      tx: string
      /** The clock of the server stepped back near this time. */
      isAbout: boolean
    }
  /** Asking which transaction the moment stands for; `at` is null for a period. */
  | { kind: 'finding'; at: At | null }
  | { kind: 'not-found'; at: At; error: unknown; retry: () => void }
  /** There is no such moment, and why. */
  | { kind: 'refused'; text: string }
  /** Rows since a moment, or before one, which only queries can show. */
  | { kind: 'period'; moment: Moment }

/** What the data screens show of the open database. */
export const asOfAtom = atom((get): AsOf => {
  const text = get(addressedMomentAtom)
  if (text === null) return { kind: 'now' }
  const at = readAt(text)
  const moment = readPeriod(text)
  if (at === null && moment === null) return { kind: 'refused', text: unreadable }
  const { data: state, error, refetch } = get(stateAtom)
  if (!state) {
    const retry = () => void refetch()
    return at && error ? { kind: 'not-found', at, error, retry } : { kind: 'finding', at }
  }
  if (state.txId === '0') return { kind: 'refused', text: empty }
  if (moment !== null) return { kind: 'period', moment }
  if (at?.kind !== 'tx') return get(asOfTimeAtom)
  const isKnown = BigInt(at.id) <= BigInt(state.txId)
  return isKnown
    ? { kind: 'past', at, tx: at.id, isAbout: false }
    : { kind: 'refused', text: noSuch(at.id, state.txId) }
})

const unreadable =
  'The address names a moment that this console cannot read. Choose a moment, or go back to now.'
const empty = 'Nothing was written to this database yet, so it has no past.'

function noSuch(id: string, newest: string): string {
  if (newest === '0') return empty
  return `There is no transaction ${formatTx(id)}. The newest is ${formatTx(newest)}.`
}

/** The same, while the address names a time. */
const asOfTimeAtom = atom((get): AsOf => {
  const at = get(atAtom)
  if (at?.kind !== 'time') return { kind: 'now' }
  const problem = timeProblem(at.text, serverNow(get))
  if (problem !== undefined) return { kind: 'refused', text: problem }
  const { data, error, refetch } = get(get(timesAtom)(get(databaseAtom) ?? '', at.text))
  if (data?.kind === 'found') return { kind: 'past', at, tx: data.tx, isAbout: data.isAbout }
  if (data) return { kind: 'refused', text: beforeFirst(data) }
  if (error) return { kind: 'not-found', at, error, retry: () => void refetch() }
  return { kind: 'finding', at }
})

/** Why a time, as an address has it, is not a moment of the past. */
export function timeProblem(text: string, now: number): string | undefined {
  return Date.parse(text) > now ? 'This time has not come yet.' : undefined
}

function beforeFirst({ first }: TxAtTime & { kind: 'before-first' }): string {
  const time = formatMoment(Number(first) * 1_000, 'utc')
  return `Nothing was written by then. The first transaction is of ${time}.`
}

const timeKey = (database: string, text: string) => ['moment', database, text]

/** Returns the query atom of the transaction that a time stands for. */
const timesAtom = atom(() =>
  memoizeByNames((database = '', text = '') =>
    atomWithQuery<Found>((get) => {
      const upTo = get(get(presentTxOfAtom)(database))
      const client = get(clientAtom)
      return {
        queryKey: timeKey(database, text),
        enabled: database !== '' && upTo !== '0',
        staleTime: Number.POSITIVE_INFINITY,
        queryFn: ({ signal }) => findTime(client, { database, text, upTo, signal }),
        // Only where the answer was the newest transaction can a later one change it.
        refetchInterval: ({ state: { data } }) => (data && isOutdated(data, upTo) ? 1 : false),
      }
    }),
  ),
)

type Found = TxAtTime & { upTo: string }

function isOutdated(found: Found, upTo: string): boolean {
  return found.kind === 'found' && found.tx === found.upTo && found.upTo !== upTo
}

type Asked = { database: string; text: string; upTo: string; signal?: AbortSignal }

async function findTime(client: Client, { text, upTo, ...request }: Asked): Promise<Found> {
  const read = (from: bigint, count: number) =>
    listTransactions(client, { ...request, from: String(from), limit: count })
  const seconds = BigInt(Date.parse(text) / 1_000)
  return { ...(await txAtTime(read, upTo, seconds)), upTo }
}

/** Why a time cannot be looked at, or the transaction that it stands for. Rejects with `ApiError`. */
export async function resolveTime(io: Io, text: string) {
  const { get } = io
  const problem = timeProblem(text, serverNow(get))
  if (problem !== undefined) return { problem }
  const [database, client] = [get(databaseAtom) ?? '', get(clientAtom)]
  await ensureDatabaseToken(io, client, database)
  const upTo = await newestOf(get, database)
  if (upTo === '0') return { problem: empty }
  const found = await get(queryClientAtom).fetchQuery({
    queryKey: timeKey(database, text),
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => findTime(client, { database, text, upTo, signal }),
  })
  return found.kind === 'found' ? { tx: found.tx } : { problem: beforeFirst(found) }
}

/** Returns the query atom of the time of a transaction, in seconds since 1970. */
const txTimesAtom = atom(() =>
  memoizeByNames((database = '', id = '') =>
    atomWithQuery((get) => {
      const client = get(clientAtom)
      return {
        queryKey: ['moment of tx', database, id],
        enabled: database !== '' && id !== '',
        staleTime: Number.POSITIVE_INFINITY,
        queryFn: async ({ signal }) => {
          const request = { database, upTo: id, limit: 1, signal }
          const [header] = await listTransactions(client, request)
          return header?.ts ?? null
        },
      }
    }),
  ),
)

/** When the transaction was committed up to which is shown, in seconds since 1970; null if unknown. */
export const asOfTimeOfTxAtom = atom((get): string | null => {
  const id = get(asOfTxAtom)
  return get(get(txTimesAtom)(get(databaseAtom) ?? '', id ?? '')).data ?? null
})

/** The transaction up to which the data screens show the database; null for now or unknown. */
export const asOfTxAtom = atom((get) => {
  const asOf = get(asOfAtom)
  return asOf.kind === 'past' ? asOf.tx : null
})

/** The transaction that is looked at; the newest one until another is chosen. */
export const chosenTxAtom = atom((get) => {
  const present = get(presentTxAtom)
  return get(asOfTxAtom) ?? (present === '0' ? firstTransaction : present)
})

/** The moment that queries read, or null for now; undefined while it is not known. */
export const momentAtom = atom((get): Moment | null | undefined => {
  const asOf = get(asOfAtom)
  if (asOf.kind === 'now') return null
  if (asOf.kind === 'period') return asOf.moment
  return asOf.kind === 'past' ? until(asOf.tx) : undefined
})

function until(id: string): Moment {
  return { bound: 'UNTIL', at: { kind: 'tx', id } }
}

/**
 * The moment at which statements read the open database, or why there is none. Waits for what
 * is not known yet. Rejects with `ApiError`.
 */
export async function findMoment(io: Io): Promise<{ moment: Moment | null } | { refusal: string }> {
  const text = io.get(addressedMomentAtom)
  if (text === null) return { moment: null }
  const [at, period] = [readAt(text), readPeriod(text)]
  if (period !== null) return { moment: period }
  if (at === null) return { refusal: unreadable }
  if (at.kind === 'time') {
    const found = await resolveTime(io, at.text)
    return 'tx' in found ? { moment: until(found.tx) } : { refusal: found.problem }
  }
  const newest = await newestOf(io.get, io.get(databaseAtom) ?? '')
  const isKnown = BigInt(at.id) <= BigInt(newest)
  return isKnown ? { moment: until(at.id) } : { refusal: noSuch(at.id, newest) }
}

async function newestOf(get: Getter, database: string): Promise<string> {
  const client = get(clientAtom)
  const { txId } = await get(queryClientAtom).ensureQueryData({
    queryKey: stateKey(database),
    queryFn: ({ signal }) => readState(client, database, signal),
  })
  return txId
}

const boundNames = { before: 'BEFORE', since: 'SINCE', after: 'AFTER' } as const

/**
 * The period in an address, such as `after:tx:5`: that of `at` where `UNTIL` is not meant; null for
 * any other text.
 */
export function readPeriod(text: string): Moment | null {
  const [, name, rest = ''] = /^(before|since|after):(.*)$/.exec(text) ?? []
  const at = readAt(rest)
  if (at === null || (name !== 'before' && name !== 'since' && name !== 'after')) return null
  return { bound: boundNames[name], at: at.kind === 'tx' ? at : { ...at, text: sqlTime(at.text) } }
}

/** A period as an address has it; that of `UNTIL` is the moment alone. */
export function writePeriod({ bound, at }: Moment): string {
  const moment = writeAt(at.kind === 'tx' ? at : { ...at, text: addressTime(at.text) })
  return bound === 'UNTIL' ? moment : `${bound.toLowerCase()}:${moment}`
}

function sqlTime(text: string): string {
  return text.slice(0, 19).replace('T', ' ')
}

function addressTime(text: string): string {
  return `${text.replace(' ', 'T')}Z`
}
