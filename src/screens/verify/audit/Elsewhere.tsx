import { useSetAtom } from 'jotai'
import { leaveDeepAuditAtom } from '~/atoms/audit/deep-audit'
import { Button } from '~/ui/Button'

/** Another tab of this browser runs the audit; it says so when it ends. */
export function Elsewhere() {
  const look = useSetAtom(leaveDeepAuditAtom)
  return (
    <div className="grid grid-cols-1 gap-3 rounded-lg border border-line bg-panel px-4 py-3">
      <p className="font-medium">This audit is at work in another tab of this browser</p>
      <p className="text-muted text-sm">
        Pause it there to go on with it here. Its report is shown here, too, once it has ended.
      </p>
      <div>
        <Button onClick={() => look()}>Look again</Button>
      </div>
    </div>
  )
}
