import { atom } from 'jotai'
import type { Io } from '~/core/act'
import { sentence } from '~/core/session/failure-words'
import { gravestOf, type Judged } from '~/proof/verdict'
import { objectVerdictAtom } from './object-verdict'
import { proveAll } from './prove'
import type { Proof, Question, Verification } from './verification'

/** A write that was made, and the questions that compare it with what was sent. */
export type CommittedWrite = {
  database: string
  tx: string
  /**
   * Which write it was, such as the number of a result: a server may name one transaction for
   * several, and what is proven of one says nothing of another.
   */
  of: string
  questions: readonly Question[]
}

/** What this browser found out about a write just made. */
export type Receipt =
  | { kind: 'checking' }
  | { kind: 'checked'; proofs: readonly Proof[] }
  | { kind: 'failed'; why: string; committed: CommittedWrite }

const receiptsAtom = atom<ReadonlyMap<string, Receipt>>(new Map<string, Receipt>())
const queueAtom = atom(() => ({ last: Promise.resolve(), waiting: 0 }))

/** Most writes waiting for verification; a long script should not cause as many calls. */
const mostWaiting = 20

/** Most receipts kept; older ones belong to results that are no longer shown. */
const most = 500

/** Identifies a receipt. */
type Written = Pick<CommittedWrite, 'database' | 'tx' | 'of'>

const nameOf = ({ database, tx, of }: Written) => JSON.stringify([database, tx, of])

/** The verdict on a write by what is known of its history now; null while there is none. */
export const receiptVerdictAtom = atom((get) => (receipt: Receipt): Judged | null => {
  if (receipt.kind !== 'checked') return null
  return gravestOf(receipt.proofs.map(get(objectVerdictAtom)))
})

/** The receipt of a write; undefined when none was requested. */
export const receiptAtom = atom(
  (get) => (written: Written) => get(receiptsAtom).get(nameOf(written)),
)

/** What was proven of the writes of this page to a database. */
export const checkedReceiptsAtom = atom((get) => (database: string): readonly Verification[] => {
  const proofs = [...get(receiptsAtom).values()].flatMap((receipt) =>
    receipt.kind === 'checked' ? receipt.proofs : [],
  )
  return proofs.map(({ verification }) => verification).filter((of) => of.database === database)
})

/** Verifies a write in the background, one after the other. Never rejects. */
export function verifyWrite(io: Io, committed: CommittedWrite): Promise<void> {
  const tell = (receipt: Receipt) => {
    const kept = [...io.get(receiptsAtom)].slice(-most)
    io.set(receiptsAtom, new Map(kept).set(nameOf(committed), receipt))
  }
  const verify = async () => {
    try {
      const proofs = await proveAll(io, committed.questions)
      tell({ kind: 'checked', proofs })
    } catch (error) {
      tell({ kind: 'failed', why: sentence(error), committed })
    }
  }
  const queue = io.get(queueAtom)
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
}
