import { useAtomValue, useSetAtom } from 'jotai'
import { receiptAtom, verifyWriteAtom } from '~/atoms/receipts'
import { historyStandingAtom, worstOf } from '~/atoms/trust/history-standing'
import { openProofAtom } from '~/atoms/trust/proof-drawer'
import { formatTx } from '~/lib/text'
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
  const open = useSetAtom(openProofAtom)
  const verify = useSetAtom(verifyWriteAtom)
  const standingOf = useAtomValue(historyStandingAtom)
  if (!receipt) return null
  const proofs = 'proofs' in receipt ? receipt.proofs : []
  return (
    <ReceiptNote
      history={worstOf(proofs.map(({ verification }) => standingOf(verification)))}
      kind={receipt.kind}
      onOpen={() => void open({ what: `tx ${formatTx(tx)}`, ask: async () => proofs })}
      onRetry={() => {
        if (receipt.kind === 'failed') void verify(receipt.committed)
      }}
      tx={tx}
      {...(says === undefined ? {} : { says })}
      why={'why' in receipt ? receipt.why : undefined}
    />
  )
}
