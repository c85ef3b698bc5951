import { useSetAtom } from 'jotai'
import { leaveDeepAuditAtom } from '~/atoms/audit/deep-audit'
import { Button } from '~/ui/Button'

/** To where an audit is begun. */
export function Back() {
  const leave = useSetAtom(leaveDeepAuditAtom)
  return (
    <div>
      <Button onClick={() => leave()}>Back</Button>
    </div>
  )
}
