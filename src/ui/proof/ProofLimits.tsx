import { limitsOf } from '~/lib/proof-limits'
import { GuideLink } from '~/ui/GuideLink'

/** What a proof of this kind says and what it does not. */
export function ProofLimits({ kind }: { kind: string }) {
  const { proves, not } = limitsOf(kind)
  return (
    <div className="grid gap-2 text-sm">
      <h3 className="font-medium text-base">What this proves</h3>
      <p>{proves}</p>
      <h3 className="mt-1 font-medium text-base">What it does not prove</h3>
      <ul className="grid list-disc gap-1 ps-5 marker:text-muted">
        {not.map((one, index) => (
          <li key={one}>
            {one}
            {index < not.length - 1 ? ';' : '.'}
          </li>
        ))}
      </ul>
      <p>
        <GuideLink to="verify-means">More in the guide</GuideLink>
      </p>
    </div>
  )
}
