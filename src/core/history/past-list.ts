import { type Atom, atom, type Getter } from 'jotai'
import type { TxEntries } from '~/api/transactions'
import { type Io, mountedAtom } from '~/core/act'
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

/** A list as of a transaction: what is known of it, and the actions that read it and stop. */
export type PastList<T> = {
  readonly listAtom: Atom<PastReading<T> | null>
  /** Reads all transactions up to there; what was read once in this session is not asked again. */
  readonly read: (io: Io) => Promise<void>
  readonly cancel: (io: Io) => void
}

/** Makes a list as of a transaction; a short one is read as soon as it is shown. */
export function pastListOf<T>(database: string, tx: string, begin: () => Listing<T>): PastList<T> {
  const stateAtom = atom<{ of: string; list: PastReading<T> } | null>(null)
  const known = (get: Getter) => {
    const state = get(stateAtom)
    return state?.of === get(generationAtom)(database) ? state.list : null
  }
  const read = async (io: Io) => {
    const kind = known(io.get)?.kind
    if (kind === 'reading' || kind === 'done') return
    const of = io.get(generationAtom)(database)
    const tell = (list: PastReading<T>) => io.set(stateAtom, { of, list })
    await readList(io, { database, tx }, begin(), tell)
  }
  const listAtom = mountedAtom(known, (io) => {
    if (BigInt(tx) <= readUnasked) void read(io)
    return undefined
  })
  const cancel = ({ get }: Io) => {
    const list = known(get)
    if (list?.kind === 'reading') list.controller.abort()
  }
  return { listAtom, read, cancel }
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
