import { type ReactNode, useCallback, useRef, useState } from 'react'
import { comparisonFailure } from '~/atoms/compare/compared-tables'
import { Button } from '~/ui/Button'
import { ErrorNote } from '~/ui/ErrorNote'
import { Spinner } from '~/ui/Spinner'

/** Pages that are fetched in one go, as many as a page can hold; then more are asked for again. */
const mostPages = 1_000

type MoreProps = {
  said: ReactNode
  hasMore: boolean
  /** Why the last rows did not come; null if they did. */
  problem: unknown
  /** Reads on; says whether more may follow. */
  more: () => Promise<boolean>
}

/** Says how much is shown, and fetches more or all of it. */
export function More({ said, hasMore, problem, more }: MoreProps) {
  const [isReading, setReading] = useState(false)
  const stopped = useRef(false)
  // Once it is gone nobody could stop it any more.
  const place = useCallback(
    () => () => {
      stopped.current = true
    },
    [],
  )
  const read = async (howMany: 'next' | 'all') => {
    stopped.current = false
    setReading(true)
    let isLeft = await more()
    for (let pages = 1; howMany === 'all' && pages < mostPages; pages += 1) {
      if (!isLeft || stopped.current) break
      isLeft = await more()
    }
    setReading(false)
  }
  return (
    <div className="grid gap-2 px-4 py-2" ref={place}>
      <div className="flex min-h-8 flex-wrap items-center gap-2 text-muted text-sm">
        <span>
          {said}
          {hasMore ? '. More follow.' : ', all there are.'}
        </span>
        {isReading ? (
          <>
            <Spinner />
            <Button
              onClick={() => {
                stopped.current = true
              }}
              size="small"
            >
              Stop
            </Button>
          </>
        ) : (
          hasMore && (
            <>
              <Button onClick={() => void read('next')} size="small">
                Next rows
              </Button>
              <Button onClick={() => void read('all')} size="small">
                All rows
              </Button>
            </>
          )
        )}
      </div>
      {problem !== null && (
        <ErrorNote
          notDone="The rows that are here stay."
          onRetry={() => void read('next')}
          title={comparisonFailure(problem)}
        />
      )}
    </div>
  )
}
