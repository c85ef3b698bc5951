// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot be virtualised.
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus stays on the grid, which names its active row.
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { TxEntries } from '~/api/transactions'
import { isTxId } from '~/immudb/moment'
import { pathTo } from '~/lib/paths'
import { actionOf } from '~/lib/shortcuts'
import { focusContent } from '~/ui/focus-content'
import { useNavigate } from '~/ui/location'
import { revealRow, useSight, visibleRowRange } from '~/ui/tree/viewport'
import { useNarrow } from '~/ui/use-narrow'
import { useListAddress } from './address'
import { Head, type ReadState, TxRow } from './TxRow'

export type Target = { id: bigint; isAtTop: boolean }
export type Place = { index: number; start: number }
type RowOf = Place & { tx: TxEntries | undefined; state: ReadState }
export type DrawRow = (of: RowOf) => ReactNode

type FrameProps = {
  count: number
  /** Rows that were put above since the list was opened. */
  base: number
  idAt: (index: number) => bigint
  indexOf: (id: bigint) => number
  newest: bigint
  last: bigint
  target: Target | null
  /** The transaction from which someone returns to the list, where they continue. */
  before: string | undefined
  onGoTo: (id: bigint) => void
  onRange?: (first: number, last: number) => void
  /** The first transaction in sight once the list stands still. */
  onSettled?: (id: bigint) => void
  rows: (range: readonly Place[], row: DrawRow) => ReactNode
}

/** Milliseconds without scrolling after which the position goes into the address. */
const settleTime = 300

/** The scrolling box with its keys; the focus stays on it, and one row is the active one. */
export function GridFrame(props: FrameProps) {
  const { count, base, idAt, indexOf, newest, last, target, onGoTo, onRange, onSettled, before } =
    props
  const isNarrow = useNarrow()
  const height = isNarrow ? 92 : 36
  const { database } = useListAddress()
  const navigate = useNavigate()
  const { sight, attach } = useSight()
  const gridId = useId()
  const returned = before !== undefined && isTxId(before) ? BigInt(before) : null
  const [active, setActive] = useState(returned)
  const [aim, setAim] = useState(target)
  if (aim !== target) {
    setAim(target)
    if (target?.isAtTop) setActive(target.id)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the return takes the focus.
  useEffect(() => {
    const place = document.activeElement
    const isFree = place === document.body || place?.id === 'content'
    if (returned !== null && isFree) sight.box()?.focus({ preventScroll: true })
  }, [])
  const headerHeight = isNarrow ? 0 : 30
  useScrollTo({ box: sight.box, target, base, height, indexOf, headerHeight })
  const range = visibleRowRange(sight, count, height)
  const [first, end] = [range[0]?.index ?? 0, range.at(-1)?.index ?? 0]
  useEffect(() => onRange?.(first, end), [first, end, onRange])
  const topIndex = Math.min(count - 1, Math.max(0, Math.ceil(sight.top / height)))
  const settled = idAt(topIndex)
  useSettled(settled, onSettled)
  const open = (id: bigint) => {
    focusContent()
    navigate(pathTo('transactions', { db: database, id: String(id) }))
  }
  const press = (event: KeyboardEvent) => {
    const action = actionOf('transactions', event)
    const at = indexOf(active ?? settled)
    const page = Math.max(1, Math.floor((sight.height - headerHeight) / height) - 1)
    const steps: Record<string, number> = { up: -1, down: 1, pageUp: -page, pageDown: page }
    if (action === undefined) return
    if (action === 'open') {
      if (active === null || event.target !== event.currentTarget) return
      event.preventDefault()
      return open(active)
    }
    event.preventDefault()
    const isFirst = active === null && (action === 'up' || action === 'down')
    const next = Math.min(count - 1, Math.max(0, at + (isFirst ? 0 : (steps[action] ?? 0))))
    const id = action === 'first' ? newest : action === 'last' ? last : idAt(next)
    setActive(id)
    onGoTo(id)
  }
  const draw: DrawRow = ({ index, start, tx, state }) => {
    const id = idAt(index)
    return (
      <TxRow
        database={database}
        id={String(id)}
        isActive={id === active}
        isNarrow={isNarrow}
        key={String(id)}
        onOpen={open}
        place={Number(newest - id) + 2}
        rowId={`${gridId}-${id}`}
        start={start}
        state={state}
        tx={tx}
      />
    )
  }
  const isDrawn = active !== null && indexOf(active) >= first && indexOf(active) <= end
  return (
    <div
      aria-activedescendant={isDrawn ? `${gridId}-${active}` : undefined}
      aria-label="Transactions"
      aria-readonly="true"
      aria-rowcount={Number(newest) + 1}
      className="relative min-h-0 grow overflow-auto bg-panel outline-none [&:focus-visible_[data-active=true]]:outline-2 [&_[data-active=true]]:-outline-offset-2 [&_[data-active=true]]:outline-primary"
      onFocus={() => setActive((now) => now ?? settled)}
      onKeyDown={press}
      ref={attach}
      role="grid"
      tabIndex={0}
    >
      <Head isNarrow={isNarrow} />
      <div className="relative" role="rowgroup" style={{ height: count * height }}>
        {props.rows(range, draw)}
      </div>
    </div>
  )
}

/** Keeps what is read in its place while rows come above it, and goes where it is told. */
function useScrollTo(of: {
  box: () => HTMLElement | null
  target: Target | null
  base: number
  height: number
  indexOf: (id: bigint) => number
  headerHeight: number
}) {
  const { box, target, base, height, indexOf, headerHeight } = of
  const shown = useRef(base)
  useLayoutEffect(() => {
    const element = box()
    if (element && base !== 0) element.scrollTop += (base - shown.current) * height
    shown.current = base
  }, [base, box, height])
  const place = useRef(indexOf)
  useLayoutEffect(() => {
    place.current = indexOf
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new target is a wish to go there.
  useLayoutEffect(() => {
    const element = box()
    if (!element || !target) return
    const top = place.current(target.id) * height
    if (target.isAtTop) element.scrollTop = top
    else if (top < element.scrollTop) element.scrollTop = top
    else revealRow(element, top, height + headerHeight)
  }, [target])
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
