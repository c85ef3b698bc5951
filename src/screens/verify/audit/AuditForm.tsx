import { useSetAtom } from 'jotai'
import { useState } from 'react'
import { startDeepAuditAtom } from '~/atoms/audit/deep-audit'
import type { AuditReport } from '~/atoms/audit/record'
import { formatTx } from '~/lib/text'
import { Button } from '~/ui/Button'
import { Checkbox } from '~/ui/Checkbox'
import { RunIcon } from '~/ui/Icon'

/** What to audit, and the start of it. */
export function AuditForm({ report }: { report: AuditReport | null }) {
  const start = useSetAtom(startDeepAuditAtom)
  const [withValues, setWithValues] = useState(true)
  const [isSince, setSince] = useState(false)
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
          hint={`Goes on behind transaction ${formatTx(report.point.txId)}, where the last audit ended.`}
          label="Only what was written since the last audit"
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
