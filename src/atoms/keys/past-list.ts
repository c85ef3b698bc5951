import { atom } from 'jotai'
import { bytesToBase64 } from '~/lib/bytes'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { clientAtom, ensureDatabaseToken } from '../session/client'
import type { StoreAccess } from '../storage/storage'
import { decoded, pagesOf } from '../transactions/reading'

/** A key that was live as of a transaction; the digests of the transactions tell no more. */
export type PastKey = {
  /** Standard base64. */
  key: string
  /** How many transactions had written it by then. */
  revision: string
  expires: boolean
}

export type PastList =
  | { kind: 'reading'; read: number; of: number; controller: AbortController }
  /** Cancelled or failed; what was read is remembered. */
  | { kind: 'stopped'; error: unknown }
  | {
      kind: 'done'
      /** In the order of their bytes. */
      keys: readonly PastKey[]
      /** Transactions with too many entries to be listed: what they wrote is not known. */
      unlisted: number
    }

/** So many transactions are read without being asked to: that takes a few requests. */
const readUnasked = 2_000

/**
 * Returns the atom of the keys as of a transaction. The server lists only the keys of now, so all
 * transactions up to there are read: written with `read` it starts that, with `cancel` it stops.
 * What was read once in this session is not asked for again.
 */
export const pastListsAtom = atom(() =>
  memoizeByNames((database = '', tx = '') => {
    const stateAtom = atom<PastList | null>(null)
    const listAtom = atom(
      (get) => get(stateAtom),
      async (get, set, what: 'read' | 'cancel'): Promise<void> => {
        const known = get(stateAtom)
        if (what === 'cancel')
          return known?.kind === 'reading' ? known.controller.abort() : undefined
        if (known?.kind === 'reading' || known?.kind === 'done') return
        await readList({ get, set }, database, tx, (list) => set(stateAtom, list))
      },
    )
    listAtom.onMount = (write) => {
      if (BigInt(tx) <= readUnasked) void write('read')
    }
    return listAtom
  }),
)

async function readList(
  io: StoreAccess,
  database: string,
  tx: string,
  tell: (list: PastList) => void,
): Promise<void> {
  const controller = new AbortController()
  const { signal } = controller
  const list = new Listing()
  let read = 0
  const tellReading = () => tell({ kind: 'reading', read, of: Number(tx), controller })
  tellReading()
  try {
    await ensureDatabaseToken(io, io.get(clientAtom), database)
    for await (const page of pagesOf(io, database, { from: 1n, to: BigInt(tx) }, signal)) {
      for (const found of page) list.add(found)
      read += page.length
      tellReading()
    }
    tell({ kind: 'done', keys: list.keys(), unlisted: list.unlisted })
  } catch (error) {
    tell({ kind: 'stopped', error: signal.aborted ? null : error })
  }
}

type Written = { revision: number; isLive: boolean; expiresAt: string | null }
type Page = Awaited<ReturnType<ReturnType<typeof pagesOf>['next']>>['value']
type Tx = NonNullable<Page>[number]

/** What the transactions so far have left. */
class Listing {
  readonly #keys = new Map<string, Written>()
  #time = 0n
  unlisted = 0

  add({ header, entries }: Tx): void {
    this.#time = BigInt(header.ts)
    // A truncation writes only the catalogue again.
    if (entries === null) this.unlisted += 1
    for (const { key: stored, isDeleted, isNonIndexable, expiresAt } of entries ?? []) {
      const entry = decoded(stored)
      if (entry.kind !== 'key') continue
      const key = bytesToBase64(entry.key)
      const revision = (this.#keys.get(key)?.revision ?? 0) + 1
      this.#keys.set(key, { revision, isLive: !isDeleted && !isNonIndexable, expiresAt })
    }
  }

  /** Those that were live by the clock of the last transaction. */
  keys(): PastKey[] {
    const found: PastKey[] = []
    for (const [key, { revision, isLive, expiresAt }] of this.#keys) {
      if (!isLive || (expiresAt !== null && BigInt(expiresAt) <= this.#time)) continue
      found.push({ key, revision: String(revision), expires: expiresAt !== null })
    }
    return found.sort((one, other) => (atob(one.key) < atob(other.key) ? -1 : 1))
  }
}
