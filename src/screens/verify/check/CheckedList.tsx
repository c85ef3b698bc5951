import { useAtomValue, useSetAtom } from 'jotai'
import { checksAtom } from '~/atoms/checks'
import { objectVerdictAtom } from '~/atoms/trust/object-verdict'
import { openProofAtom, type Proof } from '~/atoms/trust/proof-drawer'
import { timezoneAtom } from '~/atoms/view'
import { formatClock } from '~/lib/text'
import { type Judged, toneOf } from '~/proof/verdict'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { SafeName } from '~/ui/SafeName'
import { SafeText } from '~/ui/SafeText'

/** What was checked here since the page was opened. */
export function CheckedList() {
  const checks = useAtomValue(checksAtom)
  if (checks.length === 0) return null
  return (
    <section aria-labelledby="checked" className="grid grid-cols-1 gap-2">
      <h2 className="font-medium" id="checked">
        Checked here
      </h2>
      <ul className="rounded border border-line bg-panel">
        {checks.map((proof) => (
          <Line key={`${proof.verification.at} ${proof.verification.what}`} of={proof} />
        ))}
      </ul>
    </section>
  )
}

function Line({ of }: { of: Proof }) {
  const timezone = useAtomValue(timezoneAtom)
  const open = useSetAtom(openProofAtom)
  const { what, database, at } = of.verification
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t px-4 py-1.5 first:border-t-0">
      <Outcome of={of} />
      <span className="min-w-0 flex-1 break-words">
        <SafeText text={what} /> <span className="text-muted">of</span> <SafeName text={database} />
      </span>
      <span className="text-muted text-sm">{formatClock(at, timezone)}</span>
      <Button
        aria-label={`Show the proof of ${what}`}
        onClick={() => void open(of)}
        size="small"
        variant="quiet"
      >
        Show
      </Button>
    </li>
  )
}

function Outcome({ of }: { of: Proof }) {
  const judged = useAtomValue(objectVerdictAtom)(of)
  const tone = toneOf(judged)
  return <Badge tone={tone}>{outcomes.get(judged.cause) ?? 'Not checked'}</Badge>
}

const outcomes: ReadonlyMap<Judged['cause'], string> = new Map([
  ['whole', 'Verified'],
  ['open', 'In part'],
  ['refused', 'Refused'],
  ['redescribed', 'Described otherwise'],
  ['none', 'Not provable'],
  ['broken', 'History is broken'],
  ['different', 'Not as shown'],
  ['forgotten', 'Forgotten history'],
  ['first', 'First contact'],
  ['memory', 'First contact'],
])
