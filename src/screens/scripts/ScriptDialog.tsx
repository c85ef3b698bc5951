import { useAtomValue } from 'jotai'
import { scriptImport } from '~/atoms/scripts/script-import'
import { useAct } from '~/core/act'
import { isUnderWay } from '~/core/upload'
import { UploadDialog } from '../upload/UploadDialog'
import { RunReport } from './RunReport'
import { SetupScript } from './SetupScript'

type Props = {
  database: string
  /** What was dropped; null: it is to be chosen. */
  dropped: File | null
  onClose: () => void
}

/** Brings a script: first what becomes of each statement, then how far it is and what became of each. */
export function ScriptDialog({ database, dropped, onClose }: Props) {
  const run = useAtomValue(scriptImport.runAtom)
  const check = useAct(scriptImport.check)
  if (run === null) return <SetupScript database={database} dropped={dropped} onClose={onClose} />
  const { source, plan, progress, stop } = run
  return (
    <UploadDialog onClose={onClose} run={run} upload={scriptImport}>
      {!isUnderWay(run) && (
        <RunReport
          database={plan.database}
          onCheck={stop?.kind === 'unknown' ? () => void check() : undefined}
          progress={progress}
          source={source}
        />
      )}
    </UploadDialog>
  )
}
