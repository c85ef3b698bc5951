import { useAtomValue } from 'jotai'
import { isDraftAtRiskAtom } from '~/atoms/editor'
import { Button } from '~/ui/Button'
import { InfoIcon } from '~/ui/Icon'
import { Line } from './Line'

/** Another tab was opened with another build, so the server was upgraded under this one. */
export function NewBuild() {
  const isAtRisk = useAtomValue(isDraftAtRiskAtom)
  return (
    <Line
      action={
        <Button
          disabledReason={isAtRisk ? 'Your draft could not be stored; copy it first.' : undefined}
          onClick={() => window.location.reload()}
          size="small"
        >
          Reload
        </Button>
      }
      icon={<InfoIcon />}
    >
      There is a new version of the console. Reload this tab when it suits you; drafts are kept.
    </Line>
  )
}
