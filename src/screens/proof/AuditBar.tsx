import { ProgressBar } from '~/ui/ProgressBar'

type Props = { first: string; txId: string; last: string; isResting?: boolean }

/** How much of the history an audit went through. */
export function AuditBar({ first, txId, last, isResting = false }: Props) {
  const share = shareOf(first, txId, last)
  return <ProgressBar isResting={isResting} label="Audited transactions" share={share} />
}

/** How finely a share is told. */
const steps = 10_000

/** Exact for counts beyond 2⁵³ as far as a bar can show it. */
function shareOf(first: string, txId: string, last: string): number {
  const all = BigInt(last) - BigInt(first) + 1n
  const done = BigInt(txId) - BigInt(first) + 1n
  return all > 0n ? Number((done * BigInt(steps)) / all) / steps : 1
}
