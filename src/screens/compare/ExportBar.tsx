import { useAtomValue } from 'jotai'
import type { Comparison } from '~/atoms/compare/compared-tables'
import {
  type ComparedSchema,
  type ComparedValues,
  comparisonExports,
  exportComparison,
  exportName,
  exportSchema,
  exportValues,
  schemaExportName,
  valuesExportName,
} from '~/atoms/compare/comparison-export'
import type { ComparedAs } from '~/atoms/compare/values'
import { useAct } from '~/core/act'
import type { ExportFile } from '~/core/files/exports'
import type { ExportFormat } from '~/sql/result-text'
import { ExportMenu, ExportNote, rowFormats } from '~/ui/Export'

/** Saves the whole comparison as a file, and says whether it is complete. */
export function ExportBar({ of, as }: { of: Comparison; as: ComparedAs }) {
  const write = useAct(exportComparison)
  return <Bar name={exportName(of)} write={(format) => write(of, as, format)} />
}

/** The same for keys or documents. */
export function ValuesExportBar({ of }: { of: ComparedValues }) {
  const write = useAct(exportValues)
  return <Bar name={valuesExportName(of)} write={(format) => write(of, format)} />
}

/** The same for the changes of the schema. */
export function SchemaExportBar({ of }: { of: ComparedSchema }) {
  const write = useAct(exportSchema)
  return <Bar name={schemaExportName(of)} write={(format) => write(of, format)} />
}

type BarProps = { name: string; write: (format: ExportFormat) => Promise<ExportFile | null> }

function Bar({ name, write }: BarProps) {
  const stop = useAct(comparisonExports.stop)
  const made = useAtomValue(comparisonExports.newestAtom)
  const own = made?.of === name ? made : null
  const isRunning = made?.state === 'running'
  return (
    <>
      <ExportMenu formats={rowFormats} isRunning={isRunning} write={write} />
      {own && <ExportNote made={own} onStop={() => stop()} />}
    </>
  )
}
