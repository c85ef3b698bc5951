import { atom } from 'jotai'
import { formatTx } from '~/lib/text'
import { sentence } from './failure'
import { groundOf } from './trust/ground'
import type { ShownKey } from './trust/object-proofs'
import type { Proof } from './trust/proof-drawer'

/** What was committed: a transaction, or a key in it. */
export type Committed = {
  database: string
  tx: string
  key?: ShownKey
  /** The newest transaction known before it was sent; the write cannot be in it or before it. */
  txBefore?: string
}

/** What this browser verified of a write just made. */
export type Receipt =
  | { kind: 'checking' }
  | { kind: 'verified'; proofs: readonly Proof[] }
  /** Checked, but not found to be what was sent, or at first contact only. */
  | { kind: 'open'; proofs: readonly Proof[]; why?: string }
  | { kind: 'failed'; why: string; committed: Committed }

const receiptsAtom = atom<ReadonlyMap<string, Receipt>>(new Map<string, Receipt>())
const queueAtom = atom(() => ({ last: Promise.resolve(), waiting: 0 }))

/** Writes that wait to be verified; a script of many is not worth as many calls. */
const mostWaiting = 20

/** Receipts kept; older ones are of results that are no longer shown. */
const most = 500

/** What a receipt is for: a server may name one transaction for a key and for something else. */
type Written = Pick<Committed, 'database' | 'tx'> & { key?: Pick<ShownKey, 'key'> }

const nameOf = ({ database, tx, key }: Written) => JSON.stringify([database, tx, key?.key])

/** Why the transaction cannot be the one of this write; null when it can. */
function oldOf({ tx, txBefore = '0' }: Committed): string | null {
  if (BigInt(tx) > BigInt(txBefore)) return null
  return `the server named tx ${formatTx(tx)}, but tx ${formatTx(txBefore)} was there before this was sent, so it is not what was sent`
}

/** Why what holds says no more than the server has said; undefined where it says more. */
function ungrounded(proofs: readonly Proof[]): string | undefined {
  const held = proofs.filter(({ verification: { outcome } }) => outcome.kind === 'ok')
  const grounds = held.map(({ verification }) => groundOf(verification))
  if (grounds.includes('late')) {
    return 'the storage of this browser has not answered, so it was compared with nothing recorded'
  }
  if (grounds.includes('memory'))
    return 'first contact, for this browser keeps nothing for this page'
  return undefined
}

/** The receipt of a write; undefined when nobody asked for one. */
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
      const { isVerified, proveKey, proveTx } = await import('./trust/object-proofs')
      const { database, tx, key } = committed
      const io = { get, set }
      const found = key ? await proveKey(io, key) : await proveTx(io, database, { id: tx })
      const old = oldOf(committed)
      const proofs = old === null ? found : found.map((proof) => ({ ...proof, gap: old }))
      const why = proofs.find(({ gap }) => gap !== undefined)?.gap ?? ungrounded(proofs)
      if (isVerified(proofs)) tell({ kind: 'verified', proofs })
      else tell({ kind: 'open', proofs, ...(why === undefined ? {} : { why }) })
    } catch (error) {
      tell({ kind: 'failed', why: sentence(error), committed })
    }
  }
  const queue = get(queueAtom)
  if (queue.waiting >= mostWaiting) {
    tell({ kind: 'failed', why: 'Many writes came one after the other.', committed })
    return queue.last
  }
  tell({ kind: 'checking' })
  queue.waiting += 1
  queue.last = queue.last.then(verify).finally(() => {
    queue.waiting -= 1
  })
  return queue.last
})
