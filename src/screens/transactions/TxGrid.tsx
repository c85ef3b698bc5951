// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot leave rows out.
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus stays on the grid, which names its active row.

import { useAtomValue } from 'jotai'
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { TxEntries } from '~/api/transactions'
import { rememberedTxAtom, txPagesAtom } from '~/atoms/transactions/tx-list'
import { sentence } from '~/core/session/failure-words'
import { isTxId } from '~/immudb/moment'
import { pageSizes } from '~/lib/constants'
import { pathTo } from '~/lib/paths'
import { Button } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { focusContent } from '~/ui/focus-content'
import { useLinesInSight } from '~/ui/lines-in-sight'
import { useNavigate } from '~/ui/location'
import { Rows, Titles } from '~/ui/Rows'
import { Sentence } from '~/ui/Sentence'
import { useNarrow } from '~/ui/use-narrow'
import { useListAddress } from './address'
import { columnLook, headLook, TxCells, titles } from './TxCells'

// Outside React: the rows in sight are read, and the focus.

type WholeProps = { newest: string; before: string | undefined }

/** Every transaction; what is drawn does not depend on how many there are. */
export function WholeHistory({ newest: newestText, before }: WholeProps) {
  const { place, setPlace } = useListAddress()
  const newest = BigInt(newestText)
  const wanted = place === null ? newest : least(BigInt(place), newest)
  const [anchor] = useState(newest)
  // What the list itself wrote into the address is no wish to go there.
  const written = useRef(place)
  const [end, setEnd] = useState(newest)
  const [target, setTarget] = useState({ id: wanted })
  if (written.current !== place || end !== newest) {
    written.current = place
    setEnd(newest)
    setTarget({ id: wanted })
  }
  return (
    <TxRows
      before={before}
      cells={(id, isNarrow) => (
        <ReadCells id={id} isNarrow={isNarrow} span={pageOf(id, anchor, newest)} />
      )}
      count={Number(newest)}
      idAt={(index) => newest - BigInt(index)}
      indexOf={(id) => Number(newest - id)}
      newest={newest}
      onSettled={(id) => {
        const next = id >= newest ? null : String(id)
        if (next === written.current) return
        written.current = next
        setPlace(next)
      }}
      over={(lines) => {
        const pages = new Map<bigint, { span: Span; top: number }>()
        for (const { index, start } of lines) {
          const span = pageOf(newest - BigInt(index), anchor, newest)
          if (!pages.has(span.from)) pages.set(span.from, { span, top: start })
        }
        return [...pages].map(([from, page]) => <FailedPage key={String(from)} {...page} />)
      }}
      target={target}
    />
  )
}

const least = (one: bigint, other: bigint) => (one < other ? one : other)

type FoundProps = { found: readonly TxEntries[]; before: string | undefined }

/** Transactions that fit a filter. */
export function FoundTransactions({ found, before }: FoundProps) {
  const { database } = useListAddress()
  const ids = found.map(({ header }) => BigInt(header.id))
  return (
    <TxRows
      before={before}
      cells={(id, isNarrow) => {
        const tx = found[ids.indexOf(id)]
        return <TxCells {...{ database, isNarrow, tx }} id={String(id)} state="here" />
      }}
      count={found.length}
      idAt={(index) => ids[index] ?? 0n}
      indexOf={(id) => ids.indexOf(id)}
      newest={ids[0] ?? 0n}
    />
  )
}

type TxRowsProps = {
  count: number
  idAt: (index: number) => bigint
  indexOf: (id: bigint) => number
  newest: bigint
  /** The transaction to have at the top; a new object brings it there again. */
  target?: { id: bigint }
  /** The transaction from which someone returns to the list, where they continue. */
  before: string | undefined
  /** The first transaction in sight once the list stands still. */
  onSettled?: (id: bigint) => void
  cells: (id: bigint, isNarrow: boolean) => ReactNode
  /** What lies over the rows in sight. */
  over?: (lines: readonly { index: number; start: number }[]) => ReactNode
}

/** Milliseconds without scrolling after which the position goes into the address. */
const settleTime = 300

