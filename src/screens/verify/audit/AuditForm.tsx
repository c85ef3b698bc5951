import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { startDeepAuditAtom } from '~/atoms/audit/deep-audit'
import type { AuditReport } from '~/atoms/audit/record'
import { type Trust, trustAtom } from '~/atoms/trust/trust'
import { timezoneAtom } from '~/atoms/view'
import { counted, formatMoment, formatTx, type TimeZoneChoice } from '~/lib/text'
import { Button } from '~/ui/Button'
import { Checkbox } from '~/ui/Checkbox'
import { RunIcon } from '~/ui/Icon'

/** What to audit, and the start of it. */
export function AuditForm({ report }: { report: AuditReport | null }) {
  const start = useSetAtom(startDeepAuditAtom)
  const [withValues, setWithValues] = useState(true)
  const [isSince, setSince] = useState(false)
  const trust = useAtomValue(trustAtom)
  const zone = useAtomValue(timezoneAtom)
  const from = report && isSince ? 'last' : 'start'
  return (
    <div className="grid grid-cols-1 justify-items-start gap-2 rounded-lg border border-line bg-panel px-4 py-3">
      <Checkbox
        checked={withValues}
        hint="Every value, row and document is fetched and hashed, and the tables are derived from the history. Without it only the digests are checked, which is quicker."
        label="Read the values, too"
        onChange={setWithValues}
      />
      {report && (
        <Checkbox
          checked={isSince}
          hint={newWords(report, newestOf(trust), zone)}
          label="Check only what is new"
          onChange={setSince}
        />
      )}
      <div className="mt-1">
        <Button
          icon={<RunIcon />}
          onClick={() => void start({ withValues, from })}
          variant="primary"
        >
          Start the audit
        </Button>
      </div>
    </div>
  )
}

const newestOf = (trust: Trust) => ('record' in trust ? (trust.record?.point.txId ?? null) : null)

/** What such an audit reads, and what it leaves to the one before. */
function newWords({ point, finishedAt }: AuditReport, newest: string | null, zone: TimeZoneChoice) {
  const end = formatTx(point.txId)
  const count = newest === null ? null : BigInt(newest) - BigInt(point.txId)
  const earlier = `Earlier audits, the last of ${formatMoment(finishedAt, zone)}, read what is before.`
  if (count === null || count < 0n) return `Starts after transaction ${end}. ${earlier}`
  if (count === 0n) return `Nothing is new after transaction ${end}. ${earlier}`
  return `Reads ${counted(count, 'transaction')} after transaction ${end}. ${earlier}`
}
