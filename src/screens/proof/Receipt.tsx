import { useAtomValue } from 'jotai'
import { useAct } from '~/core/act'
import { formatTx, listOf } from '~/lib/text'
import type { ObjectPart } from '~/proof/shown'
import type { Tone } from '~/proof/verdict'
import { type Judged, toneOf } from '~/proof/verdict'
import { gapOf, labelOf, olderThanSent } from '~/trust/object-verdict'
import { openProofDrawer } from '~/trust/proof-drawer'
import { receiptAtom, receiptVerdictAtom, verifyWrite } from '~/trust/receipts'
import { type Proof, questionAgain } from '~/trust/verification'
import { Sentence } from '~/ui/Sentence'
import { Spinner } from '~/ui/Spinner'
import { oldTxWords } from '~/words/shown'
import { VerdictIcon, verdictText } from './VerdictNote'

type Props = {
  database: string
  tx: string
  /** Which write it was, as its sender named it. */
  of: string
}

/** What this browser verified of a write just made; nothing unless it was asked to. */
export function Receipt({ database, tx, of }: Props) {
  const receipt = useAtomValue(receiptAtom)({ database, tx, of })
  const verdictOn = useAtomValue(receiptVerdictAtom)
  const open = useAct(openProofDrawer)
  const verify = useAct(verifyWrite)
  if (!receipt) return null
  const judged = verdictOn(receipt)
  if (receipt.kind === 'checked' && judged) {
    const { proofs } = receipt
    const questions = proofs.flatMap(({ verification }) => questionAgain(verification) ?? [])
    return (
      <ReceiptNote
        kind="checked"
        onOpen={() => void open({ what: `tx ${formatTx(tx)}`, questions, proofs })}
        text={wordsOf(judged, proofs, tx)}
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

function wordsOf(judged: Judged, proofs: readonly Proof[], tx: string): string {
  const { cause, parts = [] } = judged
  if (cause === 'whole') return `Verified at tx ${formatTx(tx)}`
  if (cause === 'forgotten') return 'Stored in a history that was forgotten'
  if (cause === 'open') {
    const isTxAlone = parts.length === 1 && parts[0]?.label === undefined && parts[0]?.name === sent
    if (isTxAlone)
      return `Transaction ${formatTx(tx)} is in the history. Its content was not compared.`
    const gap = proofs.map(gapOf).find((one) => one !== null)
    return `Verified in part: ${gap ?? 'see the proof'}`
  }
  const old = olderThanSent(judged)
  if (old) return `Not verified: ${oldTxWords(formatTx(old.named), formatTx(old.before))}`
  if (cause === 'different') {
    const names = listOf([...new Set(parts.map(labelOf))])
    return `Not what was sent: ${names}. See both values in the proof.`
  }
  const why = whys.get(cause)
  return why === undefined ? 'Stored, not verified: see why' : `Not verified: ${why}`
}

const sent: ObjectPart = 'what was sent'

const whys: ReadonlyMap<Judged['cause'], string> = new Map([
  ['broken', 'this history is broken'],
  [
    'late',
    'the storage of this browser has not answered, so it was compared with nothing recorded',
  ],
  ['memory', 'first contact, because this browser keeps nothing for this page'],
])

type ReceiptNoteProps =
  | { kind: 'checking' }
  | {
      kind: 'checked'
      tone: Tone
      text: string
      /** Shows the proof. */
      onOpen: () => void
    }
  | { kind: 'failed'; why: string; onRetry: () => void }

const look = 'inline-flex min-h-11 items-center text-start text-sm underline xs:min-h-0'

/** What this browser verified of a write just made. */
function ReceiptNote(of: ReceiptNoteProps) {
  if (of.kind === 'checking') {
    return (
      <span className="late inline-flex items-center gap-1.5 text-muted text-sm">
        <Spinner size={16} /> Verifying…
      </span>
    )
  }
  if (of.kind === 'checked') {
    return (
      <button className={`${look} ${verdictText(of.tone)}`} onClick={of.onOpen} type="button">
        <span className="flex items-start gap-1.5">
          <span className="flex h-5 items-center">
            <VerdictIcon tone={of.tone} />
          </span>
          {of.text}
        </span>
      </button>
    )
  }
  return (
    <span className="text-muted text-sm">
      Stored, not verified. <Sentence text={of.why} />{' '}
      <button className={look} onClick={of.onRetry} type="button">
        Verify
      </button>
    </span>
  )
}