/** The active row is kept by its transaction: newer ones move it down. */
function TxRows(props: TxRowsProps) {
  const { count, idAt, indexOf, newest, target, onSettled, before } = props
  const isNarrow = useNarrow()
  const { database } = useListAddress()
  const navigate = useNavigate()
  const sight = useLinesInSight(count, isNarrow ? 92 : 36)
  const box = useRef<HTMLElement | null>(null)
  const { attach: watch } = sight
  const attach = useCallback(
    (element: HTMLElement | null) => {
      box.current = element
      return watch(element)
    },
    [watch],
  )
  const returned = before !== undefined && isTxId(before) ? BigInt(before) : null
  const [active, setActive] = useState(returned)
  const [aim, setAim] = useState(target)
  if (aim !== target) {
    setAim(target)
    if (target) setActive(target.id)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the return takes the focus.
  useEffect(() => {
    const place = document.activeElement
    const isFree = place === document.body || place?.id === 'content'
    if (returned !== null && isFree) box.current?.focus({ preventScroll: true })
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new target is a wish to go there.
  useLayoutEffect(() => {
    if (target) sight.moveTo(indexOf(target.id))
  }, [target])
  useSettled(idAt(sight.top), onSettled)
  const at = active === null ? null : indexOf(active)
  return (
    <Rows
      choice={{
        active: at,
        onActive: (index) => setActive(idAt(index)),
        onOpen: (index) => {
          focusContent()
          navigate(pathTo('transactions', { db: database, id: String(idAt(index)) }))
        },
      }}
      head={{
        cells: <Titles numbers="Entries" titles={titles} />,
        height: isNarrow ? 0 : 30,
        look: headLook,
      }}
      label="Transactions"
      role="grid"
      row={(index) => props.cells(idAt(index), isNarrow)}
      rowCount={Number(newest) + 1}
      rowIndex={(index) => Number(newest - idAt(index)) + 2}
      rowKey={(index) => String(idAt(index))}
      rowLook={() =>
        isNarrow ? 'grid content-center gap-y-1' : cx('items-center gap-x-3', columnLook)
      }
      sight={{ ...sight, attach }}
    >
      {props.over?.(sight.lines)}
    </Rows>
  )
}

function useSettled(id: bigint, tell: ((id: bigint) => void) | undefined) {
  const latest = useRef(tell)
  useLayoutEffect(() => {
    latest.current = tell
  })
  useEffect(() => {
    const timer = setTimeout(() => latest.current?.(id), settleTime)
    return () => clearTimeout(timer)
  }, [id])
}

type Span = { from: bigint; to: bigint }

/** The page with a transaction; its bounds stay while transactions arrive. */
function pageOf(id: bigint, anchor: bigint, newest: bigint): Span {
  const size = BigInt(pageSizes.transactions)
  if (id > anchor) {
    const from = anchor + ((id - anchor - 1n) / size) * size + 1n
    return { from, to: least(from + size - 1n, newest) }
  }
  const to = anchor - ((anchor - id) / size) * size
  return { from: to > size ? to - size + 1n : 1n, to }
}

function usePage({ from, to }: Span) {
  const { database } = useListAddress()
  return useAtomValue(useAtomValue(txPagesAtom)(database, String(from), String(to)))
}

/** A row of a page that is read when the first of its rows is in sight. */
function ReadCells({ id, span, isNarrow }: { id: bigint; span: Span; isNarrow: boolean }) {
  const { database } = useListAddress()
  const remembered = useAtomValue(rememberedTxAtom)
  const { data, error, isFetching } = usePage(span)
  const tx = data?.get(String(id)) ?? remembered(database, String(id))
  const state = tx || data ? 'here' : error && !isFetching ? 'failed' : 'coming'
  return <TxCells {...{ database, isNarrow, state, tx }} id={String(id)} />
}

/** Over the rows of a page that could not be read. */
function FailedPage({ span, top }: { span: Span; top: number }) {
  const { data, error, isFetching, refetch } = usePage(span)
  if (data || !error || isFetching) return null
  return (
    <div
      className="absolute inset-x-0 z-sticky flex flex-wrap items-center gap-3 bg-error-tint px-3 py-2 text-sm"
      role="row"
      style={{ top }}
    >
      <span className="text-error" role="gridcell">
        These transactions could not be read. <Sentence text={sentence(error)} />
      </span>
      <span role="gridcell">
        <Button onClick={() => void refetch()} size="small">
          Try again
        </Button>
      </span>
    </div>
  )
}
