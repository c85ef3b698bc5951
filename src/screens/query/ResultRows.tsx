import { Suspense, useState } from 'react'
import type { OutputEntry } from '~/atoms/output'
import type { ResultTable } from '~/sql/result'
import { Button } from '~/ui/Button'
import { fetchedLater } from '~/ui/fetched-later'
import { DownloadIcon } from '~/ui/Icon'
import { PagesBar } from './PagesBar'
import { VerifiableGrid } from './VerifiableGrid'
import { VerifyBar, VerifySummary } from './VerifyBar'

const ExportDialog = fetchedLater(() =>
  import('./ExportDialog').then((module) => module.ExportDialog),
)

/** The rows of a result with what can be done with them. */
export function ResultRows({ entry, result }: { entry: OutputEntry; result: ResultTable }) {
  const [isExporting, setExporting] = useState(false)
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set<number>())
  return (
    <>
      {entry.paging && !entry.paging.isComplete && (
        <PagesBar number={entry.number} paging={entry.paging} />
      )}
      <VerifiableGrid entry={entry} onSelect={setSelected} result={result} selected={selected} />
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <VerifyBar entry={entry} result={result} selected={selected} />
        <Button
          aria-label={`Export or copy result ${entry.number}`}
          icon={<DownloadIcon />}
          onClick={() => setExporting(true)}
          size="small"
          variant="quiet"
        >
          Export or copy
        </Button>
        <VerifySummary entry={entry} result={result} />
      </div>
      {isExporting && (
        <Suspense fallback={null}>
          <ExportDialog entry={entry} onClose={() => setExporting(false)} result={result} />
        </Suspense>
      )}
    </>
  )
}
