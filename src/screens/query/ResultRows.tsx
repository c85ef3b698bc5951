import { useStore } from 'jotai'
import { Suspense, useState } from 'react'
import type { OutputEntry, Paging } from '~/atoms/query/output'
import type { ResultTable } from '~/sql/result'
import { Button } from '~/ui/Button'
import { ErrorNote } from '~/ui/ErrorNote'
import { DownloadIcon } from '~/ui/Icon'
import { lazyWithRetry } from '~/ui/lazy-with-retry'
import { Spinner } from '~/ui/Spinner'
import { VerifiableGrid } from './ResultGrid'
import { VerifyBar, VerifySummary } from './VerifyBar'

const ExportDialog = lazyWithRetry(() =>
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

// There already: the first page came through it.
const loadPages = () => import('~/atoms/query/result-pages')

/** Says that there is more than is shown, and fetches it. */
function PagesBar({ number, paging }: { number: number; paging: Paging }) {
  const store = useStore()
  const fetchPages = async (which: 'next' | 'all') => {
    const { fetchPagesAtom } = await loadPages()
    await store.set(fetchPagesAtom, number, which)
  }
  const stop = async () => {
    const { stopPagesAtom } = await loadPages()
    store.set(stopPagesAtom, number)
  }
  return (
    <div className="grid gap-1.5">
      <p className="text-muted text-sm">
        The server sends at most 2,500 rows in one answer, so the rows come in pages
        {paging.plan.kind === 'key' ? ' along the key' : ''}.
        {paging.tx === null && ' Rows that change between two pages may be missed or shown twice.'}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        {paging.isFetching ? (
          <>
            <span className="flex items-center gap-2 text-muted text-sm">
              <Spinner /> Fetching…
            </span>
            <Button onClick={() => void stop()} size="small">
              Stop
            </Button>
          </>
        ) : (
          <>
            <Button onClick={() => void fetchPages('next')} size="small">
              Next rows
            </Button>
            <Button onClick={() => void fetchPages('all')} size="small">
              All rows
            </Button>
          </>
        )}
      </div>
      {paging.problem !== null && (
        <ErrorNote
          notDone="The rows that are here stay."
          onRetry={() => void fetchPages('next')}
          title={paging.problem}
        />
      )}
    </div>
  )
}
