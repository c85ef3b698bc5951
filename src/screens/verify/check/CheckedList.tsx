import { useAtomValue, useSetAtom } from 'jotai'
import { checksAtom } from '~/atoms/checks'
import { groundOf } from '~/atoms/trust/ground'
import { historyStandingAtom } from '~/atoms/trust/history-standing'
import { openProofAtom } from '~/atoms/trust/proof-drawer'
import type { Verification } from '~/atoms/trust/verification'
import { timezoneAtom } from '~/atoms/view'
import { formatClock } from '~/lib/text'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { SafeText } from '~/ui/SafeText'

/** What was checked here since the page was opened. */
export function CheckedList() {
  const checks = useAtomValue(checksAtom)
  const timezone = useAtomValue(timezoneAtom)
  const open = useSetAtom(openProofAtom)
  if (checks.length === 0) return null
  return (
    <section aria-labelledby="checked" className="grid grid-cols-1 gap-2">
      <h2 className="font-medium" id="checked">
        Checked here
      </h2>
      <ul className="rounded border border-line bg-panel">
        {checks.map((one) => (
          <li
            className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t px-4 py-1.5 first:border-t-0"
            key={`${one.at} ${one.what}`}
          >
            <Outcome of={one} />
            <span className="min-w-0 flex-1 break-words">
              <SafeText text={one.what} /> <span className="text-muted">of</span>{' '}
              <SafeText text={one.database} />
            </span>
            <span className="text-muted text-sm">{formatClock(one.at, timezone)}</span>
            <Button
              aria-label={`Show the proof of ${one.what}`}
              onClick={() => void open(one)}
              size="small"
              variant="quiet"
            >
              Show
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Outcome({ of }: { of: Verification }) {
  const standing = useAtomValue(historyStandingAtom)(of)
  const { outcome } = of
  const ground = groundOf(of)
  if (outcome.kind === 'refused') return <Badge tone="error">Refused</Badge>
  if (outcome.kind === 'unproven') return <Badge>Not provable</Badge>
  if (standing === 'broken') return <Badge tone="error">History is broken</Badge>
  if (ground === 'late') return <Badge>Not checked</Badge>
  if (standing === 'forgotten') return <Badge>Forgotten history</Badge>
  if (ground !== 'recorded') return <Badge>First contact</Badge>
  return <Badge tone="verified">Verified</Badge>
}
