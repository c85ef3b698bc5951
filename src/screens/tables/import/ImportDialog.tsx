import { useAtomValue } from 'jotai'
import { tableImport } from '~/atoms/tables/import'
import type { ImportPlan } from '~/atoms/tables/import-file'
import { counted } from '~/lib/text'
import { SafeName, SafeText } from '~/ui/SafeText'
import { UploadDialog } from '../../upload/UploadDialog'
import { SetupDialog } from './SetupDialog'

type Props = { database: string; onClose: () => void }

/** Imports a CSV file into a table: first what goes where, then how far it is. */
export function ImportDialog({ database, onClose }: Props) {
  const run = useAtomValue(tableImport.runAtom)
  if (run === null) return <SetupDialog database={database} onClose={onClose} />
  return (
    <UploadDialog onClose={onClose} run={run} upload={tableImport}>
      <Names heads={run.source.heads} plan={run.plan} />
    </UploadDialog>
  )
}

type NamesProps = { heads: readonly (string | null)[]; plan: ImportPlan }

/** The columns that are not called as in the file, with both names. */
function Names({ heads, plan }: NamesProps) {
  const others = plan.target.columns.filter(({ name, from }) => heads[from] && heads[from] !== name)
  if (others.length === 0) return null
  return (
    <details className="text-sm">
      <summary className="cursor-pointer">
        {counted(others.length, 'column has', 'columns have')} another name than in the file
      </summary>
      <ul aria-label="Names in the file and in the table" className="max-h-40 overflow-auto pt-1">
        {others.map(({ name, from }) => (
          <li className="[overflow-wrap:anywhere]" key={name}>
            <SafeText text={heads[from] ?? ''} /> → <SafeName text={name} />
          </li>
        ))}
      </ul>
    </details>
  )
}
