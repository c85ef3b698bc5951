import { atom } from 'jotai'
import { formatTx } from '~/lib/text'
import { gravestOf, type Judged } from '~/proof/verdict'
import { sentence } from '../session/failure'
import type { ShownKey } from '../trust/object-proofs'
import { proveWritten } from '../trust/object-proofs'
import { objectVerdictAtom } from '../trust/object-verdict'
import type { Proof } from '../trust/proof-drawer'

/** What was committed: a transaction, or a key in it. */
export type Committed = {
  database: string
  tx: string
  key?: ShownKey
  /** The newest transaction known before it was sent; the write cannot be in it or before it. */
  txBefore?: string
}

/** What this browser found out about a write just made. */
export type Receipt =
  | { kind: 'checking' }
  | { kind: 'checked'; proofs: readonly Proof[] }
  | { kind: 'failed'; why: string; committed: Committed }

const receiptsAtom = atom<ReadonlyMap<string, Receipt>>(new Map<string, Receipt>())
const queueAtom = atom(() => ({ last: Promise.resolve(), waiting: 0 }))

/** Most writes waiting for verification; a long script should not cause as many calls. */
const mostWaiting = 20

/** Most receipts kept; older ones belong to results that are no longer shown. */
const most = 500

/** Identifies a receipt; a server may name one transaction for a key and for something else. */
type Written = Pick<Committed, 'database' | 'tx'> & { key?: Pick<ShownKey, 'key'> }

const nameOf = ({ database, tx, key }: Written) => JSON.stringify([database, tx, key?.key])

/** Why the transaction cannot belong to this write; null when it can. */
function oldOf({ tx, txBefore = '0' }: Committed): string | null {
  if (BigInt(tx) > BigInt(txBefore)) return null
  return `the server named tx ${formatTx(tx)}, but tx ${formatTx(txBefore)} was there before this was sent, so it is not what was sent`
}

/** The verdict on a write by what is known of its history now; null while there is none. */
export const receiptVerdictAtom = atom((get) => (receipt: Receipt): Judged | null => {
  if (receipt.kind !== 'checked') return null
  return gravestOf(receipt.proofs.map(get(objectVerdictAtom)))
})

/** The receipt of a write; undefined when none was requested. */
export const receiptAtom = atom(
  (get) => (written: Written) => get(receiptsAtom).get(nameOf(written)),
)

/** Verifies a write in the background, one after the other. Never rejects. */
export const verifyWriteAtom = atom(null, (get, set, committed: Committed): Promise<void> => {
  const tell = (receipt: Receipt) => {
    const kept = [...get(receiptsAtom)].slice(-most)
    set(receiptsAtom, new Map(kept).set(nameOf(committed), receipt))
  }
  const verify = async () => {
    try {
      const proofs = await proveWritten({ get, set }, committed, oldOf(committed))
      tell({ kind: 'checked', proofs })
    } catch (error) {
      tell({ kind: 'failed', why: sentence(error), committed })
    }
  }
  const queue = get(queueAtom)
  if (queue.waiting >= mostWaiting) {
    tell({ kind: 'failed', why: 'Too many writes came at once.', committed })
    return queue.last
  }
  tell({ kind: 'checking' })
  queue.waiting += 1
  queue.last = queue.last.then(verify).finally(() => {
    queue.waiting -= 1
  })
  return queue.last
})
