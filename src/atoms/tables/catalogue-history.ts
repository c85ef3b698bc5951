import { atom } from 'jotai'
import { atomWithQuery } from 'jotai-tanstack-query'
import type { Io } from '~/core/act'
import { presentTxOfAtom } from '~/core/history/newest-state'
import {
  type CatalogueWrite,
  type ReadProgress,
  readRange,
} from '~/core/history/transaction-reader'
import { sentence } from '~/core/session/failure-words'
import { perNames } from '~/core/session/per-names'
import { generationAtom } from '~/core/session/renewed-databases'
import { memoizeByNames } from '~/lib/memoize-by-names'

/** Databases with so few transactions are read at once, to learn how their tables changed. */
const readAtOnce = 500n

/** The changes of the catalogue in all transactions up to one. */
export type CatalogueRead = { readonly to: bigint; readonly changes: readonly CatalogueWrite[] }

const readKey = (database: string) => ['transactions', database, 'catalogue'] as const

/** Returns the query atom of the changes of the catalogue of a short history. */
const shortHistoriesAtom = atom(() =>
  memoizeByNames((database = '') =>
    atomWithQuery((get) => {
      const newest = BigInt(get(get(presentTxOfAtom)(database)))
      return {
        queryKey: [...readKey(database), String(newest)],
        enabled: newest > 0n && newest <= readAtOnce,
        staleTime: Number.POSITIVE_INFINITY,
        structuralSharing: false,
        placeholderData: (before: CatalogueRead | undefined) => before,
        queryFn: async ({ signal }): Promise<CatalogueRead> => {
          const { catalogue } = await readRange(
            { get },
            database,
            { from: 1n, to: newest },
            { signal },
          )
          return { to: newest, changes: catalogue }
        },
      }
    }),
  ),
)

/** The reading of a long history, which the operator asks for. */
type Reading =
  | { kind: 'busy'; progress: ReadProgress; stop: AbortController }
  | { kind: 'failed'; text: string }
  | { kind: 'done'; read: CatalogueRead }

/** By the generations of their databases. */
const readingsAtom = atom<ReadonlyMap<string, Reading>>(new Map<string, Reading>())

/** The reading of the history of a database; undefined before it was asked for. */
export const readingAtom = atom(
  (get) => (database: string) => get(readingsAtom).get(get(generationAtom)(database)),
)

/** Reads all transactions, to learn how the tables changed. */
export async function readCatalogueHistory({ get, set }: Io, database: string): Promise<void> {
  const to = BigInt(get(get(presentTxOfAtom)(database)))
  const stop = new AbortController()
  const name = get(generationAtom)(database)
  const tell = (reading: Reading | null) => {
    const next = new Map(get(readingsAtom))
    if (reading) next.set(name, reading)
    else next.delete(name)
    set(readingsAtom, next)
  }
  const onProgress = (progress: ReadProgress) => tell({ kind: 'busy', progress, stop })
  onProgress({ read: 0, of: Number(to) })
  try {
    const options = { signal: stop.signal, onProgress }
    const { catalogue } = await readRange({ get }, database, { from: 1n, to }, options)
    tell({ kind: 'done', read: { to, changes: catalogue } })
  } catch (error) {
    tell(stop.signal.aborted ? null : { kind: 'failed', text: sentence(error) })
  }
}

/** Transactions of whose catalogue something is kept; more than fit on a screen. */
export const mostMoments = 500

/**
 * Returns the atom of the changes of the catalogue up to a transaction; null when they were not
 * read.
 */
export const catalogueAtom = perNames((get, database = '', tx = ''): CatalogueRead | null => {
  const short = get(get(shortHistoriesAtom)(database)).data
  const reading = get(readingAtom)(database)
  const read = short ?? (reading?.kind === 'done' ? reading.read : undefined)
  return read && read.to >= BigInt(tx) ? read : null
}, mostMoments)

/**
 * Returns the atom that tells whether the changes of a database's catalogue are being read without
 * being asked for.
 */
export const isCatalogueComingAtom = perNames(
  (get, database = '') => get(get(shortHistoriesAtom)(database)).isLoading,
)
