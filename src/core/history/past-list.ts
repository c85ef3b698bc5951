import { atom } from 'jotai'
import type { TxEntries } from '~/api/transactions'
import type { Io } from '~/core/act'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import { generationAtom } from '../session/renewed-databases'
import { pagesOf } from './transaction-reader'

/** A list of the past, which comes from reading all transactions up to a moment. */
export type PastReading<T> =
  | { kind: 'reading'; read: number; of: number; controller: AbortController }
  /** Cancelled or failed; what was read is remembered. */
  | { kind: 'stopped'; error: unknown }
  | ({
      kind: 'done'
      /** Transactions with too many entries to be listed: what they wrote is not known. */
      unlisted: number
    } & T)

/** What a list makes of the transactions, in their order, and gives when there are no more. */
type Listing<T> = {
  add(tx: TxEntries): void
  end(io: Io, signal: AbortSignal): T | Promise<T>
}

/** So many transactions are read without being asked to: that takes a few requests. */
const readUnasked = 2_000

/**
 * Makes the atom of a list as of a transaction: written with `read` it reads all transactions up to
 * there, with `cancel` it stops. What was read once in this session is not asked for again.
 */
export function pastListAtom<T>(database: string, tx: string, begin: () => Listing<T>) {
  const stateAtom = atom<{ of: string; list: PastReading<T> } | null>(null)
  const presentAtom = atom((get) => {
    const state = get(stateAtom)
    return state?.of === get(generationAtom)(database) ? state.list : null
  })
  const listAtom = atom(
    (get) => get(presentAtom),
    async (get, set, what: 'read' | 'cancel'): Promise<void> => {
      const known = get(presentAtom)
      if (what === 'cancel') return known?.kind === 'reading' ? known.controller.abort() : undefined
      if (known?.kind === 'reading' || known?.kind === 'done') return
      const of = get(generationAtom)(database)
      const tell = (list: PastReading<T>) => set(stateAtom, { of, list })
      await readList({ get, set }, { database, tx }, begin(), tell)
    },
  )
  listAtom.onMount = (write) => {
    if (BigInt(tx) <= readUnasked) void write('read')
  }
  return listAtom
}

async function readList<T>(
  io: Io,
  { database, tx }: { database: string; tx: string },
  listing: Listing<T>,
  tell: (list: PastReading<T>) => void,
): Promise<void> {
  const controller = new AbortController()
  const { signal } = controller
  let [read, unlisted] = [0, 0]
  const tellReading = () => tell({ kind: 'reading', read, of: Number(tx), controller })
  tellReading()
  try {
    await ensureDatabaseToken(io, io.get(clientAtom), database)
    for await (const page of pagesOf(io, database, { from: 1n, to: BigInt(tx) }, signal)) {
      for (const found of page) {
        if (found.entries === null) unlisted += 1
        listing.add(found)
      }
      read += page.length
      tellReading()
    }
    tell({ kind: 'done', unlisted, ...(await listing.end(io, signal)) })
  } catch (error) {
    tell({ kind: 'stopped', error: signal.aborted ? null : error })
  }
}
