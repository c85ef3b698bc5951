import { useMemo } from 'react'
import type { ScriptSource } from '~/atoms/scripts/script-file'
import { type Reported, reportExport, ScriptReport } from '~/atoms/scripts/script-report'
import { useExport } from '~/core/files/use-export'
import type { UploadProgress } from '~/core/upload-progress'
import { ExportBar, rowFormats } from '~/ui/ExportBar'
import { StatementList } from './StatementList'

// Outside React: the file.

type Props = {
  source: ScriptSource
  database: string
  progress: UploadProgress
  /** Looks up what has no answer; missing where it cannot be looked up now. */
  onCheck?: (() => void) | undefined
}

/** What became of each statement of a script; nothing for one that does not remember it. */
export function RunReport({ progress, ...rest }: Props) {
  const { fates } = progress
  return fates ? <Report {...rest} reported={{ ...progress, fates }} /> : null
}

type ReportProps = Omit<Props, 'progress'> & { reported: Reported }

function Report({ source, database, reported, onCheck }: ReportProps) {
  const { file, script } = source
  const { item, pending, fates } = reported
  const report = useMemo(
    () => new ScriptReport(script.index, { item, pending, fates }),
    [script, item, pending, fates],
  )
  const bar = useExport(reportExport(source, { item, pending, fates }))
  return (
    <section aria-label="What became of each statement" className="space-y-2">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="font-medium">What became of each statement</h3>
        <ExportBar {...bar} formats={rowFormats} title="The report, without values of the script" />
      </div>
      <StatementList file={file} judged={script} run={{ report, database, onCheck }} />
    </section>
  )
}
