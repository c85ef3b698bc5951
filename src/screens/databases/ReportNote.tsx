import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import {
  checkWorkAtom,
  dismissReportAtom,
  type WorkKind,
  type WorkReport,
  workReportsAtom,
} from '~/atoms/database-work'
import { ErrorNote } from '~/ui/ErrorNote'
import { SafeText } from '~/ui/SafeText'
import { ResultNote } from './ResultNote'

const verbs: Record<WorkKind, string> = {
  load: 'Load',
  unload: 'Unload',
  flush: 'Flush',
  compact: 'Compact',
  truncate: 'Truncate',
  delete: 'Delete',
}

/** What became of the last thing done to the database. */
export function ReportNote({ name, isDeleted }: { name: string; isDeleted: boolean }) {
  const report = useAtomValue(workReportsAtom).get(name)
  const dismiss = useSetAtom(dismissReportAtom)
  if (!report) return null
  // Somebody else may have made one of the same name since.
  if (report.kind === 'delete' && report.status === 'done' && !isDeleted) return null
  return (
    <div className="border-line border-b px-4 py-3">
      {report.status === 'done' || report.status === 'usual' ? (
        <ResultNote isDone={report.status === 'done'} onClose={() => dismiss(name)}>
          {verbs[report.kind]}: <SafeText text={report.text} />
        </ResultNote>
      ) : (
        <Failed name={name} report={report} />
      )}
    </div>
  )
}

function Failed({ name, report }: { name: string; report: WorkReport }) {
  const check = useSetAtom(checkWorkAtom)
  const [isBusy, setBusy] = useState(false)
  const look = async () => {
    setBusy(true)
    await check(name)
    setBusy(false)
  }
  const isUnknown = report.status === 'unknown'
  return (
    <>
      <ErrorNote
        busy={isBusy}
        retryLabel="Check now"
        title={`${verbs[report.kind]}: ${report.text}`}
        {...(report.details === null ? {} : { details: report.details })}
        {...(isUnknown
          ? { onRetry: () => void look(), advice: report.advice }
          : { notDone: 'Nothing was changed.' })}
      />
      {report.finding && (
        <p className="pt-2 text-sm" role="status">
          <SafeText text={report.finding} />
        </p>
      )}
    </>
  )
}
