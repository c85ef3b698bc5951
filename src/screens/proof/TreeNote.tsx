import type { Verification } from '~/atoms/trust/verification'
import { GuideLink } from '~/ui/GuideLink'

/** What a proof leaves to whoever reads the transactions: whether the chain has the same one. */
export function TreeNote({ of: { outcome } }: { of: Verification }) {
  const isOpen = outcome.kind === 'ok' && outcome.verified.open.some((part) => part === 'tree')
  if (!isOpen) return null
  return (
    <p className="text-muted text-sm">
      Verified against the tree over all transactions. Whether their chain has the same transaction
      there, only reading them shows: a deep audit, or the check of every transaction as it arrives.{' '}
      <GuideLink to="verify-arrivals">Tree and chain</GuideLink>
    </p>
  )
}
