import { useStore } from 'jotai'
import type { Paging } from '~/atoms/output'
import { Button } from '~/ui/Button'
import { ErrorNote } from '~/ui/ErrorNote'
import { Spinner } from '~/ui/Spinner'

// There already: the first page came through it.
const loadPages = () => import('~/atoms/pages')

/** Says that there is more than is shown, and fetches it. */
export function PagesBar({ number, paging }: { number: number; paging: Paging }) {
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
