import type { Verification } from '~/atoms/trust/verification'
import { GuideLink } from '~/ui/GuideLink'

/** What a proof leaves to whoever reads the transactions: whether the chain has the same one. */
export function TreeNote({ of: { outcome } }: { of: Verification }) {
  const isOpen = outcome.kind === 'ok' && outcome.verified.open.some((part) => part === 'tree')
  if (!isOpen) return null
  return (
    <p className="text-muted text-sm">
      Verified against the tree over all transactions. Only reading the transactions shows whether
      their chain has the same one: run a deep audit, or check every transaction as it arrives.{' '}
      <GuideLink to="verify-arrivals">Tree and chain</GuideLink>
    </p>
  )
}
