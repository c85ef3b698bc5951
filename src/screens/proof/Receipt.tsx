import { useAtomValue, useSetAtom } from 'jotai'
import { receiptAtom, receiptVerdictAtom, verifyWriteAtom } from '~/atoms/receipts'
import { openProofAtom, type Proof } from '~/atoms/trust/proof-drawer'
import { formatTx } from '~/lib/text'
import { type Judged, toneOf } from '~/proof/verdict'
import { ReceiptNote } from '~/ui/proof/ReceiptNote'

type Props = {
  database: string
  tx: string
  /** Of a write to a key: standard base64. */
  storedKey?: string
  /** What is verified; when it is not given, what was written in this transaction. */
  says?: string
}

/** What this browser verified of a write just made; nothing when nobody asked for it. */
export function Receipt({ database, tx, storedKey, says }: Props) {
  const key = storedKey === undefined ? {} : { key: { key: storedKey } }
  const receipt = useAtomValue(receiptAtom)({ database, tx, ...key })
  const verdictOn = useAtomValue(receiptVerdictAtom)
  const open = useSetAtom(openProofAtom)
  const verify = useSetAtom(verifyWriteAtom)
  if (!receipt) return null
  const judged = verdictOn(receipt)
  if (receipt.kind === 'checked' && judged) {
    const { proofs } = receipt
    return (
      <ReceiptNote
        kind="checked"
        onOpen={() => void open({ what: `tx ${formatTx(tx)}`, ask: async () => proofs })}
        text={wordsOf(judged, proofs, says ?? `Verified at tx ${formatTx(tx)}`)}
        tone={toneOf(judged)}
      />
    )
  }
  if (receipt.kind === 'failed') {
    const { why, committed } = receipt
    return <ReceiptNote kind="failed" onRetry={() => void verify(committed)} why={why} />
  }
  return <ReceiptNote kind="checking" />
}

function wordsOf({ cause }: Judged, proofs: readonly Proof[], verified: string): string {
  if (cause === 'whole') return verified
  if (cause === 'forgotten') return 'Stored in a history that was forgotten'
  const gap = proofs.find((proof) => proof.gap !== undefined)?.gap
  if (cause === 'open') return `Verified in part: ${gap ?? 'see the proof'}`
  const why = proofs.find(({ conflict }) => conflict !== undefined)?.conflict ?? whys.get(cause)
  return why === undefined ? 'Stored, not verified: see why' : `Not verified: ${why}`
}

const whys: ReadonlyMap<Judged['cause'], string> = new Map([
  ['broken', 'this history is broken'],
  [
    'late',
    'the storage of this browser has not answered, so it was compared with nothing recorded',
  ],
  ['memory', 'first contact, for this browser keeps nothing for this page'],
])
