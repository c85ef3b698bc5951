import { useAtomValue } from 'jotai'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { History } from '~/atoms/revisions/history'
import type { Subject } from '~/atoms/revisions/open-revisions'
import {
  isHeldAtom,
  isWantedAtom,
  pageOf,
  revisionQueriesAtom,
  stopLines,
  wantLines,
} from '~/atoms/revisions/revision-list'
import { useAct } from '~/core/act'
import type { RevisionLine } from '~/core/revisions/revisions'
import { sentence } from '~/core/session/failure-words'
import { pageSizes } from '~/lib/constants'
import { counted, formatCount, formatTx } from '~/lib/text'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { useLinesInSight } from '~/ui/lines-in-sight'
import { SafeName } from '~/ui/SafeText'
import { ToLimit } from '~/ui/Sentence'
import { useLineTimes } from './line-times'

type Props = { history: History; chosen: number; onChoose: (number: number) => void }

const lineHeight = 60

/** The revisions, newest first; only those in sight are looked up. */
export function RevisionLines({ history, chosen, onChoose }: Props) {
  const { count } = history
  const sight = useLinesInSight(count, lineHeight)
  const list = useRef<HTMLUListElement>(null)
  // A revision far down, such as that of a link, is brought into sight once.
  const [start] = useState(() => count - chosen)
  const box = (element: HTMLElement | null) => {
    const stop = sight.attach(element)
    if (element && start > 0 && element.scrollTop === 0) sight.moveTo(start - 1)
    return stop
  }
  const [attached] = useState(() => box)
  const press = (event: KeyboardEvent) => {
    const next = targetOf(event.key, chosen, count)
    if (next === null) return
    event.preventDefault()
    sight.reveal(count - next)
    onChoose(next)
    const focus = () => list.current?.querySelector<HTMLElement>(`[data-number='${next}']`)?.focus()
    requestAnimationFrame(() => requestAnimationFrame(focus))
  }
  return (
    <div className="min-h-0 grow overflow-auto" ref={attached}>
      <ul
        aria-label="Revisions"
        className="relative"
        onKeyDown={press}
        ref={list}
        style={{ height: sight.boxHeight }}
      >
        {sight.lines.map(({ index, start: top }) => (
          <li
            aria-posinset={index + 1}
            aria-setsize={count}
            className="absolute inset-x-0 border-line border-t"
            key={count - index}
            style={{ height: lineHeight, top }}
          >
            <Line
              history={history}
              isChosen={count - index === chosen}
              number={count - index}
              onChoose={onChoose}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The revision that a key goes to; older ones are further down. */
function targetOf(key: string, chosen: number, count: number): number | null {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: chosen - 1,
    ArrowUp: chosen + 1,
    PageDown: chosen - 10,
    PageUp: chosen + 10,
    End: 1,
    Home: count,
  }
  const next = steps[key]
  return next === undefined ? null : Math.min(count, Math.max(1, next))
}

type LineProps = {
  history: History
  number: number
  isChosen: boolean
  onChoose: (number: number) => void
}

function Line({ history, number, isChosen, onChoose }: LineProps) {
  const place = history.count - number
  const page = pageOf(history, number)
  const queries = useAtomValue(revisionQueriesAtom)(history)
  const { data, error, refetch } = useAtomValue(queries.lines(String(page)))
  const line = data?.find((one) => one.number === number)
  const below = data?.find((one) => one.number === number - 1)
  const timeOf = useLineTimes(history, data ?? [])
  return (
    <div className={cx('relative h-full', isChosen && 'bg-selected')}>
      <button
        aria-current={isChosen ? 'true' : undefined}
        className={cx(
          'flex h-full w-full flex-col justify-center gap-0.5 px-4 text-start text-sm -outline-offset-2',
          !isChosen && 'hover:bg-hover',
        )}
        data-number={number}
        onClick={() => onChoose(number)}
        tabIndex={isChosen ? 0 : -1}
        type="button"
      >
        <span className="flex w-full items-center gap-2">
          <span className="font-medium">rev {formatCount(BigInt(number))}</span>
          {line?.tx && <span className="font-mono text-muted">tx {formatTx(line.tx)}</span>}
          <span className="grow" />
          <Kind below={below} line={line} />
        </span>
        <span className="truncate text-muted text-xs">
          {line ? (
            <>
              {timeOf(line) ?? wordsOf(line, history.subject.kind)}
              {line.author !== null && (
                <>
                  {' '}
                  by <SafeName text={line.author} />
                </>
              )}
            </>
          ) : error ? (
            sentence(error)
          ) : (
            <Looking history={history} page={page} />
          )}
        </span>
      </button>
      {!line && (
        <span className="absolute end-2 top-1.5">
          {error ? (
            <>
              <ToLimit tabIndex={isChosen ? 0 : -1} text={sentence(error)} />
              <Button onClick={() => void refetch()} size="small" variant="quiet">
                Try again
              </Button>
            </>
          ) : (
            (isChosen || place % pageSizes.revisions === 0) && (
              <Search history={history} page={page} />
            )
          )}
        </span>
      )}
    </div>
  )
}

function wordsOf({ tx, kind }: RevisionLine, of: Subject['kind']): string {
  if (kind === 'too-large') return 'larger than 4 MiB'
  if (kind === 'gone' && tx === null) return 'the server no longer has its value'
  if (tx !== null) return ''
  return of === 'row' ? 'transaction not found by queries' : 'not in the answer of the server'
}

/** What a revision did; a shape and a word, not only a colour. */
function Kind({
  line,
  below,
}: {
  line: RevisionLine | undefined
  below: RevisionLine | undefined
}) {
  if (line?.kind === 'deleted') return <Badge tone="warning">Deleted</Badge>
  if (line?.kind === 'gone') return <Badge tone="warning">Value gone</Badge>
  if (line?.kind === 'expired') return <Badge tone="warning">Expired</Badge>
  if (line?.number === 1) return <Badge tone="info">Inserted</Badge>
  if (below?.kind === 'deleted') return <Badge tone="info">Inserted again</Badge>
  return null
}

function Looking({ history, page }: { history: History; page: number }) {
  const isHeld = useAtomValue(isHeldAtom)(history, page)
  const queries = useAtomValue(revisionQueriesAtom)(history)
  const { data } = useAtomValue(queries.rounds(String(page)))
  if (isHeld) return 'transaction not looked up'
  if (!data) return 'looking for its transaction…'
  const { done, left } = data
  const more = left > 1 ? `, about ${formatCount(BigInt(left))} more` : ''
  return `looking for its transaction: ${counted(done, 'request')}${more}…`
}

/** Begins or stops a long search; the first line of a page stands for all of it. */
function Search({ history, page }: { history: History; page: number }) {
  const isHeld = useAtomValue(isHeldAtom)(history, page)
  const want = useAct(wantLines)
  const stop = useAct(stopLines)
  const isWanted = useAtomValue(isWantedAtom)(history, page)
  if (isHeld) {
    return (
      <Button onClick={() => want(history, page)} size="small" variant="quiet">
        Look up
      </Button>
    )
  }
  if (!isWanted) return null
  return (
    <Button onClick={() => void stop(history, page)} size="small" variant="quiet">
      Stop
    </Button>
  )
}
