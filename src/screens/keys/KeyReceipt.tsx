import { useAtomValue, useSetAtom } from 'jotai'
import { isBrokenAtom } from '~/atoms/broken'
import { openProofAtom } from '~/atoms/proof-drawer'
import { receiptAtom, verifyWriteAtom } from '~/atoms/receipts'
import { formatTx } from '~/lib/text'
import { ReceiptNote } from '~/ui/proof/ReceiptNote'

/** What this browser verified of the last write to a key. */
export function KeyReceipt({ database, tx }: { database: string; tx: string }) {
  const receipt = useAtomValue(receiptAtom)({ database, tx })
  const open = useSetAtom(openProofAtom)
  const verify = useSetAtom(verifyWriteAtom)
  const isBroken = useAtomValue(isBrokenAtom)(database)
  if (!receipt) return null
  const proofs = 'proofs' in receipt ? receipt.proofs : []
  return (
    <ReceiptNote
      isBroken={isBroken}
      kind={receipt.kind}
      onOpen={() => void open({ what: `tx ${formatTx(tx)}`, ask: async () => proofs })}
      onRetry={() => {
        if (receipt.kind === 'failed') void verify(receipt.committed)
      }}
      tx={tx}
      why={'why' in receipt ? receipt.why : undefined}
    />
  )
}
