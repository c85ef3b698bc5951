import { useAtomValue } from 'jotai'
import { scriptImport } from '~/atoms/scripts/script-import'
import { UploadDialog } from '../upload/UploadDialog'
import { SetupScript } from './SetupScript'

type Props = {
  database: string
  /** What was dropped; null: it is to be chosen. */
  dropped: File | null
  onClose: () => void
}

/** Brings a script: first what becomes of each statement, then how far it is. */
export function ScriptDialog({ database, dropped, onClose }: Props) {
  const run = useAtomValue(scriptImport.runAtom)
  if (run === null) return <SetupScript database={database} dropped={dropped} onClose={onClose} />
  return <UploadDialog onClose={onClose} run={run} upload={scriptImport} />
}
