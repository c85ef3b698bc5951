import { useAtomValue } from 'jotai'
import { isDraftAtRiskAtom } from '~/atoms/editor'
import { isAnyDraftAtRiskAtom } from '~/atoms/key-drafts'
import { Button } from '~/ui/Button'
import { InfoIcon } from '~/ui/Icon'
import { Line } from './Line'

/** Another tab was opened with another build, so the server was upgraded under this one. */
export function NewBuild() {
  const isTextAtRisk = useAtomValue(isDraftAtRiskAtom)
  const isValueAtRisk = useAtomValue(isAnyDraftAtRiskAtom)
  const reason = isTextAtRisk
    ? 'Your draft could not be stored; copy it first.'
    : isValueAtRisk
      ? 'A value typed on the screen Keys could not be stored; save or discard it first.'
      : undefined
  return (
    <Line
      action={
        <Button disabledReason={reason} onClick={() => window.location.reload()} size="small">
          Reload
        </Button>
      }
      icon={<InfoIcon />}
    >
      There is a new version of the console. Reload this tab when it suits you; drafts are kept.
    </Line>
  )
}
