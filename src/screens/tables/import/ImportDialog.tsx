import { useAtomValue } from 'jotai'
import { importRunAtom } from '~/atoms/tables/import'
import { ImportRunDialog } from './ImportRunDialog'
import { SetupDialog } from './SetupDialog'

type Props = { database: string; onClose: () => void }

/** Imports a CSV file into a table: first what goes where, then how far it is. */
export function ImportDialog({ database, onClose }: Props) {
  const run = useAtomValue(importRunAtom)
  if (run === null) return <SetupDialog database={database} onClose={onClose} />
  return <ImportRunDialog onClose={onClose} run={run} />
}
